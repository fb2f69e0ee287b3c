"""The two ways to look for a string about which a complement is wrong: one by one, and with Z3."""

from __future__ import annotations

import pytest

from mnemata.automata.constructions.complement import complement_as_published
from mnemata.automata.srt.runs import accepts
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.generators import TICKS
from mnemata.proofs.srt.complementing import ALPHABET, complemented_exactly, differing, strings
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.proofs.srt.determinizing import automaton, powerset
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.sremo import semantics

TRIED = (
    "equation 2",
    "overwritten",
    "optional writer",
    "definition negated",
    "negation",
    "windows in windows",
)


def published(srt: SRT, *, window: int, within: bool) -> SRT:
    return complement_as_published(powerset(srt, window), srt)


def test_all_strings_are_tried() -> None:
    assert sum(1 for _ in strings(5)) == sum(len(ALPHABET) ** n for n in range(6)) == 1365


@pytest.mark.parametrize("name", TRIED)
def test_what_is_tried_is_sometimes_accepted_and_sometimes_not(name: str) -> None:
    assert {semantics.accepts(CORPUS[name], string) for string in strings(4)} == {True, False}


@pytest.mark.parametrize("within", [False, True], ids=["of all strings", "within"])
@pytest.mark.parametrize("name", TRIED)
def test_both_find_nothing_wrong_with_the_complement(name: str, within: bool) -> None:
    assert differing(CORPUS[name], window=2, within=within, up_to=4) is None
    proof = complemented_exactly(CORPUS[name], TICKS, window=2, within=within, up_to=4)
    assert (proof.verdict, proof.formulas) == (Verdict.YES, 4)


def test_both_find_what_is_wrong_with_alg_8_as_published() -> None:
    expression = CORPUS["marked"]
    found = differing(expression, window=1, within=False, up_to=2, made=published)
    assert found is not None
    proof = complemented_exactly(expression, TICKS, window=1, within=False, up_to=2, made=published)
    assert proof.verdict is Verdict.NO
    assert proof.witness is not None
    wrong = published(automaton(expression), window=1, within=False)
    for string in (found, proof.witness):
        inside = len(string) <= 1 and semantics.accepts(expression, string)
        assert accepts(wrong, string) == inside
