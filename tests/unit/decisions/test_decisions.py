"""Decisions about patterns: each answer, with its witness checked against the semantics."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from mnemata.automata.constructions.complement import complement, complete
from mnemata.automata.constructions.powerset import determinize_as_published
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.decisions import languages
from mnemata.automata.decisions.ambiguity import unambiguous
from mnemata.automata.decisions.determinism import is_complete, is_deterministic
from mnemata.automata.decisions.examples import counterexample, example_streams
from mnemata.automata.decisions.usefulness import dead_transitions, redundant_registers
from mnemata.automata.srt.runs import accepting_runs
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.generators import TICKS
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP, Relation
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Output, mark, skip, skip_till_any, skip_till_next

u, r1 = head(TICKS), register("r1", TICKS)
A, B = u.type == "A", u.type == "B"
SAME = u.id == r1.id
ANY = skip_till_any(mark(A, r1), mark(B & SAME))
NEXT = skip_till_next(mark(A, r1), mark(B & SAME))


@pytest.mark.parametrize("name", CORPUS)
def test_emptiness_comes_with_a_shortest_string(name: str) -> None:
    expression = CORPUS[name]
    decision = languages.empty(expression, TICKS)
    if decision.yes:
        assert name in {"nothing", "empty register", "erratum A1, spurious"}
        return
    assert decision.witness is not None
    assert decision.marks in semantics.matches(expression, decision.witness)
    shorter = languages.empty(expression.length(max(1, len(decision.witness) - 1)), TICKS)
    assert shorter.yes or len(decision.witness) <= 1


def test_an_impossible_condition_makes_a_pattern_empty_over_all_strings() -> None:
    decision = languages.empty(mark(A & B), TICKS)
    assert decision.yes
    assert decision.up_to is None


def test_equivalence_of_two_ways_to_say_it() -> None:
    other = mark(A, r1) >> skip().star() >> mark(B & SAME)
    decision = languages.equivalent(ANY, other, TICKS, up_to=4)
    assert decision.yes
    assert decision.up_to == 4


def test_under_a_window_on_length_equivalence_is_about_all_strings() -> None:
    decision = languages.equivalent(ANY.length(3), ANY.within(events=3), TICKS)
    assert decision.yes
    assert decision.up_to is None


def test_inclusion_is_refuted_by_a_shortest_string() -> None:
    assert languages.included(NEXT, ANY, TICKS, up_to=4).yes
    decision = languages.included(ANY, NEXT, TICKS)
    assert decision.no
    assert decision.witness is not None
    assert len(decision.witness) == 3
    assert decision.marks in semantics.matches(ANY, decision.witness)
    assert decision.marks not in semantics.matches(NEXT, decision.witness)


def test_matches_and_languages_are_different_questions() -> None:
    marked, skipped = mark(A) >> mark(B), mark(A) >> skip(B)
    assert languages.equivalent(marked, skipped, TICKS, marks=False).yes
    assert languages.equivalent(marked, skipped, TICKS).no


def test_universality() -> None:
    assert languages.universal(skip().star(), TICKS, up_to=3).yes
    decision = languages.universal(skip(A).star(), TICKS, up_to=3)
    assert decision.witness is not None
    assert not semantics.accepts(skip(A).star(), decision.witness)


def test_disjointness() -> None:
    assert languages.disjoint(mark(A) >> mark(), mark(B) >> mark(), TICKS).yes
    decision = languages.disjoint(mark(A | B) >> mark(), mark(B) >> mark(), TICKS)
    assert decision.witness is not None
    assert semantics.accepts(mark(B) >> mark(), decision.witness)


def test_a_relation_that_z3_does_not_know_gives_unknown_with_a_reason() -> None:
    odd = Relation("Odd", 1, lambda event: event["id"] % 2 == 1, attributes=("id",))
    decision = languages.empty(mark(odd("~") & (u.id == 2)), TICKS)
    assert decision.unknown
    assert decision.reason


def test_membership_of_one_string() -> None:
    string = TICKS.stream([("A", 1, 1.0, 0), ("C", 1, 1.0, 0), ("B", 1, 1.0, 0)])
    found = languages.member(ANY, string, TICKS)
    assert (found.verdict, found.marks) == (Verdict.YES, frozenset({1, 3}))
    assert languages.member(ANY, string[:2], TICKS).no
    for word in ("", "AB", "ACB", "BA"):
        tried = TICKS.stream([(letter, 1, 1.0, 0) for letter in word])
        assert languages.member(ANY, tried, TICKS).yes == semantics.accepts(ANY, tried)


@pytest.mark.parametrize(("left", "right", "separates"), [(ANY, NEXT, True), (NEXT, NEXT, False)])
def test_counterexample(left: object, right: object, separates: bool) -> None:
    assert (counterexample(left, right, TICKS, up_to=4).witness is not None) == separates  # type: ignore[arg-type]


def test_example_streams_match_and_differ() -> None:
    found = example_streams(ANY, TICKS, 6)
    assert len(set(found)) == 6
    assert all(semantics.accepts(ANY, string) for string in found)
    assert [len(string) for string in found] == sorted(len(string) for string in found)


def test_example_streams_of_a_pattern_with_few_are_few() -> None:
    assert example_streams(mark(A & B), TICKS, 3) == ()


@pytest.mark.parametrize("window", [1, 2, 3, 4])
def test_determinized_automata_are_deterministic_and_complete(window: int) -> None:
    srt = thompson(mark(A, r1) >> skip().star() >> mark(B & SAME))
    assert is_deterministic(srt.without_epsilon(), TICKS).no or window == 0
    bounded, streaming = (determinize(srt, window=window, streaming=s) for s in (False, True))
    assert is_deterministic(bounded, TICKS).yes
    assert is_complete(bounded, TICKS).no
    assert is_deterministic(complete(bounded), TICKS).yes
    assert is_complete(complete(bounded), TICKS).yes
    assert is_deterministic(streaming, TICKS).yes
    assert is_complete(streaming, TICKS).yes
    assert is_deterministic(determinize_as_published(srt, TICKS, window=window), TICKS).yes
    assert is_complete(complement(srt, window=window), TICKS).yes


def test_a_nondeterministic_automaton_comes_with_what_enables_two_transitions() -> None:
    srt = thompson(mark(A) | mark(u.id == 1)).without_epsilon()
    found = is_deterministic(srt, TICKS)
    assert found.no
    assert len(found.transitions) == 2
    assert found.witness is not None
    assert found.witness.event["type"] == "A"
    assert found.witness.event["id"] == 1


def test_an_epsilon_transition_is_not_deterministic() -> None:
    assert is_deterministic(thompson(mark(A).star()), TICKS).no


def test_a8_the_published_definition_lets_an_automaton_with_four_runs_through() -> None:
    none: frozenset[str] = frozenset()
    moves = []
    for state in (0, 1):
        moves += [
            Transition(state, A, Output.SKIP, none, 0),
            Transition(state, A, Output.SKIP, frozenset({"r1"}), 0),
            Transition(state, B & ~SAME, Output.SKIP, none, 0),
            Transition(state, B & SAME, Output.MARK, none, 1),
        ]
    srt = SRT(2, 0, frozenset({1}), tuple(moves))
    found = is_deterministic(srt, TICKS)
    assert found.verdict is Verdict.NO
    assert found.transitions[0].target == found.transitions[1].target
    assert found.stream is not None
    assert len(found.stream) == 1


def test_ambiguity_comes_with_two_runs() -> None:
    expression = mark(A) | mark()
    decision = unambiguous(expression, TICKS)
    assert decision.no
    assert decision.witness is not None
    srt = languages.language(expression, TICKS).srt
    marks = [run.marks for run in accepting_runs(srt, decision.witness)]
    assert len(marks) > len(set(marks))


def test_disjoint_alternatives_are_not_ambiguous() -> None:
    decision = unambiguous(mark(A) | mark(B), TICKS)
    assert decision.yes
    assert decision.up_to is None


def test_dead_transitions_and_redundant_registers() -> None:
    impossible = Transition(0, A & B, Output.MARK, frozenset(), 1)
    never_filled = Transition(0, SAME, Output.MARK, frozenset(), 1)
    needless = Transition(0, TOP, Output.MARK, frozenset({"r2"}), 1)
    srt = SRT(2, 0, frozenset({1}), (impossible, never_filled, needless))
    assert dead_transitions(srt, TICKS) == (impossible, never_filled)
    assert redundant_registers(srt) == {"r1", "r2"}


KLEENE = skip_till_any(mark(A, r1) >> mark(u.price * u.price > r1.price).plus(), mark(B & SAME))
DECISIONS: dict[str, Callable[[Budget], languages.Decision]] = {
    "empty": lambda b: languages.empty(KLEENE >> mark(A & B), TICKS, up_to=30, budget=b),
    "included": lambda b: languages.included(KLEENE, KLEENE | mark(A), TICKS, up_to=30, budget=b),
    "equivalent": lambda b: counterexample(KLEENE, KLEENE | mark(A & B), TICKS, up_to=30, budget=b),
    "universal": lambda b: languages.universal(KLEENE | skip().star(), TICKS, up_to=30, budget=b),
    "disjoint": lambda b: languages.disjoint(KLEENE, KLEENE >> mark(A & B), TICKS, up_to=30, budget=b),
    "unambiguous": lambda b: unambiguous(KLEENE | (KLEENE >> mark(A & B)), TICKS, up_to=30, budget=b),
}


@pytest.mark.parametrize("name", DECISIONS)
@pytest.mark.parametrize("budget", [Budget(states=5), Budget(seconds=1e-3)], ids=["states", "seconds"])
def test_a_spent_budget_is_an_unknown_that_says_how_far_it_came(name: str, budget: Budget) -> None:
    decision = DECISIONS[name](budget)
    assert decision.unknown
    assert re.search(
        r"limit of .* was reached \([\d,]+ states?, [\d,]+ transitions?, \d+ solver", decision.reason
    )
    assert decision.witness is None


def test_the_reason_says_which_strings_were_covered() -> None:
    many = (mark(A) | skip(A)).plus()
    decision = languages.equivalent(many, many | mark(A & B), TICKS, budget=Budget(states=30))
    assert re.search(r"Strings of up to 4 events were all covered$", decision.reason)


def test_a_decision_spends_from_the_budget_around_it() -> None:
    with spending(Budget(states=5)) as spent:
        assert languages.empty(KLEENE >> mark(A & B), TICKS).unknown
        assert spent.states > 5


def test_other_searches_stop_at_the_budget() -> None:
    with pytest.raises(LimitError, match="limit of 5 states"):
        example_streams(KLEENE, TICKS, 3, budget=Budget(states=5))
    srt = languages.language(KLEENE, TICKS).srt
    with pytest.raises(LimitError, match="solver call"):
        dead_transitions(srt, TICKS, budget=Budget(seconds=1e-6))


def test_an_automaton_without_loops_is_decided_for_all_strings() -> None:
    srt = thompson(mark(A, r1) >> mark(B & SAME) >> mark(A & B))
    assert languages.empty(srt, TICKS, up_to=1) == languages.Decision(Verdict.YES)


def test_universality_with_and_without_the_empty_string() -> None:
    refuted = languages.universal(mark().plus(), TICKS)
    assert (refuted.no, refuted.witness) == (True, ())
    assert languages.universal(mark().plus(), TICKS, empty_string=False).yes


def test_emptiness_is_about_all_strings_where_no_event_can_go_on() -> None:
    impossible = mark(A, r1) >> skip().star() >> mark(A & B) >> skip().star() >> mark()
    assert languages.empty(impossible, TICKS, up_to=1) == languages.Decision(Verdict.YES)
    never_together = skip().star() >> mark(u.id == 1, r1) >> mark(r1.id == 2)
    assert languages.empty(impossible | never_together, TICKS, up_to=2).up_to == 2
