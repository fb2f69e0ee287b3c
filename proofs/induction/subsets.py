"""The power set of a CEA follows all of its runs with the same labels (CEL Prop. 5.5).

Let ``A`` be a CEA: transitions ``(q, P, L, p)`` read an event that satisfies ``P`` and label it with ``L``. A
*history* is what a run has labelled so far: the sequence of its label sets. ``N(q, h)`` says that a run of
``A`` over a prefix reaches ``q`` with history ``h``. Let the states of ``A'`` be sets of states of ``A``;
from ``U``, with labels ``L`` and an event of a type (which predicates it satisfies), the one transition leads
to all targets of transitions of ``A`` from ``U`` with these labels whose predicates the event satisfies.
``D(U, h)`` says that a run of ``A'`` reaches ``U`` with ``h``.

Proved, for all CEA, predicates, labels and events, by induction on the length of the prefix:

- *simulation*: if ``D(U, h)``, then ``q`` is in ``U`` exactly if ``N(q, h)``;
- *one run*: there is exactly one ``U`` with ``D(U, h)``; that is I/O-determinism (Def. 5.6) of a complete
  automaton.

With ``U`` final if it meets a final state, both recognise the same valuations. Sets are told apart by their
members (`extensional`), and those that transitions lead to exist. Outside: that there are finitely many
types, found by the solver as satisfiable minterms, with one event of a type standing for all
(`theory.satisfiability.minterms`); and that there are finitely many subsets.

With `labels_matter` false the labels of transitions are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import z3

from mnemata.proofs.evidence import Induction, Obligation
from mnemata.proofs.induction.signature import Formula, Sort, Term, constants, every, fresh, some

_TRUTH: Final = z3.BoolSort()
_STATE: Final[Sort] = z3.DeclareSort("State")
_LABELS: Final[Sort] = z3.DeclareSort("Labels")
_HISTORY: Final[Sort] = z3.DeclareSort("History")
_LONGER: Final[Sort] = z3.DeclareSort("History after")
_SET: Final[Sort] = z3.DeclareSort("Set")
_LATER: Final[Sort] = z3.DeclareSort("Set after")
_DELTA: Final = z3.Function("delta", _STATE, _LABELS, _STATE, _TRUTH)
"""``A`` has a transition with these labels whose predicate the event satisfies."""

_THEN: Final = z3.Function("then", _HISTORY, _LABELS, _LONGER)
_HAS: Final = z3.Function("has", _SET, _STATE, _TRUTH)
_HAS_LATER: Final = z3.Function("has after", _LATER, _STATE, _TRUTH)
_LED: Final = z3.Function("led", _SET, _LABELS, _LATER)
"""Where the transition of ``A'`` leads."""

_N: Final = z3.Function("N", _STATE, _HISTORY, _TRUTH)
_D: Final = z3.Function("D", _SET, _HISTORY, _TRUTH)
_FINAL: Final = z3.Function("final", _STATE, _TRUTH)
_START: Final = z3.Function("initial", _STATE, _TRUTH)
_Q, _P = constants("q p", _STATE)
_L, _K = constants("l k", _LABELS)
_H, _G = constants("h g", _HISTORY)
(_H1,) = constants("h1", _LONGER)
_U, _V = constants("u v", _SET)
_U1, _V1 = constants("u1 v1", _LATER)


def subsets(*, labels_matter: bool = True) -> Iterator[Obligation]:
    """The cases of the induction; unless `labels_matter`, of sets that mix labels."""
    known = (_leading(labels_matter), _histories(), _extensional())
    simulated = _simulated(_HISTORY, _HAS, _U, _D, _N)
    goal = _simulated(_LONGER, _HAS_LATER, _U1, _stepped_sets, _stepped)
    yield _base()
    yield Obligation("an event", (*known, simulated), goal)
    yield Obligation("an event: a run", (*known, _some_run(_HISTORY, _U, _D)), _some_run_after())
    yield Obligation("an event: one run", (*known, _one_run(_HISTORY, _U, _V, _D)), _one_run_after())
    yield _acceptance(simulated)


def _leading(labels_matter: bool) -> Formula:
    labels = _L if labels_matter else _K
    read = z3.And(_HAS(_U, _P), _DELTA(_P, labels, _Q))
    led = some(_P, read) if labels_matter else some(_P, _K, read)
    return every(_U, _L, _Q, _HAS_LATER(_LED(_U, _L), _Q) == led)


def _histories() -> Formula:
    """A history tells the one before and the last labels."""
    same = z3.Implies(_THEN(_H, _L) == _THEN(_G, _K), z3.And(_H == _G, _L == _K))
    return every(_H, _G, _L, _K, same)


def _extensional() -> Formula:
    alike = every(_Q, _HAS_LATER(_U1, _Q) == _HAS_LATER(_V1, _Q))
    return every(_U1, _V1, z3.Implies(alike, _U1 == _V1))


def _stepped(q: Term, longer: Term) -> Formula:
    p, h, labels = fresh(_STATE, _HISTORY, _LABELS)
    return some(p, h, labels, z3.And(_N(p, h), _DELTA(p, labels, q), _THEN(h, labels) == longer))


def _stepped_sets(later: Term, longer: Term) -> Formula:
    u, h, labels = fresh(_SET, _HISTORY, _LABELS)
    return some(u, h, labels, z3.And(_D(u, h), _LED(u, labels) == later, _THEN(h, labels) == longer))


def _simulated(history: Sort, has: Any, members: Term, runs: Any, reached: Any) -> Formula:
    (h,) = constants("h0", history)
    same = has(members, _Q) == reached(_Q, h)
    return every(members, _Q, h, z3.Implies(runs(members, h), same))


def _some_run(history: Sort, members: Term, runs: Any) -> Formula:
    (h,) = constants("h0", history)
    return every(h, some(members, runs(members, h)))


def _some_run_after() -> Formula:
    """Of every history with one event more; all of them are made by `_THEN`."""
    return every(_H, _L, some(_U1, _stepped_sets(_U1, _THEN(_H, _L))))


def _one_run(history: Sort, one: Term, other: Term, runs: Any) -> Formula:
    (h,) = constants("h0", history)
    return every(one, other, h, z3.Implies(z3.And(runs(one, h), runs(other, h)), one == other))


def _one_run_after() -> Formula:
    return _one_run(_LONGER, _U1, _V1, _stepped_sets)


def _base() -> Obligation:
    """Before the first event runs are in the initial states, and in the set of them."""
    nothing = every(_H, _G, _H == _G)  # there is one history, the empty one
    initial = every(_Q, _H, _N(_Q, _H) == _START(_Q))
    members = every(_U, _H, _D(_U, _H) == every(_Q, _HAS(_U, _Q) == _START(_Q)))
    goal = _simulated(_HISTORY, _HAS, _U, _D, _N)
    return Obligation("before the first event", (nothing, initial, members), goal)


def _acceptance(simulated: Formula) -> Obligation:
    """What is accepted by the set is accepted by a member."""
    met = some(_Q, z3.And(_HAS(_U, _Q), _FINAL(_Q)))
    accepted = some(_Q, z3.And(_N(_Q, _H), _FINAL(_Q)))
    return Obligation("acceptance", (simulated,), every(_U, _H, z3.Implies(_D(_U, _H), met == accepted)))


INDUCTION: Final = Induction(
    "sets of states follow all runs with the same labels, by induction on the length of the stream", subsets
)
