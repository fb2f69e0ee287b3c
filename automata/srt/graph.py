"""An SRT as a networkx graph."""

from __future__ import annotations

import networkx as nx

from mnemata.automata.srt.transducer import SRT
from mnemata.theory.conditions.formulas import Bottom


def to_networkx(srt: SRT) -> nx.MultiDiGraph[int]:
    """The states as nodes (attributes ``start``, ``final``), each transition as an edge (``transition``).

    Transitions whose condition is ``false`` are left out: no run can take them.
    """
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for state in srt.states:
        graph.add_node(state, start=state == srt.start, final=state in srt.finals)
    for transition in srt.transitions:
        if not isinstance(transition.condition, Bottom):
            graph.add_edge(transition.source, transition.target, transition=transition)
    return graph
