"""Claims about the match graph: what its nodes stand for, how flat it is, what collecting keeps."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
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
    Nodes,
    collect,
    merge,
    new_nodes,
    put,
    room_to_merge,
)
from mnemata.automata.engine.compiled.reports import enumerated
from mnemata.automata.engine.recognition import recognise
from mnemata.proofs.claims import Claim
from mnemata.proofs.generators import TICKS, Stream, patterns, streams
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.errors import SlowRecognitionWarning
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.sremo.semantics import pattern_matches

Match: TypeAlias = tuple[int, ...]
Steps: TypeAlias = tuple[tuple[bool, int, int], ...]
"""How a graph is made: at each row a list is extended by it, or two lists are merged."""

Instance: TypeAlias = tuple[Steps, int]

_STEPS: st.SearchStrategy[Steps] = st.lists(
    st.tuples(st.booleans(), st.integers(0, 30), st.integers(0, 30)), max_size=60
).map(tuple)
_CUTOFFS = st.integers(0, 60)
_LAST_ROW = 10**6


@dataclass(slots=True)
class Graph:
    """A graph, and for some lists in it the matches that they stand for; here the first mark is the clock."""

    nodes: Nodes
    size: int
    lists: list[tuple[int, frozenset[Match]]]
    changed: bool = False

    def room(self, needed: int) -> None:
        """Make room for so many nodes more."""
        if self.size + needed > len(self.nodes):
            more = np.zeros((len(self.nodes) + needed, COLUMNS), np.int64)
            self.nodes = np.concatenate([self.nodes, more])

    def extend(self, number: int, row: int) -> None:
        """A row after each match of a list."""
        node, matches = self.lists[number]
        self.room(1)
        start = row if node == EMPTY else int(self.nodes[node, START])
        self.size = put(self.nodes, self.size, row, node, EMPTY, start)
        self.lists.append((self.size - 1, frozenset((*match, row) for match in matches)))

    def merge(self, one: int, other: int) -> None:
        """Two lists as one, if they have no match in common."""
        (a, first), (b, second) = self.lists[one], self.lists[other]
        if first & second or EMPTY in (a, b):
            return
        self.room(room_to_merge(self.nodes, a, b))
        before = self.nodes[: self.size].copy()
        node, self.size = merge(self.nodes, self.size, a, b)
        self.changed |= not bool((self.nodes[: len(before)] == before).all())
        self.lists.append((node, first | second))

    def matches(self, node: int, cutoff: int) -> list[Match]:
        """What the enumeration gives."""
        if self.nodes[node, START] < cutoff:
            return []
        blocks = enumerated(self.nodes, np.array([[_LAST_ROW, node, cutoff]]))
        return [
            tuple(block.positions[begin : end - 1].tolist())
            for block in blocks
            for begin, end in pairwise(block.offsets.tolist())
        ]

    def depth(self, node: int) -> int:
        """How many unions are passed to the left before an output."""
        found = 0
        while self.nodes[node, LABEL] < 0 and self.nodes[node, LABEL] != LEAF:
            node, found = int(self.nodes[node, LEFT]), found + 1
        return found

    def elements(self, listed: int) -> list[int]:
        """The elements of a list."""
        found = []
        while self.nodes[listed, LABEL] == CELL:
            found.append(int(self.nodes[listed, LEFT]))
            listed = int(self.nodes[listed, RIGHT])
        whole = self.nodes[listed, LABEL] != LAST
        return [*found, *([listed] if whole else self.nodes[listed, [LEFT, RIGHT]].tolist())]

    def grow(self, steps: Steps, row: int = 0) -> Graph:
        """The same graph after some steps."""
        for at, (extends, one, other) in enumerate(steps, start=row):
            if extends:
                self.extend(one % len(self.lists), at)
            else:
                self.merge(one % len(self.lists), other % len(self.lists))
        return self


def built(steps: Steps) -> Graph:
    """The graph that some steps make."""
    return Graph(new_nodes(2), 1, [(EMPTY, frozenset([()]))]).grow(steps)


def inside(matches: frozenset[Match], cutoff: int) -> list[Match]:
    """The matches that begin inside a window."""
    return sorted(match for match in matches if not match or match[0] >= cutoff)


def lists_stand_for_their_matches() -> Claim[Instance]:
    """With any cutoff a list gives just its matches that begin inside, each once; nodes never change."""

    def holds(instance: Instance) -> bool:
        steps, cutoff = instance
        graph = built(steps)
        cuts = (0, cutoff)
        exact = (sorted(graph.matches(n, c)) == inside(m, c) for n, m in graph.lists for c in cuts)
        return not graph.changed and all(exact)

    return Claim("lists stand for their matches", "match graph", st.tuples(_STEPS, _CUTOFFS), holds)


def the_graph_stays_flat() -> Claim[Instance]:
    """At most three unions before an output; unions are ordered by their starts, and so are lists."""

    def holds(instance: Instance) -> bool:
        graph = built(instance[0])
        nodes = all(_well_made(graph, node) for node in range(1, graph.size))
        return nodes and all(_well_ordered(graph, node) for node, _ in graph.lists[1:])

    return Claim("the graph stays flat", "match graph", st.tuples(_STEPS, st.just(0)), holds)


def _well_made(graph: Graph, node: int) -> bool:
    label, left, right, start = graph.nodes[node, [LABEL, LEFT, RIGHT, START]].tolist()
    older = max(left, right) < node and graph.depth(node) <= 3
    starts = graph.nodes[:, START]
    return older and (label >= 0 or start == starts[left] >= starts[right])


def _well_ordered(graph: Graph, node: int) -> bool:
    starts = [int(graph.nodes[element, START]) for element in graph.elements(node)]
    falling = starts == sorted(starts, reverse=True) and len(set(starts[1:])) == len(starts[1:])
    return graph.depth(node) <= 1 and falling


Collected: TypeAlias = tuple[Steps, int, frozenset[int], Steps]


def collecting_keeps_what_is_inside() -> Claim[Collected]:
    """What is collected begins outside the window, now and later; the rest is as it was, and goes on."""
    instances = st.tuples(_STEPS, _CUTOFFS, st.frozensets(_CUTOFFS), _STEPS)

    def holds(instance: Collected) -> bool:
        steps, cutoff, chosen, more = instance
        graph = built(steps)
        kept = [graph.lists[0], *(graph.lists[n % len(graph.lists)] for n in sorted(chosen))]
        kept = [one for one in kept if graph.nodes[one[0], START] >= cutoff]
        before = graph.size
        _collect(graph, kept, cutoff)
        smaller = graph.size <= before
        graph.grow(more, row=100)
        exact = all(sorted(graph.matches(n, cutoff)) == sorted(m) for n, m in graph.lists)
        flat = all(n == EMPTY or graph.depth(n) <= 1 for n, _ in graph.lists)
        return smaller and exact and flat

    return Claim("collecting keeps what is inside the window", "match graph", instances, holds)


def _collect(graph: Graph, kept: list[tuple[int, frozenset[Match]]], cutoff: int) -> None:
    alive, places = np.zeros(graph.size, np.uint8), np.zeros(graph.size, np.int64)
    alive[[node for node, _ in kept]] = 1
    graph.size = collect(graph.nodes, graph.size, alive, cutoff, places)
    graph.lists = [(int(places[node]), frozenset(inside(found, cutoff))) for node, found in kept]


Recognised: TypeAlias = tuple[Stream, Pattern]


def recognition_is_exact() -> Claim[Recognised]:
    """Recognition with the graph finds the matches of the semantics, each once, by their last rows."""

    def holds(instance: Recognised) -> bool:
        stream, pattern = instance
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SlowRecognitionWarning)
            matches = recognise(pattern, stream_to_arrow(stream, TICKS), schema=TICKS)
            found = [match.positions for match in matches]
            several = len(found) == matches.count()
        wanted = {tuple(sorted(p - 1 for p in marks)) for marks in pattern_matches(pattern, stream)}
        ends = [positions[-1] for positions in found]
        in_order = bool(pattern.partition_by) or ends == sorted(ends)
        return several and in_order and set(found) == wanted and len(found) == len(wanted)

    instances = st.tuples(streams(), patterns(size=3))
    return Claim("recognition finds each match once, in order", "match graph", instances, holds)
