"""Checking expressions against a schema, and binding the literals of their filters to it."""

from __future__ import annotations

from mnemata.theory.cel.binding import check_event_type
from mnemata.theory.cepl.expressions import Atom, Expression
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Schema
from mnemata.theory.trees import Node, fold, replace_children


def bind_expression(expression: Expression, schema: Schema) -> Expression:
    """`expression` with the literals of its filters in the units of `schema`.

    Raises
    ------
    UnknownEventTypeError
        When it asks for events of a type that the schema does not have.
    UnknownAttributeError, ConditionTypeError
        As `mnemata.theory.conditions.typing.bind`.
    """

    def bound(node: Node, below: tuple[Node, ...]) -> Node:
        if isinstance(node, Atom):
            check_event_type(node.relation, schema)
        if isinstance(node, Expression):
            made = (bind(part, schema) if isinstance(part, Condition) else part for part in below)
            return replace_children(node, tuple(made))
        return node

    found = fold(expression, bound)
    if not isinstance(found, Expression):
        raise PatternError(f"{expression!r} is not an expression")
    return found
