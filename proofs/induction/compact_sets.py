"""Compact sets hold the complex events of all runs, each once (CEL Alg. 1 and 2, Section 9).

A list of nodes is kept by its first and last node and linked by ``next``. Write ``at(l, k)`` for the ``k``-th
node of list ``l`` and ``len(l)`` for its length: *ghosts*, which the algorithm does not have. A node stands
for complex events: ``in(n, c)`` if ``c`` is the position of ``n`` with one for which a node of its list of
children stands; a list stands for what its nodes do.

*Lists.* The lists in the table are *well linked*: ``next(at(l, k)) = at(l, k + 1)``, the last has no
``next``, and no node is in two places of the lists of the table. Lists of children are linked alike, up to
their last node. Proved, for both operations and all heaps, by induction on the number of operations:
``append`` (the list ``b`` goes to the end of ``a``, and ``b`` leaves the table) and ``extend`` (a new node,
in a list of its own, with a list of the table as children) keep all lists well linked, and none changes what
it stands for but ``a``, which then stands for both.

*Runs.* Let ``N(p, c)`` say that a run of the CEA over a prefix reaches ``p`` with complex event ``c``. The
CEA is I/O- deterministic: from ``p``, at most one state is reached by marking the event, and at most one by
not marking it. Proved by induction on the length of the prefix: no ``c`` belongs to two states (*one run*),
and if the list of each state stands for ``N(p, .)``, each ``c`` by one of its nodes only, then after the
update so it does, the list of ``q`` being made of a new node for each ``p`` with a marking transition to
``q``, and of the list of ``p`` for each that leads to ``q`` without (*update*).

So at final states exactly the complex events are listed that the CEA recognises at this position, without
repetition; Alg. 1 goes through the nodes. Outside: delays (ERRATA B12), and the order in which states are
visited.

With `shared`, a list stays in the table when it is appended, as when two transitions of a state could read an
event without marking it. Then lists overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import z3

from mnemata.proofs.evidence import Induction, Obligation
from mnemata.proofs.induction.signature import Formula, Sort, Term, constants, every, fresh, some

_TRUTH: Final = z3.BoolSort()
_NODE: Final[Sort] = z3.DeclareSort("Node")
_LIST: Final[Sort] = z3.DeclareSort("List")
_EVENTS: Final[Sort] = z3.DeclareSort("Complex event")
_STATE: Final[Sort] = z3.DeclareSort("State")
_NIL: Final = z3.Const("nil", _NODE)
_NEW: Final = z3.Const("new", _NODE)
_NEXT: Final = z3.Function("next", _NODE, _NODE)
_AT: Final = z3.Function("at", _LIST, z3.IntSort(), _NODE)
_LEN: Final = z3.Function("len", _LIST, z3.IntSort())
_LISTED: Final = z3.Function("listed", _LIST, _TRUTH)
"""Whether a list is in the table."""

_CHILD: Final = z3.Function("child", _NODE, z3.IntSort(), _NODE)
_CHILDREN: Final = z3.Function("children", _NODE, z3.IntSort())
_IN: Final = z3.Function("in", _NODE, _EVENTS, _TRUTH)
_L, _M, _A, _B = constants("l m a b", _LIST)
(_K, _J), (_C, _D), (_X,) = z3.Ints("k j"), constants("c d", _EVENTS), constants("x", _NODE)
_Q, _P = constants("q p", _STATE)


class _Heap:
    """Lists and links, at one time."""

    def __init__(self, at: Formula, length: Formula, listed: Formula, following: Formula) -> None:
        self.at, self.length, self.listed, self.following = at, length, listed, following

    def inside(self, which: Term, k: Term) -> Formula:
        return z3.And(self.listed(which), 0 <= k, k < self.length(which))

    def linked(self) -> Formula:
        after = z3.If(_K + 1 < self.length(_L), self.at(_L, _K + 1), _NIL)
        return every(_L, _K, z3.Implies(self.inside(_L, _K), self.following(self.at(_L, _K)) == after))

    def disjoint(self) -> Formula:
        both = z3.And(self.inside(_L, _K), self.inside(_M, _J), self.at(_L, _K) == self.at(_M, _J))
        return every(_L, _M, _K, _J, z3.Implies(both, z3.And(_L == _M, _K == _J)))

    def not_empty(self) -> Formula:
        return every(_L, z3.Implies(self.listed(_L), self.length(_L) >= 1))


_HEAP: Final = _Heap(_AT, _LEN, _LISTED, _NEXT)


def compact_sets(*, shared: bool = False) -> Iterator[Obligation]:
    """The cases of both inductions; with `shared`, of lists that stay where they were."""
    yield from _append(shared)
    yield from _extend()
    yield from _runs()


def _known() -> tuple[Formula, ...]:
    nodes = every(_L, _K, z3.Implies(_HEAP.inside(_L, _K), _AT(_L, _K) != _NIL))
    return (_HEAP.linked(), _HEAP.disjoint(), _HEAP.not_empty(), nodes)


def _children(following: Formula) -> Formula:
    """Lists of children are linked up to their last node."""
    inner = z3.And(0 <= _K, _K + 1 < _CHILDREN(_X))
    linked = z3.And(following(_CHILD(_X, _K)) == _CHILD(_X, _K + 1), _CHILD(_X, _K + 1) != _NIL)
    return every(_X, _K, z3.Implies(inner, linked))


def _append(shared: bool) -> Iterator[Obligation]:
    """``append``: `next` of the last node of ``a`` becomes the first one of ``b``."""
    end, size = _AT(_A, _LEN(_A) - 1), _LEN(_A)
    joined = _Heap(
        lambda which, k: z3.If(z3.And(which == _A, k >= size), _AT(_B, k - size), _AT(which, k)),
        lambda which: z3.If(which == _A, size + _LEN(_B), _LEN(which)),
        _LISTED if shared else lambda which: z3.And(_LISTED(which), which != _B),
        lambda node: z3.If(node == end, _AT(_B, 0), _NEXT(node)),
    )
    known = (*_known(), _LISTED(_A), _LISTED(_B), _A != _B)
    yield Obligation("append: well linked", known, joined.linked())
    yield Obligation("append: no node in two places", known, joined.disjoint())
    last = z3.And(_NEXT(end) == _NIL, end != _NIL)
    yield Obligation("append: children as before", (_children(_NEXT), last), _children(joined.following))
    after = _stands(joined, _A)
    yield Obligation("append: stands for both", known, after == z3.Or(_stands(_HEAP, _A), _stands(_HEAP, _B)))


def _stands(heap: _Heap, which: Term) -> Formula:
    (k,) = fresh(z3.IntSort())
    return some(k, z3.And(0 <= k, k < heap.length(which), _IN(heap.at(which, k), _C)))


def _extend() -> Iterator[Obligation]:
    """``extend``: a new node with the list ``a`` as children, in a new list ``b`` of its own.

    The new node is none of those in lists or among children.
    """
    alone = _Heap(
        lambda which, k: z3.If(which == _B, _NEW, _AT(which, k)),
        lambda which: z3.If(which == _B, 1, _LEN(which)),
        lambda which: z3.Or(_LISTED(which), which == _B),
        lambda node: z3.If(node == _NEW, _NIL, _NEXT(node)),
    )
    made = every(_L, _K, z3.Implies(_HEAP.inside(_L, _K), _AT(_L, _K) != _NEW))
    known = (made, z3.Not(_LISTED(_B)), _LISTED(_A), _NEW != _NIL)
    yield Obligation("extend: well linked", (_HEAP.linked(), *known), alone.linked())
    yield Obligation("extend: no node in two places", (*_known(), *known), alone.disjoint())
    inner = z3.And(0 <= _K, _K + 1 < _LEN(_A))
    linked = every(_K, z3.Implies(inner, alone.following(_AT(_A, _K)) == _AT(_A, _K + 1)))
    yield Obligation("extend: children of the new node", (_HEAP.linked(), *known), linked)
    below = every(_X, _K, z3.Implies(0 <= _K, _CHILD(_X, _K) != _NEW))
    as_before = _children(alone.following)
    yield Obligation("extend: children as before", (_children(_NEXT), below), as_before)


_N: Final = z3.Function("N", _STATE, _EVENTS, _TRUTH)
_MARKED: Final = z3.Function("leads by marking", _STATE, _STATE, _TRUTH)
_UNMARKED: Final = z3.Function("leads without marking", _STATE, _STATE, _TRUTH)
_AFTER: Final[Sort] = z3.DeclareSort("Complex event after")
_EXTENDED: Final = z3.Function("extended", _EVENTS, _TRUTH, _AFTER)


def _runs() -> Iterator[Obligation]:
    """One run for each complex event, and what lists stand for after an event."""
    (c,) = constants("c1", _AFTER)
    known = (_one_state(_N, _C), _new_positions(), _determinism(_MARKED), _determinism(_UNMARKED))
    yield Obligation("an event: one run", known, _one_state(_stepped, c))
    listed = every(_P, _C, _denoted(_P, _C) == _N(_P, _C))
    yield Obligation("an event: update", (listed,), every(_Q, c, _updated(_Q, c) == _stepped(_Q, c)))
    single = _single_node()
    yield Obligation("an event: no repetition", (listed, *single, *known), _no_repetition(c))


def _one_state(reached: Formula, c: Term) -> Formula:
    return every(_P, _Q, c, z3.Implies(z3.And(reached(_P, c), reached(_Q, c)), _P == _Q))


def _new_positions() -> Formula:
    one, other = z3.Bools("one other")
    same = z3.And(_C == _D, one == other)
    return every(_C, _D, one, other, z3.Implies(_EXTENDED(_C, one) == _EXTENDED(_D, other), same))


def _determinism(leads: Formula) -> Formula:
    (r,) = constants("r", _STATE)
    return every(_P, _Q, r, z3.Implies(z3.And(leads(_P, _Q), leads(_P, r)), _Q == r))


def _stepped(q: Term, c: Term) -> Formula:
    p, k = fresh(_STATE, _EVENTS)
    marked = z3.And(_MARKED(p, q), _EXTENDED(k, True) == c)
    unmarked = z3.And(_UNMARKED(p, q), _EXTENDED(k, False) == c)
    return some(p, k, z3.And(_N(p, k), z3.Or(marked, unmarked)))


_PLACE: Final[Sort] = z3.DeclareSort("Place in a list")
_THERE: Final = z3.Function("stands there", _STATE, _PLACE, _EVENTS, _TRUTH)
"""Whether the node at a place of the list of a state stands for a complex event."""

(_Y, _Z) = constants("y z", _PLACE)


def _denoted(p: Term, c: Term) -> Formula:
    (y,) = fresh(_PLACE)
    return some(y, _THERE(p, y, c))


def _single_node() -> tuple[Formula, ...]:
    both = z3.And(_THERE(_P, _Y, _C), _THERE(_P, _Z, _C))
    return (every(_P, _Y, _Z, _C, z3.Implies(both, _Y == _Z)),)


def _updated(q: Term, c: Term) -> Formula:
    """A new node for each list that is marked, which stands for all of it, and the places of the others."""
    p, k = fresh(_STATE, _EVENTS)
    marked = z3.And(_MARKED(p, q), _EXTENDED(k, True) == c, _denoted(p, k))
    unmarked = z3.And(_UNMARKED(p, q), _EXTENDED(k, False) == c, _denoted(p, k))
    return some(p, k, z3.Or(marked, unmarked))


def _no_repetition(c: Term) -> Formula:
    """A complex event has one place after the event: a new node, or a place that it had before."""
    (p1, p2), (c1, c2), (o1, o2) = constants("p1 p2", _STATE), constants("k1 k2", _EVENTS), z3.Bools("o1 o2")
    one, other = (
        z3.And(_THERE(p, y, k), _EXTENDED(k, o) == c, z3.If(o, _MARKED(p, _Q), _UNMARKED(p, _Q)))
        for p, y, k, o in ((p1, _Y, c1, o1), (p2, _Z, c2, o2))
    )
    same = z3.And(o1 == o2, p1 == p2, _Y == _Z)
    return every(_Q, c, p1, p2, c1, c2, o1, o2, _Y, _Z, z3.Implies(z3.And(one, other), same))


INDUCTION: Final = Induction(
    "lists stand for the complex events of all runs, each once, by induction on operations and events",
    compact_sets,
)
