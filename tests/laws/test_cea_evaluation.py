"""Alg. 1 and 2 on generated automata: the complex events of the runs, each once, in the promised steps."""

from __future__ import annotations

from hypothesis import given, settings

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA
from mnemata.automata.cea.compact_sets import BOTTOM
from mnemata.automata.cea.enumeration import enumerate_as_published, enumerate_set
from mnemata.automata.cea.evaluation import Evaluation, evaluate
from mnemata.automata.constructions.cea.determinization import determinize
from mnemata.automata.constructions.cea.normal_form import collapse, normal_form
from mnemata.proofs.generators import TICKS, Stream, streams
from mnemata.proofs.generators.cea import ceas

dense = ceas(states=(2, 4), transitions=(5, 9))
longer = streams(min_size=3, max_size=7)


@settings(max_examples=200)
@given(dense, longer)
def test_evaluation_finds_the_complex_events_of_the_runs_each_once(cea: CEA, stream: Stream) -> None:
    found = list(evaluate(normal_form(cea, TICKS), stream))
    assert [frozenset(here) for here in found] == runs.complex_events_along(cea, stream)
    assert all(len(here) == len(set(here)) for here in found)


@given(dense, longer)
def test_a_complete_automaton_is_evaluated_to_the_same(cea: CEA, stream: Stream) -> None:
    complete = determinize(collapse(cea), TICKS, complete=True)
    assert [set(here) for here in evaluate(complete, stream)] == [
        set(here) for here in evaluate(normal_form(cea, TICKS), stream)
    ]


@given(dense, longer)
def test_the_compact_set_stays_valid(cea: CEA, stream: Stream) -> None:
    """The five restrictions of Section 9.2; that `next` and the paths have no cycle, by being finite."""
    running = Evaluation(normal_form(cea, TICKS))
    for event in stream:
        running.read(event)
        compact = running.compact
        for node in range(1, len(compact)):
            children = list(compact.listed(compact.children(node)))
            assert all(c == BOTTOM or compact.position(c) < compact.position(node) for c in children)
        for nodes in running.table.values():
            assert compact.next[nodes[1]] is None
            paths = list(compact.paths(nodes))
            assert len(paths) == len(set(map(frozenset, paths)))


@given(dense, longer)
def test_both_enumerations_list_the_same_in_the_same_order(cea: CEA, stream: Stream) -> None:
    running = Evaluation(normal_form(cea, TICKS))
    for event in stream:
        running.read(event)
    for nodes in running.table.values():
        found = list(enumerate_set(running.compact, nodes))
        assert found == list(enumerate_as_published(running.compact, nodes))
        assert set(found) == running.compact.complex_events(nodes)


@given(dense, longer)
def test_updates_and_delays_are_bounded_by_automaton_and_output(cea: CEA, stream: Stream) -> None:
    one = normal_form(cea, TICKS)
    running = Evaluation(one)
    for event in stream:
        before = running.steps.count
        running.read(event)
        assert running.steps.count - before <= len(one.transitions) + 3 * one.size
        before = running.steps.count
        for found in running.complex_events():
            assert running.steps.count - before <= 2 * len(found) + 1 + one.size
            before = running.steps.count
        assert running.steps.count - before <= one.size
