"""A stream is matched from every event on (SRT Def. 32, ``T* . e`` with ``T`` unmarked; ERRATA A9).

The streaming SRT has a state more, in which it waits: it reads any event without marking it, and from there
an epsilon transition leads to the start. Let ``P(q, v, m)`` say that a run of ``A`` over some *suffix* of
what was read reaches ``q`` with ``v`` and marks ``m``, and ``S(q, v, m)`` that a run of the streaming SRT
does. Proved, for all automata, by induction on the length of the stream: the streaming SRT can always wait,
with empty registers and nothing marked, and ``S = P``. So it accepts with the marks of all suffixes.

With `killed`, runs that accept do not go on, as in Alg. 1 as published; then longer matches are lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import z3

from mnemata.proofs.evidence import Induction, Obligation
from mnemata.proofs.induction.signature import (
    AFTER,
    BEFORE,
    EXTENDED,
    Automaton,
    Formula,
    Moment,
    Reached,
    Term,
    every,
)

_A: Final = Automaton("A")
_P: Final = BEFORE.reached("P", _A.state)
_S: Final = BEFORE.reached("S", _A.state)
_WAITS: Final = z3.Function("waits", BEFORE.valuation, BEFORE.marks, z3.BoolSort())
_NONE: Final = z3.Const("none", BEFORE.valuation)
_NONE_AFTER: Final = z3.Const("none after", AFTER.valuation)
_UNMARKED: Final = z3.Const("no marks", BEFORE.marks)
(_Q,), (_V,), (_M,) = _A.states("q"), BEFORE.valuations("v"), BEFORE.marked("m")


def streams(*, killed: bool = False) -> Iterator[Obligation]:
    """The cases of the induction; with `killed`, of runs that end where they accept."""
    only = z3.And(_V == _NONE, _M == _UNMARKED)
    waiting = every(_V, _M, _WAITS(_V, _M) == only)
    at_start = z3.And(_Q == _A.start, only)
    both = [every(_Q, _V, _M, reached(_Q, _V, _M) == at_start) for reached in (_S, _P)]
    yield Obligation("before the first event", tuple(both), _alike(BEFORE, _S, _P))

    def going_on(q: Term, v: Term, m: Term) -> Formula:
        return z3.And(_S(q, v, m), z3.Not(_A.final(q))) if killed else _S(q, v, m)

    found = _begun(_A.stepped(going_on), _still_waiting)
    suffixes = _begun(_A.stepped(_P), _beginning)
    known = (waiting, _alike(BEFORE, _S, _P))
    yield Obligation("an event", known, _alike(AFTER, found, suffixes))


def _alike(moment: Moment, one: Reached, other: Reached) -> Formula:
    (v,), (m,) = moment.valuations("v"), moment.marked("m")
    return every(_Q, v, m, one(_Q, v, m) == other(_Q, v, m))


def _begun(stepped: Reached, begins: Reached) -> Reached:
    """What was on its way, and what begins after the event."""

    def reached(q: Term, w: Term, m: Term) -> Formula:
        return z3.Or(stepped(q, w, m), z3.And(q == _A.start, begins(q, w, m)))

    return reached


def _beginning(_: Term, w: Term, m: Term) -> Formula:
    """A string that begins after the event."""
    return z3.And(w == _NONE_AFTER, m == EXTENDED(_UNMARKED, False))


def _still_waiting(_: Term, w: Term, m: Term) -> Formula:
    """The streaming SRT read the event without marking or writing it."""
    return z3.And(_WAITS(_NONE, _UNMARKED), w == _NONE_AFTER, m == EXTENDED(_UNMARKED, False))


INDUCTION: Final = Induction(
    "the streaming automaton reaches what runs over suffixes do, by induction on the length of the stream",
    streams,
)
