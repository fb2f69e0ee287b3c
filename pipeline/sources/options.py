"""What users say about a source beyond where it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mnemata.theory.errors import SchemaError
from mnemata.theory.schema import (
    AttributeDeclaration,
    AttributeType,
    Int64,
    Schema,
    Timestamp,
)


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """How to read a stream.

    Parameters
    ----------
    format : str, optional
        ``parquet``, ``csv``, ``json`` or ``stream``; by default what the names of the files say.
    schema : Schema, optional
        The events' attributes; by default derived from the source.
    time : str, optional
        The attribute that orders the stream, ``"at"``; with the unit of its ticks where it is a column of
        whole numbers, ``"at:ms"``.
    event_type : str, optional
        The attribute that names the kind of an event. In the ``stream`` format that is what stands
        before the parenthesis, called ``type`` unless this says otherwise.
    missing : tuple of str
        Texts that mean a missing value in CSV and in the ``stream`` format, such as ``NA``. Empty text does.
    delimiter : str, optional
        What separates cells of CSV; by default a tab in ``.tsv`` files and a comma in others.
    """

    format: str | None = None
    schema: Schema | None = None
    time: str | None = None
    event_type: str | None = None
    missing: tuple[str, ...] = ()
    delimiter: str | None = None

    def __post_init__(self) -> None:
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise SchemaError(
                f"a delimiter is one character other than a quote or line end, got {self.delimiter!r}"
            )

    @property
    def event_type_name(self) -> str:
        """The attribute that holds an event's type in the ``stream`` format."""
        declared = None if self.schema is None else self.schema.event_type
        return self.event_type or declared or "type"


def with_overrides(schema: Schema, options: SourceOptions) -> Schema:
    """`schema` with the time and event type that the options name.

    Raises
    ------
    UnknownAttributeError
        They name an attribute that `schema` lacks.
    SchemaError
        The time is not a timestamp and cannot be made one, or lacks a unit.
    """
    event_type = options.event_type or schema.event_type
    if event_type is not None:
        schema.index(event_type)
    if options.time is None:
        return replace(schema, event_type=event_type)
    name, unit = _time_and_unit(options.time, schema)
    timed = _retyped(schema, {name: _timestamp(schema, name, unit)})
    return replace(timed, event_type=event_type, time=name)


def _time_and_unit(text: str, schema: Schema) -> tuple[str, str | None]:
    name, separator, unit = text.rpartition(":")
    if text in schema or not separator:
        schema.index(text)
        return text, None
    schema.index(name)
    return name, unit


def _timestamp(schema: Schema, name: str, unit: str | None) -> AttributeType:
    kind = schema[name]
    if isinstance(kind, Timestamp):
        return kind if unit is None else Timestamp(unit)  # type: ignore[arg-type]
    if not isinstance(kind, Int64):
        raise SchemaError(f"'{name}' cannot order the stream: it is {kind}, not a timestamp or whole ticks")
    if unit is None:
        raise SchemaError(f"'{name}' holds whole numbers; add the unit of its ticks, such as '{name}:ms'")
    return Timestamp(unit)  # type: ignore[arg-type]


def _retyped(schema: Schema, types: Mapping[str, AttributeType]) -> Schema:
    declared = tuple(AttributeDeclaration(a.name, types.get(a.name, a.type)) for a in schema.attributes)
    return Schema(declared, schema.event_type, schema.time)
