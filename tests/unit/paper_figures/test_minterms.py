"""The figure on minterms: what it counts is right, and what is committed is what it counts."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from mnemata.paper_figures import minterms as figure
from mnemata.paper_figures.minterms import SCHEMA, SIZES, bounds_of, intervals
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.satisfiability.minterms import minterms

RESULTS = Path(__file__).parents[3] / "paper_figures" / "results" / "minterms.md"
CALLS_PER_MINTERM = 1.25


def possible(count: int) -> set[tuple[bool, ...]]:
    """Truth values at every combination of representative values: each bound, one below all, and none."""
    values = [sorted({-1, *(b for i in range(a, count, 3) for b in bounds_of(i))}) for a in range(3)]
    points = product(*([*some, None] for some in values))
    events = (SCHEMA.event((None if p is None else float(p), v, d), 1) for p, v, d in points)
    return {tuple(models(event, EMPTY, c) for c in intervals(count)) for event in events}


@pytest.mark.parametrize("count", [4, 8, 12, 16])
def test_all_that_is_possible_is_found_in_calls_proportional_to_it(count: int) -> None:
    found = minterms(intervals(count), SCHEMA)
    assert set(found.vectors) == possible(count)
    assert found.statistics.calls <= CALLS_PER_MINTERM * len(found)


@pytest.mark.parametrize("count", [4, 8])
def test_enumeration_asks_about_every_combination(count: int) -> None:
    number, cost = figure.enumerated(intervals(count))
    assert (number, cost.calls) == (len(possible(count)), 2**count)


def test_the_committed_table_is_what_is_counted() -> None:
    rows = [line.strip("| ").split(" | ") for line in RESULTS.read_text("utf-8").splitlines() if "|" in line]
    committed = [tuple(int(cell.replace(",", "")) for cell in row[:4]) for row in rows[2:]]
    assert [row[:3] for row in committed] == [(n, 2**n, len(possible(n))) for n in SIZES]
    assert all(calls <= CALLS_PER_MINTERM * number for _, _, number, calls in committed)
