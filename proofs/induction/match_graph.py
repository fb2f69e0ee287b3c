"""Nodes of the match graph stand for sets of matches, and windows cut them exactly (`engine.compiled.graph`).

A node stands for matches: ``in(n, c)``. Its ``start`` is the clock of the latest first mark among them. Nodes
are made from nodes made before and never change, so what holds of new nodes if it holds of their parts holds
of all.

*Every node* (``good``): ``start`` is the greatest ``first(c)`` of the matches it stands for. Proved for all
nodes that can be made: an output ``(label, n)`` stands for the matches of ``n`` with one more mark, which
does not change which is the first unless it is the only one; a union, the later start on the left, for the
matches of both parts.

*Windows.* Let ``shown(n, c)`` say that the enumeration gives ``c`` when started at ``n`` with a cutoff: it
goes to the left, and to the right if that does not start before the cutoff. Proved, for nodes that do not
start before it: ``shown(n, c)`` exactly if ``in(n, c)`` and ``first(c)`` is not before the cutoff. What
starts before it is expired for good, so `collect` may drop it.

*Unions on the way.* A node is *safe* if it is an output or a union with an output on its left and no more
than two unions before an output on its right. Proved: ``unite`` makes a safe node of safe nodes, through
nodes with at most three unions before an output.

*Lists.* The elements of a list are ``e(0), e(1), ...``, with
``start(e(0)) >= start(e(1)) > start(e(2)) > ...`` Proved, for lists of any length: inserting a node behind as
many elements as `elements_before` says, or uniting it with the element behind them if that starts as early,
keeps this order, and the new list stands for what the old one and the node do.

Outside: that no match is in two parts of a union, which is that two runs never have the same marks (decided
before, `automata.engine.unambiguity`), and the arrays that all this lives in, for which the recogniser is
compared with its twin and with the definitions.

With `later_right`, unions have the later start on the right, and what is expired hides what is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import z3

from mnemata.proofs.evidence import Induction, Obligation
from mnemata.proofs.induction.signature import Formula, Sort, Term, constants, every, fresh, some

_TRUTH: Final = z3.BoolSort()
_NUMBER: Final = z3.IntSort()
_NODE: Final[Sort] = z3.DeclareSort("Node")
_MATCH: Final[Sort] = z3.DeclareSort("Match")
_IN: Final = z3.Function("in", _NODE, _MATCH, _TRUTH)
_START: Final = z3.Function("start", _NODE, _NUMBER)
_FIRST: Final = z3.Function("first", _MATCH, _NUMBER)
_SHOWN: Final = z3.Function("shown", _NODE, _MATCH, _TRUTH)
_NOTHING: Final = z3.Const("empty match", _MATCH)
_EMPTY: Final = z3.Const("empty node", _NODE)
_CUTOFF, _NOW = z3.Ints("cutoff now")
_ONE, _OTHER, _NEW = constants("one other new", _NODE)
_C, _D = constants("c d", _MATCH)
_K, _J = z3.Ints("k j")


def match_graph(*, later_right: bool = False) -> Iterator[Obligation]:
    """The cases of the induction; with `later_right`, of unions the wrong way round."""
    yield from _outputs()
    yield from _unions(later_right)
    yield from _safe()
    yield from _lists()


def _good(node: Term) -> Formula:
    """`start` is the latest first mark."""
    (c,) = fresh(_MATCH)
    (d,) = fresh(_MATCH)
    latest = every(c, z3.Implies(_IN(node, c), _FIRST(c) <= _START(node)))
    return z3.And(latest, some(d, z3.And(_IN(node, d), _FIRST(d) == _START(node))))


def _exact(node: Term) -> Formula:
    """The enumeration gives what is inside the window."""
    (c,) = fresh(_MATCH)
    inside = z3.And(_IN(node, c), _FIRST(c) >= _CUTOFF)
    return every(c, _SHOWN(node, c) == inside)


def _never() -> tuple[Formula, ...]:
    """The node of the empty match starts after everything, as does the empty match."""
    only = every(_C, _IN(_EMPTY, _C) == (_C == _NOTHING))
    return only, _START(_EMPTY) == _FIRST(_NOTHING), _FIRST(_NOTHING) > _NOW


_LONGER: Final[Sort] = z3.DeclareSort("Match with the mark")
_IN_OUTPUT: Final = z3.Function("in the output", _LONGER, _TRUTH)
_SHOWN_OUTPUT: Final = z3.Function("shown of the output", _LONGER, _TRUTH)
_FIRST_OUTPUT: Final = z3.Function("first with the mark", _LONGER, _NUMBER)
_MORE: Final = z3.Function("with the mark", _MATCH, _LONGER)


def _outputs() -> Iterator[Obligation]:
    """A mark after those of a node; `_NOW` is the clock of the event that is marked."""
    (m,) = constants("m", _LONGER)
    first = every(_C, _FIRST_OUTPUT(_MORE(_C)) == z3.If(_C == _NOTHING, _NOW, _FIRST(_C)))
    stands = every(m, _IN_OUTPUT(m) == some(_D, z3.And(_IN(_ONE, _D), _MORE(_D) == m)))
    start = z3.If(_ONE == _EMPTY, _NOW, _START(_ONE))
    plain = z3.Or(_ONE == _EMPTY, z3.Not(_IN(_ONE, _NOTHING)))
    known = (*_never(), first, stands, plain, _good(_ONE))
    latest = every(m, z3.Implies(_IN_OUTPUT(m), _FIRST_OUTPUT(m) <= start))
    good = z3.And(latest, some(m, z3.And(_IN_OUTPUT(m), _FIRST_OUTPUT(m) == start)))
    yield Obligation("an output: start", known, good)
    below = every(m, _SHOWN_OUTPUT(m) == some(_D, z3.And(_SHOWN(_ONE, _D), _MORE(_D) == m)))
    inside = z3.And(_IN_OUTPUT(m), _FIRST_OUTPUT(m) >= _CUTOFF)
    window = (_CUTOFF <= _NOW, _exact(_ONE), below, first, stands, *_never())
    yield Obligation("an output: window", window, every(m, _SHOWN_OUTPUT(m) == inside))


def _unions(later_right: bool) -> Iterator[Obligation]:
    """The left part starts no earlier than the right one."""
    stands = every(_C, _IN(_NEW, _C) == z3.Or(_IN(_ONE, _C), _IN(_OTHER, _C)))
    ordered = _START(_ONE) <= _START(_OTHER) if later_right else _START(_ONE) >= _START(_OTHER)
    known = (stands, ordered, _START(_NEW) == _START(_ONE), _good(_ONE), _good(_OTHER))
    yield Obligation("a union: start", known, _good(_NEW))
    right = z3.And(_START(_OTHER) >= _CUTOFF, _SHOWN(_OTHER, _C))
    below = every(_C, _SHOWN(_NEW, _C) == z3.Or(_SHOWN(_ONE, _C), right))
    inside = z3.Implies(_START(_OTHER) >= _CUTOFF, _exact(_OTHER))
    left = z3.Implies(_START(_ONE) >= _CUTOFF, _exact(_ONE))
    window = (*known, below, left, inside, _START(_NEW) >= _CUTOFF)
    yield Obligation("a union: window", window, _exact(_NEW))
    later = z3.Int("later cutoff")
    expired = z3.And(_START(_OTHER) < _CUTOFF, later >= _CUTOFF, _FIRST(_C) >= later)
    dropped = z3.Implies(expired, _IN(_NEW, _C) == _IN(_ONE, _C))
    yield Obligation("a union: what is expired may be dropped", known, every(_C, later, dropped))


_UNIONS: Final = z3.Function("unions before an output", _NODE, _NUMBER)
_LEFT: Final = z3.Function("left", _NODE, _NODE)
_RIGHT: Final = z3.Function("right", _NODE, _NODE)
_OUTPUT: Final = z3.Function("is output", _NODE, _TRUTH)


def _is_safe(node: Term) -> Formula:
    union = z3.And(z3.Not(_OUTPUT(node)), _OUTPUT(_LEFT(node)), _UNIONS(_RIGHT(node)) <= 2)
    return z3.Or(_OUTPUT(node), union)


def _made(node: Term, left: Term, right: Term) -> tuple[Formula, ...]:
    """A union node; its parts do not start after it."""
    parts = z3.And(z3.Not(_OUTPUT(node)), _LEFT(node) == left, _RIGHT(node) == right)
    either = every(_C, _IN(node, _C) == z3.Or(_IN(left, _C), _IN(right, _C)))
    return parts, either, _START(node) == _START(left), _START(right) <= _START(left)


def _counted(*nodes: Term) -> tuple[Formula, ...]:
    """How many unions are passed from some nodes to the left before an output."""
    return tuple(_UNIONS(n) == z3.If(_OUTPUT(n), 0, 1 + _UNIONS(_LEFT(n))) for n in nodes)


def _safe() -> Iterator[Obligation]:
    """``unite`` of two safe nodes that start alike."""
    a, b, joined, below = constants("a b joined below", _NODE)
    safe = z3.And(_is_safe(a), _is_safe(b))
    both = every(_C, _IN(_NEW, _C) == z3.Or(_IN(a, _C), _IN(b, _C)))
    goal = z3.And(_is_safe(_NEW), _START(_NEW) == _START(a), both)
    known = (safe, _START(a) == _START(b))
    counted = _counted(a, b, _LEFT(a), _LEFT(b), _NEW)
    one = (*counted, *known, _OUTPUT(a), *_made(_NEW, a, b))
    yield Obligation("unite: an output and another", one, goal)
    parts = (*_made(a, _LEFT(a), _RIGHT(a)), *_made(b, _LEFT(b), _RIGHT(b)))
    counted = (*counted, *_counted(_RIGHT(a), _RIGHT(b), joined, below))
    made = (*_made(below, _LEFT(b), joined), *_made(_NEW, _LEFT(a), below))
    for order, one_part, other_part in (
        ("", _RIGHT(a), _RIGHT(b)),
        (", the other way", _RIGHT(b), _RIGHT(a)),
    ):
        two = (*counted, *known, *parts, *_made(joined, one_part, other_part), *made)
        few = z3.And(_UNIONS(joined) <= 3, _UNIONS(below) <= 3)
        yield Obligation(f"unite: two unions{order}", two, z3.And(goal, few))


_E: Final = z3.Function("element", _NUMBER, _NODE)
_LENGTH, _KEPT = z3.Ints("length kept")
_Element = Callable[[Term], Term]


def _sorted(element: _Element, length: Term) -> Formula:
    """The first element starts no earlier than the others, which start ever earlier."""
    falls = z3.Implies(z3.And(1 <= _K, _K < _J, _J < length), _START(element(_J)) < _START(element(_K)))
    first = z3.Implies(z3.And(1 <= _K, _K < length), _START(element(_K)) <= _START(element(0)))
    return z3.And(every(_K, _J, falls), every(_K, first))


def _stands(element: _Element, length: Term, c: Term) -> Formula:
    (k,) = fresh(_NUMBER)
    return some(k, z3.And(0 <= k, k < length, _IN(element(k), c)))


def _lists() -> Iterator[Obligation]:
    """A node that starts no later than a list goes behind the elements that start after it, or the first."""
    in_front = z3.Implies(z3.And(1 <= _K, _K < _KEPT), _START(_E(_K)) > _START(_ONE))
    behind = z3.Implies(z3.And(_KEPT <= _K, _K < _LENGTH), _START(_E(_K)) <= _START(_ONE))
    place = z3.And(1 <= _KEPT, _KEPT <= _LENGTH, _START(_ONE) <= _START(_E(0)))
    known = (place, every(_K, in_front), every(_K, behind), _sorted(_E, _LENGTH))
    yield from _inserted(known)
    yield from _united(known)


def _inserted(known: tuple[Formula, ...]) -> Iterator[Obligation]:
    def element(k: Term) -> Term:
        return z3.If(k < _KEPT, _E(k), z3.If(k == _KEPT, _ONE, _E(k - 1)))

    apart = z3.Or(_KEPT == _LENGTH, _START(_E(_KEPT)) < _START(_ONE))
    yield Obligation("insert: order", (*known, apart), _sorted(element, _LENGTH + 1))
    both = z3.Or(_stands(_E, _LENGTH, _C), _IN(_ONE, _C))
    same = every(_C, _stands(element, _LENGTH + 1, _C) == both)
    yield Obligation("insert: matches", (1 <= _KEPT, _KEPT <= _LENGTH), same)


def _united(known: tuple[Formula, ...]) -> Iterator[Obligation]:
    def element(k: Term) -> Term:
        return z3.If(k == _KEPT, _NEW, _E(k))

    alike = z3.And(_KEPT < _LENGTH, _START(_E(_KEPT)) == _START(_ONE), _START(_NEW) == _START(_ONE))
    yield Obligation("insert by uniting: order", (*known, alike), _sorted(element, _LENGTH))
    union = every(_C, _IN(_NEW, _C) == z3.Or(_IN(_E(_KEPT), _C), _IN(_ONE, _C)))
    both = z3.Or(_stands(_E, _LENGTH, _C), _IN(_ONE, _C))
    same = every(_C, _stands(element, _LENGTH, _C) == both)
    yield Obligation("insert by uniting: matches", (1 <= _KEPT, _KEPT < _LENGTH, union), same)


INDUCTION: Final = Induction(
    "nodes stand for the matches of their parts and windows cut them exactly, by induction on nodes",
    match_graph,
)
