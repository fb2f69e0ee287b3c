"""Where in an expression a condition between variables can be tested, and which events it needs in registers.

The expression is built of terminals that still know the variables that their event is bound to. A condition
over variables is tested at the last event that it is about; the events before it wait in registers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, NamedTuple, TypeAlias

from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import Comparison, Condition, conjunction, registers, rename
from mnemata.theory.conditions.terms import HEAD, Attribute, Register
from mnemata.theory.errors import LimitError, UnsupportedError
from mnemata.theory.sremo.expressions import Expression, Plus, Terminal, Union
from mnemata.theory.trees import Node, fold, transform, walk

MOST_ORDERS: Final = 1_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Leaf(Terminal):
    """A terminal whose event is bound to the variables `labels`; `number` tells it from equal ones."""

    labels: frozenset[Variable] = frozenset()
    number: int = 0


Fresh: TypeAlias = Callable[[Variable, frozenset[int]], Register]
"""A register for the events that some leaves bind to a variable; the same one when asked again."""


class Bound(NamedTuple):
    """An event, or several of an iteration, that some of the variables in question are bound to."""

    variables: frozenset[Variable]
    leaves: frozenset[int]
    many: bool = False


Order: TypeAlias = tuple[Bound, ...]
"""In which order the variables in question are bound, in one kind of match."""


class Plan(NamedTuple):
    """The leaves at which a condition is tested, and those at which each variable is saved for it."""

    tested: frozenset[int]
    saved: dict[Variable, frozenset[int]]


def at_leaves(expression: Expression, rewrite: Callable[[Leaf], Leaf]) -> Expression:
    """`expression` with every leaf rewritten."""
    found = transform(expression, lambda node: rewrite(node) if isinstance(node, Leaf) else node)
    return found if isinstance(found, Expression) else expression


def leaves(expression: Expression) -> Iterator[Leaf]:
    """All leaves."""
    return (node for node in walk(expression, down_to=(Terminal,)) if isinstance(node, Leaf))


def tested_everywhere(expression: Expression, variable: Variable, condition: Condition) -> Expression:
    """`condition` on the head, tested of every event that is bound to `variable`."""

    def rewrite(leaf: Leaf) -> Leaf:
        if variable not in leaf.labels:
            return leaf
        return _replaced(leaf, condition=conjunction(leaf.condition, condition))

    return at_leaves(expression, rewrite)


def tested_last(expression: Expression, condition: Condition, fresh: Fresh) -> Expression:
    """`condition` between variables, tested at the last of their events in every match.

    Raises `UnsupportedError` when finitely many registers cannot tell, or this translation does not see how.
    """
    names = registers(condition)
    orders = _orders(expression, names)
    shared = _joined_on(condition)
    if shared is not None and _is_chain(orders, names):
        return _tested_against_first(expression, shared, orders, fresh)
    plan = _plan(orders, names)
    held: dict[Variable, Register] = {}
    for name, where in sorted(plan.saved.items()):
        expression, held[name] = _saving(expression, name, where, fresh)

    def rewrite(leaf: Leaf) -> Leaf:
        if leaf.number not in plan.tested:
            return leaf
        read = {name: HEAD if name in leaf.labels else held[name] for name in names}
        return _replaced(leaf, condition=conjunction(leaf.condition, rename(condition, read)))

    return at_leaves(expression, rewrite)


def _joined_on(condition: Condition) -> str | None:
    """The attribute that an equality between two variables is about, the same on both sides."""
    match condition:
        case Comparison(operator="=", left=Attribute(name=left), right=Attribute(name=right)):
            return left if left == right else None
    return None


def _is_chain(orders: frozenset[Order], names: frozenset[Variable]) -> bool:
    """Whether every match binds all variables, one at each event, and the same leaves come first always."""
    first = frozenset[int]().union(*(order[0].leaves for order in orders if order))
    return all(
        {name for bound in order for name in bound.variables} == names
        and all(len(bound.variables) == 1 for bound in order)
        and not order[0].many
        and not any(bound.leaves & first for bound in order[1:])
        for order in orders
    )


def _tested_against_first(
    expression: Expression, attribute: str, orders: frozenset[Order], fresh: Fresh
) -> Expression:
    """An equality between all events of one variable and all of another: all are equal to the first.

    For equality is transitive, and neither of the variables is bound to nothing.
    """
    first = frozenset[int]().union(*(order[0].leaves for order in orders))
    others = frozenset[int]().union(*(bound.leaves for order in orders for bound in order[1:]))
    name = min(name for order in orders for name in order[0].variables)
    expression, register = _saving(expression, name, first, fresh)
    equal = Comparison("=", Attribute(HEAD, attribute), Attribute(register, attribute))

    def rewrite(leaf: Leaf) -> Leaf:
        if leaf.number not in others:
            return leaf
        return _replaced(leaf, condition=conjunction(leaf.condition, equal))

    return at_leaves(expression, rewrite)


def _orders(expression: Expression, names: frozenset[Variable]) -> frozenset[Order]:
    def visit(node: Node, below: tuple[frozenset[Order], ...]) -> frozenset[Order]:
        match node:
            case Leaf(labels=labels, number=number):
                here = labels & names
                return frozenset({(Bound(here, frozenset({number})),) if here else ()})
            case Union():
                return frozenset[Order]().union(*below)
            case Plus():
                return _repeated(below[0])
        expressions = [b for b in below if b]
        return frozenset(_joined(choice) for choice in _choices(expressions))

    return fold(expression, visit)


def _choices(parts: list[frozenset[Order]]) -> Iterator[tuple[Order, ...]]:
    size = 1
    for part in parts:
        size *= len(part)
    if size > MOST_ORDERS:
        raise LimitError(
            f"the variables of a filter are bound in more than {MOST_ORDERS:,} orders; filter smaller "
            "parts of the formula"
        )
    return product(*(sorted(part, key=_listed) for part in parts))


def _listed(order: Order) -> list[tuple[Any, ...]]:
    return [(sorted(bound.variables), sorted(bound.leaves), bound.many) for bound in order]


def _joined(parts: tuple[Order, ...]) -> Order:
    return tuple(bound for part in parts for bound in part)


def _repeated(body: frozenset[Order]) -> frozenset[Order]:
    bound = [b for order in body for b in order]
    if not bound:
        return body
    kinds = {b.variables for b in bound}
    if len(kinds) > 1 or len(bound[0].variables) > 1:
        names = ", ".join(sorted(frozenset[Variable]().union(*kinds)))
        raise UnsupportedError(
            f"the variables {names} are bound together in an iteration that the filter is outside of, so "
            "that every event of one is compared with every event of the other; no number of registers is "
            "enough"
        )
    several = Bound(bound[0].variables, frozenset[int]().union(*(b.leaves for b in bound)), True)
    return frozenset({(several,), *(order for order in body if not order)})


def _plan(orders: frozenset[Order], names: frozenset[Variable]) -> Plan:
    tested: set[int] = set()
    saved: dict[Variable, set[int]] = {}
    for order in orders:
        _check(order, names)
        *before, last = order
        tested |= last.leaves
        for bound in before:
            for name in bound.variables:
                saved.setdefault(name, set()).update(bound.leaves)
    return Plan(frozenset(tested), {name: frozenset(where) for name, where in saved.items()})


def _check(order: Order, names: frozenset[Variable]) -> None:
    for name in sorted(names):
        times = sum(name in bound.variables for bound in order)
        if times != 1:
            how = "to nothing" if not times else "by several parts of the formula"
            raise UnsupportedError(
                f"'{name}' may be bound {how}, and the filter compares it with other variables; filter the "
                "alternatives one by one, or give each part a variable of its own"
            )
    for bound in order[:-1]:
        if bound.many:
            raise UnsupportedError(
                f"'{min(bound.variables)}' is bound to any number of events before the last event that the "
                "filter compares them with; finitely many registers cannot hold them all"
            )


def _saving(
    expression: Expression, name: Variable, where: frozenset[int], fresh: Fresh
) -> tuple[Expression, Register]:
    """The expression with the events at the leaves `where` written to one register, and which."""
    written = {leaf.write for leaf in leaves(expression) if leaf.number in where} - {None}
    register = written.pop() if written else fresh(name, where)
    users = {leaf.number for leaf in leaves(expression) if leaf.write == register}
    if written or register is None or not users <= where:
        raise UnsupportedError(
            f"an event that is bound to '{name}' is compared later under two names that are not always "
            "bound to the same events; it can be saved in one register only. Use one variable"
        )

    def rewrite(leaf: Leaf) -> Leaf:
        return _replaced(leaf, write=register) if leaf.number in where else leaf

    return at_leaves(expression, rewrite), register


def _replaced(leaf: Leaf, *, condition: Condition | None = None, write: Register | None = None) -> Leaf:
    return Leaf(
        leaf.condition if condition is None else condition,
        leaf.output,
        leaf.write if write is None else write,
        leaf.labels,
        leaf.number,
    )
