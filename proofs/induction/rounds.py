"""Contiguous iteration of CEA (CEL Thm 6.2, ``(+)``, with the repair of ERRATA B1).

A *situation* is a position in the stream and what was labelled so far. Let ``A`` be a CEA; write
``T(p, x, m, r, y)`` if it has a transition from ``p`` to ``r`` that leads from ``x`` to ``y``, marking the
event (``m``) or not. In ``(+)`` rounds follow one another without a gap between their marks: each but the
last ends with a marked event, and each but the first begins with one. Let

- ``R0(x0; p, x)`` say that a run of ``A`` from an initial state in ``x0`` reaches ``p`` in ``x``; ``R1`` the
  same of runs whose first event is marked;
- ``D(x0, y)`` that one or more rounds lead from ``x0`` to ``y``, the last event being marked: a run ``R0`` to
  a final state, or ``D(x0, z)`` and then a run ``R1`` from ``z`` to a final state, or a *single* marked event
  from an initial to a final state.

The construction adds a state ``q`` between rounds: marking transitions to a final state also lead to ``q``,
those from an initial state also leave ``q``, and those from an initial to a final state lead from ``q`` to
``q``. Proved, for all CEA, by induction on its runs: it reaches ``p`` in ``x`` exactly if ``R0(x0; p, x)``,
or ``D(x0, z)`` and ``R1(z; p, x)`` for some ``z``; and it reaches ``q`` in ``y`` exactly if ``D(x0, y)``. So
it accepts what ``(+)`` stands for.

Outside: that a situation tells all that a run may go on from, CEA having no registers.

With `loop` false there is no transition from ``q`` to ``q``, as published, and rounds of a single event are
lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.signature import Formula, Sort, Term, constants, every, fresh, some

_TRUTH: Final = z3.BoolSort()
_STATE: Final[Sort] = z3.DeclareSort("State")
_SITUATION: Final[Sort] = z3.DeclareSort("Situation")
_T: Final = z3.Function("T", _STATE, _SITUATION, _TRUTH, _STATE, _SITUATION, _TRUTH)
_R0: Final = z3.Function("R0", _SITUATION, _STATE, _SITUATION, _TRUTH)
_R1: Final = z3.Function("R1", _SITUATION, _STATE, _SITUATION, _TRUTH)
_DONE: Final = z3.Function("D", _SITUATION, _SITUATION, _TRUTH)
_AT: Final = z3.Function("reaches", _SITUATION, _STATE, _SITUATION, _TRUTH)
_BETWEEN: Final = z3.Function("reaches q", _SITUATION, _SITUATION, _TRUTH)
"""What the construction reaches: a state of ``A``, and the new one."""

_INITIAL: Final = z3.Function("initial", _STATE, _TRUTH)
_FINAL: Final = z3.Function("final", _STATE, _TRUTH)
_P, _R = constants("p r", _STATE)
_X0, _X, _Y, _Z = constants("x0 x y z", _SITUATION)
_MARKED: Final = z3.Bool("m")


def rounds(*, loop: bool = True) -> Iterator[Obligation]:
    """The cases of the induction; unless `loop`, of the construction as published."""
    yield from _forwards(loop)
    yield from _backwards(loop)


def _begins(x: Term, r: Term, y: Term) -> Formula:
    """A marked event from an initial state."""
    (i,) = fresh(_STATE)
    return some(i, z3.And(_INITIAL(i), _T(i, x, True, r, y)))


def _ends(p: Term, x: Term, y: Term) -> Formula:
    """A marked event to a final state."""
    (f,) = fresh(_STATE)
    return some(f, z3.And(_FINAL(f), _T(p, x, True, f, y)))


def _single(x: Term, y: Term) -> Formula:
    """A round of one marked event."""
    (i,) = fresh(_STATE)
    return some(i, z3.And(_INITIAL(i), _ends(i, x, y)))


def _runs() -> tuple[Formula, ...]:
    """``R0`` and ``R1`` are closed under transitions."""
    move = _T(_P, _X, _MARKED, _R, _Y)
    bound = (_X0, _P, _X, _MARKED, _R, _Y)
    return (
        every(_X0, _P, z3.Implies(_INITIAL(_P), _R0(_X0, _P, _X0))),
        every(*bound, z3.Implies(z3.And(_R0(_X0, _P, _X), move), _R0(_X0, _R, _Y))),
        every(_X0, _R, _Y, z3.Implies(_begins(_X0, _R, _Y), _R1(_X0, _R, _Y))),
        every(*bound, z3.Implies(z3.And(_R1(_X0, _P, _X), move), _R1(_X0, _R, _Y))),
    )


def _done() -> tuple[Formula, ...]:
    """What rounds lead to: the first one, one more, or one more of a single event."""
    first = z3.And(_R0(_X0, _P, _X), _ends(_P, _X, _Y))
    more = z3.And(_DONE(_X0, _Z), _R1(_Z, _P, _X), _ends(_P, _X, _Y))
    single = z3.And(_DONE(_X0, _Z), _single(_Z, _Y))
    return (
        every(_X0, _P, _X, _Y, z3.Implies(first, _DONE(_X0, _Y))),
        every(_X0, _Z, _P, _X, _Y, z3.Implies(more, _DONE(_X0, _Y))),
        every(_X0, _Z, _Y, z3.Implies(single, _DONE(_X0, _Y))),
    )


def _described(p: Term, x: Term) -> Formula:
    """What the construction is claimed to reach among the states of ``A``."""
    (z,) = fresh(_SITUATION)
    return z3.Or(_R0(_X0, p, x), some(z, z3.And(_DONE(_X0, z), _R1(z, p, x))))


def _forwards(loop: bool) -> Iterator[Obligation]:
    """The description holds at the start and is kept by every transition."""
    known = (*_runs(), *_done())
    start = every(_P, z3.Implies(_INITIAL(_P), _described(_P, _X0)))
    yield Obligation("at the start", known, start)
    inside = z3.Implies(z3.And(_described(_P, _X), _T(_P, _X, _MARKED, _R, _Y)), _described(_R, _Y))
    yield Obligation("inside a round", known, every(_P, _X, _MARKED, _R, _Y, inside))
    ending = z3.Implies(z3.And(_described(_P, _X), _ends(_P, _X, _Y)), _DONE(_X0, _Y))
    yield Obligation("the end of a round", known, every(_P, _X, _Y, ending))
    beginning = z3.Implies(z3.And(_DONE(_X0, _X), _begins(_X, _R, _Y)), _described(_R, _Y))
    yield Obligation("the beginning of a round", known, every(_X, _R, _Y, beginning))
    if loop:
        again = z3.Implies(z3.And(_DONE(_X0, _X), _single(_X, _Y)), _DONE(_X0, _Y))
        yield Obligation("a round of one event", known, every(_X, _Y, again))


def _construction(loop: bool) -> tuple[Formula, ...]:
    """What the construction reaches is closed under its transitions."""
    move = _T(_P, _X, _MARKED, _R, _Y)
    inside = z3.Implies(z3.And(_AT(_X0, _P, _X), move), _AT(_X0, _R, _Y))
    ending = z3.Implies(z3.And(_AT(_X0, _P, _X), _ends(_P, _X, _Y)), _BETWEEN(_X0, _Y))
    beginning = z3.Implies(z3.And(_BETWEEN(_X0, _X), _begins(_X, _R, _Y)), _AT(_X0, _R, _Y))
    found = (
        every(_X0, _P, z3.Implies(_INITIAL(_P), _AT(_X0, _P, _X0))),
        every(_X0, _P, _X, _MARKED, _R, _Y, inside),
        every(_X0, _P, _X, _Y, ending),
        every(_X0, _X, _R, _Y, beginning),
    )
    again = z3.Implies(z3.And(_BETWEEN(_X0, _X), _single(_X, _Y)), _BETWEEN(_X0, _Y))
    return (*found, every(_X0, _X, _Y, again)) if loop else found


def _backwards(loop: bool) -> Iterator[Obligation]:
    """Runs and rounds, one event or one round more, are done by the construction."""
    known = _construction(loop)
    first = every(_P, _X, z3.Implies(_R0(_X0, _P, _X), _AT(_X0, _P, _X)))
    move = z3.And(_R0(_X0, _P, _X), _T(_P, _X, _MARKED, _R, _Y))
    goal = every(_P, _X, _MARKED, _R, _Y, z3.Implies(move, _AT(_X0, _R, _Y)))
    yield Obligation("backwards, the first round", (*known, first), goal)
    later = every(_P, _X, z3.Implies(_R1(_Z, _P, _X), _AT(_X0, _P, _X)))
    move = z3.And(_R1(_Z, _P, _X), _T(_P, _X, _MARKED, _R, _Y))
    goal = every(_P, _X, _MARKED, _R, _Y, z3.Implies(move, _AT(_X0, _R, _Y)))
    begun = every(_R, _Y, z3.Implies(z3.And(_BETWEEN(_X0, _Z), _begins(_Z, _R, _Y)), _AT(_X0, _R, _Y)))
    yield Obligation("backwards, the beginning of a round", known, begun)
    yield Obligation("backwards, inside a round", (*known, later), goal)
    ended = every(_P, _X, _Y, z3.Implies(z3.And(_AT(_X0, _P, _X), _ends(_P, _X, _Y)), _BETWEEN(_X0, _Y)))
    yield Obligation("backwards, the end of a round", known, ended)
    single = every(_Y, z3.Implies(z3.And(_BETWEEN(_X0, _Z), _single(_Z, _Y)), _BETWEEN(_X0, _Y)))
    yield Obligation("backwards, a round of one event", known, single)


INDUCTION: Final = Induction(
    "a state between rounds joins them without a gap, by induction on runs and rounds",
    rounds,
    reading=Reading.REPAIRED,
)
