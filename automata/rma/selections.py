"""Whether every register is written on every trail before it is read (RMA Section 4).

A trail is a walk from a start state that visits no state twice. Every walk contains a trail with the same
end, and writes all that the trail does; so it makes no difference whether trails are asked for or walks, and
what is known of the registers in each state decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from mnemata.automata.rma.automaton import RMA
from mnemata.automata.srt.occupancy import occupancies
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.terms import Register


class UnwrittenRead(NamedTuple):
    """A register that a transition reads, and a trail to it from a start state on which it is not written."""

    register: Register
    transition: Transition
    trail: tuple[Transition, ...]


def writes_before_reading(rma: RMA) -> bool:
    """Whether each register in a selection was written on every trail to the state, whatever the stream.

    >>> from mnemata.automata.rma.automaton import with_start
    >>> from mnemata.automata.constructions.thompson import thompson
    >>> from mnemata.theory.conditions.building import head, register
    >>> from mnemata.theory.sremo.expressions import mark
    >>> same = mark(head().id == register("r").id)
    >>> writes_before_reading(with_start(thompson(mark(write="r") >> same)))
    True
    >>> writes_before_reading(with_start(thompson(mark(write="r").optional() >> same)))
    False
    """
    return next(unwritten_reads(rma), None) is None


def unwritten_reads(rma: RMA) -> Iterator[UnwrittenRead]:
    """The registers that may be read before they are written, each with a shortest trail."""
    known = occupancies(rma.srt)
    for transition in rma.transitions:
        here = known[transition.source]
        for register in sorted(transition.reads - here.filled if here is not None else ()):
            yield UnwrittenRead(register, transition, _trail(rma.srt, transition.source, register))


def _trail(srt: SRT, goal: State, register: Register) -> tuple[Transition, ...]:
    """A shortest path from the start that does not write `register`."""
    came: dict[State, tuple[Transition, ...]] = {srt.start: ()}
    waiting = deque([srt.start])
    while goal not in came and waiting:
        state = waiting.popleft()
        for t in srt.outgoing(state):
            if register not in t.writes and t.target not in came:
                came[t.target] = (*came[state], t)
                waiting.append(t.target)
    return came[goal]
