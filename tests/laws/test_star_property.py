"""The ``*``-semantics as an automaton, and counterexamples to the ``*``-property, on generated automata."""

from __future__ import annotations

from hypothesis import given, settings

from mnemata.automata.cea import runs, star_runs
from mnemata.automata.constructions.cea.star import star_automaton
from mnemata.automata.decisions.cea.star_property import has_star_property
from mnemata.proofs.generators import TICKS, streams
from mnemata.proofs.generators.cea import ceas

small = ceas(states=(1, 3), transitions=(1, 6))


def star_events_along(cea, stream):
    return [star_runs.star_complex_events(cea, stream, n) for n in range(len(stream))]


@given(small, streams(min_size=1, max_size=5))
def test_star_automata_have_the_star_valuations(cea, stream):
    found = runs.valuations_along(star_automaton(cea), stream)
    assert found == [star_runs.star_valuations(cea, stream, n) for n in range(len(stream))]


@settings(max_examples=150)
@given(small, streams(min_size=1, max_size=4))
def test_counterexamples_to_the_star_property(cea, stream):
    """Def. 8.4 to the letter, for what the answer shows, and for the generated stream."""
    answer = has_star_property(cea, TICKS)
    if answer.no:
        assert at_last(answer.found, cea)
        events, found = answer.found
        if answer.missing is None:
            assert len(events) - 1 not in found
        else:
            assert not at_last(answer.missing, cea)
            assert values(answer.missing) == values(answer.found)
            assert max(answer.missing[1]) == len(answer.missing[0]) - 1
    if answer.yes:
        assert runs.complex_events_along(cea, stream) == star_events_along(cea, stream)


def at_last(occurrence, cea):
    stream, event = occurrence
    return event in runs.complex_events(cea, stream, len(stream) - 1)


def values(occurrence):
    stream, event = occurrence
    return [stream[p].values for p in sorted(event)]
