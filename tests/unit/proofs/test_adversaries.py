"""Adversaries beat every automaton that their theorem is about, and none that is right or outside it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.automata.srt.runs import accepts
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.claims import counterexample
from mnemata.proofs.srt.adversaries import (
    FIGURE_4,
    FIGURE_12,
    ONE_EVENT,
    ONE_MARK,
    against_complement,
    against_determinism,
    against_unrolling,
    against_windowed_complement,
    constants,
)
from mnemata.proofs.srt.attempts import COMPLEMENTS, DETERMINISTIC, OPPOSITES, of_few_ids, of_few_types
from mnemata.proofs.srt.candidates import TAGGED, deterministic_automata
from mnemata.proofs.srt.determinism import (
    figure_4_needs_more_than_def_36_allows,
    is_deterministic_as_published,
)
from mnemata.theory.conditions.building import head, position, register
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Event
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Output


def events(text: str) -> tuple[Event, ...]:
    return TAGGED.stream([(word[0], int(word[1:])) for word in text.split()])


@pytest.mark.parametrize(("text", "wanted"), [("B1 S1", True), ("B1 B2 S1", True), ("B1 S2", False)])
def test_the_language_of_figure_4_is_that_of_one_mark_in_a_window(text: str, wanted: bool) -> None:
    assert semantics.accepts(FIGURE_4, events(text)) == wanted
    assert semantics.accepts(ONE_MARK, events(text)) == wanted


@pytest.mark.parametrize("srt", [srt for (srt,) in DETERMINISTIC])
def test_what_is_made_by_hand_for_figure_4_is_deterministic_and_right_at_first(srt: SRT) -> None:
    assert is_deterministic(srt, TAGGED).yes
    for text in ("B1 S1", "B1 S2", "S1"):
        assert accepts(srt, events(text)) == semantics.accepts(FIGURE_4, events(text))


@pytest.mark.parametrize("srt", [srt for (srt,) in DETERMINISTIC])
def test_no_stream_is_longer_than_it_has_to_be(srt: SRT) -> None:
    assert len(against_determinism(srt)) == len(srt.registers) + 2


@pytest.mark.parametrize("srt", [srt for (srt,) in COMPLEMENTS])
def test_complements_made_by_hand_are_right_about_two_events(srt: SRT) -> None:
    for types in ("BB", "BS"):
        string = TAGGED.stream([(name, 0) for name in types])
        assert accepts(srt, string) != semantics.accepts(FIGURE_12, string)


@pytest.mark.parametrize("srt", [srt for (srt,) in OPPOSITES])
def test_opposites_made_by_hand_are_right_about_two_events(srt: SRT) -> None:
    for text in ("B1 S1", "B1 S2"):
        assert accepts(srt, events(text)) != semantics.accepts(FIGURE_4, events(text))


def test_an_automaton_that_guesses_is_not_beaten() -> None:
    """Def. 36 as published calls it deterministic, but it has several runs."""
    found = counterexample(figure_4_needs_more_than_def_36_allows(), tries=4_000)
    assert found is not None
    (guessing,) = found
    assert is_deterministic_as_published(guessing, TAGGED)
    assert is_deterministic(guessing, TAGGED).no
    stream = against_determinism(guessing)
    assert accepts(guessing, stream) == semantics.accepts(FIGURE_4, stream)


def test_the_automaton_of_figure_4_itself_is_not_beaten() -> None:
    srt = bind_guards(thompson(FIGURE_4), TAGGED)
    stream = against_determinism(srt)
    assert accepts(srt, stream) == semantics.accepts(FIGURE_4, stream)


def test_sets_of_ids_and_types_are_right_where_there_are_no_others() -> None:
    assert of_few_ids((1, 2)).registers == of_few_types(("a", "b")).registers == frozenset()
    assert accepts(of_few_ids((1, 2)), events("B1 B2 S1 S2"))
    assert not accepts(of_few_ids((1, 2)), events("B1 S2"))
    stream = against_determinism(of_few_ids((1, 2)))
    assert all(event["id"] not in (1, 2) for event in stream)


@pytest.mark.parametrize("adversary", [against_complement, against_windowed_complement, against_determinism])
@pytest.mark.parametrize(
    "condition", [register("r1").id < head().id, position("~") == 3, head().id + 1 == register("r1").id]
)
def test_other_conditions_are_refused(adversary, condition: Condition) -> None:  # type: ignore[no-untyped-def]
    srt = SRT(1, 0, frozenset({0}), (Transition(0, condition, Output.SKIP, frozenset({"r1"}), 0),))
    with pytest.raises(UnsupportedError, match="this condition is not one"):
        adversary(srt)


def test_constants_of_conditions_are_avoided() -> None:
    condition = head().id.isin([1, 2]) | ~(head().type == "type 1")
    srt = SRT(1, 0, frozenset({0}), (Transition(0, condition, Output.SKIP, frozenset(), 0),))
    assert constants(srt) == {1, 2, "type 1"}
    assert {event["id"] for event in against_determinism(srt)}.isdisjoint({1, 2})
    assert "type 1" not in {event["type"] for event in against_complement(srt)}


def test_a_chain_is_too_short() -> None:
    chain = SRT(3, 0, frozenset({2}), ())
    string = against_unrolling(chain)
    assert len(string) == 3
    assert semantics.accepts(ONE_EVENT, string)


@settings(max_examples=30)
@given(deterministic_automata())
def test_what_is_drawn_as_deterministic_is(instance: tuple[SRT]) -> None:
    assert not is_deterministic(instance[0], TAGGED).no
