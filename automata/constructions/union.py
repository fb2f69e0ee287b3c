"""Union (SRT Thm 31, Fig. 11e)."""

from __future__ import annotations

from mnemata.automata.srt.transducer import SRT, epsilon, moved


def union(left: SRT, right: SRT) -> SRT:
    """``Match(T, S) = Match(T1, S) | Match(T2, S)`` for every string (Def. 30).

    A new start state leads to both start states, all final states to a new one. A run stays on one
    side, so both may use the same registers.
    """
    start, final = left.size + right.size, left.size + right.size + 1
    starts = (epsilon(start, left.start), epsilon(start, left.size + right.start))
    finals = sorted(left.finals) + sorted(left.size + state for state in right.finals)
    transitions = (
        *left.transitions,
        *moved(right.transitions, left.size),
        *starts,
        *(epsilon(state, final) for state in finals),
    )
    return SRT(final + 1, start, frozenset({final}), transitions, left.registers | right.registers)
