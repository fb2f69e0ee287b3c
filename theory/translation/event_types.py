"""Event types as conditions, and all of them as a formula."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Final

from mnemata.theory.cel.binding import check_event_type
from mnemata.theory.cel.formulas import Filter, Formula, Relation, either
from mnemata.theory.cel.predicates import Each
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import BOTTOM, Comparison, Condition
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Category, Schema

FRESH: Final[Variable] = "E"


def is_of_type(name: str, schema: Schema) -> Condition:
    """``tuples(R)``: the events of a type, bound to `schema`.

    Raises `UnknownEventTypeError` when the schema has no event types, or not this one.
    """
    check_event_type(name, schema)
    return bind(Comparison("=", Attribute(HEAD, str(schema.event_type)), Constant(name)), schema)


def event_types(schema: Schema) -> tuple[str, ...]:
    """The event types that a schema lists; raises `UnsupportedError` when it does not."""
    kind = None if schema.event_type is None else schema[schema.event_type]
    if not isinstance(kind, Category):
        what = "names no event type" if kind is None else f"has an event type of any {kind}"
        raise UnsupportedError(
            f"the schema {what}, so that CEL has no formula for an event of any type; declare the types with "
            "Category((...))"
        )
    return kind.values


def any_event(schema: Schema) -> Formula:
    """``R1 OR ... OR Rr``: one event of any type; raises as `event_types` does."""
    return either(*map(Relation, event_types(schema)))


def nothing(schema: Schema) -> Formula:
    """``FALSE``: a formula that nothing satisfies."""
    kind = event_types(schema)[0]
    return Filter(Relation(kind), Each(kind, BOTTOM))


def fresh(used: Iterable[Variable]) -> Variable:
    """A variable that is not among those in use: ``E``, ``E_``, and so on."""
    taken = frozenset(used)
    return next(name for n in count() if (name := FRESH + "_" * n) not in taken)
