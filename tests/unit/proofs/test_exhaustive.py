"""All expressions of a fragment: how many there are, and that a wrong construction is noticed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.automata.srt.runs import matches
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.bounded import Proof
from mnemata.proofs.evidence import SMALL, Effort
from mnemata.proofs.generators import TICKS, Stream, streams
from mnemata.proofs.srt import exhaustive
from mnemata.proofs.srt.exhaustive import COUNTS, expressions, matches_with_epsilon, proofs, without_epsilon
from mnemata.theory.conditions.evaluation import Valuation, models
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Expression, Output, mark

ONE: Effort = dataclasses.replace(SMALL, parts=1, length=2)


@pytest.mark.parametrize("terminals", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_there_are_as_many_as_is_said_and_no_two_are_equal(terminals: int) -> None:
    found = list(expressions(terminals))
    assert len(found) == len(set(found)) == COUNTS[terminals]


def test_a_marked_event_comes_first_and_every_output_after_it() -> None:
    for expression in expressions(1):
        assert Output.SKIP.value not in repr(expression)
    assert any(Output.SKIP.value in repr(expression) for expression in expressions(2))


def wrong(found: list[Proof]) -> list[Proof]:
    return [proof for proof in found if proof.verdict is not Verdict.YES]


def forgetting_finals(srt: SRT) -> SRT:
    made = eliminate_epsilon(srt)
    return SRT(made.size, made.start, frozenset({made.size - 1}), made.transitions, made.registers)


def forgetting_writes(srt: SRT) -> SRT:
    made = eliminate_epsilon(srt)
    moves = (Transition(t.source, t.condition, t.output, frozenset(), t.target) for t in made.transitions)
    return SRT(made.size, made.start, made.finals, tuple(moves), made.registers)


@pytest.mark.parametrize(("broken", "parts"), [(forgetting_finals, 2), (forgetting_writes, 2)])
def test_what_is_broken_is_noticed_with_a_string(broken: Callable[[SRT], SRT], parts: int) -> None:
    effort = dataclasses.replace(SMALL, parts=parts, length=2)
    found = wrong(list(proofs(partial(without_epsilon, eliminate=broken), effort)))
    assert found
    assert all(proof.verdict is Verdict.NO and proof.witness for proof in found)


@pytest.mark.parametrize(
    "question",
    [
        exhaustive.compiled,
        exhaustive.without_epsilon,
        exhaustive.unrolled,
        exhaustive.in_ring_buffer,
        exhaustive.in_power_set,
        exhaustive.complemented,
    ],
)
def test_nothing_is_wrong_about_single_events(question: exhaustive.Question) -> None:
    found = list(proofs(question, ONE))
    assert len(found) == COUNTS[1]
    assert not wrong(found)
    assert any(proof.formulas for proof in found)


@given(st.sampled_from(list(expressions(2))), streams(TICKS, min_size=1, max_size=3))
def test_runs_with_epsilon_transitions_are_those_of_definition_23(
    expression: Expression, stream: Stream
) -> None:
    symbolic = SymbolicString(len(stream), TICKS)
    srt = thompson(expression)
    *before, last = stream
    held = Valuation(tuple(zip(symbolic.events[:-1], before, strict=True)))
    found = matches_with_epsilon(srt, symbolic.events)
    true = {marks for marks, condition in found.items() if models(last, held, condition)}
    assert true == matches(srt, stream) == semantics.matches(expression, stream)


def test_what_is_not_in_the_fragment_is_refused() -> None:
    with pytest.raises(TypeError, match="not in the fragment"):
        exhaustive._first(mark().optional())
