"""Constructions on CEA keep the valuations or complex events that they should, on generated automata.

Each is compared with runs by definition, at every position of every stream. Those that the paper makes claims
about are in `mnemata.proofs.cel`.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import UNMARKED
from mnemata.automata.constructions.cea.completion import complete
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.automata.constructions.cea.union import union
from mnemata.proofs.generators import TICKS, streams
from mnemata.proofs.generators.cea import ceas
from mnemata.theory.conditions.evaluation import EMPTY, models


def complete_over(cea, stream, label_sets):
    return all(
        {t.labels for t in cea.outgoing(state) if models(event, EMPTY, t.predicate)} >= set(label_sets)
        for event in stream
        for state in cea.states
    )


@given(ceas(), streams(max_size=5))
def test_exploring_finds_what_runs_one_by_one_find(cea, stream):
    for n in range(len(stream)):
        found = list(runs.accepting_runs(cea, stream, n))
        assert runs.valuations(cea, stream, n) == {run.valuation for run in found}
        assert runs.complex_events(cea, stream, n) == {run.complex_event for run in found}


@given(ceas(), streams(), st.sampled_from([None, (UNMARKED,)]))
def test_completion_keeps_the_valuations(cea, stream, label_sets):
    found = complete(cea, TICKS, label_sets=label_sets)
    assert runs.valuations_along(found, stream) == runs.valuations_along(cea, stream)
    assert complete_over(found, stream, label_sets or cea.label_sets)


@given(ceas(), ceas(), streams())
def test_union_has_the_valuations_of_both(left, right, stream):
    both = zip(runs.valuations_along(left, stream), runs.valuations_along(right, stream), strict=True)
    assert runs.valuations_along(union(left, right), stream) == [one | other for one, other in both]


@given(ceas(), streams())
def test_trimming_keeps_the_valuations(cea, stream):
    found = trim(cea)
    assert runs.valuations_along(found, stream) == runs.valuations_along(cea, stream)
    assert found.size <= cea.size
