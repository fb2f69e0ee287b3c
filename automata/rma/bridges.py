"""RMA as SRT, and SRT as RMA.

Positions: an RMA counts events from 0, an SRT from 1. ``Match(T, S)`` is about the whole string, so it is
compared with the matches of an RMA after its last event.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mnemata.automata.constructions.bounding import show_walk
from mnemata.automata.constructions.epsilon import closure
from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.constructions.kleene import forgetful
from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.rma.selections import unwritten_reads
from mnemata.automata.srt.paths import unmarked_last
from mnemata.automata.srt.transducer import SRT, State
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.sremo.expressions import Output


class _Last(NamedTuple):
    state: State
    marked: bool


def srt_of(rma: RMA) -> SRT:
    """The SRT with ``Match(T, S) = [[A]]_n(S)`` for every string of n events, its positions one greater.

    An SRT accepts in any final state, an RMA only after an event that is marked. Where that makes a
    difference states remember whether the last event was.
    """
    if always_ends_marked(rma.srt):
        return rma.srt

    def outgoing(here: _Last) -> Iterator[Edge[_Last]]:
        for t in rma.srt.outgoing(here.state):
            yield edge(t, _Last(t.target, here.marked if t.is_epsilon else t.output is Output.MARK))

    def is_final(here: _Last) -> bool:
        return here.marked and here.state in rma.finals

    return explore(_Last(rma.srt.start, False), outgoing, is_final, rma.registers)


def rma_of(srt: SRT) -> RMA:
    """The RMA with ``[[A]]_n(S) = Match(T, S)`` for every string of n events, its positions one less.

    Every register that a transition of it reads was written on every trail to that transition; atoms over
    others are false in an SRT (ERRATA A6), and are left out.

    Raises
    ------
    UnsupportedError
        Some match does not mark the last event of its string, which no run of an RMA can do.
    """
    path = unmarked_last(srt)
    if path is not None:
        walk = [t for t in path if not t.is_epsilon]
        shown = show_walk((tuple(walk[:-1]), ""), (tuple(walk[-1:]), "not marked"))
        raise UnsupportedError(
            f"a match may end with an event that is not marked, and a run of an RMA accepts only at events "
            f"that are\n{shown}\nmark the last event of every match"
        )
    if closure(srt, (srt.start,)) & srt.finals:
        raise UnsupportedError(
            "the empty string is a match, and a run of an RMA accepts only at events; leave it out"
        )
    found = with_start(srt)
    return with_start(forgetful(srt)) if next(unwritten_reads(found), None) else found


def always_ends_marked(srt: SRT) -> bool:
    """Whether every accepted string has a last event, and every match marks it."""
    return unmarked_last(srt) is None and not closure(srt, (srt.start,)) & srt.finals
