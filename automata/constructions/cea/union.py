"""Union: either of two automata (CEL Thm 6.2, ``OR``)."""

from __future__ import annotations

from mnemata.automata.cea.automaton import CEA, moved


def union(left: CEA, right: CEA) -> CEA:
    """The valuations of both, at every position of every stream.

    The automata stand side by side; runs begin in the initial states of either.
    """

    def both(first: frozenset[int], second: frozenset[int]) -> frozenset[int]:
        return first | {state + left.size for state in second}

    return CEA(
        left.size + right.size,
        (*left.transitions, *moved(right.transitions, left.size)),
        both(left.initials, right.initials),
        both(left.finals, right.finals),
    )
