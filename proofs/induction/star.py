"""The closure of Def. 30, in which every round starts from empty registers (SRT Thm 31, ERRATA A3 repaired).

Let ``A`` be an SRT without epsilon transitions. Its closure runs through pairs ``(q, W)``: a state of ``A``
and the set of registers written in the present round. A transition asks there what `A` asks when all
registers outside of ``W`` are empty, and leads to ``W`` with what it writes; from final states an epsilon
transition leads back to the start with ``W`` empty. For a prefix let

- ``P(q, W, v, m)`` say that the prefix can be split into rounds so that ``A`` accepts all but the last, each
  *from empty registers*, a run over the last one reaches ``q`` with ``v``, having written ``W``, and all
  together mark ``m``;
- ``S(q, W, v, m)`` that a run of the closure reaches ``(q, W)`` with valuation ``v`` and marks ``m``.

Valuations *v* of the closure and *u* of a single round correspond in ``W`` if they agree on ``W`` and all
else is empty in *u*. Proved, for all automata, by induction on the length of the prefix: what satisfies ``S``
has a corresponding valuation that satisfies ``P``, and the other way round. At final states ``P`` is Def. 30.

Assumed: that the guard in ``(q, W)`` is the guard of ``A`` read in the corresponding valuation. That is the
law of `theory.conditions.simplification.assume_empty`, "atoms over registers outside of W are false", which
follows from the two-valued meaning of atoms over empty registers and has its own tests.

Outside: the new start and final states that also accept the empty string (`thompson`), empty rounds (they
change nothing), and epsilon transitions inside ``A`` (`epsilon`).

With `forgetful` false the guards are read as they are, as in Fig. 11f, and earlier rounds are seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.signature import (
    AFTER,
    BEFORE,
    EMPTY,
    EXTENDED,
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
_WRITTEN: Final[Sort] = z3.DeclareSort("Written before")
_WRITTEN_AFTER: Final[Sort] = z3.DeclareSort("Written after")
_IN: Final = z3.Function("in", _WRITTEN, REGISTER, _TRUTH)
_IN_AFTER: Final = z3.Function("in after", _WRITTEN_AFTER, REGISTER, _TRUTH)
_MORE: Final = z3.Function("more", _WRITTEN, _A.transition, _WRITTEN_AFTER)
_ASKED: Final = z3.Function("asked", _A.transition, _WRITTEN, BEFORE.valuation, _TRUTH)
"""The guard of a transition in a pair."""

_P: Final = z3.Function("P", _A.state, _WRITTEN, BEFORE.valuation, BEFORE.marks, _TRUTH)
_S: Final = z3.Function("S", _A.state, _WRITTEN, BEFORE.valuation, BEFORE.marks, _TRUTH)
_P1: Final = z3.Function("P1", _A.state, _WRITTEN_AFTER, AFTER.valuation, AFTER.marks, _TRUTH)
_S1: Final = z3.Function("S1", _A.state, _WRITTEN_AFTER, AFTER.valuation, AFTER.marks, _TRUTH)
"""After the event, before the round may end."""

(_NO,), (_NO_AFTER,) = constants("no", _WRITTEN), constants("no-after", _WRITTEN_AFTER)
_NONE: Final = z3.Const("none", BEFORE.valuation)
_NONE_AFTER: Final = z3.Const("none after", AFTER.valuation)
(_Q, _F), (_T,), (_R,) = _A.states("q f"), _A.transitions("t"), constants("r", REGISTER)
(_V, _U), (_M, _K) = BEFORE.valuations("v u"), BEFORE.marked("m k")
(_X,), (_Y, _Z) = constants("x", _WRITTEN), constants("y z", _WRITTEN_AFTER)


def star(*, forgetful: bool = True) -> Iterator[Obligation]:
    """The cases of the induction; unless `forgetful`, of Fig. 11f."""
    guard = _asked_of_own_round if forgetful else _asked_of_all
    known = (_A.writing(), *_sets(), guard())
    single = _stepped(_P, lambda t, x, v: _A.guard(t, v))
    closure = _stepped(_S, _ASKED)
    forwards, backwards = _forwards(_BEFORE, _S, _P), _backwards(_BEFORE, _S, _P)
    yield _base()
    yield Obligation("an event, forwards", (*known, forwards), _forwards(_AFTER, closure, single))
    yield Obligation("an event, backwards", (*known, backwards), _backwards(_AFTER, closure, single))
    yield from _round()
    yield from _acceptance(forwards, backwards)


def _sets() -> tuple[Formula, ...]:
    grown = every(_X, _T, _R, _IN_AFTER(_MORE(_X, _T), _R) == z3.Or(_IN(_X, _R), _A.writes(_T, _R)))
    none = every(_R, z3.Not(z3.Or(_IN(_NO, _R), _IN_AFTER(_NO_AFTER, _R))))
    return grown, none


_Side = tuple[Moment, Any, Any]
_BEFORE: Final[_Side] = (BEFORE, _X, _IN)
_AFTER: Final[_Side] = (AFTER, _Y, _IN_AFTER)


def _corresponds(side: _Side, v: Term, u: Term) -> Formula:
    moment, written, contains = side
    (r,) = fresh(REGISTER)
    held = z3.If(contains(written, r), moment.content(v, r), EMPTY)
    return every(r, moment.content(u, r) == held)


def _asked_of_own_round() -> Formula:
    same = z3.Implies(_corresponds(_BEFORE, _V, _U), _ASKED(_T, _X, _V) == _A.guard(_T, _U))
    return every(_T, _X, _V, _U, same)


def _asked_of_all() -> Formula:
    return every(_T, _X, _V, _ASKED(_T, _X, _V) == _A.guard(_T, _V))


def _stepped(reached: Any, guard: Any) -> Any:
    def after(q: Term, y: Term, w: Term, marks: Term) -> Formula:
        t, x, u, k = fresh(_A.transition, _WRITTEN, BEFORE.valuation, BEFORE.marks)
        fired = z3.And(reached(_A.source(t), x, u, k), guard(t, x, u))
        led = z3.And(_A.target(t) == q, _MORE(x, t) == y, _A.write(t, u) == w)
        return some(t, x, u, k, z3.And(fired, led, EXTENDED(k, _A.marks(t)) == marks))

    return after


def _round() -> Iterator[Obligation]:
    """After an event the round may end and another begin; a single one, from empty registers."""
    kept, fresh = _rounds(_S1, lambda w, u: w == u), _rounds(_P1, lambda w, _: w == _NONE_AFTER)
    known = (*_sets(), AFTER.empty(_NONE_AFTER))
    for name, towards in (("forwards", _forwards), ("backwards", _backwards)):
        hypotheses = (*known, towards(_AFTER, _S1, _P1))
        yield Obligation(f"the end of a round, {name}", hypotheses, towards(_AFTER, kept, fresh))


def _rounds(reached: Any, begins: Callable[[Term, Term], Formula]) -> Any:
    def also(q: Term, y: Term, w: Term, marks: Term) -> Formula:
        f, z, u = fresh(_A.state, _WRITTEN_AFTER, AFTER.valuation)
        ended = some(f, z, u, z3.And(reached(f, z, u, marks), _A.final(f), begins(w, u)))
        return z3.Or(reached(q, y, w, marks), z3.And(q == _A.start, y == _NO_AFTER, ended))

    return also


def _forwards(side: _Side, closure: Any, single: Any) -> Formula:
    moment, x, _ = side
    (v, u), (m,) = moment.valuations("v u"), moment.marked("m")
    own = some(u, z3.And(single(_Q, x, u, m), _corresponds(side, v, u)))
    return every(_Q, x, v, m, z3.Implies(closure(_Q, x, v, m), own))


def _backwards(side: _Side, closure: Any, single: Any) -> Formula:
    moment, x, _ = side
    (v, u), (m,) = moment.valuations("v u"), moment.marked("m")
    whole = some(v, z3.And(closure(_Q, x, v, m), _corresponds(side, v, u)))
    return every(_Q, x, u, m, z3.Implies(single(_Q, x, u, m), whole))


def _base() -> Obligation:
    at_start = z3.And(_Q == _A.start, _X == _NO, _V == _NONE, _M == _K)
    both = [every(_Q, _X, _V, _M, reached(_Q, _X, _V, _M) == at_start) for reached in (_S, _P)]
    goal = z3.And(_forwards(_BEFORE, _S, _P), _backwards(_BEFORE, _S, _P))
    return Obligation("before the first event", (*_sets(), BEFORE.empty(_NONE), *both), goal)


def _acceptance(forwards: Formula, backwards: Formula) -> Iterator[Obligation]:
    accepted, wanted = (
        some(_Q, _X, _V, z3.And(reached(_Q, _X, _V, _M), _A.final(_Q))) for reached in (_S, _P)
    )
    yield Obligation("acceptance, forwards", (forwards,), every(_M, z3.Implies(accepted, wanted)))
    yield Obligation("acceptance, backwards", (backwards,), every(_M, z3.Implies(wanted, accepted)))


INDUCTION: Final = Induction(
    "the closure repeats the matches from empty registers, by induction on the length of the string",
    star,
    reading=Reading.REPAIRED,
)
