"""Determinism over the register contents that streams can really lead to."""

from __future__ import annotations

import pytest

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.decisions import determinism
from mnemata.automata.decisions.contents import known_contents
from mnemata.automata.decisions.determinism import is_complete, is_deterministic
from mnemata.automata.decisions.overlap import overlap_at_the_end, standstill_at_the_end
from mnemata.automata.srt.transducer import SRT, Transition, epsilon
from mnemata.proofs.generators import TICKS
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.proofs.srt.deciding import events_to_choice, events_to_standstill
from mnemata.theory.budget import Budget
from mnemata.theory.conditions.building import defined, head, position, register
from mnemata.theory.conditions.evaluation import EMPTY
from mnemata.theory.conditions.formulas import TOP, Condition, Relation
from mnemata.theory.conditions.typing import bind
from mnemata.theory.satisfiability import entails
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.sremo.expressions import Output

u, r1, r2 = head(TICKS), register("r1", TICKS), register("r2", TICKS)
A, B = u.type == "A", u.type == "B"


def automaton(*moves: tuple[int, Condition, str, int]) -> SRT:
    """Transitions as source, condition, registers to write (separated by spaces), and target."""
    made = tuple(
        Transition(source, bind(condition, TICKS), Output.SKIP, frozenset(writes.split()), target)
        for source, condition, writes, target in moves
    )
    size = 1 + max(max(t.source, t.target) for t in made)
    return SRT(size, 0, frozenset({size - 1}), made)


WRITTEN_AS_A = automaton((0, A, "r1", 1), (1, u.type == r1.type, "", 1), (1, B, "", 0))
KEPT_AS_A = automaton(
    (0, A, "r1", 1), (1, (u.type == r1.type) & A, "r1", 1), (1, B & ~(u.id == r1.id), "", 1), (1, B, "", 0)
)
SAME_EVENT = automaton((0, TOP, "r1 r2", 1), (1, u.id == r1.id, "", 1), (1, u.id != r2.id, "", 0))
NEVER_FILLED = automaton((0, TOP, "", 1), (1, u.type == r1.type, "r1", 1), (1, TOP, "", 0))
RISING = automaton(
    (0, TOP, "r1", 1),
    (1, u.price > r1.price, "r2", 2),
    (2, u.price <= r1.price, "", 2),
    (2, u.price >= r2.price, "", 0),
)
IN_TIME = automaton((0, TOP, "r1", 1), (1, u.at < r1.at, "", 1), (1, TOP, "", 0))


@pytest.mark.parametrize("srt", [WRITTEN_AS_A, SAME_EVENT, NEVER_FILLED, RISING, IN_TIME])
def test_contents_that_no_stream_leads_to_do_not_count(srt: SRT) -> None:
    assert is_deterministic(srt, TICKS).yes


def test_contents_that_some_stream_leads_to_do() -> None:
    found = is_deterministic(KEPT_AS_A, TICKS)
    assert found.no
    assert found.stream is not None
    assert len(found.stream) == 2 == events_to_choice(KEPT_AS_A, found.stream)
    assert found.witness is not None
    assert found.witness.valuation["r1"] == found.stream[0]
    assert {t.target for t in found.transitions} == {0, 1}


def test_without_cycles_every_stream_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(determinism, "known_contents", None)  # no facts are needed
    chain = [(n, TOP, "r1" if n == 1 else "", n + 1) for n in range(3)]
    bounded = automaton(*chain, (3, position("r1") == 3, "", 4), (3, B, "", 4))
    assert is_deterministic(bounded, TICKS).yes


@pytest.mark.parametrize("name", CORPUS)
def test_decided_of_every_pattern_of_the_corpus(name: str) -> None:
    srt = compile_pattern(CORPUS[name], TICKS).srt
    found = is_deterministic(srt, TICKS)
    assert found.yes or found.no
    if found.stream is not None:
        assert events_to_choice(srt, found.stream) == len(found.stream)
        assert found.witness is not None
        assert found.witness.event == found.stream[-1]


def late(length: int) -> SRT:
    """Two transitions overlap, but not before event number `length`."""
    chain = [(n, TOP, "", n + 1) for n in range(length - 1)]
    last = length - 1
    return automaton(*chain, (last, A, "", 0), (last, u.id == 1, "", 0))


def test_streams_that_are_too_long_leave_it_unknown() -> None:
    found = is_deterministic(late(7), TICKS)
    assert found.verdict is Verdict.UNKNOWN
    assert "no stream of up to 5 events" in found.reason
    assert len(found.transitions) == 2
    longer = is_deterministic(late(7), TICKS, up_to=7)
    assert longer.no
    assert longer.stream is not None
    assert len(longer.stream) == 7


def test_a_relation_that_z3_does_not_know_leaves_it_unknown() -> None:
    odd = Relation("Odd", 1, lambda event: event["id"] % 2 == 1, ("id",))
    srt = automaton((0, odd("~"), "", 0), (0, u.id == 2, "", 0))
    found = is_deterministic(srt, TICKS)
    assert found.verdict is Verdict.UNKNOWN
    assert "Odd" in found.reason


def test_a_budget_that_is_spent_leaves_it_unknown() -> None:
    found = is_deterministic(WRITTEN_AS_A, TICKS, budget=Budget(seconds=1e-6))
    assert found.verdict is Verdict.UNKNOWN
    assert "limit" in found.reason


def test_what_is_known_of_contents() -> None:
    start, after = known_contents(WRITTEN_AS_A, TICKS)
    assert start is not None
    assert after is not None
    assert entails(after, (r1.type == "A") & defined("r1"), TICKS).yes
    assert entails(start, r1.type == "A", TICKS).no  # at first it is empty


def test_states_that_cannot_be_reached_are_known_as_such() -> None:
    assert known_contents(automaton((0, A & B, "", 1), (1, TOP, "", 1)), TICKS)[1] is None


def test_an_overlap_is_found_by_running() -> None:
    stream = TICKS.stream([("A", 2, 1.0, 0), ("A", 1, 1.0, 0)])
    found = overlap_at_the_end(late(2), stream)
    assert found is not None
    assert found.witness.valuation == EMPTY
    assert overlap_at_the_end(late(2), stream[:1]) is None


ALWAYS_AS_A = automaton((0, A, "r1", 1), (0, ~A, "", 0), (1, r1.type == "A", "", 1))
ONCE_AS_A = automaton((0, TOP, "r1", 1), (1, A | (r1.type == "A"), "", 1))


def test_contents_that_no_stream_leads_to_do_not_count_for_completeness() -> None:
    assert is_complete(ALWAYS_AS_A, TICKS).yes
    assert entails(TOP, r1.type == "A", TICKS).no  # so that it is not for the condition alone


def test_a_stream_leads_to_where_nothing_can_be_taken() -> None:
    found = is_complete(ONCE_AS_A, TICKS)
    assert found.no
    assert found.stream is not None
    assert len(found.stream) == 2 == events_to_standstill(ONCE_AS_A, found.stream)
    assert found.witness is not None
    assert found.witness.valuation["r1"] == found.stream[0]
    assert [t.source for t in found.transitions] == [1]


def test_completeness_follows_epsilon_transitions() -> None:
    either = automaton((0, A, "", 0), (1, ~A, "", 0))
    linked = SRT(2, 0, frozenset({0}), (*either.transitions, epsilon(0, 1)))
    assert is_complete(linked, TICKS).yes
    assert is_complete(either, TICKS).no


def test_a_standstill_that_is_far_away_leaves_completeness_unknown() -> None:
    chain = automaton(*((n, TOP, "", n + 1) for n in range(6)), (6, A, "", 0))
    found = is_complete(chain, TICKS)
    assert found.verdict is Verdict.UNKNOWN
    assert "no stream of up to 5 events" in found.reason
    assert is_complete(chain, TICKS, up_to=7).no


def test_a_budget_that_is_spent_leaves_completeness_unknown() -> None:
    found = is_complete(ALWAYS_AS_A, TICKS, budget=Budget(seconds=1e-6))
    assert found.verdict is Verdict.UNKNOWN
    assert "limit" in found.reason


def test_a_standstill_is_found_by_running() -> None:
    stream = TICKS.stream([("B", 1, 1.0, 0), ("B", 1, 1.0, 0)])
    found = standstill_at_the_end(ONCE_AS_A, stream)
    assert found is not None
    assert found.transitions == ONCE_AS_A.outgoing(1)
    assert standstill_at_the_end(ONCE_AS_A, stream[:1]) is None
