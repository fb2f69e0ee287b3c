"""Removing what no accepting run can use."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx

from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.srt.graph import to_networkx
from mnemata.automata.srt.transducer import SRT, State
from mnemata.theory.conditions.formulas import Bottom


def trim(srt: SRT) -> SRT:
    """`srt` without the states that lie on no path from the start to a final state.

    Transitions whose condition is ``false`` count as absent. States are renumbered breadth-first.
    """
    graph = to_networkx(srt)
    goal = srt.size
    graph.add_edges_from((final, goal) for final in srt.finals)
    useful = nx.ancestors(graph, goal) if srt.finals else set()

    def outgoing(state: State) -> Iterator[Edge[State]]:
        possible = (t for t in srt.outgoing(state) if not isinstance(t.condition, Bottom))
        return (edge(t, t.target) for t in possible if t.target in useful)

    return explore(srt.start, outgoing, lambda state: state in srt.finals)
