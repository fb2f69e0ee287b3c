"""Decisions about CEA against the definitions, tried on the events of a small alphabet."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA, Transition
from mnemata.automata.constructions.cea.completion import complete
from mnemata.automata.constructions.cea.determinization import determinize
from mnemata.automata.constructions.cea.normal_form import collapse, normal_form
from mnemata.automata.constructions.cea.selection import last, max_, next_, strict
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.automata.decisions.cea.determinism import is_complete, is_io_deterministic
from mnemata.automata.decisions.cea.languages import empty, equivalent, included
from mnemata.proofs.generators import TICKS, Stream
from mnemata.proofs.generators.cea import LABEL_SETS, ceas
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.conditions.formulas import TOP

ALPHABET = (("A", 1, 1.0, 0), ("B", 2, 2.5, 0), ("C", None, None, 1))
WORDS = [TICKS.stream(word) for n in (1, 2, 3) for word in product(ALPHABET, repeat=n)]
small = ceas(states=(1, 3), transitions=(1, 5))


def outputs(cea: CEA, stream: Stream) -> frozenset:
    return runs.valuations(cea, stream, len(stream) - 1)


@given(small)
def test_determinizing_and_selecting_give_io_deterministic_automata(cea: CEA) -> None:
    for construction in (determinize, strict, next_, last, max_, normal_form):
        assert not is_io_deterministic(construction(cea, TICKS), TICKS).no


@given(small)
def test_a_no_to_determinism_comes_with_transitions_and_an_event_that_compete(cea: CEA) -> None:
    found = is_io_deterministic(cea, TICKS)
    if len(cea.initials) != 1:
        assert found.no
        assert "initial states" in found.reason
    elif found.no:
        one, other = found.transitions
        assert one != other
        assert (one.source, one.labels) == (other.source, other.labels) == (found.state, found.labels)
        assert all(models(found.event, EMPTY, t.predicate) for t in (one, other))
    elif found.yes:
        for row, state in product(ALPHABET, cea.states):
            taken = [t.labels for t in runs.enabled(cea, state, TICKS.event(row))]
            assert len(taken) == len(set(taken))


@given(small, st.sampled_from([None, LABEL_SETS]))
def test_a_no_to_completeness_comes_with_an_event_that_cannot_be_read(cea: CEA, label_sets) -> None:
    found = is_complete(cea, TICKS, label_sets=label_sets)
    if found.no:
        assert all(t.labels != found.labels for t in runs.enabled(cea, found.state, found.event))
    assert not is_complete(complete(cea, TICKS, label_sets=label_sets), TICKS, label_sets=label_sets).no
    determined = determinize(cea, TICKS, complete=True, label_sets=label_sets)
    assert not is_complete(determined, TICKS, label_sets=label_sets).no


@settings(max_examples=200)
@given(small, small)
def test_equivalence_and_inclusion(left: CEA, right: CEA) -> None:
    for decide, holds in (
        (equivalent, lambda one, other: one == other),
        (included, lambda one, other: one <= other),
    ):
        found = decide(left, right, TICKS)
        if found.yes:
            assert all(holds(outputs(left, word), outputs(right, word)) for word in WORDS)
        elif found.no:
            one, other = outputs(left, found.stream), outputs(right, found.stream)
            assert not holds(one, other)
            assert (found.output in one) != (found.output in other)
            shorter = [word for word in WORDS if len(word) < len(found.stream)]
            assert all(holds(outputs(left, word), outputs(right, word)) for word in shorter)


@given(small)
def test_constructions_are_equivalent_to_what_they_are_made_from(cea: CEA) -> None:
    for construction in (determinize, complete):
        assert not equivalent(cea, construction(cea, TICKS), TICKS).no
    assert equivalent(cea, trim(cea), TICKS).yes
    for one in (collapse(cea), normal_form(cea, TICKS)):
        assert not equivalent(cea, one, TICKS, complex_events=True).no


@given(small, st.sampled_from([None, "X", "Z"]))
def test_emptiness(cea: CEA, variable: str | None) -> None:
    found = empty(cea, TICKS, variable=variable)
    wanted = [{v for v in outputs(cea, w) if variable is None or v[variable]} for w in WORDS]
    if found.yes:
        assert not any(wanted)
    elif found.no:
        assert found.output in outputs(cea, found.stream)
        assert variable is None or found.output[variable]
        assert not any(w for w, word in zip(wanted, WORDS, strict=True) if len(word) < len(found.stream))


def test_decisions_hold_for_all_streams() -> None:
    """A difference deep inside is found, and agreement is not agreement up to some length only."""

    def chain(length: int) -> CEA:
        steps = (Transition(i, TOP, {"X"}, i + 1) for i in range(length))
        return CEA(length + 1, tuple(steps), {0}, {length})

    found = equivalent(chain(20), chain(21), TICKS)
    assert found.no
    assert len(found.stream) == 20
    assert [event.position for event in found.stream] == list(range(1, 21))
    assert equivalent(chain(20), chain(20), TICKS).yes


@pytest.mark.parametrize("decide", [equivalent, included])
def test_without_states_nothing_is_put_out(decide) -> None:
    nothing = CEA(0, (), set(), set())
    assert decide(nothing, trim(CEA(2, (), {0}, {1})), TICKS).yes
    assert empty(nothing, TICKS).yes
