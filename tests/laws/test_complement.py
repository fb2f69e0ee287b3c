"""The repaired complement over all strings of up to 5 events, one by one and for all values at once."""

from __future__ import annotations

import pytest

from mnemata.automata.constructions.complement import complement_as_published
from mnemata.automata.constructions.powerset import determinize_as_published
from mnemata.automata.srt.runs import accepts
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.generators import TICKS
from mnemata.proofs.srt.complementing import ALPHABET, complemented_exactly, differing, strings
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.proofs.srt.determinizing import automaton
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.sremo import semantics

UP_TO = 5
WINDOWS = (1, 2, 3, 4)
TRIED = (
    "equation 2",
    "overwritten",
    "optional writer",
    "definition negated",
    "negation",
    "windows in windows",
)
"""With registers, negated conditions, choices of what is written, and windows further inside."""

of_every_string = pytest.mark.parametrize("within", [False, True], ids=["of all strings", "within"])


def published(srt: SRT, *, window: int, within: bool) -> SRT:
    return complement_as_published(determinize_as_published(srt, TICKS, window=window), srt)


def test_all_strings_are_tried() -> None:
    assert sum(1 for _ in strings(UP_TO)) == sum(len(ALPHABET) ** n for n in range(UP_TO + 1)) == 1365


@pytest.mark.parametrize("name", TRIED)
def test_what_is_tried_is_sometimes_accepted_and_sometimes_not(name: str) -> None:
    found = {semantics.accepts(CORPUS[name], string) for string in strings(4)}
    assert found == {True, False}


@of_every_string
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("name", TRIED)
def test_right_about_every_string_over_an_alphabet(name: str, window: int, within: bool) -> None:
    assert differing(CORPUS[name], window=window, within=within, up_to=UP_TO) is None


@pytest.mark.slow
@of_every_string
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("name", CORPUS)
def test_right_for_the_whole_corpus(name: str, window: int, within: bool) -> None:
    assert differing(CORPUS[name], window=window, within=within, up_to=UP_TO) is None


@of_every_string
@pytest.mark.parametrize("name", CORPUS)
def test_proved_for_all_values(name: str, within: bool) -> None:
    proof = complemented_exactly(CORPUS[name], TICKS, window=3, within=within, up_to=UP_TO)
    assert (proof.verdict, proof.formulas) == (Verdict.YES, UP_TO)


@pytest.mark.slow
@of_every_string
@pytest.mark.parametrize("window", [1, 2, 4, 5])
@pytest.mark.parametrize("name", CORPUS)
def test_proved_for_all_values_at_other_windows(name: str, window: int, within: bool) -> None:
    proof = complemented_exactly(CORPUS[name], TICKS, window=window, within=within, up_to=UP_TO)
    assert proof.verdict is Verdict.YES


def test_alg_8_as_published_is_wrong_about_a_short_string() -> None:
    expression = CORPUS["marked"]
    found = differing(expression, window=1, within=False, up_to=2, made=published)
    assert found is not None
    assert len(found) <= 2


def test_alg_8_as_published_is_refuted_for_some_values() -> None:
    expression = CORPUS["marked"]
    proof = complemented_exactly(expression, TICKS, window=1, within=False, up_to=2, made=published)
    assert proof.verdict is Verdict.NO
    assert proof.witness is not None
    wrong = published(automaton(expression), window=1, within=False)
    inside = len(proof.witness) <= 1 and semantics.accepts(expression, proof.witness)
    assert accepts(wrong, proof.witness) == inside
