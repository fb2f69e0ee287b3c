"""The match graph where sets of matches are not enough: buffers, equal starts, expired lists.

What its nodes stand for, how flat it is and what collecting keeps is in `mnemata.proofs.own`.
"""

from __future__ import annotations

import numpy as np
import pytest

from mnemata.automata.engine.compiled.graph import EMPTY, START, collect, new_nodes
from mnemata.proofs.own.graphs import Graph, Match, built, inside


def test_nothing_unreachable_is_kept() -> None:
    graph = built(((True, 0, 0),) * 20)
    alive, places = np.zeros(graph.size, np.uint8), np.zeros(graph.size, np.int64)
    alive[graph.lists[5][0]] = 1
    assert collect(graph.nodes, graph.size, alive, 0, places) == 2


@pytest.mark.parametrize("size", [1, 2, 300])
def test_long_matches_and_small_buffers(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths, stacks and buffers grow as they must."""
    monkeypatch.setattr("mnemata.automata.engine.compiled.reports.POSITIONS_AT_ONCE", 2)
    graph = Graph(new_nodes(2), 1, [(EMPTY, frozenset([()]))])
    for row in range(size):
        graph.extend(len(graph.lists) - 1, row)
    node, matches = graph.lists[-1]
    assert graph.matches(node, 0) == list(matches)


def started(*marks: Match) -> Graph:
    """A graph with a list for each of some matches, which stand at places 1, 2, ... of its lists."""
    graph = Graph(new_nodes(2), 1, [(EMPTY, frozenset([()]))])
    for match in marks:
        place = 0
        for row in match:
            graph.extend(place, row)
            place = len(graph.lists) - 1
    graph.lists = [graph.lists[0], *(one for one in graph.lists if one[1] in [frozenset([m]) for m in marks])]
    return graph


def test_unions_with_equal_starts_keep_the_later_rest_in_front() -> None:
    graph = started((1,), (3,), (5, 6), (5, 7), (9,))
    graph.merge(3, 1)  # 6: starts 5, 1
    graph.merge(4, 2)  # 7: starts 5, 3
    graph.merge(5, 6)  # 8: starts 9, then the union above
    graph.merge(8, 7)
    node, matches = graph.lists[-1]
    for cutoff in (0, 2, 4, 6, 10):
        assert sorted(graph.matches(node, cutoff)) == inside(matches, cutoff)


def test_a_list_of_which_the_last_element_expired_can_be_merged() -> None:
    graph = started((1,), (5,), (9,), (3,))
    labels = {match: n for n, (_, some) in enumerate(graph.lists) for match in some}
    graph.merge(labels[9,], labels[5,])
    graph.merge(len(graph.lists) - 1, labels[1,])
    chosen = [graph.lists[-1], graph.lists[labels[3,]]]
    alive, places = np.zeros(graph.size, np.uint8), np.zeros(graph.size, np.int64)
    alive[[node for node, _ in chosen]] = 1
    graph.size = collect(graph.nodes, graph.size, alive, 2, places)
    graph.lists = [(int(places[node]), frozenset(inside(found, 2))) for node, found in chosen]
    graph.merge(0, 1)
    node, matches = graph.lists[-1]
    starts = [int(graph.nodes[element, START]) for element in graph.elements(node)]
    assert starts == [9, 5, 3]
    assert sorted(graph.matches(node, 2)) == sorted(matches) == [(3,), (5,), (9,)]
