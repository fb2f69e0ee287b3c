"""Runs and outputs of CEA (CEL Def. 5.1, 5.2, 8.7) on the paper's examples."""

from __future__ import annotations

import pytest

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA, UNMARKED, Transition
from mnemata.automata.cea.star_runs import (
    star_complex_events,
    star_valuations,
    star_valuations_as_published,
)
from mnemata.theory.cel.valuations import EMPTY, Valuation
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.errors import StreamError
from mnemata.theory.schema import Int64, Schema, String

SCHEMA = Schema.of(type=String(), id=Int64(), value=Int64())
FIGURE_1 = SCHEMA.stream(
    [
        ("H", 2, 25),
        ("T", 0, 45),
        ("H", 0, 20),
        ("H", 1, 25),
        ("T", 1, 40),
        ("T", 0, 42),
        ("T", 1, 25),
        ("H", 1, 70),
        ("H", 0, 18),
    ]
)
u = head(SCHEMA)
T, H, R = (u.type == letter for letter in "THR")


def labels(*names: str) -> frozenset[str]:
    return frozenset(names)


def skip(state: int) -> Transition:
    return Transition(state, TOP, UNMARKED, state)


FIGURE_4 = CEA(
    3,
    (
        skip(0),
        Transition(0, H, labels("H1"), 1),
        skip(1),
        Transition(1, T, labels("T"), 1),
        Transition(1, H, labels("H2"), 2),
    ),
    {0},
    {2},
)
"""``H1 ; T* ; H2``, as Example 5.3 describes it."""


def letters(word: str):
    return SCHEMA.stream([(letter, 0, 0) for letter in word])


def test_example_5_3_events_between_two_humidities() -> None:
    stream = FIGURE_1[:4]
    assert runs.complex_events(FIGURE_4, stream, 3) == {
        frozenset(found) for found in ({0, 3}, {0, 1, 3}, {2, 3})
    }
    assert Valuation({"H1": {0}, "T": {1}, "H2": {3}}) in runs.valuations(FIGURE_4, stream, 3)


def test_example_5_3_begins_and_ends_with_a_humidity() -> None:
    found = runs.complex_events(FIGURE_4, FIGURE_1, 8)
    types = {"".join(str(FIGURE_1[i]["type"]) for i in sorted(event)) for event in found}
    assert types == {"HH", "HTH", "HTTH", "HTTTH", "HTTTTH"}
    # Of the T events after position 0, 2, 3 and 7, any subset: 2**4 + 2**3 + 2**3 + 2**0.
    assert len(found) == 33


def test_nothing_ends_at_an_event_that_is_read_last_by_no_final_transition() -> None:
    assert runs.complex_events(FIGURE_4, FIGURE_1, 6) == frozenset()


def test_figure_5_marks_one_event() -> None:
    atom = CEA(2, (skip(0), Transition(0, R, labels("R"), 1)), {0}, {1})
    assert [set(map(tuple, found)) for found in runs.complex_events_along(atom, letters("TRR"))] == [
        set(),
        {(1,)},
        {(2,)},
    ]


def test_runs_that_mark_the_same_are_one_output() -> None:
    twice = CEA(3, (Transition(0, TOP, labels("A"), 1), Transition(0, R, labels("A"), 2)), {0}, {1, 2})
    assert len(list(runs.accepting_runs(twice, letters("R"), 0))) == 2
    assert runs.valuations(twice, letters("R"), 0) == {Valuation({"A": {0}})}


def test_several_initial_states_and_labels() -> None:
    cea = CEA(2, (Transition(0, R, labels("A", "B"), 1), Transition(1, R, UNMARKED, 1)), {0, 1}, {1})
    assert runs.valuations(cea, letters("R"), 0) == {Valuation({"A": {0}, "B": {0}}), EMPTY}


def test_long_streams_with_unmarked_loops_cost_no_more_than_their_outputs() -> None:
    loops = CEA(
        3, (skip(0), Transition(0, TOP, UNMARKED, 1), skip(1), Transition(1, H, labels("H"), 2)), {0}, {2}
    )
    stream = letters("T" * 400 + "H")
    assert runs.complex_events(loops, stream, 400) == {frozenset({400})}


@pytest.mark.parametrize("n", [-1, 3, 10])
def test_positions_outside_the_stream_are_refused(n: int) -> None:
    with pytest.raises(StreamError, match=f"position {n} is not in a stream of 3 events"):
        runs.valuations(FIGURE_4, letters("THR"), n)
    with pytest.raises(StreamError, match=f"position {n}"):
        star_valuations(FIGURE_4, letters("THR"), n)
    with pytest.raises(StreamError, match=f"position {n}"):
        list(runs.accepting_runs(FIGURE_4, letters("THR"), n))


def test_star_runs_read_only_what_they_mark() -> None:
    pair = CEA(3, (Transition(0, T, labels("T"), 1), Transition(1, H, labels("H"), 2)), {0}, {2})
    stream = letters("TRTH")
    assert runs.complex_events(pair, stream, 3) == frozenset()
    assert star_complex_events(pair, stream, 3) == {frozenset({0, 3}), frozenset({2, 3})}
    assert star_valuations(pair, stream, 2) == frozenset()


def test_star_runs_do_not_take_unmarked_transitions() -> None:
    waiting = CEA(2, (Transition(0, TOP, UNMARKED, 1),), {0}, {0, 1})
    assert star_valuations(waiting, letters("TT"), 1) == frozenset()


def test_star_runs_as_published_miss_the_first_event() -> None:
    """ERRATA B9."""
    atom = CEA(2, (Transition(0, R, labels("R"), 1),), {0}, {1})
    assert star_valuations(atom, letters("RR"), 0) == {Valuation({"R": {0}})}
    assert star_valuations_as_published(atom, letters("RR"), 0) == frozenset()
    assert star_valuations_as_published(atom, letters("RR"), 1) == {Valuation({"R": {1}})}
