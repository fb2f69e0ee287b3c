"""Matches as Arrow columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.automata.engine.columns import Rows
from mnemata.theory.arrow import arrow_type, schema_to_arrow
from mnemata.theory.errors import SchemaError
from mnemata.theory.schema import AttributeDeclaration, Float64, Schema, Value
from mnemata.theory.sremo.expressions import Pattern


def result_schema(pattern: Pattern, schema: Schema, *, events: bool = False) -> pa.Schema:
    """The columns in which the matches of a pattern are written.

    ==============  ============================================================================
    ``pattern``     string, the pattern's name
    ``key``         struct of the attributes that the pattern is partitioned by, in their order;
                    absent when it is not partitioned
    ``start``       int64, the first marked row (0-based)
    ``end``         int64, the last marked row
    ``start_time``  timestamp of the first marked event; absent when the schema has no time
    ``end_time``    likewise of the last one
    ``positions``   list of int64, all marked rows
    ``events``      list of struct, the marked events; only if `events`
    ==============  ============================================================================

    >>> from mnemata.theory.schema import Int64
    >>> from mnemata.theory.sremo.expressions import mark
    >>> result_schema(Pattern(mark()), Schema.of(id=Int64())).names
    ['pattern', 'start', 'end', 'positions']
    """
    fields: list[pa.Field[Any]] = [pa.field("pattern", pa.string())]
    if pattern.partition_by:
        fields.append(pa.field("key", _key_type(pattern, schema)))
    fields += [pa.field("start", pa.int64()), pa.field("end", pa.int64())]
    if schema.time is not None:
        time = arrow_type(schema[schema.time])
        fields += [pa.field("start_time", time), pa.field("end_time", time)]
    fields.append(pa.field("positions", pa.list_(pa.int64())))
    if events:
        fields.append(pa.field("events", pa.list_(_event_type(schema))))
    return pa.schema(fields)


def _key_type(pattern: Pattern, schema: Schema) -> pa.StructType:
    return pa.struct([pa.field(name, arrow_type(schema[name])) for name in pattern.partition_by])


def _event_type(schema: Schema) -> pa.StructType:
    return pa.struct(list(schema_to_arrow(schema)))


def result_batch(
    pattern: Pattern,
    schema: Schema,
    rows: Sequence[Sequence[int]],
    keys: Sequence[Sequence[Value]],
    times: Rows | None,
) -> pa.RecordBatch:
    """Matches as columns, but for the events.

    Parameters
    ----------
    pattern, schema
        What was searched for, and the schema of the stream.
    rows : sequence of sequence of int
        For each match the rows that it marks.
    keys : sequence of sequence
        For each match its key.
    times : int64 array or None
        The timestamps of all rows, in ticks; needed when the schema has a time attribute.
    """
    columns = result_schema(pattern, schema)
    starts, ends = ([marked[place] for marked in rows] for place in (0, -1))
    arrays: list[pa.Array[Any]] = [pa.array([pattern.name] * len(rows), pa.string())]
    if pattern.partition_by:
        arrays.append(_keys(pattern, schema, keys))
    arrays += [pa.array(starts, pa.int64()), pa.array(ends, pa.int64())]
    if times is not None:
        kind = columns.field("start_time").type
        arrays += [pa.array(times[np.array(some)], pa.int64()).cast(kind) for some in (starts, ends)]
    arrays.append(_lists(rows, pa.array(_flat(rows))))
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def _keys(pattern: Pattern, schema: Schema, keys: Sequence[Sequence[Value]]) -> pa.StructArray:
    kind = _key_type(pattern, schema)
    parts = [pa.array(values, f.type) for values, f in zip(zip(*keys, strict=True), kind, strict=True)]
    return pa.StructArray.from_arrays(parts, fields=list(kind))


def event_lists(table: pa.Table, schema: Schema, rows: Sequence[Sequence[int]]) -> pa.Array[Any]:
    """For each match the events that it marks, as lists of structs in the types of `schema`."""
    taken = table.select(list(schema.names)).take(_flat(rows))
    parts = [_declared(taken.column(a.name), a) for a in schema.attributes]
    return _lists(rows, pa.StructArray.from_arrays(parts, fields=list(schema_to_arrow(schema))))


def _declared(data: pa.ChunkedArray[Any], attribute: AttributeDeclaration) -> pa.Array[Any]:
    target = arrow_type(attribute.type)
    try:
        cast = pc.cast(data, target, safe=not isinstance(attribute.type, Float64))
    except pa.ArrowInvalid as error:
        message = f"a value of column '{attribute.name}' is not a value of {attribute.type}: {error}"
        raise SchemaError(message) from None
    return pa.concat_arrays(cast.chunks) if cast.num_chunks else pa.array([], target)


def _flat(rows: Sequence[Sequence[int]]) -> Rows:
    return np.fromiter(chain.from_iterable(rows), np.int64, sum(map(len, rows)))


def _lists(rows: Sequence[Sequence[int]], values: pa.Array[Any]) -> pa.Array[Any]:
    offsets = np.cumsum([0, *map(len, rows)])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)
