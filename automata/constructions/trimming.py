"""Removing what no accepting run can use."""

from __future__ import annotations

from collections.abc import Iterator

from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.reachability import reachable
from mnemata.automata.srt.transducer import SRT, State
from mnemata.theory.conditions.formulas import Bottom


def trim(srt: SRT) -> SRT:
    """`srt` without the states that lie on no path from the start to a final state.

    Transitions whose condition is ``false`` count as absent. States are renumbered breadth-first.
    """
    possible = [t for t in srt.transitions if not isinstance(t.condition, Bottom)]
    useful = reachable(srt.finals, ((t.target, t.source) for t in possible))

    def outgoing(state: State) -> Iterator[Edge[State]]:
        taken = (t for t in srt.outgoing(state) if not isinstance(t.condition, Bottom))
        return (edge(t, t.target) for t in taken if t.target in useful)

    return explore(srt.start, outgoing, lambda state: state in srt.finals)
