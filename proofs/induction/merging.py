"""Automata in which states are merged, left out or completed do the same (`merging`, `trimming`, complement).

*Merging* (`constructions.merging`). Let ``rep(q)`` be the state into which ``q`` was merged. Assumed: ``q``
and ``rep(q)`` are both final or both not, and to each transition of one there is one of the other with the
same condition, output and registers written, whose target has the same representative. Proved by induction on
the length of the rest of a string: from ``q`` and from ``rep(q)`` the same is accepted with the same marks.
The automaton of representatives has just these transitions, so it has the same matches.

*Trimming* (`constructions.trimming`). Let a set of states be closed backwards: it contains the final states,
and the source of every transition to one of its members whose condition can be true. Proved: an accepting run
is in this set throughout; so leaving out all other states loses no match.

*Completion and complement* (Alg. 8 repaired, ERRATA A7). In an SRT in which exactly one transition of each
state fires, there is one run over every string (induction on its length). With final and other states
exchanged, a string is accepted exactly if it was not. With `dead_final` false, the state added for completion
stays non-final, as in Alg. 8 as published, and strings that lead there are in neither language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import z3

from mnemata.proofs.evidence import Induction, Obligation, Reading
from mnemata.proofs.induction.signature import (
    AFTER,
    BEFORE,
    Automaton,
    Formula,
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
_REP: Final = z3.Function("rep", _A.state, _A.state)
_M: Final = z3.Function("M", _A.state, AFTER.valuation, _REST, _TRUTH)
"""What is accepted from a state and a valuation after the event."""

(_Q, _P), (_S, _T) = _A.states("q p"), _A.transitions("s t")
(_V,), (_W,), (_C,), (_D,) = (
    BEFORE.valuations("v"),
    AFTER.valuations("w"),
    constants("c", _REST),
    constants("d", _LONGER),
)


def merging(*, same_writes: bool = True) -> Iterator[Obligation]:
    """The cases of the induction; unless `same_writes`, of states whose transitions write differently."""
    final = every(_Q, _A.final(_Q) == _A.final(_REP(_Q)))
    hypothesis = every(_Q, _W, _C, _M(_Q, _W, _C) == _M(_REP(_Q), _W, _C))
    ended: Any = z3.Function("M at the end", _A.state, _TRUTH)
    at_the_end = (final, every(_Q, ended(_Q) == _A.final(_Q)))
    yield Obligation("merging, nothing left to read", at_the_end, every(_Q, ended(_Q) == ended(_REP(_Q))))
    for name, these, those in (("", _Q, _REP(_Q)), (", back", _REP(_Q), _Q)):
        same = every(_V, _D, z3.Implies(_accepted(these), _accepted(those)))
        known = (hypothesis, *_answered(these, those, same_writes))
        yield Obligation(f"merging, an event{name}", known, same)


_ANSWER: Final = z3.Function("answer", _A.transition, _A.transition)


def _answered(these: Term, those: Term, same_writes: bool) -> tuple[Formula, ...]:
    """Each transition of one state has an equal one of the other."""
    other = _ANSWER(_S)
    found = z3.And(
        _A.source(other) == those,
        _A.marks(other) == _A.marks(_S),
        _REP(_A.target(other)) == _REP(_A.target(_S)),
    )
    equal = _A.guard(other, _V) == _A.guard(_S, _V)
    if same_writes:
        equal = z3.And(equal, _A.write(other, _V) == _A.write(_S, _V))
    leaves = _A.source(_S) == these
    return every(_S, z3.Implies(leaves, found)), every(_S, _V, z3.Implies(leaves, equal))


def _accepted(q: Term) -> Formula:
    t, c = fresh(_A.transition, _REST)
    led = z3.And(_M(_A.target(t), _A.write(t, _V), c), _FRONT(_A.marks(t), c) == _D)
    return some(t, c, z3.And(_A.source(t) == q, _A.guard(t, _V), led))


_USEFUL: Final = z3.Function("useful", _A.state, _TRUTH)
_LATER: Final = z3.Function("accepts later", _A.state, AFTER.valuation, _TRUTH)


def trimming() -> Iterator[Obligation]:
    """An accepting run is among the useful states, by induction on the length of the rest."""
    finals = every(_Q, z3.Implies(_A.final(_Q), _USEFUL(_Q)))
    possible = z3.And(_A.guard(_T, _V), _USEFUL(_A.target(_T)))
    sources = every(_T, _V, z3.Implies(possible, _USEFUL(_A.source(_T))))
    ended: Any = z3.Function("accepts at the end", _A.state, _TRUTH)
    at_the_end = every(_Q, z3.Implies(ended(_Q), _USEFUL(_Q)))
    known = (finals, every(_Q, ended(_Q) == _A.final(_Q)))
    yield Obligation("trimming, nothing left to read", known, at_the_end)
    hypothesis = every(_Q, _W, z3.Implies(_LATER(_Q, _W), _USEFUL(_Q)))
    led = z3.And(_A.guard(_T, _V), _LATER(_A.target(_T), _A.write(_T, _V)))
    accepts = some(_T, z3.And(_A.source(_T) == _Q, led))
    goal = every(_Q, _V, z3.Implies(accepts, _USEFUL(_Q)))
    yield Obligation("trimming, an event", (sources, hypothesis), goal)


_N: Final = z3.Function("N", _A.state, BEFORE.valuation, _TRUTH)
_DEAD: Final = z3.Const("dead", _A.state)


def complement(*, dead_final: bool = True) -> Iterator[Obligation]:
    """One run over every string, and what exchanging final states does."""
    fires = some(_T, z3.And(_A.source(_T) == _Q, _A.guard(_T, _V)))
    together = z3.And(_A.source(_S) == _A.source(_T), _A.guard(_S, _V), _A.guard(_T, _V))
    complete = every(_Q, _V, fires)
    deterministic = every(_S, _T, _V, z3.Implies(together, _S == _T))
    (u,), (w, x) = BEFORE.valuations("u"), AFTER.valuations("w x")
    same = z3.Implies(z3.And(_N(_Q, _V), _N(_P, u)), z3.And(_Q == _P, _V == u))
    one = every(_Q, _P, _V, u, same)
    yield Obligation("a run", (complete, some(_Q, _V, _N(_Q, _V))), some(_Q, w, _stepped(_Q, w)))
    both = z3.And(_stepped(_Q, w), _stepped(_P, x))
    still = every(_Q, _P, w, x, z3.Implies(both, z3.And(_Q == _P, w == x)))
    yield Obligation("one run", (deterministic, one), still)
    yield _exchanged((some(_Q, _V, _N(_Q, _V)), one), dead_final)


def _stepped(q: Term, w: Term) -> Formula:
    t, v = fresh(_A.transition, BEFORE.valuation)
    fired = z3.And(_N(_A.source(t), v), _A.guard(t, v))
    return some(t, v, z3.And(fired, _A.target(t) == q, _A.write(t, v) == w))


def _exchanged(known: tuple[Formula, ...], dead_final: bool) -> Obligation:
    """Accepted by the complement exactly if not accepted."""
    accepted = some(_Q, _V, z3.And(_N(_Q, _V), _A.final(_Q)))
    other = z3.Not(_A.final(_Q)) if dead_final else z3.And(z3.Not(_A.final(_Q)), _Q != _DEAD)
    complemented = some(_Q, _V, z3.And(_N(_Q, _V), other))
    return Obligation("exchanged final states", known, complemented == z3.Not(accepted))


MERGING: Final = Induction("merged states have one future, by induction on its length", merging)
TRIMMING: Final = Induction("accepting runs visit useful states only, by induction on their length", trimming)
COMPLEMENT: Final = Induction(
    "one run over every string, accepted by one of two automata, by induction on its length",
    complement,
    reading=Reading.REPAIRED,
)
