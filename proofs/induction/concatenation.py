"""Concatenation joins the matches over all ways to split the string (SRT Thm 31, Def. 30 as in ERRATA A3).

Let ``A`` and ``B`` be SRT without epsilon transitions, whose registers are two disjoint sets: ``A`` writes
only its own, and the guards of ``B`` read only those of ``B``. Their concatenation has the states and
transitions of both and epsilon transitions from the final states of ``A`` to the start of ``B``. For a prefix
let

- ``N(a, v, m)`` say that a run of ``A`` reaches ``a`` with valuation ``v`` and marks ``m``,
- ``P(b, v, m)`` that the prefix can be split so that ``A`` accepts the first part, a run of ``B`` over the
  second, *from empty registers*, reaches ``b`` with ``v``, and both together mark ``m``,
- ``L(a, v, m)`` and ``R(b, v, m)`` that a run of the concatenation reaches a state of ``A`` or of ``B``.

Proved, for all such automata, by induction on the length of the prefix: ``L = N``, in its valuations the
registers of ``B`` are empty, and ``R`` and ``P`` hold of the same states and marks, with valuations that
agree on the registers of ``B``. ``P`` at a final state of ``B`` is Def. 30, so the concatenation has the
matches it asks for.

Outside: renaming registers apart, and epsilon transitions inside ``A`` and ``B`` (`epsilon`).

With `apart` false both may use the same registers, and ``B`` reads what ``A`` left in them.
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
    Reached,
    Term,
    constants,
    every,
    fresh,
    some,
)

_A: Final = Automaton("A")
_B: Final = Automaton("B")
_N: Final = BEFORE.reached("N", _A.state)
_P: Final = BEFORE.reached("P", _B.state)
_L: Final = BEFORE.reached("L", _A.state)
_R: Final = BEFORE.reached("R", _B.state)
_N1: Final = AFTER.reached("N1", _A.state)
_P1: Final = AFTER.reached("P1", _B.state)
_L1: Final = AFTER.reached("L1", _A.state)
_R1: Final = AFTER.reached("R1", _B.state)
"""The same after the event, before ``B`` may begin."""

_OF_B: Final = z3.Function("is of B", REGISTER, z3.BoolSort())
_NONE: Final = z3.Const("none", BEFORE.valuation)
_NONE_AFTER: Final = z3.Const("none after", AFTER.valuation)
(_Q,), (_S,) = _A.states("q"), _B.states("s")


def _is_of_b(r: Term) -> Formula:
    return _OF_B(r)


def concatenation(*, apart: bool = True) -> Iterator[Obligation]:
    """The cases of the induction; unless `apart`, of automata that share registers."""
    empty = (BEFORE.empty(_NONE), AFTER.empty(_NONE_AFTER))
    known = (*(_apart() if apart else ()), _A.writing(), _B.writing())
    first = (_alike(BEFORE, _L, _N), _left_empty(BEFORE, _N))
    forwards, backwards = _forwards(BEFORE, _R, _P), _backwards(BEFORE, _R, _P)
    right, p = _B.stepped(_R), _B.stepped(_P)
    yield from _base(empty)
    yield Obligation("an event in A", (*known, *first), _alike(AFTER, _A.stepped(_L), _A.stepped(_N)))
    yield Obligation("the registers of B", (*known, *first), _left_empty(AFTER, _A.stepped(_N)))
    yield Obligation("an event in B, forwards", (*known, forwards), _forwards(AFTER, right, p))
    yield Obligation("an event in B, backwards", (*known, backwards), _backwards(AFTER, right, p))
    yield from _beginning(empty)
    yield from _acceptance(forwards, backwards)


def _apart() -> tuple[Formula, ...]:
    (v, u), (r,) = BEFORE.valuations("v u"), constants("r", REGISTER)
    (s,), (t,) = _A.transitions("s"), _B.transitions("t")
    unwritten = every(s, r, z3.Implies(_OF_B(r), z3.Not(_A.writes(s, r))))
    same = z3.Implies(BEFORE.agree(v, u, _is_of_b), _B.guard(t, v) == _B.guard(t, u))
    return unwritten, every(t, v, u, same)


def _alike(moment: Moment, one: Reached, other: Reached) -> Formula:
    (v,), (m,) = moment.valuations("v"), moment.marked("m")
    return every(_Q, v, m, one(_Q, v, m) == other(_Q, v, m))


def _left_empty(moment: Moment, reached: Reached) -> Formula:
    (v,), (m,) = moment.valuations("v"), moment.marked("m")
    return every(_Q, v, m, z3.Implies(reached(_Q, v, m), moment.empty(v, _is_of_b)))


def _beginning(empty: tuple[Formula, ...]) -> Iterator[Obligation]:
    """After an event ``A`` may accept and ``B`` begin: in the concatenation, and from empty registers."""

    def also(s: Term, w: Term, m: Term) -> Formula:
        (q,) = fresh(_A.state)
        begun = z3.And(s == _B.start, some(q, z3.And(_L1(q, w, m), _A.final(q))))
        return z3.Or(_R1(s, w, m), begun)

    def wanted(s: Term, w: Term, m: Term) -> Formula:
        q, w1 = fresh(_A.state, AFTER.valuation)
        accepted = some(q, w1, z3.And(_N1(q, w1, m), _A.final(q)))
        return z3.Or(_P1(s, w, m), z3.And(s == _B.start, w == _NONE_AFTER, accepted))

    known = (*empty, _alike(AFTER, _L1, _N1), _left_empty(AFTER, _N1))
    for name, towards in (("forwards", _forwards), ("backwards", _backwards)):
        hypotheses = (*known, towards(AFTER, _R1, _P1))
        yield Obligation(f"the beginning of B, {name}", hypotheses, towards(AFTER, also, wanted))


def _forwards(moment: Moment, one: Any, other: Any) -> Formula:
    """What `one` reaches, `other` does with the same registers of ``B``."""
    (v, v2), (m,) = moment.valuations("v v2"), moment.marked("m")
    also = some(v2, z3.And(other(_S, v2, m), moment.agree(v, v2, _is_of_b)))
    return every(_S, v, m, z3.Implies(one(_S, v, m), also))


def _backwards(moment: Moment, one: Any, other: Any) -> Formula:
    return _forwards(moment, other, one)


def _base(empty: tuple[Formula, ...]) -> Iterator[Obligation]:
    """Before the first event ``A`` is at its start, and ``B`` too if that is final."""
    (v,), (m, k) = BEFORE.valuations("v"), BEFORE.marked("m k")
    at_start = z3.And(v == _NONE, m == k)
    run = [every(_Q, v, m, reached(_Q, v, m) == z3.And(_Q == _A.start, at_start)) for reached in (_L, _N)]
    begun = z3.And(_S == _B.start, _A.final(_A.start), at_start)
    then = [every(_S, v, m, reached(_S, v, m) == begun) for reached in (_R, _P)]
    goal = z3.And(_forwards(BEFORE, _R, _P), _backwards(BEFORE, _R, _P))
    yield Obligation("before the first event, in A", (*empty, *run), z3.And(_alike(BEFORE, _L, _N)))
    yield Obligation("before the first event, registers", (*empty, *run), _left_empty(BEFORE, _N))
    yield Obligation("before the first event, in B", (*empty, *then), goal)


def _acceptance(forwards: Formula, backwards: Formula) -> Iterator[Obligation]:
    (v,), (m,) = BEFORE.valuations("v"), BEFORE.marked("m")
    accepted, wanted = (some(_S, v, z3.And(reached(_S, v, m), _B.final(_S))) for reached in (_R, _P))
    yield Obligation("acceptance, forwards", (forwards,), every(m, z3.Implies(accepted, wanted)))
    yield Obligation("acceptance, backwards", (backwards,), every(m, z3.Implies(wanted, accepted)))


INDUCTION: Final = Induction(
    "concatenation joins the matches over all splits, by induction on the length of the string", concatenation
)
