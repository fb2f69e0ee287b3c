"""Skipping, then what completes first (`constructions.negation.earliest`, ERRATA A11).

From some position on, the body ``B`` is to be matched by what is read after skipping any number of events,
but so that it could not have been completed before. Let ``S(b, x)`` say that a run of ``B`` that began
anywhere since then reaches state ``b`` with valuation ``x`` after the events read so far, and let the
*monitor* accept after an event if ``S(b, x)`` for a final ``b``: the ring buffer, which watches all suffixes
(`ring_buffer`). It is *quiet* so far if it accepted after no event. The product goes through pairs of a
monitor state and a state of ``B``, or of no state while it skips; all steps but the last need the monitor to
remain quiet; only the last one leads to a final state of ``B``.

Proved, for all automata, by induction on the number of events read: the product still skips exactly if the
monitor has been quiet, and is at ``b`` with ``x`` exactly if, besides, ``S(b, x)``. It completes with an
event exactly if a run of ``B`` ends there in a final state and no run did before. A run that goes on from a
final state was noticed by the monitor, so none is lost by not going on from there. This is the meaning of
``next`` (ERRATA A11).

Outside: that the monitor reads registers as they were when skipping began (`constructions.saving`).

With `from_beginning`, the monitor only watches what begins where the skipping does, as the negation in Def.
45.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.signature import (
    AFTER,
    BEFORE,
    Automaton,
    Formula,
    Term,
    every,
    fresh,
    some,
)

_B: Final = Automaton("B")
_Reached = Callable[[Term, Term], Formula]
"""Whether a run of the body can be in a state with a valuation."""

_TRUTH: Final = z3.BoolSort()
_S: Final = z3.Function("S", _B.state, BEFORE.valuation, _TRUTH)
_FIRST: Final = z3.Function("S from the beginning", _B.state, BEFORE.valuation, _TRUTH)
_P: Final = z3.Function("P", _B.state, BEFORE.valuation, _TRUTH)
"""Where the product is, if it does not skip."""

_QUIET, _SKIPS = z3.Bools("quiet skips")
_ENTRY: Final = z3.Const("entry", BEFORE.valuation)
"""The valuation when skipping began."""

(_Q,), (_V,), (_W,) = _B.states("q"), BEFORE.valuations("v"), AFTER.valuations("w")


def completion(*, from_beginning: bool = False) -> Iterator[Obligation]:
    """The cases of the induction; with `from_beginning`, of a monitor that sees too little."""
    seen = _S if not from_beginning else _FIRST
    known = (*_invariant(), every(_Q, _V, z3.Implies(_FIRST(_Q, _V), _S(_Q, _V))))
    completes = z3.And(_moved(_P, _SKIPS)(_Q, _W), _B.final(_Q))
    wanted = z3.And(_QUIET, _after(_Q, _W), _B.final(_Q))
    yield Obligation("an event completes", known, every(_Q, _W, completes == wanted))
    noticed = _accepted(_moved(seen, z3.BoolVal(not from_beginning)))
    accepted = _accepted(_after)
    yield Obligation("the monitor sees all", known, noticed == accepted)
    quiet = z3.And(_QUIET, z3.Not(noticed))
    really = z3.And(_QUIET, z3.Not(accepted))
    yield Obligation("an event is skipped", known, z3.And(_SKIPS, z3.Not(noticed)) == really)
    inner = z3.And(_moved(_P, _SKIPS)(_Q, _W), z3.Not(_B.final(_Q)), z3.Not(noticed))
    goal = every(_Q, _W, inner == z3.And(quiet, _after(_Q, _W)))
    yield Obligation("an event of the body", known, goal)
    yield _base()


def _invariant() -> tuple[Formula, ...]:
    return _SKIPS == _QUIET, every(_Q, _V, _P(_Q, _V) == z3.And(_QUIET, _S(_Q, _V)))


def _moved(reached: _Reached, begins: Formula) -> _Reached:
    """One event in the body, from where it was or, if a run may begin here, from its start."""

    def after(q: Term, w: Term) -> Formula:
        t, v = fresh(_B.transition, BEFORE.valuation)
        here = z3.Or(reached(_B.source(t), v), z3.And(begins, _B.source(t) == _B.start, v == _ENTRY))
        return some(t, v, z3.And(here, _B.guard(t, v), _B.target(t) == q, _B.write(t, v) == w))

    return after


def _after(q: Term, w: Term) -> Formula:
    """What runs of the body reach that began anywhere."""
    return _moved(_S, z3.BoolVal(True))(q, w)


def _accepted(reached: _Reached) -> Formula:
    q, w = fresh(_B.state, AFTER.valuation)
    return some(q, w, z3.And(reached(q, w), _B.final(q)))


def _base() -> Obligation:
    """At first the product skips, the monitor is quiet, and no run has begun."""
    nowhere = every(_Q, _V, z3.Not(z3.Or(_S(_Q, _V), _P(_Q, _V))))
    return Obligation("nothing read", (_SKIPS, _QUIET, nowhere), z3.And(*_invariant()))


INDUCTION: Final = Induction(
    "a part is completed where it first can be, by induction on the number of events read",
    completion,
    reading=Reading.REPAIRED,
)
