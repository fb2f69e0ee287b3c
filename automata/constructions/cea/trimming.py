"""Removing what no accepting run can use."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx

from mnemata.automata.cea.automaton import CEA, State
from mnemata.automata.cea.graph import to_networkx
from mnemata.automata.constructions.cea.exploration import Edge, edge, explore
from mnemata.theory.conditions.formulas import Bottom


def trim(cea: CEA) -> CEA:
    """`cea` without the states that lie on no path from an initial state to a final one.

    Transitions whose predicate is ``false`` count as absent. States are renumbered breadth-first. What
    accepts nothing becomes the automaton without states.
    """
    graph = to_networkx(cea)
    goal = cea.size
    graph.add_edges_from((final, goal) for final in cea.finals)
    useful = nx.ancestors(graph, goal) if cea.finals else set()

    def outgoing(state: State) -> Iterator[Edge[State]]:
        possible = (t for t in cea.outgoing(state) if not isinstance(t.predicate, Bottom))
        return (edge(t, t.target) for t in possible if t.target in useful)

    return explore(sorted(cea.initials & useful), outgoing, lambda state: state in cea.finals)
