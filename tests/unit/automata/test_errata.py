"""The counterexamples of ERRATA A1 to A4, and the repaired constructions on them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from mnemata.automata.constructions.concatenation import concatenation
from mnemata.automata.constructions.epsilon import eliminate_epsilon, eliminate_epsilon_as_published
from mnemata.automata.constructions.intersection import intersection, intersection_as_published
from mnemata.automata.constructions.kleene import star, star_as_published
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.runs import Acceptance, accepting_runs, accepts, matches
from mnemata.theory.conditions.building import head, register
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Event, Int64, Schema, String
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import EPSILON, Expression, mark, skip

SCHEMA = Schema.of(type=String(), id=Int64())
u, r1, r2 = head(SCHEMA), register("r1", SCHEMA), register("r2", SCHEMA)
A, B = u.type == "a", u.type == "b"
SAME = u.id == r1.id


def word(*events: tuple[str, int]) -> tuple[Event, ...]:
    return SCHEMA.stream(events)


def ids(*numbers: int) -> tuple[Event, ...]:
    return word(*(("a", number) for number in numbers))


def sets(*marks: Iterable[int]) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, marks))


def test_a1_a_match_is_lost_when_writes_are_merged() -> None:
    e = mark(write=r1) >> (mark(write=r1) | mark()) >> mark(SAME)
    string = ids(1, 2, 1)
    assert semantics.matches(e, string) == sets({1, 2, 3})
    assert matches(eliminate_epsilon_as_published(thompson(e)), string) == sets()
    assert matches(eliminate_epsilon(thompson(e)), string) == sets({1, 2, 3})


def test_a1_a_match_appears_when_writes_are_merged() -> None:
    e = (mark(write=r1) | mark(write=r2)) >> mark(SAME & (u.id == r2.id))
    string = ids(1, 1)
    assert semantics.matches(e, string) == sets()
    assert matches(eliminate_epsilon_as_published(thompson(e)), string) == sets({1, 2})
    assert matches(eliminate_epsilon(thompson(e)), string) == sets()


def test_a1_algorithm_2_never_ends_on_a_cycle() -> None:
    e = (mark(A) >> mark(B)).star()
    with pytest.raises(LimitError, match="did not finish within 300 rounds"):
        eliminate_epsilon_as_published(thompson(e))
    assert matches(eliminate_epsilon(thompson(e)), word(("a", 1), ("b", 1))) == sets({1, 2})


@pytest.mark.parametrize(
    ("expression", "string", "denoted"),
    [
        (skip(A), word(("a", 1)), sets(())),
        (EPSILON, (), sets(())),
        (mark(A) >> skip(B), word(("a", 1), ("b", 1)), sets({1})),
    ],
)
def test_a2_ending_in_a_bullet(
    expression: Expression, string: tuple[Event, ...], denoted: frozenset[frozenset[int]]
) -> None:
    srt = thompson(expression)
    assert semantics.matches(expression, string) == denoted
    assert matches(srt, string, Acceptance.FINAL_STATE) == denoted
    assert matches(srt, string, Acceptance.LAST_EVENT_MARKED) == sets()
    assert not accepts(srt, string, Acceptance.LAST_TRANSITION_MARKED)


def test_a2_read_to_the_letter_a_union_accepts_nothing() -> None:
    srt = thompson(mark(A) | mark(B))
    string = word(("a", 1))
    assert matches(srt, string, Acceptance.LAST_TRANSITION_MARKED) == sets()
    assert matches(srt, string, Acceptance.FINAL_STATE) == sets({1})


def test_a2_indices_of_transitions_are_not_positions() -> None:
    (run,) = accepting_runs(thompson(mark(A) | mark(B)), word(("a", 1)))
    assert run.marks_as_published == {2}
    assert run.marks == {1}


def test_a2_concatenation_needs_the_repaired_acceptance() -> None:
    left, right = thompson(skip(A)), thompson(mark(B))
    string = word(("a", 1), ("b", 1))
    assert matches(left, string[:1], Acceptance.LAST_EVENT_MARKED) == sets()
    assert matches(concatenation(left, right), string, Acceptance.LAST_EVENT_MARKED) == sets({2})
    assert matches(concatenation(left, right), string) == sets({2})


@pytest.mark.parametrize(
    ("expression", "string", "denoted"),
    [
        (mark(A, r1) | mark(SAME), word(("a", 1), ("b", 1)), sets()),
        (mark(~SAME, r1), ids(1, 1), sets({1, 2})),
    ],
)
def test_a3_every_round_starts_from_empty_registers(
    expression: Expression, string: tuple[Event, ...], denoted: frozenset[frozenset[int]]
) -> None:
    srt = thompson(expression)
    assert matches(star(srt), string) == denoted
    assert matches(star_as_published(srt), string) != denoted


def test_a3_in_expressions_registers_outlive_a_round() -> None:
    e = (mark(A, r1) | mark(SAME)).star()
    string = word(("a", 1), ("b", 1))
    assert semantics.matches(e, string) == matches(thompson(e), string) == sets({1, 2})


def test_a3_concatenation_is_a_union_over_all_splits() -> None:
    left = thompson(mark(A) | skip(A) >> mark(A))
    right = thompson(mark(A) | mark(A) >> mark(A))
    assert matches(left >> right, ids(1, 1, 1)) == sets({1, 2, 3}, {2, 3})


def test_a4_only_equal_outputs_intersect() -> None:
    left, right = thompson(mark(A) >> mark(B)), thompson(skip(A) >> mark(B))
    string = word(("a", 1), ("b", 1))
    plain = (left.without_epsilon(), right.without_epsilon())
    assert matches(intersection_as_published(*plain), string) == sets({2})
    assert matches(intersection(left, right), string) == sets()


def test_a4_the_product_of_epsilon_automata_loses_matches() -> None:
    left, right = thompson(mark(A) | mark(B)), thompson(mark(A))
    assert matches(intersection_as_published(left, right), word(("a", 1))) == sets()
    assert matches(left & right, word(("a", 1))) == sets({1})
