"""The figure on determinization: it compares like with like, and what is committed is what is computed."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest

from mnemata.automata.constructions.powerset import determinize_as_published
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.srt.runs import accepts
from mnemata.paper_figures.determinization import (
    AUTOMATA,
    FITTED,
    PUBLISHED,
    RING,
    RING_WINDOWS,
    SCHEMA,
    STREAMS,
    Row,
    automaton,
    published,
    ring,
)
from mnemata.theory.budget import Budget

RESULTS = Path(__file__).parents[3] / "paper_figures" / "results" / "determinization.md"
EVENTS = (("B", 1, 1.0), ("B", 1, 2.0), ("S", 1, 2.0), ("S", 2, 2.0))
MOST_RECOMPUTED = {RING: 20, PUBLISHED: 5, STREAMS: 10}
STEEPEST = 3.0


@cache
def committed() -> tuple[tuple[str, ...], ...]:
    lines = RESULTS.read_text("utf-8").splitlines()
    return tuple(tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines if "|" in line)


def rows() -> list[tuple[str, ...]]:
    return [row for row in committed() if row[0] in AUTOMATA and row[2].isdigit()]


def laws() -> list[tuple[str, ...]]:
    return [row for row in committed() if row[0] in AUTOMATA and not row[2].isdigit()]


def computed(name: str, construction: str, window: int) -> Row:
    srt = automaton(name)
    if construction == PUBLISHED:
        return published(name, srt, window)
    return ring(name, srt, window, streaming=construction == STREAMS)


NODES = 6


@pytest.mark.parametrize("window", [1, 2, 3, 4])
@pytest.mark.parametrize("name", AUTOMATA)
def test_both_accept_the_same_strings(name: str, window: int) -> None:
    buffered = determinize(automaton(name), window=window)
    unrolled = determinize_as_published(automaton(name), SCHEMA, window=window)
    for length in range(min(window + 1, 4) + 1):
        for string in map(SCHEMA.stream, product(EVENTS, repeat=length)):
            assert accepts(buffered, string) == accepts(unrolled, string)


@pytest.mark.parametrize("name", AUTOMATA)
def test_the_committed_numbers_are_those_of_the_constructions(name: str) -> None:
    for cells in rows():
        construction, window = cells[1], int(cells[2])
        if cells[0] == name and window <= MOST_RECOMPUTED[construction]:
            made = computed(name, construction, window).markdown().strip("| ").split(" | ")
            assert tuple(made[:NODES] + made[NODES + 1 : -1]) == cells[:NODES] + cells[NODES + 1 : -1]
            # What conditions share depends on what else the process has built; the table is of a new one.
            assert int(made[NODES].replace(",", "")) <= 1.2 * int(cells[NODES].replace(",", "")) + 3


def test_every_automaton_reaches_window_50_by_ring_buffer_and_is_tried_as_published() -> None:
    for name in AUTOMATA:
        windows = {c: [int(row[2]) for row in rows() if row[:2] == (name, c)] for c in MOST_RECOMPUTED}
        assert windows[RING] == list(RING_WINDOWS)
        assert max(windows[STREAMS]) == 50
        assert windows[PUBLISHED] == list(range(1, max(windows[PUBLISHED]) + 1))
        last = next(row for row in reversed(rows()) if row[:2] == (name, PUBLISHED))
        assert last[3].startswith(">") or int(last[2]) == 10


def test_the_ring_buffer_is_polynomial() -> None:
    sizes = range(3, 3 + FITTED.index("minterms"))
    fitted = [row[i] for row in laws() if row[1] in (RING, STREAMS) for i in sizes]
    assert len(fitted) == 2 * len(AUTOMATA) * len(sizes)
    assert all(law.startswith("w^") and float(law[2:]) <= STEEPEST for law in fitted)
    assert any(row[3].endswith("^w") for row in laws() if row[1] == PUBLISHED)


def test_a_cell_that_costs_too_much_says_how_far_it_came() -> None:
    row = published("Fig. 4", automaton("Fig. 4"), 6, Budget(states=50))
    assert row.refused
    assert row.states == 51
    assert "| >\N{NO-BREAK SPACE}51 |" in row.markdown()
