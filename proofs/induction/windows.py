"""A window inside an automaton is a guard (SRT Def. 39, `constructions.windowing`).

States are doubled: before and after the first mark. A register ``o`` of its own is written at the first mark;
every later mark asks that its clock (position or time) is less than ``size`` after that of the event in
``o``. Let ``N(q, v, m)`` say that a run of the SRT ``A`` over a prefix reaches ``q`` with valuation ``v`` and
marks ``m``, and ``W(q, i, v, m)`` that a run of the windowed SRT reaches ``q``, inside (``i``) or before the
window. Clocks never decrease, and ``A`` does not use ``o``.

Proved, for all automata, windows and streams, by induction on the length of the prefix: if ``W(q, i, v, m)``,
then ``N(q, u, m)`` for a ``u`` that agrees with ``v`` but for ``o``, ``m`` fits the window, ``i`` says
whether there are marks, and then the clock of the event in ``o`` is that of the first one (*forwards*); and
if ``N(q, u, m)`` and ``m`` fits the window, then ``W(q, i, v, m)`` with such a ``v`` (*backwards*). So the
windowed SRT has the matches that fit.

That *all* marks so far fit, if the whole match does, needs that clocks do not decrease. A window on the
length of the string is the same with all events in place of the marked ones.

With `ordered` false, clocks may decrease: a match that fits may then have had a mark outside the window.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import z3

from mnemata.proofs.evidence import Induction, Obligation
from mnemata.proofs.induction.signature import (
    AFTER,
    BEFORE,
    CONTENT,
    EVENT,
    EXTENDED,
    REGISTER,
    Automaton,
    Formula,
    Moment,
    Term,
    constants,
    every,
    fresh,
    some,
)

_A: Final = Automaton("A")
_TRUTH: Final = z3.BoolSort()
_CLOCK: Final = z3.Function("clock", CONTENT, z3.IntSort())
_SIZE: Final = z3.Int("size")
_OPENED: Final = z3.Const("o", REGISTER)
_N: Final = BEFORE.reached("N", _A.state)
_W: Final = z3.Function("W", _A.state, _TRUTH, BEFORE.valuation, BEFORE.marks, _TRUTH)
_WRITE: Final = z3.Function("write and open", _A.transition, _TRUTH, BEFORE.valuation, AFTER.valuation)
(_Q,), (_T,), (_R,) = _A.states("q"), _A.transitions("t"), constants("r", REGISTER)
(_V, _U), (_M,), _I = BEFORE.valuations("v u"), BEFORE.marked("m"), z3.Bool("i")


def _others(r: Term) -> Formula:
    return r != _OPENED


class _Marks:
    """Sets of marks before or after the event: whether there are any, clocks of the first and the last."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.some = z3.Function(f"some {moment.name}", moment.marks, _TRUTH)
        self.first = z3.Function(f"first {moment.name}", moment.marks, z3.IntSort())
        self.last = z3.Function(f"last {moment.name}", moment.marks, z3.IntSort())

    def fits(self, m: Term) -> Formula:
        return z3.Implies(self.some(m), self.last(m) - self.first(m) < _SIZE)

    def stands(self, i: Formula, v: Term, u: Term, m: Term) -> Formula:
        """What the windowed SRT knows is right."""
        agree = self.moment.agree(v, u, _others)
        opened = z3.Implies(i, _CLOCK(self.moment.content(v, _OPENED)) == self.first(m))
        return z3.And(agree, i == self.some(m), opened)

    def forwards(self, windowed: Any, reached: Any) -> Formula:
        (v, u), (m,) = self.moment.valuations("v u"), self.moment.marked("m")
        run = some(u, z3.And(reached(_Q, u, m), self.stands(_I, v, u, m)))
        return every(_Q, _I, v, m, z3.Implies(windowed(_Q, _I, v, m), z3.And(run, self.fits(m))))

    def backwards(self, windowed: Any, reached: Any) -> Formula:
        (v, u), (m,) = self.moment.valuations("v u"), self.moment.marked("m")
        run = some(v, z3.And(windowed(_Q, self.some(m), v, m), self.stands(self.some(m), v, u, m)))
        return every(_Q, u, m, z3.Implies(z3.And(reached(_Q, u, m), self.fits(m)), run))


_HERE: Final = _Marks(BEFORE)
_THERE: Final = _Marks(AFTER)


def windows(*, ordered: bool = True) -> Iterator[Obligation]:
    """The cases of the induction; unless `ordered`, of clocks that may decrease."""
    known = (*_clocks(ordered), *_apart())
    stands = _HERE.stands(_I, _V, _U, _M)
    fires = every(_T, _V, _U, z3.Implies(BEFORE.agree(_V, _U, _others), _A.guard(_T, _V) == _A.guard(_T, _U)))
    yield _base()
    w, u = _WRITE(_T, _I, _V), _A.write(_T, _U)
    after = EXTENDED(_M, _A.marks(_T))
    kept = z3.Implies(stands, _THERE.stands(z3.Or(_I, _A.marks(_T)), w, u, after))
    writing = (*known, _A.writing(), _writing())
    yield Obligation("an event: what is known of the window", writing, every(_T, _I, _V, _U, _M, kept))
    lemma = (fires, every(_T, _I, _V, _U, _M, kept), *_clocks(ordered))
    forwards, backwards = _HERE.forwards(_W, _N), _HERE.backwards(_W, _N)
    stepped = _A.stepped(_N)
    yield Obligation("an event, forwards", (*lemma, forwards), _THERE.forwards(_stepped, stepped))
    yield Obligation("an event, backwards", (*lemma, backwards), _THERE.backwards(_stepped, stepped))


def _clocks(ordered: bool) -> tuple[Formula, ...]:
    """The first and last marks with the event, whose clock is not before any mark."""
    m, marks = *BEFORE.marked("m"), z3.Bool("marks")
    after, now = EXTENDED(m, marks), _CLOCK(EVENT)
    first = z3.If(z3.And(marks, z3.Not(_HERE.some(m))), now, _HERE.first(m))
    facts = z3.And(
        _THERE.some(after) == z3.Or(_HERE.some(m), marks),
        _THERE.first(after) == first,
        _THERE.last(after) == z3.If(marks, now, _HERE.last(m)),
    )
    inside = z3.Implies(_HERE.some(m), z3.And(_HERE.first(m) <= _HERE.last(m), _HERE.last(m) <= now))
    found = (every(m, marks, facts), _SIZE >= 1)
    return (*found, every(m, inside)) if ordered else found


def _apart() -> tuple[Formula, ...]:
    """``A`` neither reads nor writes the register of the window."""
    same = z3.Implies(BEFORE.agree(_V, _U, _others), _A.guard(_T, _V) == _A.guard(_T, _U))
    return every(_T, _V, _U, same), every(_T, z3.Not(_A.writes(_T, _OPENED)))


def _writing() -> Formula:
    """What ``A`` writes, and the register of the window at the first mark."""
    opening = z3.And(_R == _OPENED, _A.marks(_T), z3.Not(_I))
    held = z3.If(z3.Or(_A.writes(_T, _R), opening), EVENT, BEFORE.content(_V, _R))
    return every(_T, _I, _V, _R, AFTER.content(_WRITE(_T, _I, _V), _R) == held)


def _stepped(q: Term, inside: Formula, w: Term, marks: Term) -> Formula:
    t, i, v, m = fresh(_A.transition, _TRUTH, BEFORE.valuation, BEFORE.marks)
    late = _CLOCK(EVENT) - _CLOCK(BEFORE.content(v, _OPENED)) < _SIZE
    asked = z3.And(_A.guard(t, v), z3.Implies(z3.And(_A.marks(t), i), late))
    led = z3.And(_A.target(t) == q, inside == z3.Or(i, _A.marks(t)), _WRITE(t, i, v) == w)
    reached = z3.And(_W(_A.source(t), i, v, m), asked, led, EXTENDED(m, _A.marks(t)) == marks)
    return some(t, i, v, m, reached)


def _base() -> Obligation:
    none, nothing = z3.Const("none", BEFORE.valuation), z3.Const("no marks", BEFORE.marks)
    run = every(_Q, _V, _M, _N(_Q, _V, _M) == z3.And(_Q == _A.start, _V == none, _M == nothing))
    here = z3.And(_Q == _A.start, z3.Not(_I), _V == none, _M == nothing)
    windowed = every(_Q, _I, _V, _M, _W(_Q, _I, _V, _M) == here)
    goal = z3.And(_HERE.forwards(_W, _N), _HERE.backwards(_W, _N))
    return Obligation("before the first event", (z3.Not(_HERE.some(nothing)), run, windowed), goal)


INDUCTION: Final = Induction(
    "guards let through the matches that fit the window, by induction on the length of the string", windows
)
