"""Windows in events on CEA.

A window between the first and the last marked event can be counted by states; CEL says after Def. 4.1 that
windows are not expressible in unary CEL, which is right for windows in time alone (ERRATA B7).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from mnemata.automata.cea.automaton import CEA, State
from mnemata.automata.constructions.cea.exploration import Edge, edge, explore
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.theory.sremo.bounds import EventWindow

Counting: TypeAlias = tuple[State, int]


def within_events(cea: CEA, window: EventWindow) -> CEA:
    """``cea WITHIN n EVENTS``: the valuations whose support lies among n consecutive events.

    Notes
    -----
    The states of `cea` with the number of events since the first mark, from 0 to n: up to
    ``(n + 1) * cea.size`` states. After n events nothing may be marked any more.
    """

    def outgoing(here: Counting) -> Iterator[Edge[Counting]]:
        state, read = here
        for t in cea.outgoing(state):
            if not t.marking or read < window.size:
                counted = min(read + 1, window.size) if read or t.marking else 0
                yield edge(t, (t.target, counted))

    starts = ((state, 0) for state in sorted(cea.initials))
    return trim(explore(starts, outgoing, lambda here: here[0] in cea.finals))
