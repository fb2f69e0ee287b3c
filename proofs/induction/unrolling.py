"""The tree of walks does what the automaton does on short strings (SRT Lemma 46, Alg. 3 to 6; RMA Lemma 15).

Let ``A`` be an SRT without epsilon transitions. A node ``n`` of the tree is a walk of ``A``; it is a copy of
the state ``copy(n)`` in which the walk ends, and ``latest(n, r)`` is the copy of register ``r`` that the walk
wrote last, if ``written(n, r)``. For each node above layer ``w`` and each transition ``t`` from its state
there is a child ``child(n, t)``, with *fresh* copies of the registers that ``t`` writes: no register
``latest(n, r)`` is one of them. The transition to it writes these and nothing else, and asks what ``t`` asks,
with ``latest(n, r)`` in place of ``r``, and nothing in place of a register that the walk has not written. Say
that a valuation ``u`` of the tree *corresponds* at ``n`` to a valuation ``v`` of ``A`` if ``u`` holds in
``latest(n, r)`` what ``v`` holds in ``r``, for all written ``r``, and ``v`` is empty in all others.

Proved, for all automata, by induction on the layer ``i``, for strings of at most ``w`` events: a run of the
tree that is at ``n`` after ``i`` events with ``u`` and marks ``m`` corresponds to one of ``A`` that is at
``copy(n)`` with ``v`` and ``m`` (*forwards*), and to each run of ``A`` there is such a node (*backwards*).
Nodes that are copies of final states are final, so on such strings both have the same matches. On longer ones
the tree has no runs.

Assumed: that guards are renamed rightly (`theory.conditions.formulas.rename`, and `assume_empty` for
registers not written), that is, that a guard in the tree is true in ``u`` exactly if the guard of ``A`` is in
a corresponding ``v``. Outside: that walks without a way to a final state may be left out, and that the tree
is finite.

With `any_copy`, another copy of a register is read when the walk wrote none (what Alg. 6 leaves open, ERRATA
A6); with `fresh` false, copies are written again. In both cases the correspondence is lost.
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
    Sort,
    Term,
    constants,
    every,
    fresh,
    some,
)

_A: Final = Automaton("A")
_TRUTH: Final = z3.BoolSort()
_NODE: Final[Sort] = z3.DeclareSort("Node")
_CHILD_NODE: Final[Sort] = z3.DeclareSort("Child")
_COPIES: Final[Sort] = z3.DeclareSort("Copy of a register")
_BEFORE: Final = Moment("in the tree, before", _COPIES)
_AFTER: Final = Moment("in the tree, after", _COPIES)
_CHILD: Final = z3.Function("child", _NODE, _A.transition, _CHILD_NODE)
_ROOT: Final = z3.Const("root", _NODE)
_COPY: Final = z3.Function("copy", _NODE, _A.state)
_COPY_AFTER: Final = z3.Function("copy of a child", _CHILD_NODE, _A.state)
_N: Final = BEFORE.reached("N", _A.state)
_TREE: Final = z3.Function("T", _NODE, _BEFORE.valuation, BEFORE.marks, _TRUTH)
_GUARD: Final = z3.Function("guard in the tree", _NODE, _A.transition, _BEFORE.valuation, _TRUTH)
_WRITE: Final = z3.Function("write in the tree", _NODE, _A.transition, _BEFORE.valuation, _AFTER.valuation)
_FRESH: Final = z3.Function("fresh copy", _NODE, _A.transition, REGISTER, _COPIES)
_NONE: Final = z3.Const("none", BEFORE.valuation)
_NONE_TREE: Final = z3.Const("none in the tree", _BEFORE.valuation)
(_X,), (_Y,), (_O,) = constants("n", _NODE), constants("y", _CHILD_NODE), constants("o", _COPIES)
(_Q,), (_T,), (_R, _S) = _A.states("q"), _A.transitions("t"), constants("r s", REGISTER)
(_V,), (_U,), (_M, _K) = BEFORE.valuations("v"), _BEFORE.valuations("u"), BEFORE.marked("m k")


class _Layer:
    """Nodes of a layer with what is known of them, and the moment at which runs are there."""

    def __init__(self, tree: Moment, moment: Moment, node: Sort, copy: Any) -> None:
        self.tree, self.moment, self.node, self.copy = tree, moment, node, copy
        self.written = z3.Function(f"written {moment.name}", node, REGISTER, _TRUTH)
        self.latest = z3.Function(f"latest {moment.name}", node, REGISTER, _COPIES)

    def corresponds(self, node: Term, u: Term, v: Term) -> Formula:
        (r,) = fresh(REGISTER)
        copied = self.tree.content(u, self.latest(node, r))
        held = z3.If(self.written(node, r), copied, EMPTY)
        return every(r, self.moment.content(v, r) == held)


_ABOVE: Final = _Layer(_BEFORE, BEFORE, _NODE, _COPY)
_BELOW: Final = _Layer(_AFTER, AFTER, _CHILD_NODE, _COPY_AFTER)


def unrolling(*, any_copy: bool = False, fresh: bool = True) -> Iterator[Obligation]:
    """The cases of the induction; with `any_copy`, or unless `fresh`, of trees that confuse copies."""
    tree, renamed = (*_children(), *_copies(fresh)), _renamed(any_copy)
    forwards, backwards = _forwards(_ABOVE, _TREE, _N), _backwards(_ABOVE, _TREE, _N)
    stepped, copied = _A.stepped(_N), every(_X, _T, _COPY_AFTER(_CHILD(_X, _T)) == _A.target(_T))
    yield _base()
    corresponds = _ABOVE.corresponds(_X, _U, _V)
    fires = every(_X, _T, _U, _V, z3.Implies(corresponds, _GUARD(_X, _T, _U) == _A.guard(_T, _V)))
    yield Obligation("an event: both fire", (renamed,), fires)
    below = _BELOW.corresponds(_CHILD(_X, _T), _WRITE(_X, _T, _U), _A.write(_T, _V))
    kept = every(_X, _T, _U, _V, z3.Implies(corresponds, below))
    yield Obligation("an event: still corresponding", (*tree, _A.writing()), kept)
    known = (copied, fires, kept)
    yield Obligation("an event, forwards", (*known, forwards), _forwards(_BELOW, _stepped, stepped))
    yield Obligation("an event, backwards", (*known, backwards), _backwards(_BELOW, _stepped, stepped))
    yield from _acceptance(forwards, backwards)


def _children() -> tuple[Formula, ...]:
    """What is known of a child: which copies are the latest."""
    child = _CHILD(_X, _T)
    wrote = z3.Or(_ABOVE.written(_X, _R), _A.writes(_T, _R))
    last = z3.If(_A.writes(_T, _R), _FRESH(_X, _T, _R), _ABOVE.latest(_X, _R))
    return (
        every(_X, _T, _R, _BELOW.written(child, _R) == wrote),
        every(_X, _T, _R, _BELOW.latest(child, _R) == last),
    )


def _copies(fresh: bool) -> tuple[Formula, ...]:
    """Fresh copies are written, and nothing else; they are not among the latest ones."""
    writes = some(_R, z3.And(_A.writes(_T, _R), _FRESH(_X, _T, _R) == _O))
    held = z3.If(writes, EVENT, _BEFORE.content(_U, _O))
    written = every(_X, _T, _U, _O, _AFTER.content(_WRITE(_X, _T, _U), _O) == held)
    kept = z3.And(_A.writes(_T, _R), _ABOVE.written(_X, _S))
    apart = z3.Implies(kept, _FRESH(_X, _T, _R) != _ABOVE.latest(_X, _S))
    return (written, every(_X, _T, _R, _S, apart)) if fresh else (written,)


def _renamed(any_copy: bool) -> Formula:
    """A guard of the tree is the guard of ``A`` where registers hold what their copies do."""
    corresponds = _ABOVE.corresponds(_X, _U, _V)
    if any_copy:
        corresponds = every(_R, BEFORE.content(_V, _R) == _BEFORE.content(_U, _ABOVE.latest(_X, _R)))
    same = z3.Implies(corresponds, _GUARD(_X, _T, _U) == _A.guard(_T, _V))
    return every(_X, _T, _U, _V, same)


def _stepped(y: Term, w: Term, marks: Term) -> Formula:
    """A run of the tree goes from a node to a child."""
    n, t, u, k = fresh(_NODE, _A.transition, _BEFORE.valuation, BEFORE.marks)
    fired = z3.And(_TREE(n, u, k), _A.source(t) == _COPY(n), _GUARD(n, t, u))
    led = z3.And(_CHILD(n, t) == y, _WRITE(n, t, u) == w, EXTENDED(k, _A.marks(t)) == marks)
    return some(n, t, u, k, z3.And(fired, led))


def _forwards(layer: _Layer, tree: Any, reached: Any) -> Formula:
    (n,), (m,) = constants("a", layer.node), layer.moment.marked("m")
    (u,), (v,) = layer.tree.valuations("u"), layer.moment.valuations("v")
    run = some(v, z3.And(reached(layer.copy(n), v, m), layer.corresponds(n, u, v)))
    return every(n, u, m, z3.Implies(tree(n, u, m), run))


def _backwards(layer: _Layer, tree: Any, reached: Any) -> Formula:
    (n,), (m,) = constants("a", layer.node), layer.moment.marked("m")
    (u,), (v,) = layer.tree.valuations("u"), layer.moment.valuations("v")
    node = some(n, u, z3.And(tree(n, u, m), layer.copy(n) == _Q, layer.corresponds(n, u, v)))
    return every(_Q, v, m, z3.Implies(reached(_Q, v, m), node))


def _base() -> Obligation:
    """The root is a copy of the start, and nothing is written."""
    root = z3.And(_COPY(_ROOT) == _A.start, every(_R, z3.Not(_ABOVE.written(_ROOT, _R))))
    at_root = z3.And(_X == _ROOT, _U == _NONE_TREE, _M == _K)
    tree = every(_X, _U, _M, _TREE(_X, _U, _M) == at_root)
    at_start = z3.And(_Q == _A.start, _V == _NONE, _M == _K)
    run = every(_Q, _V, _M, _N(_Q, _V, _M) == at_start)
    goal = z3.And(_forwards(_ABOVE, _TREE, _N), _backwards(_ABOVE, _TREE, _N))
    return Obligation("the root", (root, BEFORE.empty(_NONE), tree, run), goal)


def _acceptance(forwards: Formula, backwards: Formula) -> Iterator[Obligation]:
    accepted = some(_X, _U, z3.And(_TREE(_X, _U, _M), _A.final(_COPY(_X))))
    wanted = some(_Q, _V, z3.And(_N(_Q, _V, _M), _A.final(_Q)))
    yield Obligation("acceptance, forwards", (forwards,), every(_M, z3.Implies(accepted, wanted)))
    yield Obligation("acceptance, backwards", (backwards,), every(_M, z3.Implies(wanted, accepted)))


INDUCTION: Final = Induction(
    "the tree of walks corresponds to the runs, by induction on the layer",
    unrolling,
    reading=Reading.REPAIRED,
)
