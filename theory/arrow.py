"""Schemas of Arrow tables, and the Arrow types in which results are written.

Arrow is how streams arrive from files, pandas and Spark. What an Arrow type means here:

======================================  =====================================================
Arrow                                   attribute type
======================================  =====================================================
int8 to int64, uint8 to uint64          `Int64` (a uint64 value past 2**63 - 1 is refused when read)
float16, float32, float64               `Float64`
bool                                    `Bool`
string, large_string, string_view       `String`
dictionary of one of these              as its values: the values of a category are declared, not
                                        guessed from data
timestamp[unit], with or without zone   `Timestamp` of that unit; without a zone it is read as UTC
date32, date64                          `Timestamp` at midnight UTC, in s and in ms
======================================  =====================================================
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, Final, Protocol

import pyarrow as pa

from mnemata.theory.errors import SchemaError
from mnemata.theory.schema import (
    AttributeDeclaration,
    AttributeType,
    Bool,
    Event,
    Float64,
    Int64,
    Schema,
    String,
    Timestamp,
)


class ExportsArrow(Protocol):
    """A table or data frame that can be read by way of Arrow's C stream interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with the stream."""


_REMEDIES: Final = (
    (pa.types.is_decimal, "cast it to float64, or to int64 in the smallest unit"),
    (pa.types.is_time, "add the date and cast it to a timestamp, or cast it to int64"),
    (pa.types.is_duration, "cast it to int64"),
    (pa.types.is_null, "all its values are missing; cast it to the type it should have"),
    (pa.types.is_struct, "flatten it into one column per field"),
    (pa.types.is_nested, "take the values that patterns need into columns of their own"),
    (pa.types.is_binary, "cast it to string"),
    (pa.types.is_large_binary, "cast it to string"),
)


def schema_from_arrow(arrow: pa.Schema, *, event_type: str | None = None, time: str | None = None) -> Schema:
    """The schema of a stream whose columns are `arrow`.

    Parameters
    ----------
    arrow : pyarrow.Schema
        Column names and types; every column becomes an attribute.
    event_type, time : str, optional
        The columns that name the kind of an event and that order the stream.

    Raises
    ------
    SchemaError
        When a column has a type that attributes cannot have; the message names the column and what to
        cast it to. Select the columns that matter when others are in the way.

    Examples
    --------
    >>> ticks = pa.schema({"name": pa.string(), "price": pa.float32(), "at": pa.timestamp("ms")})
    >>> schema_from_arrow(ticks, time="at") == Schema.of(
    ...     name=String(), price=Float64(), at=Timestamp("ms"), time="at"
    ... )
    True
    """
    declared = (AttributeDeclaration(field.name, _attribute_type(field)) for field in arrow)
    return Schema(tuple(declared), event_type, time)


def schema_to_arrow(schema: Schema) -> pa.Schema:
    """The Arrow columns of a schema: int64, float64, bool, string and timestamp[unit, UTC].

    Categories become strings, because Arrow's dictionaries belong to data, not to types.

    >>> schema_to_arrow(Schema.of(id=Int64(), at=Timestamp("s")))
    id: int64
    at: timestamp[s, tz=UTC]
    """
    return pa.schema([pa.field(a.name, arrow_type(a.type)) for a in schema.attributes])


def arrow_table(data: ExportsArrow) -> pa.Table:
    """A table of whatever can be read as one: Arrow tables and record batches, and data frames.

    Data frames are those that export Arrow's C stream (``__arrow_c_stream__``), as the ones of pandas, Polars
    and DuckDB do. The index of a pandas data frame is no column.

    Raises
    ------
    SchemaError
        When it is none of these.

    Examples
    --------
    >>> import pandas as pd
    >>> arrow_table(pd.DataFrame({"id": [1, 2]}, index=["a", "b"])).to_pydict()
    {'id': [1, 2]}
    """
    if isinstance(data, pa.Table):
        return data
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    pandas = sys.modules.get("pandas")  # who has such a data frame has imported it
    if pandas is not None and isinstance(data, pandas.DataFrame):
        return pa.Table.from_pandas(data, preserve_index=False)
    if hasattr(data, "__arrow_c_stream__"):
        return pa.table(data)
    raise SchemaError(
        f"a stream is an Arrow table, a record batch or a data frame that exports Arrow streams, got "
        f"{type(data).__name__}; pyarrow.table() makes a table of a dict of columns"
    )


def stream_to_arrow(stream: Iterable[Event], schema: Schema) -> pa.Table:
    """A stream as a table, one row for each event in order.

    >>> ids = Schema.of(id=Int64())
    >>> stream_to_arrow(ids.stream([(7,), (None,)]), ids).to_pylist()
    [{'id': 7}, {'id': None}]
    """
    rows = [event.values for event in stream]
    arrays = [
        pa.array([row[place] for row in rows], arrow_type(attribute.type))
        for place, attribute in enumerate(schema.attributes)
    ]
    return pa.Table.from_arrays(arrays, schema=schema_to_arrow(schema))


def arrow_type(kind: AttributeType) -> pa.DataType:
    """The Arrow type in which values of an attribute are written."""
    match kind:
        case Int64():
            return pa.int64()
        case Float64():
            return pa.float64()
        case Bool():
            return pa.bool_()
        case Timestamp(unit=unit):
            return pa.timestamp(unit, tz="UTC")
    return pa.string()


def is_text(arrow: pa.DataType) -> bool:
    """Whether an Arrow type holds text."""
    return pa.types.is_string(arrow) or pa.types.is_large_string(arrow) or pa.types.is_string_view(arrow)


def _attribute_type(field: pa.Field[Any]) -> AttributeType:
    kind = field.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_integer(kind):
        return Int64()
    if pa.types.is_floating(kind):
        return Float64()
    if pa.types.is_boolean(kind):
        return Bool()
    if is_text(kind):
        return String()
    if pa.types.is_timestamp(kind):
        return Timestamp(kind.unit)
    if pa.types.is_date(kind):
        return Timestamp("s" if pa.types.is_date32(kind) else "ms")
    raise SchemaError(f"column '{field.name}' is {field.type}, which no attribute can be; {_remedy(kind)}")


def _remedy(kind: pa.DataType) -> str:
    for applies, remedy in _REMEDIES:
        if applies(kind):
            return remedy
    return "cast it to a number, bool, string or timestamp, or leave the column out"
