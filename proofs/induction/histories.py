"""One run for each history of marks, with registers shared among configurations (`output_determinization`).

Let ``A`` be an SRT without epsilon transitions. A state of the result is a set of *configurations*: pairs
``(q, x)`` of a state of ``A`` and an assignment of slots to the registers live there, or of nothing; slots
are the registers of the result. On an event, with an output, those transitions of its configurations are
taken together that have this output and whose guards are true; the event is written to a slot that no
configuration reached uses for anything else. ``N(q, v, h)`` says that a run of ``A`` over a prefix with marks
``h`` reaches ``q`` with ``v``. A configuration ``(q, x)`` with slots ``u`` *stands for* ``v`` if each
register live at ``q`` holds in ``v`` what ``u`` holds in its slot, or nothing.

Proved, for all automata, by induction on the length of the prefix: if a run of the result with marks ``h`` is
in a set, with ``u``, then each of its configurations stands for some ``v`` with ``N(q, v, h)`` (*forwards*),
and every ``N(q, v, h)`` is stood for by one (*backwards*). The set is final if one of its states is; so both
have the same matches. Since guards of one output are taken together by which of them are true, no two runs
have one history.

Outside: that there are finitely many sets, which need not be so (ERRATA C1); runs that begin at every event,
of which those that have marked nothing are not kept in the set but added again at each step; minterms.

With `unused` false the event may be written to a slot in use.
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
    EMPTY,
    EVENT,
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
_SLOT: Final[Sort] = z3.DeclareSort("Slot")
_NEW: Final = z3.Const("new", _SLOT)
_MARKS: Final = z3.Bool("marks")
"""Whether the event is marked, in the history that is followed."""

_N: Final = z3.Function("N", _A.state, BEFORE.valuation, _TRUTH)
"""For the history that is followed."""

_LIVE: Final = z3.Function("live", _A.state, REGISTER, _TRUTH)
_READS: Final = z3.Function("reads", _A.transition, REGISTER, _TRUTH)


class _Side:
    """Before or after the event: assignments, the set that the run is in, and what its slots hold."""

    def __init__(self, moment: Moment) -> None:
        self.moment = moment
        self.sort = z3.DeclareSort(f"Assignment {moment.name}")
        self.uses = z3.Function(f"uses {moment.name}", self.sort, REGISTER, _TRUTH)
        self.slot = z3.Function(f"slot {moment.name}", self.sort, REGISTER, _SLOT)
        self.held = z3.Function(f"held {moment.name}", _SLOT, CONTENT)
        self.has = z3.Function(f"has {moment.name}", _A.state, self.sort, _TRUTH)

    def stands(self, q: Term, x: Term, v: Term) -> Formula:
        """A configuration stands for a valuation."""
        (r,) = fresh(REGISTER)
        content = z3.If(self.uses(x, r), self.held(self.slot(x, r)), EMPTY)
        return every(r, z3.Implies(_LIVE(q, r), self.moment.content(v, r) == content))

    def forwards(self, has: Any, reached: Any) -> Formula:
        (x,), (v,) = constants("x", self.sort), self.moment.valuations("v")
        run = some(v, z3.And(reached(_Q, v), self.stands(_Q, x, v)))
        return every(_Q, x, z3.Implies(has(_Q, x), run))

    def backwards(self, has: Any, reached: Any) -> Formula:
        (x,), (v,) = constants("x", self.sort), self.moment.valuations("v")
        configuration = some(x, z3.And(has(_Q, x), self.stands(_Q, x, v)))
        return every(_Q, v, z3.Implies(reached(_Q, v), configuration))


_HERE: Final = _Side(BEFORE)
_THERE: Final = _Side(AFTER)
_ASKED: Final = z3.Function("asked", _A.transition, _HERE.sort, _TRUTH)
_LED: Final = z3.Function("led", _A.transition, _HERE.sort, _THERE.sort)
(_Q,), (_T,), (_R,) = _A.states("q"), _A.transitions("t"), constants("r", REGISTER)
(_V,), (_X,), (_S,) = BEFORE.valuations("v"), constants("x", _HERE.sort), constants("s", _SLOT)


def histories(*, unused: bool = True) -> Iterator[Obligation]:
    """The cases of the induction; unless `unused`, of sets whose slots are written while in use."""
    stands = _HERE.stands(_A.source(_T), _X, _V)
    fires = every(_T, _V, _X, z3.Implies(stands, _ASKED(_T, _X) == _A.guard(_T, _V)))
    yield _base()
    yield Obligation("an event: both fire", (_reading(), _liveness()), fires)
    after = _THERE.stands(_A.target(_T), _LED(_T, _X), _A.write(_T, _V))
    kept = every(_T, _V, _X, z3.Implies(z3.And(stands, _taken(_T, _X)), after))
    writing = (_A.writing(), _placing(), _written(), _liveness(), *((_is_unused(),) if unused else ()))
    yield Obligation("an event: still standing", writing, kept)
    for name, here, there in (
        ("forwards", _HERE.forwards(_HERE.has, _N), _THERE.forwards(_reached, _stepped)),
        ("backwards", _HERE.backwards(_HERE.has, _N), _THERE.backwards(_reached, _stepped)),
    ):
        yield Obligation(f"an event, {name}", (fires, kept, here), there)
    yield from _acceptance()


def _taken(t: Term, x: Term) -> Formula:
    """A transition of a configuration of the set, with the output that is followed."""
    return z3.And(_HERE.has(_A.source(t), x), _A.marks(t) == _MARKS, _ASKED(t, x))


def _reading() -> Formula:
    """A guard is read over slots as in a valuation that holds the same in what is read."""
    content = z3.If(_HERE.uses(_X, _R), _HERE.held(_HERE.slot(_X, _R)), EMPTY)
    same = every(_R, z3.Implies(_READS(_T, _R), BEFORE.content(_V, _R) == content))
    return every(_T, _V, _X, z3.Implies(same, _ASKED(_T, _X) == _A.guard(_T, _V)))


def _liveness() -> Formula:
    survives = z3.And(_LIVE(_A.target(_T), _R), z3.Not(_A.writes(_T, _R)))
    return every(_T, _R, z3.Implies(z3.Or(_READS(_T, _R), survives), _LIVE(_A.source(_T), _R)))


def _placing() -> Formula:
    """What is written goes to the new slot, the rest stays where it is."""
    led, live = _LED(_T, _X), _LIVE(_A.target(_T), _R)
    uses = _THERE.uses(led, _R) == z3.Or(_A.writes(_T, _R), _HERE.uses(_X, _R))
    place = _THERE.slot(led, _R) == z3.If(_A.writes(_T, _R), _NEW, _HERE.slot(_X, _R))
    return every(_T, _X, _R, z3.Implies(live, z3.And(uses, place)))


def _written() -> Formula:
    """The new slot gets the event if anything taken writes a register that is live afterwards."""
    wanted = z3.And(_taken(_T, _X), _A.writes(_T, _R), _LIVE(_A.target(_T), _R))
    written = z3.Bool("written")
    held = z3.If(z3.And(_S == _NEW, written), EVENT, _HERE.held(_S))
    return z3.And(every(_S, _THERE.held(_S) == held), written == some(_T, _X, _R, wanted))


def _is_unused() -> Formula:
    """No configuration reached uses the new slot for what it had before."""
    had = z3.And(_LIVE(_A.target(_T), _R), z3.Not(_A.writes(_T, _R)), _HERE.uses(_X, _R))
    return every(_T, _X, _R, z3.Implies(z3.And(_taken(_T, _X), had), _HERE.slot(_X, _R) != _NEW))


def _reached(q: Term, y: Term) -> Formula:
    t, x = fresh(_A.transition, _HERE.sort)
    return some(t, x, z3.And(_taken(t, x), _A.target(t) == q, _LED(t, x) == y))


def _stepped(q: Term, w: Term) -> Formula:
    t, v = fresh(_A.transition, BEFORE.valuation)
    fired = z3.And(_N(_A.source(t), v), _A.guard(t, v), _A.marks(t) == _MARKS)
    return some(t, v, z3.And(fired, _A.target(t) == q, _A.write(t, v) == w))


def _base() -> Obligation:
    """Before the first event there is the start, with empty registers and no slots."""
    none, nothing = z3.Const("none", BEFORE.valuation), z3.Const("nothing assigned", _HERE.sort)
    empty = (BEFORE.empty(none), every(_R, z3.Not(_HERE.uses(nothing, _R))))
    run = every(_Q, _V, _N(_Q, _V) == z3.And(_Q == _A.start, _V == none))
    members = every(_Q, _X, _HERE.has(_Q, _X) == z3.And(_Q == _A.start, _X == nothing))
    goal = z3.And(_HERE.forwards(_HERE.has, _N), _HERE.backwards(_HERE.has, _N))
    return Obligation("before the first event", (*empty, run, members), goal)


def _acceptance() -> Iterator[Obligation]:
    final = some(_Q, _X, z3.And(_HERE.has(_Q, _X), _A.final(_Q)))
    accepted = some(_Q, _V, z3.And(_N(_Q, _V), _A.final(_Q)))
    forwards, backwards = _HERE.forwards(_HERE.has, _N), _HERE.backwards(_HERE.has, _N)
    yield Obligation("acceptance, forwards", (forwards,), z3.Implies(final, accepted))
    yield Obligation("acceptance, backwards", (backwards,), z3.Implies(accepted, final))


INDUCTION: Final = Induction(
    "sets of configurations stand for all runs with one history, by induction on the length of the string",
    histories,
)
