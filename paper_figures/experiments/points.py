"""What Figures 6 to 10 of the SRT paper measure: patterns, lengths, windows and data sets.

Lengths and the windows that are kept constant are the paper's. It does not print the windows that vary; here
they go on from the constant ones to where the paper's systems stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from mnemata.paper_figures.benchmarks.patterns import (
    HOME_TERMS,
    LENGTHS,
    NESTED_LENGTHS,
    STOCK_TERMS,
    TRIP_TERMS,
    Terms,
    mixed,
    nested,
    nested_terms,
)
from mnemata.pipeline.datasets.arrivals import SMART_HOMES, STOCK_TICKS, TAXI_TRIPS, Source
from mnemata.pipeline.datasets.arrivals import STOCKS as TICKS
from mnemata.theory.conditions.building import head, register
from mnemata.theory.sremo.expressions import Expression, Pattern, mark, sequence, skip

MIXED_WINDOW_MS: Final = 1_000
NESTED_WINDOWS_MS: Final = (500, 1_000, 2_000, 30_000)


class Point(NamedTuple):
    """One place on a plot.

    Parameters
    ----------
    source : Source
        The data set.
    pattern : Pattern
        What is recognised, in its window.
    length : int
        How many terminals it has.
    window : int
        In the unit of `Data`.
    series : str
        Which line it belongs to, where a plot has several for one system.
    """

    source: Source
    pattern: Pattern
    length: int
    window: int
    series: str = ""

    @property
    def name(self) -> str:
        """By which a process is told to measure it."""
        return f"{self.source.name}/{self.pattern.name}/{self.window}"


class Data(NamedTuple):
    """A data set, with the windows that its figures use.

    Parameters
    ----------
    source : Source
        Events with its statistics; of stock ticks the real ones where they are at hand.
    terms : Terms
        What the terms of patterns ask for.
    unit : str
        Of windows.
    window : int
        That of Figures 6 and 8.
    windows : tuple of int
        Those of Figure 7.
    """

    source: Source
    terms: Terms
    unit: str
    window: int
    windows: tuple[int, ...]

    def point(self, name: str, body: Expression, length: int, window: int, series: str = "") -> Point:
        """An expression in a window of the unit of the data."""
        pattern = Pattern(body.within(**{self.unit: window}), name=name)
        return Point(self.source, pattern, length, window, series)


STOCKS: Final = Data(STOCK_TICKS, STOCK_TERMS, "ms", 500, (500, 1_000, 2_000, 5_000, 10_000, 30_000))
HOMES: Final = Data(SMART_HOMES, HOME_TERMS, "s", 5, (5, 10, 20, 50, 100))
TRIPS: Final = Data(TAXI_TRIPS, TRIP_TERMS, "s", 100, (100, 200, 500, 1_000, 2_000))
DATA: Final = (STOCKS, HOMES, TRIPS)


def sequences_by_length() -> Iterator[Point]:
    """Figure 6."""
    for data in DATA:
        for length in LENGTHS:
            yield data.point(f"seq{length}", data.terms.sequence(length), length, data.window)


def sequences_by_window() -> Iterator[Point]:
    """Figure 7."""
    for data in DATA:
        for window in data.windows:
            yield data.point("seq3", data.terms.sequence(3), 3, window)


def iterations_by_length() -> Iterator[Point]:
    """Figure 8."""
    for data in DATA:
        for length in LENGTHS:
            yield data.point(f"k{length}", data.terms.kleene(length), length, data.window)


def nested_iterations() -> Iterator[Point]:
    """Figure 9: eq. (8) as it is printed, and as the published engine compiled it (ERRATA E1)."""
    for name, make in (("kn", nested), ("compiled kn", nested_as_compiled)):
        for window in NESTED_WINDOWS_MS:
            for length in NESTED_LENGTHS:
                yield STOCKS.point(f"{name}{length}", make(length), length, window, f"{window} ms")


_tick: Final = head(TICKS)


def nested_as_compiled(length: int) -> Expression:
    """What the published engine made of it: no inner iteration, and the outer one contiguous or empty."""
    parts: list[Expression] = []
    for number, (first, repeating, _, last) in enumerate(nested_terms(length), start=1):
        gap = () if number == 1 else (skip().star(),)
        held = register(f"r{number}", TICKS)
        falls = last & (_tick.price < held.price)
        parts += [*gap, mark(first, held), skip().star(), mark(repeating).star(), skip().star(), mark(falls)]
    return sequence(*parts)


def mixed_operators() -> Iterator[Point]:
    """Figure 10."""
    for number in range(1, 6):
        yield STOCKS.point(f"q{number}", mixed(number), number, MIXED_WINDOW_MS)


FIGURES: Final[dict[int, Callable[[], Iterator[Point]]]] = {
    6: sequences_by_length,
    7: sequences_by_window,
    8: iterations_by_length,
    9: nested_iterations,
    10: mixed_operators,
}


def points(figure: int) -> tuple[Point, ...]:
    """The points of a figure of the SRT paper."""
    return tuple(FIGURES[figure]())
