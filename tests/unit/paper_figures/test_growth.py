"""Laws of growth, found where they are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mnemata.paper_figures.experiments.growth import Law, fit, growth_table, growths
from mnemata.paper_figures.experiments.measurements import Measured, Measurement

WINDOWS = (500, 1_000, 2_000, 5_000, 10_000, 30_000)


def power(x: float) -> float:
    return 3e-9 * x**1.7


def exponential(x: float) -> float:
    return 2e-9 * 2 ** (x / 4_000)


def line(x: float) -> float:
    return 1e-8 + 4e-12 * x


def measurement(
    window: int, cost: float, *, length: int = 3, system: str = "count", stopped: bool = False
) -> Measurement:
    seconds = 1_000 * cost
    return Measurement(
        "stock ticks", f"seq{length}", "", length, window, system, 1_000, seconds, None, 0, 0, stopped
    )


def measured(*rows: Measurement) -> Measured:
    return Measured(rows, "a machine", "today")


@pytest.mark.parametrize(
    ("law", "cost", "rate"),
    [
        (Law.POWER, power, 1.7),
        (Law.EXPONENTIAL, exponential, math.log(2) / 4_000),
        (Law.LINEAR, line, 4e-12),
    ],
)
def test_a_law_is_found_with_its_parameter(law: Law, cost: object, rate: float) -> None:
    assert callable(cost)
    found = fit(law, WINDOWS, [cost(x) for x in WINDOWS])
    assert found.rate == pytest.approx(rate)
    assert found.residual == pytest.approx(0, abs=1e-6)
    others = [fit(other, WINDOWS, [cost(x) for x in WINDOWS]) for other in Law if other is not law]
    assert min(other.residual for other in others) > 0.05


@pytest.mark.parametrize(
    ("law", "cost"), [(Law.POWER, power), (Law.EXPONENTIAL, exponential), (Law.LINEAR, line)]
)
def test_noise_does_not_hide_the_law(law: Law, cost: object) -> None:
    assert callable(cost)
    noise = np.exp(np.random.default_rng(5).normal(0, 0.03, len(WINDOWS)))
    (one,) = growths(measured(*(measurement(x, cost(x) * n) for x, n in zip(WINDOWS, noise, strict=True))))
    assert one.law is law
    assert one.over == "window"


def test_an_exponential_says_when_it_has_doubled() -> None:
    found = fit(Law.EXPONENTIAL, WINDOWS, [exponential(x) for x in WINDOWS])
    assert found.doubles == pytest.approx(4_000)
    assert fit(Law.EXPONENTIAL, [1, 2, 3], [3, 2, 1]).doubles == math.inf


def test_what_grows_is_told_apart_by_system_and_by_what_stays() -> None:
    rows = [measurement(x, power(x), system=system) for x in WINDOWS for system in ("count", "detect")]
    rows += [measurement(500, 1e-8 * length, length=length) for length in (6, 9)]
    found = list(growths(measured(*rows)))
    assert [(g.over, g.pattern, g.system, len(g.xs)) for g in found] == [
        ("window", "seq3", "count", 6),
        ("window", "seq3", "detect", 6),
        ("length", "seq, 500 ms", "count", 3),
    ]


def test_where_nothing_grows_or_a_system_was_stopped_no_law_is_said() -> None:
    flat = [measurement(x, 1e-8) for x in WINDOWS]
    stopped = [measurement(x, power(x), system="Algorithm 1", stopped=x > 2_000) for x in WINDOWS]
    table = growth_table(measured(*flat, *stopped))
    assert [(row[3], row[4], row[-1]) for row in table.rows] == [
        ("count", "6", "less than 2-fold"),
        ("Algorithm 1", "6 (3 stopped)", "—"),
    ]
    assert table.latex().count("\\\\") == 3


def test_two_points_are_too_few() -> None:
    assert not list(growths(measured(*(measurement(x, power(x)) for x in WINDOWS[:2]))))
