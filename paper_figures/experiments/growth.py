"""How the cost of an event grows with window and pattern length: power law, exponential or line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from mnemata.paper_figures.experiments.measurements import Measured, Measurement
from mnemata.paper_figures.tables import Table

FEWEST: Final = 3
"""With fewer points every law fits."""

NOTICEABLE: Final = 2.0
"""What grows by less than this factor over all points is not said to follow a law."""

TEXT: Final = """\
The table of growth fits three laws to the processor time of an event: a power law, *time = c · x^exponent*,
and an exponential, which doubles every so many units of *x*, both by least squares on logarithms, and a
line, *time = c + d · x*, by least squares on relative errors. The residual of a law is how far, as a
factor, points are from it (the root mean square of the logarithms); the least one says which law fits.
*Grows* is the time at the greatest *x* by that at the least. For systems that were stopped no law is said:
they have times for the events that they had read, most of them before windows were full. Figure 9 has three
small windows and one that is far off, where a few hundredths of a residual decide little."""


class Law(StrEnum):
    """How a cost grows."""

    POWER = "power law"
    EXPONENTIAL = "exponential"
    LINEAR = "linear"


class Fit(NamedTuple):
    """A law with its parameter.

    Parameters
    ----------
    law : Law
        Which.
    rate : float
        The exponent of a power law; of an exponential, what the natural logarithm gains with each unit; the
        slope of a line.
    residual : float
        The root mean square of the differences of natural logarithms.
    """

    law: Law
    rate: float
    residual: float

    @property
    def doubles(self) -> float:
        """After how many units an exponential has doubled; infinite where it does not grow."""
        return math.log(2) / self.rate if self.rate > 0 else math.inf


def fit(law: Law, xs: Sequence[float], ys: Sequence[float]) -> Fit:
    """Fit a law by least squares: on logarithms, or for a line on relative errors.

    Parameters
    ----------
    law : Law
        Which.
    xs, ys : sequences of positive float
        At least two different places, and the cost at each.

    Examples
    --------
    >>> found = fit(Law.POWER, [1, 2, 4], [3, 12, 48])
    >>> round(found.rate, 6), round(found.residual, 6)
    (2.0, 0.0)
    """
    places, costs = np.asarray(xs, np.float64), np.asarray(ys, np.float64)
    if law is Law.LINEAR:
        relative = np.stack([places / costs, 1 / costs], axis=1)
        (rate, offset), *_ = np.linalg.lstsq(relative, np.ones(len(costs)))
        expected = np.log(np.maximum(offset + rate * places, np.finfo(np.float64).tiny))
    else:
        places = np.log(places) if law is Law.POWER else places
        rate, offset = np.polyfit(places, np.log(costs), 1)
        expected = offset + rate * places
    return Fit(law, float(rate), float(np.sqrt(np.mean((expected - np.log(costs)) ** 2))))


class Growth(NamedTuple):
    """The cost of one system where one thing changes.

    Parameters
    ----------
    data, pattern, over, unit, system : str
        What was recognised where and by what; over what it grows, and in which unit that is.
    xs, ys : tuple of float
        The places, increasing, and the nanoseconds for an event.
    stopped : int
        At how many of them the system was stopped.
    """

    data: str
    pattern: str
    over: str
    unit: str
    system: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    stopped: int

    @property
    def factor(self) -> float:
        """The cost at the greatest place by that at the least."""
        return self.ys[-1] / self.ys[0]

    @property
    def fits(self) -> tuple[Fit, ...]:
        """All laws."""
        return tuple(fit(law, self.xs, self.ys) for law in Law)

    @property
    def law(self) -> Law | None:
        """The one that fits best; ``None`` where the cost hardly grows, or systems were stopped."""
        if self.stopped or self.factor < NOTICEABLE:
            return None
        return min(self.fits, key=lambda one: one.residual).law


def growths(measured: Measured) -> Iterator[Growth]:
    """All that grows in some measurements: over windows for each length, and over lengths for each window."""
    yield from _over(measured.rows, "window")
    yield from _over(measured.rows, "length")


def _over(rows: Iterable[Measurement], what: str) -> Iterator[Growth]:
    """What changes with `what` while all else stays."""
    other = "length" if what == "window" else "window"

    def group(row: Measurement) -> tuple[str, str, int, str]:
        return row.data, _family(row), getattr(row, other), row.system

    timed = [row for row in rows if row.events and row.seconds]
    order = list(dict.fromkeys(map(group, timed)))
    timed.sort(key=lambda row: (order.index(group(row)), getattr(row, what)))
    for (data, family, fixed, system), found in groupby(timed, group):
        some = list(found)
        xs = tuple(float(getattr(row, what)) for row in some)
        if len(set(xs)) < FEWEST:
            continue
        unit = some[0].unit
        kind, units = (
            (f"{family}{fixed}", unit) if what == "window" else (f"{family}, {fixed:,} {unit}", "terms")
        )
        ys = tuple(1e9 * row.seconds / row.events for row in some)
        yield Growth(data, kind, what, units, system, xs, ys, sum(row.stopped for row in some))


def _family(row: Measurement) -> str:
    """The name of a pattern without its length."""
    return row.pattern.rstrip("0123456789")


def growth_table(measured: Measured) -> Table:
    """The laws of all that grows."""
    heads = ("data", "pattern", "over", "system", "points", "grows", "exponent", "residual", "doubles every")
    rows = tuple(map(_row, growths(measured)))
    return Table("Growth", (*heads, "residual", "residual of the line", "law"), rows, "llllrrrrrrrl")


def _row(one: Growth) -> tuple[str, ...]:
    power, exponential, line = one.fits
    points = f"{len(one.xs)}{f' ({one.stopped} stopped)' if one.stopped else ''}"
    laws = (f"{power.rate:.2f}", _factor(power), _doubles(exponential, one.unit), _factor(exponential))
    told = (one.data, one.pattern, one.over, one.system, points, f"{one.factor:,.1f}×")
    return (*told, *laws, _factor(line), _law(one))


def _law(one: Growth) -> str:
    if one.stopped:
        return "—"
    return f"less than {NOTICEABLE:g}-fold" if one.law is None else one.law.value


def _doubles(one: Fit, unit: str) -> str:
    if math.isinf(one.doubles):
        return "—"
    return f"{one.doubles:,.0f} {unit}" if one.doubles >= 100 else f"{one.doubles:.3g} {unit}"


def _factor(one: Fit) -> str:
    return f"{math.exp(one.residual):.2f}" if one.residual < 5 else "—"
