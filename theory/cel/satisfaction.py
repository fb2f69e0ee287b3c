"""Whether a CEL predicate holds of the sets of events that its variables are bound to (CEL Section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeAlias

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
    SetRelation,
)
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models
from mnemata.theory.conditions.formulas import Condition, registers
from mnemata.theory.conditions.terms import Constant
from mnemata.theory.conditions.values import calculate, compare
from mnemata.theory.schema import Event, Value
from mnemata.theory.trees import Node, fold

Sets: TypeAlias = Callable[[Variable], Sequence[Event]]
"""The events that a variable is bound to, in stream order."""


def holds(predicate: Predicate, sets: Sets) -> bool:
    """Whether a predicate holds of the sets that its variables are bound to.

    Conditions must be bound to the schema of the events.
    """
    return fold(predicate, lambda node, below: _truth(node, below, sets))


def _truth(node: Node, below: tuple[bool, ...], sets: Sets) -> bool:
    match node:
        case Each(variable=variable, condition=condition):
            return all(models(event, EMPTY, condition) for event in sets(variable))
        case ForAll(condition=condition):
            return all(models(*choice, condition) for choice in _choices(condition, sets))
        case ForSome(condition=condition):
            return any(models(*choice, condition) for choice in _choices(condition, sets))
        case Compared(operator=operator, left=left, right=right):
            return compare(operator, _value(left, sets), _value(right, sets))
        case Holds(relation=relation, arguments=arguments):
            return _related(relation, [sets(variable) for variable in arguments])
        case AllOf():
            return all(below)
        case AnyOf():
            return any(below)
        case Negated():
            return not below[0]
    return False  # conditions are evaluated above, for each choice of events


def _choices(condition: Condition, sets: Sets) -> Iterator[tuple[Event, Valuation]]:
    """One event of each variable; the first stands in the head, which nothing reads."""
    names = sorted(registers(condition))
    for events in product(*map(sets, names)):
        yield events[0], Valuation(tuple(zip(names, events, strict=True)))


def _related(relation: SetRelation, members: Sequence[Sequence[Event]]) -> bool:
    if any(event[name] is None for events in members for event in events for name in relation.attributes):
        return False
    return bool(relation.predicate(*(tuple(events) for events in members)))


def _value(side: Measure | Constant, sets: Sets) -> Value:
    if isinstance(side, Constant):
        return side.value
    events = sets(side.variable)
    if side.attribute is None:
        return len(events)
    name = side.attribute
    if side.function in ("first", "last"):
        return events[0 if side.function == "first" else -1][name] if events else None
    values = [event[name] for event in events]
    return None if None in values else _MEASURES[side.function](values)


def _sum(values: Sequence[Value]) -> Value:
    total: Value = 0
    for value in values:
        total = calculate("+", total, value)
    return total


def _average(values: Sequence[Value]) -> Value:
    total = _sum(values)
    return float(total) / len(values) if values and isinstance(total, int | float) else None


_MEASURES: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "sum": _sum,
    "avg": _average,
    "min": lambda values: min(values, default=None),  # type: ignore[type-var]
    "max": lambda values: max(values, default=None),  # type: ignore[type-var]
}
