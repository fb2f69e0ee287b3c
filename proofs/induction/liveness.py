"""Dead registers do not matter (`constructions.registers.live_registers`).

Let each state ``q`` of an SRT have a set ``live(q)`` of registers such that for every transition ``t``

    ``live(source t)`` contains what ``t`` reads, and what is live at its target unless ``t`` writes it.

The guard of ``t`` depends on the registers that it reads, and on no others. Two valuations are *alike at*
``q`` if they agree on ``live(q)``. Proved, for all such SRT, by induction on the length of what is still to
come: from configurations with one state whose valuations are alike there, the same continuations are accepted
with the same marks. In the step, a transition fires from both or from neither, and leads to valuations that
are alike at its target. So configurations may be merged when they agree on live registers; the engine does.

The induction goes over continuations: ``M(q, v, c)`` says that from ``q`` and ``v`` the rest of the string is
accepted, where ``c`` are the marks on it. One event more at the front, and its mark, makes a longer rest.

Outside: that the least sets with this property are computed (any will do), and epsilon transitions, which
read and write nothing and are like a guard that is always true.

With `written_last`, sets are taken in which a register that a transition both reads and writes need not be
live before it; then valuations that are alike can differ in what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import z3

from mnemata.proofs.evidence import Induction, Obligation
from mnemata.proofs.induction.signature import (
    AFTER,
    BEFORE,
    REGISTER,
    Automaton,
    Formula,
    Moment,
    Sort,
    Term,
    constants,
    every,
    fresh,
    some,
)

_A: Final = Automaton("A")
_TRUTH: Final = z3.BoolSort()
_REST: Final[Sort] = z3.DeclareSort("Marks of the rest")
_LONGER: Final[Sort] = z3.DeclareSort("Marks of the longer rest")
_FRONT: Final = z3.Function("in front", _TRUTH, _REST, _LONGER)
"""Marks of the rest with the position of the event in front of them, or without."""

_READS: Final = z3.Function("reads", _A.transition, REGISTER, _TRUTH)
_LIVE: Final = z3.Function("live", _A.state, REGISTER, _TRUTH)
_M: Final = z3.Function("M", _A.state, AFTER.valuation, _REST, _TRUTH)
"""What is accepted after the event."""

(_Q,), (_T,), (_R,) = _A.states("q"), _A.transitions("t"), constants("r", REGISTER)
_V, _U = BEFORE.valuations("v u")
(_C,), (_D,) = constants("c", _REST), constants("d", _LONGER)


def liveness(*, written_last: bool = False) -> Iterator[Obligation]:
    """The cases of the induction; with `written_last`, of sets that are too small."""
    known = (_needed(written_last), _local(), _A.writing())
    yield _nothing_left()
    fires = z3.Implies(_alike(BEFORE, _A.source(_T), _V, _U), _A.guard(_T, _V) == _A.guard(_T, _U))
    yield Obligation("an event: both fire", known, every(_T, _V, _U, fires))
    w, u = _A.write(_T, _V), _A.write(_T, _U)
    remain = z3.Implies(_alike(BEFORE, _A.source(_T), _V, _U), _alike(AFTER, _A.target(_T), w, u))
    yield Obligation("an event: still alike", known, every(_T, _V, _U, remain))
    same = z3.Implies(_alike(BEFORE, _Q, _V, _U), _accepted(_Q, _V, _D) == _accepted(_Q, _U, _D))
    yield Obligation("an event: the same is accepted", (*known, _hypothesis()), every(_Q, _V, _U, _D, same))


def _needed(written_last: bool) -> Formula:
    survives = z3.And(_LIVE(_A.target(_T), _R), z3.Not(_A.writes(_T, _R)))
    needed = z3.Or(_READS(_T, _R), survives)
    if written_last:
        used = z3.Or(_READS(_T, _R), _LIVE(_A.target(_T), _R))
        needed = z3.And(used, z3.Not(_A.writes(_T, _R)))
    return every(_T, _R, z3.Implies(needed, _LIVE(_A.source(_T), _R)))


def _local() -> Formula:
    """Guards depend on what they read."""
    agree = BEFORE.agree(_V, _U, lambda r: _READS(_T, r))
    return every(_T, _V, _U, z3.Implies(agree, _A.guard(_T, _V) == _A.guard(_T, _U)))


def _alike(moment: Moment, q: Term, v: Term, u: Term) -> Formula:
    return moment.agree(v, u, lambda r: _LIVE(q, r))


def _hypothesis() -> Formula:
    w, u = AFTER.valuations("w u1")
    return every(_Q, w, u, _C, z3.Implies(_alike(AFTER, _Q, w, u), _M(_Q, w, _C) == _M(_Q, u, _C)))


def _accepted(q: Term, v: Term, marks: Term) -> Formula:
    """From `q` and `v` the event and what follows is accepted, with these marks."""
    t, c = fresh(_A.transition, _REST)
    led = z3.And(_M(_A.target(t), _A.write(t, v), c), _FRONT(_A.marks(t), c) == marks)
    return some(t, c, z3.And(_A.source(t) == q, _A.guard(t, v), led))


def _nothing_left() -> Obligation:
    """At the end of the string it is the state that accepts."""
    ended: Any = z3.Function("M at the end", _A.state, BEFORE.valuation, _TRUTH)
    defined = every(_Q, _V, ended(_Q, _V) == _A.final(_Q))
    same = z3.Implies(_alike(BEFORE, _Q, _V, _U), ended(_Q, _V) == ended(_Q, _U))
    return Obligation("nothing left to read", (defined,), every(_Q, _V, _U, same))


INDUCTION: Final = Induction(
    "configurations that agree on live registers have one future, by induction on its length", liveness
)
