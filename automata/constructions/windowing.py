"""Windows inside an automaton, as guards (SRT Def. 39).

The paper remarks that a window adds no expressive power, because positions can be compared like any other
attribute. This construction is that remark: a register of its own keeps the event that opened the window.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.formulas import conjunction
from mnemata.theory.conditions.terms import Register
from mnemata.theory.sremo.expressions import LengthWindow, Output, Window
from mnemata.theory.sremo.windows import guard


def windowed(srt: SRT, window: Window, register: Register) -> SRT:
    """``M in Match(T, S)`` restricted to the matches that fit `window`, from any register contents.

    `register` must not occur in `srt`. Windows on marks open at the first marked event and are checked at
    every later one; a window on length opens at the first event read.
    """
    inside = guard(window, register)

    def outgoing(here: _Opened) -> Iterator[Edge[_Opened]]:
        for t in srt.outgoing(here.state):
            if not _counts(t, window):
                yield edge(t, _Opened(t.target, here.opened))
            elif here.opened and t.condition is not None:
                narrowed = conjunction(t.condition, inside)
                yield Edge(narrowed, t.output, t.writes, _Opened(t.target, True))
            else:
                yield Edge(t.condition, t.output, t.writes | {register}, _Opened(t.target, True))

    start = _Opened(srt.start, False)
    return explore(start, outgoing, lambda here: here.state in srt.finals, srt.registers)


class _Opened(NamedTuple):
    state: State
    opened: bool


def _counts(transition: Transition, window: Window) -> bool:
    if isinstance(window, LengthWindow):
        return not transition.is_epsilon
    return transition.output is Output.MARK
