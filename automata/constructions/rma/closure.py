"""Closure of RMA under union, concatenation and Kleene-plus (RMA Def. 10, Thm 11).

Def. 10 asks that all parts of a match be matches over the same stream from its beginning. That is not what
the constructions of Thm 8 do, which go through the first automaton and then the second (ERRATA C4). Those
here close RMA under splitting the stream, as for SRT (ERRATA A3): the parts are matches over consecutive
pieces of it. For automata that may let any events pass at their start and mark whatever they write, as those
of core-CEPL, the two agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from mnemata.automata.constructions import concatenation as of_srt_concatenation
from mnemata.automata.constructions import kleene
from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.rma.bridges import rma_of, srt_of
from mnemata.automata.rma.runs import matches
from mnemata.automata.srt.transducer import moved
from mnemata.theory.cepl.semantics import Match, Matches
from mnemata.theory.schema import Event


def union(left: RMA, right: RMA) -> RMA:
    """``[[A]](S) = [[A1]](S) | [[A2]](S)``: both side by side, since an RMA may start in several states.

    A run stays on one side, so both may use the same registers.
    """
    return RMA(
        left.size + right.size,
        left.starts | {left.size + state for state in right.starts},
        left.finals | {left.size + state for state in right.finals},
        (*left.transitions, *moved(right.transitions, left.size)),
        left.registers | right.registers,
    )


def concatenation(left: RMA, right: RMA) -> RMA:
    """``M1 | M2`` over all ways to split ``S = S1 . S2``; `right` starts from empty registers."""
    return rma_of(of_srt_concatenation.concatenation(srt_of(left), srt_of(right)))


def plus(rma: RMA) -> RMA:
    """``M1 | ... | Mn`` over all ways to split ``S = S1 ... Sn``; every round starts from empty registers."""
    return rma_of(kleene.plus(srt_of(rma)))


def concatenation_as_published(left: RMA, right: RMA) -> RMA:
    """The construction of Thm 8: epsilon transitions from final to start states, and nothing else."""
    return with_start(of_srt_concatenation.concatenation(left.srt, right.srt))


def plus_as_published(rma: RMA) -> RMA:
    """The construction of Thm 8: epsilon transitions from final to start states; registers are kept."""
    return with_start(kleene.plus_as_published(rma.srt))


def concatenated_as_defined(left: RMA, right: RMA, stream: Sequence[Event]) -> Matches:
    """The matches that Def. 10 asks for, to the letter: both parts are matches from the beginning."""
    return _one_after_the_other(matches(left, stream), matches(right, stream))


def iterated_as_defined(rma: RMA, stream: Sequence[Event]) -> Matches:
    """The matches that Def. 10 asks of Kleene-plus, to the letter."""
    once = matches(rma, stream)
    rounds = accumulate((once for _ in stream), _one_after_the_other)
    return frozenset(found for some in (once, *rounds) for found in some)


def _one_after_the_other(firsts: Iterable[Match], seconds: Matches) -> Matches:
    """``M1 . M2``: the unions in which the second part is not empty and lies after the first."""
    pairs = ((one, other) for one in firsts for other in seconds if one and other)
    return frozenset(one | other for one, other in pairs if max(one) < min(other))
