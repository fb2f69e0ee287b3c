"""The product has the matches that both sides have (SRT Thm 34 with the construction of ERRATA A4).

Let ``A`` and ``B`` be SRT without epsilon transitions, whose registers are two disjoint sets: guards and
writes of ``A`` concern its own registers, those of ``B`` the others. The product has pairs of states and
pairs of transitions with equal outputs; a pair fires if both do and writes what both write. Let
``N_A(a, v, m)`` say that a run of ``A`` over a prefix reaches ``a`` with valuation ``v`` and marks ``m``;
``N_B`` and ``P(a, b, v, m)`` likewise.

Proved for all such automata, by induction on the length of the prefix:

- *forwards*: if ``P(a, b, v, m)``, then ``N_A(a, v1, m)`` and ``N_B(b, v2, m)`` for some ``v1`` that agrees
  with ``v`` on the registers of ``A``, and ``v2`` that does on those of ``B``;
- *backwards*: if ``N_A(a, v1, m)`` and ``N_B(b, v2, m)``, then ``P(a, b, v, m)`` for a ``v`` that agrees with
  both.

So a set of marks is a match of the product exactly if it is one of both. The step backwards needs that two
runs with the same marks had the same outputs at the last event: positions are new (`positions_are_new`).

Outside: that registers can be renamed apart, one to one, and epsilon transitions eliminated without changing
matches (`epsilon`).

With `published`, any two transitions are paired, and an event is marked if both mark it (Thm 34 to the
letter); then matches are made up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.signature import (
    AFTER,
    BEFORE,
    EMPTY,
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
    positions_are_new,
    some,
)

_A: Final = Automaton("A")
_B: Final = Automaton("B")
_N_A: Final = BEFORE.reached("N A", _A.state)
_N_B: Final = BEFORE.reached("N B", _B.state)
_TRUTH: Final = z3.BoolSort()
_P: Final = z3.Function("P", _A.state, _B.state, BEFORE.valuation, BEFORE.marks, _TRUTH)
_WRITE_BOTH: Final = z3.Function(
    "write both", _A.transition, _B.transition, BEFORE.valuation, AFTER.valuation
)
_AGREE: Final = z3.Function("agree", *[BEFORE.valuation] * 3, _TRUTH)
_AGREE_AFTER: Final = z3.Function("agree after", *[AFTER.valuation] * 3, _TRUTH)
"""By name only where what it means does not matter."""

_LEFT: Final = z3.Function("is left", REGISTER, _TRUTH)
(_QA,), (_QB,) = _A.states("qa"), _B.states("qb")
(_S,), (_T,) = _A.transitions("s"), _B.transitions("t")
(_V, _V1, _V2, _U), (_M, _K) = BEFORE.valuations("v v1 v2 u"), BEFORE.marked("m k")
(_W, _W1, _W2), (_L,) = AFTER.valuations("w w1 w2"), AFTER.marked("l")
(_R,) = constants("r", REGISTER)


def _is_left(r: Term) -> Formula:
    return _LEFT(r)


def _is_right(r: Term) -> Formula:
    return z3.Not(_LEFT(r))


def intersection(*, published: bool = False) -> Iterator[Obligation]:
    """The cases of the induction; with `published`, of the product of Thm 34."""
    paired = _published_outputs if published else _equal_outputs
    after_a, after_b = _A.stepped(_N_A), _B.stepped(_N_B)

    def after(a: Term, b: Term, w: Term, marks: Term) -> Formula:
        return _stepped(paired, a, b, w, marks)

    yield _base()
    yield from _agreement()
    known = (positions_are_new(), _fire_together(_AGREE), _agree_after(_AGREE, _AGREE_AFTER))
    forwards, backwards = _forwards(BEFORE, _N_A, _N_B, _P), _backwards(BEFORE, _N_A, _N_B, _P)
    yield Obligation("an event, forwards", (*known, forwards), _forwards(AFTER, after_a, after_b, after))
    yield Obligation("an event, backwards", (*known, backwards), _backwards(AFTER, after_a, after_b, after))
    yield from _acceptance(forwards, backwards)


def _agreement() -> Iterator[Obligation]:
    """Where valuations agree, a pair fires if both transitions do, and they agree afterwards."""
    yield Obligation("an event: both fire", _apart(), _fire_together(_agreeing(BEFORE)))
    writing = (*_apart(), _A.writing(), _B.writing(), _writing_both())
    goal = _agree_after(_agreeing(BEFORE), _agreeing(AFTER))
    yield Obligation("an event: still agreeing", writing, goal)


def _agreeing(moment: Moment) -> Any:
    """``v`` agrees with ``v1`` on the registers of ``A`` and with ``v2`` on those of ``B``."""
    return lambda v, v1, v2: z3.And(moment.agree(v, v1, _is_left), moment.agree(v, v2, _is_right))


def _fire_together(agree: Any) -> Formula:
    same = z3.And(_A.guard(_S, _V) == _A.guard(_S, _V1), _B.guard(_T, _V) == _B.guard(_T, _V2))
    return every(_S, _T, _V, _V1, _V2, z3.Implies(agree(_V, _V1, _V2), same))


def _agree_after(agree: Any, after: Any) -> Formula:
    written = after(_WRITE_BOTH(_S, _T, _V), _A.write(_S, _V1), _B.write(_T, _V2))
    return every(_S, _T, _V, _V1, _V2, z3.Implies(agree(_V, _V1, _V2), written))


def _apart() -> tuple[Formula, ...]:
    """Guards and writes concern the registers of their side."""
    found: list[Formula] = []
    for one, mine, theirs in ((_A, _is_left, _is_right), (_B, _is_right, _is_left)):
        (t,) = one.transitions("t")
        same = z3.Implies(BEFORE.agree(_V, _U, mine), one.guard(t, _V) == one.guard(t, _U))
        found += [every(t, _V, _U, same), every(t, _R, z3.Implies(theirs(_R), z3.Not(one.writes(t, _R))))]
    return tuple(found)


def _writing_both() -> Formula:
    held = z3.If(z3.Or(_A.writes(_S, _R), _B.writes(_T, _R)), EVENT, BEFORE.content(_V, _R))
    return every(_S, _T, _V, _R, AFTER.content(_WRITE_BOTH(_S, _T, _V), _R) == held)


_Paired = Any


def _equal_outputs(one: Formula, other: Formula, before: Term, marks: Term) -> Formula:
    return z3.And(one == other, EXTENDED(before, one) == marks)


def _published_outputs(one: Formula, other: Formula, before: Term, marks: Term) -> Formula:
    return EXTENDED(before, z3.And(one, other)) == marks


def _stepped(paired: _Paired, a: Term, b: Term, w: Term, marks: Term) -> Formula:
    s, t, u, k = fresh(_A.transition, _B.transition, BEFORE.valuation, BEFORE.marks)
    fired = z3.And(_P(_A.source(s), _B.source(t), u, k), _A.guard(s, u), _B.guard(t, u))
    led = z3.And(_A.target(s) == a, _B.target(t) == b, _WRITE_BOTH(s, t, u) == w)
    return some(s, t, u, k, z3.And(fired, led, paired(_A.marks(s), _B.marks(t), k, marks)))


def _agrees(moment: Moment) -> Any:
    return _AGREE if moment is BEFORE else _AGREE_AFTER


def _forwards(moment: Moment, one: Any, other: Any, both: Any) -> Formula:
    (v, v1, v2), (m,) = moment.valuations("v v1 v2"), moment.marked("m")
    apart = some(v1, v2, z3.And(one(_QA, v1, m), other(_QB, v2, m), _agrees(moment)(v, v1, v2)))
    return every(_QA, _QB, v, m, z3.Implies(both(_QA, _QB, v, m), apart))


def _backwards(moment: Moment, one: Any, other: Any, both: Any) -> Formula:
    (v, v1, v2), (m,) = moment.valuations("v v1 v2"), moment.marked("m")
    joined = some(v, z3.And(both(_QA, _QB, v, m), _agrees(moment)(v, v1, v2)))
    return every(_QA, _QB, v1, v2, m, z3.Implies(z3.And(one(_QA, v1, m), other(_QB, v2, m)), joined))


def _base() -> Obligation:
    """Before the first event all are at their starts, with empty registers and no marks."""
    empty = every(_R, BEFORE.content(_U, _R) == EMPTY)
    at_start = z3.And(_V == _U, _M == _K)
    one = every(_QA, _V, _M, _N_A(_QA, _V, _M) == z3.And(_QA == _A.start, at_start))
    other = every(_QB, _V, _M, _N_B(_QB, _V, _M) == z3.And(_QB == _B.start, at_start))
    both = z3.And(_QA == _A.start, _QB == _B.start, at_start)
    pair = every(_QA, _QB, _V, _M, _P(_QA, _QB, _V, _M) == both)
    goal = z3.And(_forwards(BEFORE, _N_A, _N_B, _P), _backwards(BEFORE, _N_A, _N_B, _P))
    agree = every(_V, _V1, _V2, _AGREE(_V, _V1, _V2) == _agreeing(BEFORE)(_V, _V1, _V2))
    return Obligation("before the first event", (empty, one, other, pair, agree), goal)


def _acceptance(forwards: Formula, backwards: Formula) -> Iterator[Obligation]:
    final = z3.And(_A.final(_QA), _B.final(_QB))
    accepted = some(_QA, _QB, _V, z3.And(_P(_QA, _QB, _V, _M), final))
    left = some(_QA, _V1, z3.And(_N_A(_QA, _V1, _M), _A.final(_QA)))
    right = some(_QB, _V2, z3.And(_N_B(_QB, _V2, _M), _B.final(_QB)))
    both = z3.And(left, right)
    yield Obligation("acceptance, forwards", (forwards,), every(_M, z3.Implies(accepted, both)))
    yield Obligation("acceptance, backwards", (backwards,), every(_M, z3.Implies(both, accepted)))


INDUCTION: Final = Induction(
    "the product has the matches of both sides, by induction on the length of the string",
    intersection,
    reading=Reading.REPAIRED,
)
