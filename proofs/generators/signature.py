"""Schemas, and streams over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Any, Final, TypeAlias, TypeVar

from hypothesis import strategies as st

from mnemata.theory.conditions.terms import (
    Register,
)
from mnemata.theory.schema import (
    INT64_MAX,
    AttributeDeclaration,
    AttributeType,
    Bool,
    Category,
    Event,
    Float64,
    Int64,
    Schema,
    String,
    Timestamp,
    Value,
)

T = TypeVar("T")
Registers: TypeAlias = tuple[Register, ...]
Stream: TypeAlias = tuple[Event, ...]

REGISTERS: Final[Registers] = ("r1", "r2", "r3")

TICKS: Final = Schema.of(
    type=Category(("A", "B", "C")),
    id=Int64(),
    price=Float64(),
    at=Timestamp("ms"),
    event_type="type",
    time="at",
)
"""The schema that most property tests use: ``(type, id, price, at)``, as in SRT Table 1."""

NAMES: Final = ("a", "b", "c", "d", "e", "time", "within", "my price", "größe")


@st.composite
def schemas(draw: st.DrawFn, max_attributes: int = 4) -> Schema:
    """Small schemas: an event type and a time attribute or not, and attributes of any type.

    Some names need quoting in the text of a pattern.
    """
    names = draw(st.permutations(NAMES))
    kinds = draw(st.lists(_attribute_types(), min_size=1, max_size=max_attributes))
    declared = [AttributeDeclaration(name, kind) for name, kind in zip(names, kinds, strict=False)]
    typed = [d.name for d in declared if isinstance(d.type, String | Category)]
    timed = [d.name for d in declared if isinstance(d.type, Timestamp)]
    event_type = draw(st.sampled_from([*typed, None])) if typed else None
    time = draw(st.sampled_from([*timed, None])) if timed else None
    return Schema(tuple(declared), event_type, time)


def _attribute_types() -> st.SearchStrategy[AttributeType]:
    return st.sampled_from(
        [
            Int64(),
            Category(("A", "B")),
            Float64(),
            Timestamp("ms"),
            Bool(),
            String(),
            Timestamp("s"),
        ]
    )


def values(schema: Schema, name: str) -> tuple[Value, ...]:
    """The pool of values of an attribute, simplest first; ``None`` is not among them."""
    if schema is TICKS or schema == TICKS:
        return _TICK_VALUES[name]
    match schema[name]:
        case Int64():
            return (1, 2, 0, -1, 2**53 + 1, INT64_MAX)
        case Float64():
            return (1.0, 2.0, 0.5, -1.0, float(2**53), math.inf)
        case Bool():
            return (False, True)
        case String():
            return ("x", "y", "", "it's", 'say "so"\\')
        case Category(values=declared):
            return declared
        case Timestamp():
            return (0, 1, 2)


_TICK_VALUES: Final[dict[str, tuple[Value, ...]]] = {
    "type": ("A", "B", "C"),
    "id": (1, 2, 3),
    "price": (1.0, 2.0, 2.5),
    "at": (0, 1, 2, 3),
}


@cache
def _rows(schema: Schema) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(*(_cells(schema, name) for name in schema.names))


def _cells(schema: Schema, name: str) -> st.SearchStrategy[Any]:
    if name == schema.time:
        return st.sampled_from((1, 0, 2))  # the time passed since the event before
    missing = (None, math.nan) if isinstance(schema[name], Float64) else (None,)
    return st.sampled_from((*values(schema, name) * 2, *missing))


@st.composite
def streams(draw: st.DrawFn, schema: Schema = TICKS, *, min_size: int = 0, max_size: int = 6) -> Stream:
    """Finite streams at positions 1, 2, ...; their time never decreases and is never missing."""
    # Not st.lists: a size survives Hypothesis' mutations better than a chain of "one more?".
    size = draw(st.integers(min_size, max_size))
    rows = [draw(_rows(schema)) for _ in range(size)]
    return schema.stream(_in_time(schema, rows))


def _in_time(schema: Schema, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    if schema.time is None:
        return list(rows)
    column = schema.index(schema.time)
    clock = accumulate(row[column] for row in rows)
    return [(*row[:column], at, *row[column + 1 :]) for row, at in zip(rows, clock, strict=True)]


def events(schema: Schema = TICKS) -> st.SearchStrategy[Event]:
    """Single events, at small positions."""
    return st.builds(schema.event, _rows(schema), st.integers(1, 6))


@cache
def choices(options: tuple[T, ...]) -> st.SearchStrategy[T]:
    """One of `options`, the first being the simplest; the strategy is built once."""
    return st.sampled_from(options)


def joins(schema: Schema) -> tuple[str, ...]:
    """Attribute names, whole numbers first: those on which events are usually joined."""
    return tuple(sorted(schema.names, key=lambda name: not isinstance(schema[name], Int64)))
