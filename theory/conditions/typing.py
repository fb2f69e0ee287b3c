"""Checking conditions against a schema, and binding their literals to it.

`bind` is the gate between what a user writes and what anything else computes with: after it every
attribute exists, every comparison is between comparable types, and durations and instants have become
whole ticks of the timestamps they meet. Binding what is bound changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from mnemata.theory.conditions.formulas import (
    Apply,
    Comparison,
    Condition,
    Definition,
    Membership,
    Relation,
)
from mnemata.theory.conditions.terms import (
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Instant,
    Position,
    Term,
    Time,
)
from mnemata.theory.errors import ConditionTypeError, UnknownAttributeError, brief, suggestion
from mnemata.theory.schema import (
    INT64_MAX,
    INT64_MIN,
    NANOSECONDS,
    AttributeType,
    Bool,
    Category,
    Float64,
    Int64,
    Schema,
    String,
    Timestamp,
)
from mnemata.theory.trees import Node, children, fold, replace_children


@dataclass(frozen=True, slots=True)
class Span:
    """The type of differences of timestamps: whole ticks of `unit`, ``None`` while undetermined."""

    unit: str | None

    def __str__(self) -> str:
        return "duration" if self.unit is None else f"duration[{self.unit}]"


@dataclass(frozen=True, slots=True)
class _Moment:
    """The type of an ISO 8601 literal before it meets a timestamp."""

    def __str__(self) -> str:
        return "instant"


TermType: TypeAlias = AttributeType | Span | _Moment
_Typed: TypeAlias = tuple[Node, TermType | None]


def bind(condition: Condition, schema: Schema) -> Condition:
    """`condition` with its literals in the units of `schema`.

    Raises
    ------
    UnknownAttributeError
        When it reads an attribute that the schema does not have.
    ConditionTypeError
        When it compares or combines types that do not fit, such as a name with a number.
    """
    bound, _ = fold(condition, lambda node, below: _bind(node, below, schema))
    if not isinstance(bound, Condition):
        raise ConditionTypeError(f"{condition!r} is not a condition")
    return bound


def type_of(term: Term, schema: Schema) -> TermType:
    """The type of a term under a schema; raises as `bind` does."""
    _, kind = fold(term, lambda node, below: _bind(node, below, schema))
    if kind is None:
        raise ConditionTypeError(f"{term!r} is not a term")
    return kind


def _bind(node: Node, below: tuple[_Typed, ...], schema: Schema) -> _Typed:
    match node:
        case Attribute(name=name):
            return node, schema[name]
        case Position():
            return node, Int64()
        case Time():
            return Attribute(node.variable, _time(schema)), schema[_time(schema)]
        case Constant(value=value):
            return node, _constant_type(value)
        case Duration():
            return node, Span(None)
        case Instant():
            return node, _Moment()
        case Arithmetic():
            return _arithmetic(node, below)
        case Absolute():
            return _absolute(below[0])
        case Comparison():
            return _comparison(node, below)
        case Membership():
            return _membership(below)
        case Apply(relation=relation):
            return _application(node, relation, schema), None
    return replace_children(node, tuple(part for part, _ in below)), None


def _time(schema: Schema) -> str:
    if schema.time is None:
        raise ConditionTypeError(
            "time is read, but the schema has no time attribute; name one with Schema(..., time='...')"
        )
    return schema.time


def _constant_type(value: int | float | bool | str) -> TermType:
    if isinstance(value, bool):
        return Bool()
    if isinstance(value, int):
        return Int64()
    return Float64() if isinstance(value, float) else String()


def _arithmetic(node: Arithmetic, below: tuple[_Typed, ...]) -> _Typed:
    left, right = _same_unit(*below)
    if node.operator != "*":
        left, right = _as_ticks(left, right, moments=False), _as_ticks(right, left, moments=False)
    kind = _result(node.operator, left[1], right[1])
    if kind is None:
        raise ConditionTypeError(f"cannot compute {left[1]} {node.operator} {right[1]}")
    return Arithmetic(node.operator, _as_term(left), _as_term(right)), kind


def _result(operator: str, left: TermType | None, right: TermType | None) -> TermType | None:
    match operator, left, right:
        case _, (Int64() | Float64()), (Int64() | Float64()):
            return Int64() if isinstance(left, Int64) and isinstance(right, Int64) else Float64()
        case "-", Timestamp(unit=unit), Timestamp(unit=other) if unit == other:
            return Span(unit)
        case (("+" | "-"), Timestamp(unit=unit), Span(unit=other)) if unit == other:
            return left
        case "+", Span(unit=unit), Timestamp(unit=other) if unit == other:
            return right
        case (("+" | "-"), Span(unit=unit), Span(unit=other)) if unit == other:
            return left
        case "*", Span(), Int64():
            return left
        case "*", Int64(), Span():
            return right
    return None


def _absolute(operand: _Typed) -> _Typed:
    if not isinstance(operand[1], Int64 | Float64 | Span):
        raise ConditionTypeError(f"abs() takes a number, not {operand[1]}")
    return Absolute(_as_term(operand)), operand[1]


def _comparison(node: Comparison, below: tuple[_Typed, ...]) -> _Typed:
    left, right = _same_unit(*below)
    left, right = _as_ticks(left, right, moments=True), _as_ticks(right, left, moments=True)
    if left[1] == right[1] == Span(None):
        left, right = _in_unit(left, "ns"), _in_unit(right, "ns")
    if not _comparable(node.operator, left, right):
        raise ConditionTypeError(_incomparable(node.operator, left, right))
    return Comparison(node.operator, _as_term(left), _as_term(right)), None


def _membership(below: tuple[_Typed, ...]) -> _Typed:
    term, *values = below
    for value in values:
        if not _comparable("=", term, value):
            raise ConditionTypeError(_incomparable("in", term, value))
    return Membership(_as_term(term), tuple(v for v, _ in values if isinstance(v, Constant))), None


def _comparable(operator: str, left: _Typed, right: _Typed) -> bool:
    match left[1], right[1]:
        case ((Int64() | Float64()), (Int64() | Float64())):
            return True
        case (Span(unit=unit), Span(unit=other)) | (Timestamp(unit=unit), Timestamp(unit=other)):
            return unit == other
        case Bool(), Bool():
            return operator in ("=", "!=")
        case ((String() | Category()), (String() | Category())):
            return operator in ("=", "!=") and _declared(left, right) and _declared(right, left)
    return False


def _declared(category: _Typed, literal: _Typed) -> bool:
    kind, term = category[1], literal[0]
    return not (isinstance(kind, Category) and isinstance(term, Constant)) or term.value in kind.values


def _incomparable(operator: str, left: _Typed, right: _Typed) -> str:
    for (_, kind), (literal, _) in ((left, right), (right, left)):
        match kind, literal, operator:
            case Category(values=known), Constant(value=str() as value), ("=" | "!=" | "in"):
                return f"'{value}' is not a value of {kind}.{suggestion(value, known)}"
    text = isinstance(left[1], String | Category) and isinstance(right[1], String | Category)
    remedy = "text has no order: use =, != or in" if text else "compare values of the same kind"
    return f"cannot compare {left[1]} {operator} {right[1]}; {remedy}"


def _as_term(typed: _Typed) -> Term:
    if not isinstance(typed[0], Term):
        raise ConditionTypeError(f"{typed[0]!r} is not a term")
    return typed[0]


def _same_unit(left: _Typed, right: _Typed) -> tuple[_Typed, _Typed]:
    """Give undetermined durations and instants the unit of the term on the other side."""
    return _in_unit(left, _unit(right[1])), _in_unit(right, _unit(left[1]))


def _as_ticks(typed: _Typed, other: _Typed, *, moments: bool) -> _Typed:
    """Read whole-number literals next to a timestamp or a duration as ticks of its unit.

    Bound durations and instants are such literals, so that binding twice is binding once.
    """
    node, kind = typed
    if not isinstance(kind, Int64) or _unit(other[1]) is None or not fold(node, _counts_ticks):
        return typed
    return node, other[1] if moments else Span(_unit(other[1]))


def _counts_ticks(node: Node, below: tuple[bool, ...]) -> bool:
    """Whether a whole number may be the bound form of a duration or an instant."""
    if isinstance(node, Arithmetic):
        return any(below) if node.operator == "*" else all(below)
    return isinstance(node, Constant) or (isinstance(node, Absolute) and all(below))


def _unit(kind: TermType | None) -> str | None:
    return kind.unit if isinstance(kind, Timestamp | Span) else None


def _in_unit(typed: _Typed, unit: str | None) -> _Typed:
    node, kind = typed
    if unit is not None and isinstance(kind, _Moment) and isinstance(node, Instant):
        return Constant(_ticks(_since_epoch(node), unit, node.text)), Timestamp(unit)  # type: ignore[arg-type]
    if unit is not None and kind == Span(None):
        bound = fold(node, lambda part, below: _duration_in_unit(part, below, unit))
        return bound, Span(unit)
    return typed


def _duration_in_unit(node: Node, below: tuple[Node, ...], unit: str) -> Node:
    if isinstance(node, Duration):
        return Constant(_ticks(node.nanoseconds, unit, f"{brief(node.amount)} {node.unit}"))
    return replace_children(node, below) if children(node) else node


def _ticks(nanoseconds: int, unit: str, text: str) -> int:
    ticks, rest = divmod(nanoseconds, NANOSECONDS[unit])
    if rest:
        raise ConditionTypeError(f"'{text}' is not a whole number of {unit}, the unit of the timestamps")
    if not INT64_MIN <= ticks <= INT64_MAX:
        raise ConditionTypeError(f"'{text}' in {unit}, the unit of the timestamps, does not fit 64 bits")
    return ticks


def _since_epoch(instant: Instant) -> int:
    moment = datetime.fromisoformat(instant.text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    microseconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    return microseconds * 1_000 + instant.nanoseconds


def _application(node: Apply, relation: Relation | Definition, schema: Schema) -> Apply:
    if isinstance(relation, Definition):
        body = bind(relation.body, schema)
        return Apply(Definition(relation.name, relation.parameters, body), node.arguments)
    for name in relation.attributes:
        if name not in schema:
            raise UnknownAttributeError(f"relation '{relation.name}': {schema.unknown(name)}")
    return node
