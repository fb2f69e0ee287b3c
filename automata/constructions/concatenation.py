"""Concatenation (SRT Thm 31, Fig. 11d)."""

from __future__ import annotations

from mnemata.automata.constructions.registers import apart
from mnemata.automata.srt.transducer import SRT, epsilon, moved


def concatenation(left: SRT, right: SRT) -> SRT:
    """``Match(T, S)``: all ``M1 | M2`` over all ways to split ``S = S1 . S2`` (Def. 30, ERRATA A3).

    `right` starts from empty registers: those that both use are renamed in it.
    """
    left, right = apart(left, right)
    transitions = (
        *left.transitions,
        *moved(right.transitions, left.size),
        *(epsilon(state, left.size + right.start) for state in sorted(left.finals)),
    )
    finals = frozenset(left.size + state for state in right.finals)
    return SRT(left.size + right.size, left.start, finals, transitions, left.registers | right.registers)
