"""A CEA as a networkx graph."""

from __future__ import annotations

import networkx as nx

from mnemata.automata.cea.automaton import CEA
from mnemata.theory.conditions.formulas import Bottom


def to_networkx(cea: CEA) -> nx.MultiDiGraph[int]:
    """The states as nodes (attributes ``initial``, ``final``), each transition as an edge (``transition``).

    Transitions whose predicate is ``false`` are left out: no run can take them.
    """
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for state in cea.states:
        graph.add_node(state, initial=state in cea.initials, final=state in cea.finals)
    for transition in cea.transitions:
        if not isinstance(transition.predicate, Bottom):
            graph.add_edge(transition.source, transition.target, transition=transition)
    return graph
