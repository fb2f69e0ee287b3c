"""From strings to streams (SRT Def. 32)."""

from __future__ import annotations

from mnemata.automata.srt.transducer import SRT, Transition, epsilon
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.sremo.expressions import Output


def streaming(srt: SRT) -> SRT:
    """The SRT of ``T* . e``: it may let any number of events pass, unmarked, before it begins."""
    start = srt.size
    waiting = Transition(start, TOP, Output.SKIP, frozenset(), start)
    transitions = (*srt.transitions, waiting, epsilon(start, srt.start))
    return SRT(srt.size + 1, start, srt.finals, transitions, srt.registers)
