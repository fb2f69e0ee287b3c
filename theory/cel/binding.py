"""Checking formulas against a schema, and what a formula says wrongly about its own variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mnemata.theory.cel.formulas import Filter, Formula, Relation, Within, variables_of
from mnemata.theory.cel.predicates import (
    AllOf,
    AnyOf,
    Compared,
    Each,
    ForAll,
    ForSome,
    Holds,
    Measure,
    Negated,
    Predicate,
    reads_position,
    variables_read,
)
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import Comparison, Condition
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant, Term
from mnemata.theory.conditions.typing import bind, type_of
from mnemata.theory.errors import (
    ConditionTypeError,
    PatternError,
    UnknownAttributeError,
    UnknownEventTypeError,
    UnknownVariableError,
    suggestion,
)
from mnemata.theory.schema import Category, Float64, Int64, Schema
from mnemata.theory.sremo.windows import check_window
from mnemata.theory.trees import Node, transform, walk


def bind_formula(formula: Formula, schema: Schema) -> Formula:
    """`formula` with the literals of its conditions in the units of `schema`. Idempotent.

    Raises
    ------
    UnknownEventTypeError
        When it asks for an event type and the schema has none, or not this one.
    UnknownAttributeError, ConditionTypeError
        When a predicate or a window does not fit the schema.
    """
    bound = transform(formula, lambda node: _bound(node, schema))
    if not isinstance(bound, Formula):
        raise PatternError(f"{formula!r} is not a formula")
    return bound


def bind_predicate(predicate: Predicate, schema: Schema) -> Predicate:
    """`predicate` with the literals of its conditions in the units of `schema`; raises as `bind_formula`."""
    bound = transform(predicate, lambda node: _bound(node, schema))
    if not isinstance(bound, Predicate):
        raise PatternError(f"{predicate!r} is not a predicate")
    return bound


def _bound(node: Node, schema: Schema) -> Node:
    match node:
        case Relation(name=name):
            check_event_type(name, schema)
        case Within(window=window):
            check_window(window, schema)
        case Each(variable=variable, condition=condition):
            return Each(variable, bind(condition, schema))
        case ForAll(condition=condition):
            return ForAll(bind(condition, schema))
        case ForSome(condition=condition):
            return ForSome(bind(condition, schema))
        case Compared():
            return _bound_comparison(node, schema)
        case Holds(relation=relation):
            for name in relation.attributes:
                if name not in schema:
                    raise UnknownAttributeError(f"relation '{relation.name}': {schema.unknown(name)}")
    return node


def check_event_type(name: str, schema: Schema) -> None:
    """Raise `UnknownEventTypeError` unless events of this schema may be of type `name`."""
    if schema.event_type is None:
        raise UnknownEventTypeError(
            f"the event type '{name}' has no meaning, since the schema names no event type; "
            "name the attribute that holds it with Schema(..., event_type='...')"
        )
    kind = schema[schema.event_type]
    if isinstance(kind, Category) and name not in kind.values:
        known = ", ".join(kind.values)
        raise UnknownEventTypeError(
            f"unknown event type '{name}'; the schema has {known}.{suggestion(name, kind.values)}"
        )


def _bound_comparison(node: Compared, schema: Schema) -> Compared:
    """Sides are typed as attributes of events, so that all rules for conditions hold for measures too."""
    left, right = (_stand_in(side, schema) for side in (node.left, node.right))
    bound = bind(Comparison(node.operator, left, right), schema)
    if not isinstance(bound, Comparison):
        raise ConditionTypeError(f"{node!r} is not a comparison")
    sides = (
        after if isinstance(side, Constant) and isinstance(after, Constant) else side
        for side, after in zip((node.left, node.right), (bound.left, bound.right), strict=True)
    )
    return Compared(node.operator, *sides)


def _stand_in(side: Measure | Constant, schema: Schema) -> Term:
    """A term of the type that a measure has."""
    if isinstance(side, Constant):
        return side
    if side.attribute is None:
        return Constant(0)
    kind = type_of(Attribute(HEAD, side.attribute), schema)
    if side.function in ("first", "last"):
        return Attribute(HEAD, side.attribute)
    if not isinstance(kind, Int64 | Float64):
        raise ConditionTypeError(f"{side.function}() takes numbers, and '{side.attribute}' is {kind}")
    return Constant(0.0) if side.function == "avg" else Attribute(HEAD, side.attribute)


class Unbound(NamedTuple):
    """A filter that reads a variable which nothing below it binds."""

    filter: Filter
    variable: Variable
    known: frozenset[Variable]


def unbound_variables(formula: Formula) -> Iterator[Unbound]:
    """The variables that filters read, although nothing inside the filtered formula can bind them.

    Such a variable is always empty: an extension holds of it without saying anything.
    """
    for node in walk(formula, down_to=(Predicate,)):
        if isinstance(node, Filter):
            known = variables_of(node.body)
            yield from (Unbound(node, name, known) for name in sorted(variables_read(node.predicate) - known))


def check_variables(formula: Formula) -> None:
    """Raise `UnknownVariableError` for the first variable that a filter reads and nothing binds."""
    for found in unbound_variables(formula):
        raise UnknownVariableError(unbound_message(found))


def unbound_message(found: Unbound) -> str:
    """The sentence about a variable that is bound nowhere."""
    known = ", ".join(sorted(found.known)) or "none"
    hint = suggestion(found.variable, found.known)
    return (
        f"nothing binds the variable '{found.variable}' that is read; the filtered formula binds {known}. "
        f"Events are bound to it by IN {found.variable}{hint and '.'}{hint}"
    )


class NotUnary(NamedTuple):
    """A filter that is not unary (CEL Def. 4.1), the part of its predicate that is to blame, and why."""

    filter: Filter
    part: Predicate
    reason: str


def is_unary(formula: Formula) -> bool:
    """Whether every filter is made of second-order extensions of conditions on single events (Def. 4.1).

    Conjunctions and disjunctions of them are allowed: they abbreviate several filters.
    """
    return next(not_unary_parts(formula), None) is None


def not_unary_parts(formula: Formula) -> Iterator[NotUnary]:
    """The filters that keep a formula from being unary, each with the part to blame and the reason."""
    for node in walk(formula, down_to=(Predicate,)):
        if isinstance(node, Filter):
            parts = walk(node.predicate, down_to=(Negated, Condition))
            for part in parts:
                if isinstance(part, Predicate) and (reason := _why_not_unary(part)):
                    yield NotUnary(node, part, reason)


def _why_not_unary(part: Predicate) -> str:
    match part:
        case Each(condition=condition):
            return (
                "it depends on the position of an event, not on its values"
                if reads_position(condition)
                else ""
            )
        case AllOf() | AnyOf():
            return ""
        case Negated():
            return "it negates a whole predicate; write A[not p] if every event of A violates p"
        case ForAll() | ForSome() as quantified:
            read = sorted(variables_read(quantified))
            if len(read) > 1:
                return f"it compares events of different variables: {', '.join(read)}"
            return f"it asks for some event of '{read[0]}', not for all of them"
        case Compared() | Holds():
            return "it looks at a whole set of events at once"
    return "it is not the extension of a condition on single events"
