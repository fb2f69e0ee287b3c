"""Constructions on CEA on examples small enough to say what comes out, and their limits."""

from __future__ import annotations

import pytest

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA, UNMARKED, Transition
from mnemata.automata.constructions.cea.completion import complete
from mnemata.automata.constructions.cea.determinization import determinize
from mnemata.automata.constructions.cea.normal_form import BULLET, collapse, normal_form
from mnemata.automata.constructions.cea.selection import last, max_, next_, strict
from mnemata.automata.constructions.cea.selection_as_published import (
    last_as_published,
    max_as_published,
    next_as_published,
)
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.automata.constructions.cea.types import types
from mnemata.automata.constructions.cea.union import union
from mnemata.automata.decisions.cea.determinism import is_complete, is_io_deterministic
from mnemata.automata.decisions.cea.languages import empty, equivalent
from mnemata.theory.budget import Budget
from mnemata.theory.cel.valuations import Valuation
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Not, Relation
from mnemata.theory.errors import LimitError, UnknownAttributeError
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.schema import Event, Int64, Schema, String

SCHEMA = Schema.of(type=String(), id=Int64())
u = head(SCHEMA)
R, S, T = (u.type == letter for letter in "RST")
LOW, HIGH = u.id < 5, u.id > 2
X, Y, Z = (frozenset({name}) for name in "XYZ")


def word(letters: str) -> tuple[Event, ...]:
    return SCHEMA.stream([(letter, 0) for letter in letters])


def skip(state: int) -> Transition:
    return Transition(state, TOP, UNMARKED, state)


ATOM = CEA(2, (skip(0), Transition(0, R, X, 1)), {0}, {1})
"""Fig. 5."""

B5 = CEA(
    4,
    (
        Transition(0, R, X, 1),
        Transition(1, S, UNMARKED, 2),
        Transition(0, R, Y, 3),
        Transition(3, S, Z, 2),
    ),
    {0},
    {2},
)
"""The counterexample of ERRATA B5."""


def test_predicates_of_different_types_exclude_one_another() -> None:
    found = types([R, S], SCHEMA)
    assert found.found == ((True, False), (False, True), (False, False))
    assert [example["type"] for example in found.examples[:2]] == ["R", "S"]


def test_types_are_covered_by_short_predicates() -> None:
    """What is impossible anyway is not written out: R alone, not R and not S."""
    found = types([R, S], SCHEMA)
    is_r, is_s, is_other = found.found
    assert found.covering([is_r]) == R
    assert found.covering([is_s]) == S
    assert found.covering([is_other]) == Not(R) & Not(S)
    assert found.covering([is_s, is_other]) == Not(R)
    assert found.covering([is_r, is_s]) == R | S
    assert found.covering(found.found) == TOP
    assert found.covering([]) == BOTTOM


def test_of_no_predicates_there_is_one_type() -> None:
    assert types([TOP], SCHEMA).found == ((),)
    assert types([TOP], SCHEMA).covering([()]) == TOP


def test_determinizing_the_deterministic_changes_nothing() -> None:
    assert determinize(ATOM, SCHEMA) == ATOM


def test_overlapping_predicates_are_told_apart() -> None:
    """An event without an id is neither low nor high."""
    moves = (Transition(0, LOW, X, 1), Transition(0, HIGH, X, 2), Transition(0, HIGH, Y, 2))
    cea = CEA(3, moves, {0}, {1, 2})
    found = determinize(cea, SCHEMA)
    assert found.transitions == (
        Transition(0, LOW & HIGH, X, 1),
        Transition(0, LOW & Not(HIGH), X, 2),
        Transition(0, Not(LOW) & HIGH, X, 3),
        Transition(0, HIGH, Y, 3),
    )
    assert is_io_deterministic(cea, SCHEMA).no
    assert is_io_deterministic(found, SCHEMA).yes


def test_completeness_needs_a_type_for_events_in_no_predicate() -> None:
    """ERRATA B3: as the empty set, the empty intersection would leave S without a transition."""
    cea = CEA(2, (Transition(0, R, X, 1),), {0}, {1})
    assert is_complete(determinize(cea, SCHEMA), SCHEMA).no
    found = determinize(cea, SCHEMA, complete=True, label_sets=[UNMARKED])
    assert is_complete(found, SCHEMA, label_sets=[UNMARKED]).yes
    assert (found.size, found.initials, found.finals) == (3, {0}, {2})


def test_completion_adds_one_state_and_only_what_is_missing() -> None:
    found = complete(ATOM, SCHEMA)
    assert found.size == 3
    assert [t for t in found.transitions if t.source == 0] == [
        *ATOM.outgoing(0),
        Transition(0, Not(R), X, 2),
    ]
    assert complete(found, SCHEMA) is found
    assert is_complete(found, SCHEMA).yes


def test_completion_without_initial_states_gives_one() -> None:
    found = complete(CEA(0, (), set(), set()), SCHEMA, label_sets=[UNMARKED])
    assert found == CEA(1, (skip(0),), {0}, set())
    assert is_complete(CEA(1, (skip(0),), set(), set()), SCHEMA).reason == "there is no initial state"


def test_union_stands_side_by_side() -> None:
    found = union(ATOM, CEA(1, (Transition(0, S, Y, 0),), {0}, {0}))
    assert (found.size, found.initials, found.finals) == (3, {0, 2}, {1, 2})
    assert found.outgoing(2) == (Transition(2, S, Y, 2),)


def test_trimming_leaves_what_runs_can_use() -> None:
    more = (
        Transition(0, S, X, 2),
        Transition(3, R, X, 1),
        Transition(0, BOTTOM, X, 4),
        Transition(4, R, X, 1),
    )
    assert trim(CEA(5, (*ATOM.transitions, *more), {0, 2}, {1})) == ATOM
    assert trim(CEA(2, ATOM.transitions, {1}, {0})) == CEA(0, (), set(), set())


def test_collapsing_marks_with_one_variable() -> None:
    assert collapse(B5).label_sets == (UNMARKED, frozenset({BULLET}))
    assert collapse(B5, "A").variables == {"A"}
    assert equivalent(B5, collapse(B5, "A"), SCHEMA, complex_events=True).yes
    assert equivalent(B5, collapse(B5, "A"), SCHEMA).no


def test_the_normal_form_of_what_accepts_nothing_has_a_state_to_begin_in() -> None:
    assert normal_form(CEA(2, ATOM.transitions, {1}, {0}), SCHEMA) == CEA(1, (), {0}, set())


@pytest.mark.parametrize(
    ("repaired", "published"),
    [(next_, next_as_published), (last, last_as_published), (max_, max_as_published)],
)
def test_strategies_with_two_label_sets(repaired, published) -> None:
    """ERRATA B5: ``{Y@0, Z@1}`` wins over ``{X@0}``, though they begin with other labels."""
    assert runs.valuations(repaired(B5, SCHEMA), word("RS"), 1) == {Valuation({"Y": {0}, "Z": {1}})}
    assert runs.valuations(published(B5, SCHEMA), word("RS"), 1) == {
        Valuation({"X": {0}}),
        Valuation({"Y": {0}, "Z": {1}}),
    }
    one = collapse(B5)
    assert equivalent(repaired(one, SCHEMA), published(one, SCHEMA), SCHEMA).yes


def test_the_repaired_strategies_differ_from_the_published_by_a_stream() -> None:
    found = equivalent(next_(B5, SCHEMA), next_as_published(B5, SCHEMA), SCHEMA, complex_events=True)
    assert found.no
    assert [event["type"] for event in found.stream] == ["R", "S"]
    assert found.output.support == {0}


def test_strict_keeps_intervals() -> None:
    pairs = CEA(
        3,
        (skip(0), Transition(0, R, X, 1), skip(1), Transition(1, R, Y, 2), skip(2)),
        {0},
        {2},
    )
    stream = word("RSRRT")
    found = runs.valuations_along(strict(pairs, SCHEMA), stream)
    assert found[:3] == [frozenset()] * 3
    assert found[3] == found[4] == {Valuation({"X": {2}, "Y": {3}})}


def test_an_exponential_automaton_stops_at_its_budget() -> None:
    """``R`` marked or not at each step, and an R that was read n events ago."""
    chain = (Transition(i, TOP, UNMARKED, i + 1) for i in range(1, 12))
    far_back = CEA(13, (skip(0), Transition(0, R, UNMARKED, 1), *chain), {0}, {12})
    with pytest.raises(LimitError, match="the limit of 100 states was reached"):
        determinize(far_back, SCHEMA, budget=Budget(states=100))
    with pytest.raises(LimitError, match="the limit of 50 states"):
        next_(far_back, SCHEMA, budget=Budget(states=50))
    with pytest.raises(LimitError, match="the limit of 60 transitions"):
        strict(far_back, SCHEMA, budget=Budget(transitions=60))
    undecided = equivalent(far_back, far_back, SCHEMA, budget=Budget(states=100))
    assert undecided.unknown
    assert "the limit of 100 states" in undecided.reason


def test_constructions_name_attributes_that_the_schema_lacks() -> None:
    unknown = CEA(1, (Transition(0, head().prize > 3, X, 0),), {0}, {0})
    for construction in (determinize, next_, last, max_, strict, normal_form, complete):
        with pytest.raises(UnknownAttributeError, match="prize"):
            construction(unknown, SCHEMA)


def test_a_variable_bound_before_the_last_position_counts() -> None:
    cea = CEA(3, (Transition(0, R, X, 1), Transition(1, S, Y, 2), Transition(2, T, UNMARKED, 0)), {0}, {2})
    found = empty(cea, SCHEMA, variable="X")
    assert found.no
    assert found.output == Valuation({"X": {0}, "Y": {1}})
    assert empty(cea, SCHEMA, variable="Z").yes


def test_transitions_to_the_same_state_compete_too() -> None:
    """Def. 5.4 asks for different events or labels, wherever the transitions lead."""
    cea = CEA(2, (Transition(0, LOW, X, 1), Transition(0, HIGH, X, 1)), {0}, {1})
    found = is_io_deterministic(cea, SCHEMA)
    assert found.no
    assert found.transitions == cea.transitions
    assert found.reason == "two transitions of state 0 can read the same event"
    one, other = CEA(2, cea.transitions[:1], {0}, {1}), CEA(2, cea.transitions, {0, 1}, {1})
    assert is_io_deterministic(one, SCHEMA).yes
    assert is_io_deterministic(other, SCHEMA).reason == "there are 2 initial states, not one"


def opaque(event: Event) -> bool:
    return event["id"] == 7


def test_what_the_solver_cannot_decide_stays() -> None:
    """A relation without a Z3 encoding may or may not hold together with another."""
    strange = Relation("Strange", 1, opaque, ("id",))("~")
    cea = CEA(3, (Transition(0, strange, X, 1), Transition(0, u.id == 7, X, 2)), {0}, {1, 2})
    stream = SCHEMA.stream([("R", 7)])
    found = determinize(cea, SCHEMA)
    assert runs.valuations_along(found, stream) == runs.valuations_along(cea, stream)
    assert is_io_deterministic(found, SCHEMA).verdict is not Verdict.NO
    only = CEA(2, (Transition(0, strange, X, 1),), {0}, {1})
    assert not empty(only, SCHEMA).yes
    assert not is_complete(only, SCHEMA).yes
