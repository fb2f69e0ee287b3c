"""Runs over events that are held: a condition for each state and assignment (`ring_buffer.acceptance`).

Let ``A`` be an SRT without epsilon transitions, and let some consecutive events be held in variables. Instead
of valuations there are *assignments*: they say which of the variables each live register would hold. Event by
event, each pair of a state and an assignment gets the condition under which a run is there; in the end the
conditions of final states are united. Let ``K(q, a)`` say that the condition of a pair is true of the events
that are held, and ``N(q, v)`` that a run of ``A`` reaches ``q`` with ``v`` over some of the events up to
here, from empty registers, beginning where a string may begin. A valuation and an assignment *agree* at ``q``
if every register that is live there holds the event of its variable, or nothing if it has none.

Proved, for all automata and events, by induction on the number of events gone through: to each ``K(q, a)``
there is ``N(q, v)`` that agrees (*forwards*), and to each ``N(q, v)`` such a ``K(q, a)`` (*backwards*). So
the condition of a final state is true exactly if a run ends there.

Assumed: that guards are read in assignments as in valuations that agree (`theory.sremo.symbolic.read`), and
what `liveness` says of live registers. A guard only depends on what its transition reads.

With `all_live` false, the assignment forgets registers that are still live.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import z3

from mnemata.proofs.evidence import Obligation
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
_ASSIGNED: Final[Sort] = z3.DeclareSort("Assignment before")
_ASSIGNED_AFTER: Final[Sort] = z3.DeclareSort("Assignment after")
_OF: Final = z3.Function("assigned", _ASSIGNED, REGISTER, CONTENT)
_OF_AFTER: Final = z3.Function("assigned after", _ASSIGNED_AFTER, REGISTER, CONTENT)
_WRITTEN: Final = z3.Function("written", _A.transition, _ASSIGNED, _ASSIGNED_AFTER)
_ASKED: Final = z3.Function("asked", _A.transition, _ASSIGNED, _TRUTH)
_LIVE: Final = z3.Function("live", _A.state, REGISTER, _TRUTH)
_READS: Final = z3.Function("reads", _A.transition, REGISTER, _TRUTH)
_N: Final = z3.Function("N", _A.state, BEFORE.valuation, _TRUTH)
_K: Final = z3.Function("K", _A.state, _ASSIGNED, _TRUTH)
_N1: Final = z3.Function("N1", _A.state, AFTER.valuation, _TRUTH)
_K1: Final = z3.Function("K1", _A.state, _ASSIGNED_AFTER, _TRUTH)
"""After the event, before a string may begin at the next one."""

(_Q,), (_T,), (_R,) = _A.states("q"), _A.transitions("t"), constants("r", REGISTER)
(_V, _U), (_X,) = BEFORE.valuations("v u"), constants("x", _ASSIGNED)


class _Side:
    """Before or after the event: valuations, assignments, and when they agree."""

    def __init__(self, moment: Moment, sort: Sort, assigned: Any) -> None:
        self.moment, self.sort, self.assigned = moment, sort, assigned

    def agree(self, q: Term, v: Term, x: Term) -> Formula:
        (r,) = fresh(REGISTER)
        same = self.moment.content(v, r) == self.assigned(x, r)
        return every(r, z3.Implies(_LIVE(q, r), same))

    def forwards(self, computed: Any, reached: Any) -> Formula:
        (x,), (v,) = constants("x", self.sort), self.moment.valuations("v")
        run = some(v, z3.And(reached(_Q, v), self.agree(_Q, v, x)))
        return every(_Q, x, z3.Implies(computed(_Q, x), run))

    def backwards(self, computed: Any, reached: Any) -> Formula:
        (x,), (v,) = constants("x", self.sort), self.moment.valuations("v")
        pair = some(x, z3.And(computed(_Q, x), self.agree(_Q, v, x)))
        return every(_Q, v, z3.Implies(reached(_Q, v), pair))


_HERE: Final = _Side(BEFORE, _ASSIGNED, _OF)
_THERE: Final = _Side(AFTER, _ASSIGNED_AFTER, _OF_AFTER)


def assignments(*, all_live: bool = True) -> Iterator[Obligation]:
    """The cases of the induction; unless `all_live`, of assignments that forget too much."""
    agree = _HERE.agree(_A.source(_T), _V, _X)
    fires = every(_T, _V, _X, z3.Implies(agree, _ASKED(_T, _X) == _A.guard(_T, _V)))
    yield Obligation("a held event: both fire", (_reading(), *_liveness(all_live)), fires)
    after = _THERE.agree(_A.target(_T), _A.write(_T, _V), _WRITTEN(_T, _X))
    kept = every(_T, _V, _X, z3.Implies(agree, after))
    yield Obligation("a held event: still agreeing", (_A.writing(), _writing(), *_liveness(all_live)), kept)
    for name, here, there in (
        ("forwards", _HERE.forwards(_K, _N), _THERE.forwards(_computed, _stepped)),
        ("backwards", _HERE.backwards(_K, _N), _THERE.backwards(_computed, _stepped)),
    ):
        yield Obligation(f"a held event, {name}", (fires, kept, here), there)
    yield from _beginning()
    yield from _acceptance()


def _reading() -> Formula:
    """A guard is read in an assignment as in a valuation that holds the same in what is read."""
    same = every(_R, z3.Implies(_READS(_T, _R), BEFORE.content(_V, _R) == _OF(_X, _R)))
    return every(_T, _V, _X, z3.Implies(same, _ASKED(_T, _X) == _A.guard(_T, _V)))


def _liveness(all_live: bool) -> tuple[Formula, ...]:
    survives = z3.And(_LIVE(_A.target(_T), _R), z3.Not(_A.writes(_T, _R)))
    needed = z3.Implies(z3.Or(_READS(_T, _R), survives), _LIVE(_A.source(_T), _R))
    return (every(_T, _R, needed),) if all_live else ()


def _writing() -> Formula:
    """What is written is assigned the event; only what is live at the target is kept."""
    held = z3.If(_A.writes(_T, _R), EVENT, _OF(_X, _R))
    kept = z3.Implies(_LIVE(_A.target(_T), _R), _OF_AFTER(_WRITTEN(_T, _X), _R) == held)
    return every(_T, _X, _R, kept)


def _computed(q: Term, y: Term) -> Formula:
    t, x = fresh(_A.transition, _ASSIGNED)
    fired = z3.And(_K(_A.source(t), x), _ASKED(t, x))
    return some(t, x, z3.And(fired, _A.target(t) == q, _WRITTEN(t, x) == y))


def _stepped(q: Term, w: Term) -> Formula:
    t, v = fresh(_A.transition, BEFORE.valuation)
    fired = z3.And(_N(_A.source(t), v), _A.guard(t, v))
    return some(t, v, z3.And(fired, _A.target(t) == q, _A.write(t, v) == w))


def _beginning() -> Iterator[Obligation]:
    """Where a string may begin, the start with empty registers is added on both sides."""
    begins, none = z3.Bool("may begin"), z3.Const("none", AFTER.valuation)
    nothing = z3.Const("nothing assigned", _ASSIGNED_AFTER)
    empty = (AFTER.empty(none), every(_R, _OF_AFTER(nothing, _R) == EMPTY))

    def computed(q: Term, x: Term) -> Formula:
        return z3.Or(_K1(q, x), z3.And(begins, q == _A.start, x == nothing))

    def reached(q: Term, v: Term) -> Formula:
        return z3.Or(_N1(q, v), z3.And(begins, q == _A.start, v == none))

    for name, here, there in (
        ("forwards", _THERE.forwards(_K1, _N1), _THERE.forwards(computed, reached)),
        ("backwards", _THERE.backwards(_K1, _N1), _THERE.backwards(computed, reached)),
    ):
        yield Obligation(f"a beginning, {name}", (*empty, here), there)


def _acceptance() -> Iterator[Obligation]:
    computed = some(_Q, _X, z3.And(_K(_Q, _X), _A.final(_Q)))
    accepted = some(_Q, _V, z3.And(_N(_Q, _V), _A.final(_Q)))
    forwards, backwards = _HERE.forwards(_K, _N), _HERE.backwards(_K, _N)
    yield Obligation("the condition, forwards", (forwards,), z3.Implies(computed, accepted))
    yield Obligation("the condition, backwards", (backwards,), z3.Implies(accepted, computed))
