"""The match graph against sets of matches: what it stands for, how flat it is, what collecting keeps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.engine.compiled.graph import (
    CELL,
    COLUMNS,
    EMPTY,
    LABEL,
    LAST,
    LEAF,
    LEFT,
    RIGHT,
    START,
    collect,
    merge,
    new_nodes,
    put,
    room_to_merge,
)
from mnemata.automata.engine.compiled.search import enumerated

Match = tuple[int, ...]


@dataclass
class Graph:
    """A graph, and for some lists in it the matches that they stand for; here the first mark is the clock."""

    nodes: np.ndarray
    size: int
    lists: list[tuple[int, frozenset[Match]]]

    def room(self, needed: int) -> None:
        if self.size + needed > len(self.nodes):
            more = np.zeros((len(self.nodes) + needed, COLUMNS), np.int64)
            self.nodes = np.concatenate([self.nodes, more])

    def extend(self, number: int, row: int) -> None:
        node, matches = self.lists[number]
        self.room(1)
        start = row if node == EMPTY else self.nodes[node, START]
        self.size = put(self.nodes, self.size, row, node, EMPTY, start)
        self.lists.append((self.size - 1, frozenset((*match, row) for match in matches)))

    def merge(self, one: int, other: int) -> None:
        (a, first), (b, second) = self.lists[one], self.lists[other]
        if first & second or EMPTY in (a, b):
            return
        self.room(room_to_merge(self.nodes, a, b))
        before = self.nodes[: self.size].copy()
        node, self.size = merge(self.nodes, self.size, a, b)
        assert (self.nodes[: len(before)] == before).all(), "nodes never change"
        self.lists.append((node, first | second))

    def matches(self, node: int, cutoff: int) -> list[Match]:
        last = 10**6
        if self.nodes[node, START] < cutoff:
            return []
        blocks = enumerated(self.nodes, np.array([[last, node, cutoff]]), 1)
        return [
            tuple(block.positions[begin : end - 1].tolist())
            for block in blocks
            for begin, end in pairwise(block.offsets.tolist())
        ]

    def depth(self, node: int) -> int:
        found = 0
        while self.nodes[node, LABEL] < 0 and self.nodes[node, LABEL] != LEAF:
            node, found = self.nodes[node, LEFT], found + 1
        return found


STEPS = st.lists(st.tuples(st.booleans(), st.integers(0, 30), st.integers(0, 30)), max_size=60)


def built(steps: list[tuple[bool, int, int]]) -> Graph:
    graph = Graph(new_nodes(2), 1, [(EMPTY, frozenset([()]))])
    for row, (extends, one, other) in enumerate(steps):
        if extends:
            graph.extend(one % len(graph.lists), row)
        else:
            graph.merge(one % len(graph.lists), other % len(graph.lists))
    return graph


def expected(matches: frozenset[Match], cutoff: int) -> list[Match]:
    return sorted(match for match in matches if not match or match[0] >= cutoff)


@given(STEPS, st.integers(0, 60))
def test_a_list_stands_for_its_matches(steps: list[tuple[bool, int, int]], cutoff: int) -> None:
    graph = built(steps)
    for node, matches in graph.lists:
        assert sorted(graph.matches(node, 0)) == expected(matches, 0)
        assert sorted(graph.matches(node, cutoff)) == expected(matches, cutoff)


@given(STEPS)
def test_the_graph_stays_flat(steps: list[tuple[bool, int, int]]) -> None:
    graph = built(steps)
    for node in range(1, graph.size):
        label, left, right = graph.nodes[node, [LABEL, LEFT, RIGHT]]
        assert max(left, right) < node
        assert graph.depth(node) <= 3
        if label < 0:
            assert graph.nodes[node, START] == graph.nodes[left, START] >= graph.nodes[right, START]
    for node, _ in graph.lists[1:]:
        assert graph.depth(node) <= 1
        starts = [graph.nodes[element, START] for element in elements(graph.nodes, node)]
        assert starts == sorted(starts, reverse=True)
        assert len(set(starts[1:])) == len(starts[1:])


def elements(nodes: np.ndarray, listed: int) -> list[int]:
    found = []
    while nodes[listed, LABEL] == CELL:
        found.append(nodes[listed, LEFT])
        listed = nodes[listed, RIGHT]
    return [*found, *(nodes[listed, [LEFT, RIGHT]].tolist() if nodes[listed, LABEL] == LAST else [listed])]


@given(STEPS, st.integers(0, 60), st.sets(st.integers(0, 60)), STEPS)
def test_collecting_keeps_what_is_in_the_window(
    steps: list[tuple[bool, int, int]], cutoff: int, chosen: set[int], more: list[tuple[bool, int, int]]
) -> None:
    graph = built(steps)
    kept = [graph.lists[0], *(graph.lists[n % len(graph.lists)] for n in chosen)]
    kept = [one for one in kept if graph.nodes[one[0], START] >= cutoff]
    alive, places = np.zeros(graph.size, np.uint8), np.zeros(graph.size, np.int64)
    alive[[node for node, _ in kept]] = 1
    before = graph.size
    graph.size = collect(graph.nodes, graph.size, alive, cutoff, places)
    assert graph.size <= before
    graph.lists = [(int(places[node]), frozenset(expected(found, cutoff))) for node, found in kept]
    for row, (extends, one, other) in enumerate(more, start=100):
        if extends:
            graph.extend(one % len(graph.lists), row)
        else:
            graph.merge(one % len(graph.lists), other % len(graph.lists))
    for node, matches in graph.lists:
        assert sorted(graph.matches(node, cutoff)) == sorted(matches)
        assert node == EMPTY or graph.depth(node) <= 1


def test_nothing_unreachable_is_kept() -> None:
    graph = built([(True, 0, 0)] * 20)
    alive, places = np.zeros(graph.size, np.uint8), np.zeros(graph.size, np.int64)
    alive[graph.lists[5][0]] = 1
    assert collect(graph.nodes, graph.size, alive, 0, places) == 2


@pytest.mark.parametrize("size", [1, 2, 300])
def test_long_matches_and_small_buffers(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths, stacks and buffers grow as they must."""
    monkeypatch.setattr("mnemata.automata.engine.compiled.search.POSITIONS_AT_ONCE", 2)
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
        assert sorted(graph.matches(node, cutoff)) == expected(matches, cutoff)


def test_a_list_of_which_the_last_element_expired_can_be_merged() -> None:
    graph = started((1,), (5,), (9,), (3,))
    labels = {match: n for n, (_, some) in enumerate(graph.lists) for match in some}
    graph.merge(labels[9,], labels[5,])
    graph.merge(len(graph.lists) - 1, labels[1,])
    chosen = [graph.lists[-1], graph.lists[labels[3,]]]
    alive, places = np.zeros(graph.size, np.uint8), np.zeros(graph.size, np.int64)
    alive[[node for node, _ in chosen]] = 1
    graph.size = collect(graph.nodes, graph.size, alive, 2, places)
    graph.lists = [(int(places[node]), frozenset(expected(found, 2))) for node, found in chosen]
    graph.merge(0, 1)
    node, matches = graph.lists[-1]
    starts = [int(graph.nodes[element, START]) for element in elements(graph.nodes, node)]
    assert starts == [9, 5, 3]
    assert sorted(graph.matches(node, 2)) == sorted(matches) == [(3,), (5,), (9,)]
