"""Which states paths lead to."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import networkx as nx


def reachable(begin: Iterable[int], steps: Iterable[tuple[int, int]]) -> frozenset[int]:
    """The states at the ends of all paths, those of no step included.

    Parameters
    ----------
    begin : iterable of int
        The states where paths begin.
    steps : iterable of (int, int)
        From where to where a step leads; turned round, the states are those that paths come from.

    Examples
    --------
    >>> sorted(reachable({0}, [(0, 1), (1, 2), (3, 2)])), sorted(reachable({2}, [(1, 0), (2, 1), (2, 3)]))
    ([0, 1, 2], [0, 1, 2, 3])
    """
    graph: nx.DiGraph[int] = nx.DiGraph(steps)
    sources = list(begin)
    graph.add_nodes_from(sources)
    return frozenset(chain.from_iterable(nx.bfs_layers(graph, sources)))
