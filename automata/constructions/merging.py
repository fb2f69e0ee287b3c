"""Merging states that no continuation tells apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.srt.transducer import SRT, State

_Future: TypeAlias = tuple[bool, frozenset[Edge[State]]]


def merge_equivalent(srt: SRT) -> SRT:
    """`srt` with states merged that are alike in finality and in their transitions, to the letter.

    Merging two states can make the states before them alike, so it goes on until nothing changes: linear
    in the number of transitions but for those of merged states. Runs keep their marks and what they write.
    """
    merged = _representatives(srt)

    def outgoing(state: State) -> Iterator[Edge[State]]:
        moves = (edge(t, _find(merged, t.target)) for t in srt.outgoing(state))
        return iter(dict.fromkeys(moves))

    start = _find(merged, srt.start)
    return explore(start, outgoing, lambda state: state in srt.finals, srt.registers)


def _representatives(srt: SRT) -> list[State]:
    """For each state the one it was merged into, or itself."""
    into: list[set[State]] = [set() for _ in srt.states]
    for transition in srt.transitions:
        into[transition.target].add(transition.source)
    merged = list(srt.states)
    first: dict[_Future, State] = {}
    pending = set(srt.states)
    while pending:
        current, pending = sorted(pending), set()
        for state in current:
            if merged[state] != state:
                continue
            kept = first.setdefault(_future(srt, state, merged), state)
            if kept != state:
                merged[state] = kept
                pending |= into[state]
                into[kept] |= into[state]
    return merged


def _future(srt: SRT, state: State, merged: list[State]) -> _Future:
    moves = frozenset(edge(t, _find(merged, t.target)) for t in srt.outgoing(state))
    return state in srt.finals, moves


def _find(merged: list[State], state: State) -> State:
    while merged[state] != state:
        state = merged[state]
    return state
