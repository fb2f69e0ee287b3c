"""Proofs by Z3, for all attribute values at once, that automata match what their expressions match."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from mnemata.automata.constructions.epsilon import eliminate_epsilon_as_published
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.runs import matches
from mnemata.proofs.bounded import compiled_exactly
from mnemata.proofs.generators import TICKS
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.proofs.srt.negating import overwriting, overwriting_anywhere
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Expression

UP_TO = 5


@settings(max_examples=60)
@given(overwriting(1))
def test_registers_overwritten_in_an_earliest_completion(expression: Expression) -> None:
    assert compiled_exactly(expression, TICKS, up_to=UP_TO).verdict is Verdict.YES


@pytest.mark.slow
@settings(max_examples=200)
@given(overwriting(2))
def test_earliest_completions_inside_one_another(expression: Expression) -> None:
    assert compiled_exactly(expression, TICKS, up_to=UP_TO).verdict is Verdict.YES


@settings(max_examples=30)
@given(overwriting_anywhere())
def test_overwritten_registers_are_kept_inside_other_constructions(expression: Expression) -> None:
    assert compiled_exactly(expression, TICKS, up_to=UP_TO).verdict is Verdict.YES


@pytest.mark.parametrize("name", ["erratum A1, lost", "erratum A1, spurious"])
def test_an_automaton_that_is_wrong_is_refuted_with_a_string(name: str) -> None:
    wrong = eliminate_epsilon_as_published(thompson(CORPUS[name]))
    proof = compiled_exactly(CORPUS[name], TICKS, up_to=3, automaton=wrong)
    assert proof.verdict is Verdict.NO
    assert proof.witness is not None
    assert matches(wrong, proof.witness) != semantics.matches(CORPUS[name], proof.witness)
