"""Epsilon elimination keeps matches and valuations (SRT Lemma 29 with the construction of ERRATA A1).

Let ``A`` be an SRT, ``C`` the reflexive and transitive closure of its epsilon transitions, and ``A'`` the SRT
with the same states in which ``p`` has a transition like ``t`` (condition, output, registers written, target)
whenever ``C(p, source t)``, and ``p`` is final if ``C(p, f)`` for a final ``f``. Let ``N(q, v, m)`` say that
a run of ``A`` over a prefix, epsilon steps at its end included, reaches ``q`` with valuation ``v`` and marks
``m``, and ``R(q, v, m)`` that a run of ``A'`` does.

Proved, for all automata, conditions, events and prefixes:

    ``N(q, v, m)  <=>  there is p with R(p, v, m) and C(p, q)``

by induction on the run. *Forwards*: it holds before the first event; it is kept by an epsilon transition (`C`
is transitive) and by one that reads an event. *Backwards*: `N` is closed under paths of epsilon transitions
(by induction on their number), and each step of ``A'`` is a path of ``A``. *Acceptance* follows from what is
final.

So both have the same matches, and the same valuations at their ends. Nothing is assumed of `C` but what is
listed: that it is reflexive, closed under epsilon transitions, and made of finite paths of them. Outside:
that the closure is computed (`constructions.epsilon.closure` is a graph search), and that ``A'`` is finite,
which it is, having no more states than ``A``.

With `merged`, transitions of a closure that have equal conditions and outputs become one that writes all that
any of them writes, as in Alg. 2. Then neither direction can be proved: matches are lost, and others are made
up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.signature import (
    AFTER,
    BEFORE,
    EVENT,
    EXTENDED,
    REGISTER,
    Automaton,
    Formula,
    Term,
    constants,
    every,
    fresh,
    some,
)

_A: Final = Automaton("A")
_EPSILON: Final = z3.Function("epsilon", _A.state, _A.state, z3.BoolSort())
_CLOSURE: Final = z3.Function("closure", _A.state, _A.state, z3.BoolSort())
_PATH: Final = z3.Function("path", _A.state, _A.state, z3.BoolSort())
_ALIKE: Final = z3.Function("alike", _A.transition, _A.transition, z3.BoolSort())
_WRITE_BOTH: Final = z3.Function(
    "write both", _A.transition, _A.transition, BEFORE.valuation, AFTER.valuation
)
_N: Final = BEFORE.reached("N", _A.state)
_R: Final = BEFORE.reached("R", _A.state)
(_P, _Q, _S), (_T, _OTHER) = _A.states("p q s"), _A.transitions("t other")
(_V, _U), (_M, _K) = BEFORE.valuations("v u"), BEFORE.marked("m k")
(_W,), (_L,) = AFTER.valuations("w"), AFTER.marked("l")


def epsilon_elimination(*, merged: bool = False) -> Iterator[Obligation]:
    """The cases of the induction; with `merged`, of Alg. 2 as published."""
    closure = (every(_Q, _CLOSURE(_Q, _Q)), _closed(_CLOSURE))
    writing = (_A.writing(), AFTER.extensional(), *(_merging() if merged else ()))
    step = _merged_step if merged else _step
    there = z3.And(_R(_P, _V, _M), _CLOSURE(_P, _Q))
    forwards = every(_Q, _V, _M, z3.Implies(_N(_Q, _V, _M), some(_P, there)))
    backwards = every(_Q, _V, _M, z3.Implies(_R(_Q, _V, _M), _N(_Q, _V, _M)))
    yield _base(closure)
    after_epsilon = z3.Implies(z3.And(_N(_Q, _V, _M), _EPSILON(_Q, _S)), _there(_S))
    yield Obligation("an epsilon transition", (*closure, forwards), every(_Q, _S, _V, _M, after_epsilon))
    here = z3.And(step(_S, _W, _L), _CLOSURE(_S, _Q))
    reached = z3.Implies(_A.stepped(_N)(_Q, _W, _L), some(_S, here))
    yield Obligation("an event, forwards", (*closure, *writing, forwards), every(_Q, _W, _L, reached))
    yield _along_a_path()
    along = every(_P, _Q, _V, _M, z3.Implies(z3.And(_N(_P, _V, _M), _CLOSURE(_P, _Q)), _N(_Q, _V, _M)))
    back = every(_Q, _W, _L, z3.Implies(step(_Q, _W, _L), _A.stepped(_N)(_Q, _W, _L)))
    yield Obligation("an event, backwards", (*closure, *writing, backwards, along), back)
    yield _acceptance((*closure, forwards, backwards, along))


def _closed(relation: Term) -> Formula:
    led = z3.And(relation(_P, _Q), _EPSILON(_Q, _S))
    return every(_P, _Q, _S, z3.Implies(led, relation(_P, _S)))


def _there(state: Term) -> Formula:
    (p,) = fresh(_A.state)
    return some(p, z3.And(_R(p, _V, _M), _CLOSURE(p, state)))


def _base(closure: tuple[Formula, ...]) -> Obligation:
    """Before the first event `N` is the closure of the start state, `R` the start state."""
    at_start = z3.And(_V == _U, _M == _K)
    first = every(_Q, _V, _M, _N(_Q, _V, _M) == z3.And(_CLOSURE(_A.start, _Q), at_start))
    only = every(_Q, _V, _M, _R(_Q, _V, _M) == z3.And(_Q == _A.start, at_start))
    both = z3.And(_N(_Q, _V, _M) == _there(_Q), z3.Implies(_R(_Q, _V, _M), _N(_Q, _V, _M)))
    return Obligation("before the first event", (*closure, first, only), every(_Q, _V, _M, both))


def _along_a_path() -> Obligation:
    """What is closed under epsilon transitions is closed under paths of n + 1 of them, if under n."""
    stays = z3.Implies(z3.And(_N(_Q, _V, _M), _EPSILON(_Q, _S)), _N(_S, _V, _M))
    along = z3.Implies(z3.And(_N(_P, _V, _M), _PATH(_P, _Q)), _N(_Q, _V, _M))
    longer = some(_Q, z3.And(_PATH(_P, _Q), _EPSILON(_Q, _S)))
    conclusion = z3.Implies(z3.And(_N(_P, _V, _M), longer), _N(_S, _V, _M))
    hypotheses = (every(_Q, _S, _V, _M, stays), every(_P, _Q, _V, _M, along))
    return Obligation("a path of epsilon transitions", hypotheses, every(_P, _S, _V, _M, conclusion))


def _step(q: Term, w: Term, marks: Term) -> Formula:
    """One event of ``A'``: a transition of the closure of a state."""
    p, t, u, k = fresh(_A.state, _A.transition, BEFORE.valuation, BEFORE.marks)
    fired = z3.And(_R(p, u, k), _CLOSURE(p, _A.source(t)), _A.guard(t, u))
    led = z3.And(_A.target(t) == q, _A.write(t, u) == w, EXTENDED(k, _A.marks(t)) == marks)
    return some(p, t, u, k, z3.And(fired, led))


def _merged_step(q: Term, w: Term, marks: Term) -> Formula:
    """The same with Alg. 2: transitions alike are one, which writes what any of them does."""
    p, t, other, u, k = fresh(_A.state, _A.transition, _A.transition, BEFORE.valuation, BEFORE.marks)
    inside = z3.And(_CLOSURE(p, _A.source(t)), _CLOSURE(p, _A.source(other)), _ALIKE(t, other))
    fired = z3.And(_R(p, u, k), inside, _A.guard(t, u))
    written = _WRITE_BOTH(t, other, u) == w
    led = z3.And(_A.target(t) == q, written, EXTENDED(k, _A.marks(t)) == marks)
    return some(p, t, other, u, k, z3.And(fired, led))


def _merging() -> tuple[Formula, ...]:
    (r,) = constants("r", REGISTER)
    both = z3.Or(_A.writes(_T, r), _A.writes(_OTHER, r))
    held = AFTER.content(_WRITE_BOTH(_T, _OTHER, _U), r) == z3.If(both, EVENT, BEFORE.content(_U, r))
    equal = z3.And(_A.guard(_T, _U) == _A.guard(_OTHER, _U), _A.marks(_T) == _A.marks(_OTHER))
    alike = z3.Implies(_ALIKE(_T, _OTHER), equal)
    return every(_T, _OTHER, _U, r, held), every(_T, _OTHER, _U, alike)


def _acceptance(hypotheses: tuple[Formula, ...]) -> Obligation:
    accepted = some(_Q, z3.And(_N(_Q, _V, _M), _A.final(_Q)))
    final = some(_Q, z3.And(_CLOSURE(_P, _Q), _A.final(_Q)))
    also = some(_P, z3.And(_R(_P, _V, _M), final))
    return Obligation("acceptance", hypotheses, every(_V, _M, accepted == also))


INDUCTION: Final = Induction(
    "epsilon elimination reaches the same with the same marks and valuation, by induction on the run",
    epsilon_elimination,
    reading=Reading.REPAIRED,
)
