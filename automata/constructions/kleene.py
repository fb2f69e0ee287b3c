"""Kleene closure (SRT Thm 31, Fig. 11f): as published, and the repair of ERRATA A3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.srt.transducer import SRT, State, epsilon
from mnemata.theory.conditions.formulas import Bottom
from mnemata.theory.conditions.simplification import assume_empty
from mnemata.theory.conditions.terms import Register


def star(srt: SRT) -> SRT:
    """``Match(T*, S)``: all ``M1 | ... | Mn`` over all ways to split ``S = S1 ... Sn`` (Def. 30).

    Every round starts from empty registers. States are refined by what the current round has written;
    in them, atoms that read another register are false, whatever earlier rounds left in it (ERRATA A3).
    """
    return star_as_published(forgetful(srt))


def star_as_published(srt: SRT) -> SRT:
    """Fig. 11f: registers keep their contents from one round to the next.

    Right for ``e*`` of an expression (Def. 17, case 6), wrong for the closure of Def. 30.
    """
    start, final = srt.size, srt.size + 1
    loops = ((epsilon(state, srt.start), epsilon(state, final)) for state in sorted(srt.finals))
    transitions = (
        *srt.transitions,
        epsilon(start, srt.start),
        epsilon(start, final),
        *(transition for pair in loops for transition in pair),
    )
    return SRT(srt.size + 2, start, frozenset({final}), transitions, srt.registers)


def plus(srt: SRT) -> SRT:
    """``Match(T+, S)``: as `star`, with at least one round; every round starts from empty registers."""
    return plus_as_published(forgetful(srt))


def plus_as_published(srt: SRT) -> SRT:
    """Epsilon transitions from the final states back to the start (RMA Thm 8); registers keep their contents.

    Right where each round writes what it reads (bounded core-CEPL), wrong in general, as `star_as_published`.
    """
    back = (epsilon(state, srt.start) for state in sorted(srt.finals))
    return SRT(srt.size, srt.start, srt.finals, (*srt.transitions, *back), srt.registers)


class _Round(NamedTuple):
    state: State
    written: frozenset[Register]


def forgetful(srt: SRT) -> SRT:
    """An SRT that matches from any register contents what `srt` matches from empty ones."""

    def outgoing(here: _Round) -> Iterator[Edge[_Round]]:
        for transition in srt.outgoing(here.state):
            there = _Round(transition.target, here.written | transition.writes)
            if transition.condition is None:
                yield edge(transition, there)
                continue
            guard = assume_empty(transition.condition, srt.registers - here.written)
            if not isinstance(guard, Bottom):
                yield Edge(guard, transition.output, transition.writes, there)

    start = _Round(srt.start, frozenset())
    return explore(start, outgoing, lambda here: here.state in srt.finals, srt.registers)
