"""Removing what no accepting run can use."""

from __future__ import annotations

from collections.abc import Iterator

from mnemata.automata.cea.automaton import CEA, State
from mnemata.automata.constructions.cea.exploration import Edge, edge, explore
from mnemata.automata.reachability import reachable
from mnemata.theory.conditions.formulas import Bottom


def trim(cea: CEA) -> CEA:
    """`cea` without the states that lie on no path from an initial state to a final one.

    Transitions whose predicate is ``false`` count as absent. States are renumbered breadth-first. What
    accepts nothing becomes the automaton without states.
    """
    possible = [t for t in cea.transitions if not isinstance(t.predicate, Bottom)]
    useful = reachable(cea.finals, ((t.target, t.source) for t in possible))

    def outgoing(state: State) -> Iterator[Edge[State]]:
        taken = (t for t in cea.outgoing(state) if not isinstance(t.predicate, Bottom))
        return (edge(t, t.target) for t in taken if t.target in useful)

    return explore(sorted(cea.initials & useful), outgoing, lambda state: state in cea.finals)
