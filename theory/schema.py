"""Schemas and events: the signature of a V-structure (SRT Def. 2), typed.

An event is a tuple of values under a schema. Values are plain Python: ``int`` for int64 and for
timestamps (ticks since the epoch in the attribute's unit), ``float`` for float64, ``bool``, and ``str``
for strings and categories. ``None`` stands for a missing value; NaN is read as missing too.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from mnemata.theory.errors import SchemaError, UnknownAttributeError, brief, suggestion

Value: TypeAlias = int | float | bool | str | None
Unit: TypeAlias = Literal["ns", "us", "ms", "s"]

NANOSECONDS: Final[Mapping[str, int]] = {
    "ns": 1,
    "us": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "min": 60_000_000_000,
    "h": 3_600_000_000_000,
    "d": 86_400_000_000_000,
}
INT64_MIN: Final = -(2**63)
INT64_MAX: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Int64:
    """Whole numbers from -2**63 to 2**63 - 1."""

    def __str__(self) -> str:
        return "int64"


@dataclass(frozen=True, slots=True)
class Float64:
    """IEEE 754 double-precision numbers; NaN means missing."""

    def __str__(self) -> str:
        return "float64"


@dataclass(frozen=True, slots=True)
class Bool:
    """Truth values."""

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class String:
    """Unicode text, compared for equality only."""

    def __str__(self) -> str:
        return "string"


@dataclass(frozen=True, slots=True)
class Category:
    """Text from a declared, finite set of values (kept sorted, without repetition)."""

    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.values or not all(isinstance(value, str) for value in self.values):
            raise SchemaError("a category needs at least one value, all of them strings")
        object.__setattr__(self, "values", tuple(sorted(set(self.values))))

    def __str__(self) -> str:
        return f"category[{', '.join(self.values)}]"


@dataclass(frozen=True, slots=True)
class Timestamp:
    """Instants as whole ticks since 1970-01-01T00:00:00Z; `unit` is the length of a tick."""

    unit: Unit = "ms"

    def __post_init__(self) -> None:
        if self.unit not in ("ns", "us", "ms", "s"):
            raise SchemaError(f"unknown timestamp unit '{self.unit}'; use ns, us, ms or s")

    def __str__(self) -> str:
        return f"timestamp[{self.unit}]"


AttributeType: TypeAlias = Int64 | Float64 | Bool | String | Category | Timestamp
_SIMPLE: Final[Mapping[str, AttributeType]] = {
    str(kind): kind for kind in (Int64(), Float64(), Bool(), String())
}


@dataclass(frozen=True, slots=True)
class AttributeDeclaration:
    """A named, typed attribute of every event of a stream."""

    name: str
    type: AttributeType

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name or "`" in self.name:
            raise SchemaError(f"an attribute name is a non-empty string without `: {self.name!r}")
        if not isinstance(self.type, AttributeType):
            raise SchemaError(
                f"{self.type!r} is not a type for attribute '{self.name}'; use Int64() or alike"
            )


@dataclass(frozen=True, slots=True)
class Schema:
    """The attributes that every event of a stream has.

    Parameters
    ----------
    attributes : tuple of AttributeDeclaration
        In the order in which an event lists its values.
    event_type : str or None
        The attribute that names the kind of an event (``BUY``, ``SELL``), if there is one.
    time : str or None
        The attribute that orders the stream; a `Timestamp`. Needed by windows in time.

    Examples
    --------
    >>> ticks = Schema.of(type=String(), price=Float64(), at=Timestamp("ms"), time="at")
    >>> ticks.names
    ('type', 'price', 'at')
    >>> Schema.from_json(ticks.to_json()) == ticks
    True
    """

    attributes: tuple[AttributeDeclaration, ...]
    event_type: str | None = None
    time: str | None = None
    _index: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", tuple(self.attributes))
        names = [attribute.name for attribute in self.attributes]
        for name in names:
            if names.count(name) > 1:
                raise SchemaError(f"attribute '{name}' is declared twice")
        object.__setattr__(self, "_index", {name: i for i, name in enumerate(names)})
        if self.event_type is not None and not isinstance(self[self.event_type], String | Category):
            raise SchemaError(f"the event type '{self.event_type}' must be a string or a category")
        if self.time is not None and not isinstance(self[self.time], Timestamp):
            raise SchemaError(f"the time attribute '{self.time}' must be a timestamp")

    @classmethod
    def of(
        cls, *, event_type: str | None = None, time: str | None = None, **attributes: AttributeType
    ) -> Schema:
        """Build a schema from keyword arguments, in their order.

        Attributes called ``event_type`` or ``time`` need the plain constructor.
        """
        declared = tuple(AttributeDeclaration(name, kind) for name, kind in attributes.items())
        return cls(declared, event_type, time)

    @property
    def names(self) -> tuple[str, ...]:
        """Attribute names, in order."""
        return tuple(self._index)

    def __getitem__(self, name: str) -> AttributeType:
        return self.attributes[self.index(name)].type

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __reduce__(self) -> tuple[type[Schema], tuple[object, ...]]:
        return (Schema, (self.attributes, self.event_type, self.time))

    def index(self, name: str) -> int:
        """Place of an attribute in an event's tuple; `UnknownAttributeError` if there is none."""
        if name not in self._index:
            raise UnknownAttributeError(self.unknown(name))
        return self._index[name]

    def unknown(self, name: str) -> str:
        """The sentence that says that `name` is not an attribute, with the nearest one that is."""
        known = ", ".join(self.names)
        return f"unknown attribute '{name}'; the schema has {known}.{suggestion(name, self.names)}"

    def event(self, values: Sequence[Any] | Mapping[str, Any], position: int = 1) -> Event:
        """A checked event; raises `SchemaError` when a value does not fit its attribute."""
        if isinstance(values, Mapping):
            for name in values:
                self.index(name)
            values = [values.get(name) for name in self.names]
        if len(values) != len(self.attributes):
            raise SchemaError(f"an event has {len(self.attributes)} values, got {len(values)}")
        checked = (normalise(v, a) for v, a in zip(values, self.attributes, strict=True))
        return Event(self, tuple(checked), position)

    def stream(self, rows: Iterable[Sequence[Any] | Mapping[str, Any]]) -> tuple[Event, ...]:
        """A finite stream: events at positions 1, 2, 3, ..."""
        return tuple(self.event(row, position) for position, row in enumerate(rows, start=1))

    def to_json(self) -> str:
        """The schema as a JSON document; `from_json` reads it back."""
        attributes = [_attribute_to_json(attribute) for attribute in self.attributes]
        document = {"attributes": attributes, "event_type": self.event_type, "time": self.time}
        return json.dumps(document, indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Schema:
        """Read a schema from JSON; raises `SchemaError` naming what does not fit."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SchemaError(f"the schema is not valid JSON: {error}") from None
        if not isinstance(document, dict) or not isinstance(document.get("attributes"), list):
            raise SchemaError("a schema in JSON is an object with a list 'attributes'")
        extra = set(document) - {"attributes", "event_type", "time"}
        if extra:
            raise SchemaError(
                f"unknown key '{min(extra)}' in the schema; it has attributes, event_type, time"
            )
        attributes = tuple(_attribute_from_json(entry) for entry in document["attributes"])
        event_type, time = document.get("event_type"), document.get("time")
        for key, name in (("event_type", event_type), ("time", time)):
            if not isinstance(name, str | None):
                raise SchemaError(f"'{key}' names an attribute or is null, got {name!r}")
        return cls(attributes, event_type, time)


@dataclass(frozen=True, slots=True)
class Event:
    """One event (a character `u` of the universe) at a 1-based position of its stream.

    ``event["price"]`` is the value of an attribute, ``None`` when missing.
    """

    schema: Schema = field(repr=False, compare=False)
    values: tuple[Value, ...]
    position: int = 1

    def __getitem__(self, name: str) -> Value:
        return self.values[self.schema.index(name)]

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)


def normalise(value: Any, attribute: AttributeDeclaration) -> Value:
    """`value` in the one form that mnemata computes with; `SchemaError` when it does not fit.

    Whole numbers become floats where the attribute is a float64; NaN becomes ``None``.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    kind = attribute.type
    if isinstance(kind, Bool) and isinstance(value, bool):
        return value
    if isinstance(kind, Float64) and (isinstance(value, float) or _is_int64(value)):
        return float(value)
    if isinstance(kind, Int64 | Timestamp) and _is_int64(value):
        return int(value)
    if isinstance(kind, String) and isinstance(value, str):
        return value
    if isinstance(kind, Category) and value in kind.values:
        return str(value)
    raise SchemaError(f"{brief(value)} is not a value of attribute '{attribute.name}' ({kind})")


def _is_int64(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and INT64_MIN <= value <= INT64_MAX


def _attribute_to_json(attribute: AttributeDeclaration) -> dict[str, object]:
    kind = attribute.type
    if isinstance(kind, Category):
        return {"name": attribute.name, "type": "category", "values": list(kind.values)}
    if isinstance(kind, Timestamp):
        return {"name": attribute.name, "type": "timestamp", "unit": kind.unit}
    return {"name": attribute.name, "type": str(kind)}


_PARAMETERS: Final[Mapping[str, str]] = {"category": "values", "timestamp": "unit"}


def _attribute_from_json(entry: object) -> AttributeDeclaration:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise SchemaError(f"an attribute in JSON is an object with a name and a type, got {entry!r}")
    name, kind = entry["name"], entry.get("type")
    if not isinstance(kind, str) or kind not in (*_SIMPLE, *_PARAMETERS):
        known = ", ".join((*_SIMPLE, *_PARAMETERS))
        raise SchemaError(f"unknown type {kind!r} of attribute '{name}'; types are {known}")
    extra = set(entry) - {"name", "type", _PARAMETERS.get(kind)}
    if extra:
        raise SchemaError(f"unknown key '{min(extra)}' of attribute '{name}' ({kind})")
    if kind == "category":
        values = entry.get("values")
        if not isinstance(values, list):
            raise SchemaError(f"category '{name}' needs a list 'values'")
        return AttributeDeclaration(name, Category(tuple(values)))
    if kind == "timestamp":
        return AttributeDeclaration(name, Timestamp(entry.get("unit", "ms")))
    return AttributeDeclaration(name, _SIMPLE[kind])
