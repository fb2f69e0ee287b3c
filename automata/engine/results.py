"""Matches as Arrow columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.automata.engine.arrays import arrow, repeated, whole
from mnemata.automata.engine.blocks import Block
from mnemata.automata.engine.columns import Rows
from mnemata.theory.arrow import arrow_type, schema_to_arrow
from mnemata.theory.cel.query import Query
from mnemata.theory.errors import SchemaError
from mnemata.theory.schema import AttributeDeclaration, Float64, Schema
from mnemata.theory.sremo.expressions import Pattern


def result_schema(pattern: Pattern | Query, schema: Schema, *, events: bool = False) -> pa.Schema:
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
    return result_columns(pattern.partition_by, schema, events=events)


def result_columns(keys: Sequence[str], schema: Schema, *, events: bool = False) -> pa.Schema:
    """The same for patterns whose keys are made of these attributes."""
    return _columns(tuple(keys), schema, events)


@lru_cache(maxsize=256)
def _columns(keys: tuple[str, ...], schema: Schema, events: bool) -> pa.Schema:
    fields: list[pa.Field[Any]] = [pa.field("pattern", pa.string())]
    if keys:
        fields.append(pa.field("key", pa.struct([pa.field(n, arrow_type(schema[n])) for n in keys])))
    fields += [pa.field("start", pa.int64()), pa.field("end", pa.int64())]
    if schema.time is not None:
        time = arrow_type(schema[schema.time])
        fields += [pa.field("start_time", time), pa.field("end_time", time)]
    fields.append(pa.field("positions", pa.list_(pa.int64())))
    if events:
        fields.append(pa.field("events", pa.list_(_event_type(schema))))
    return pa.schema(fields)


def _event_type(schema: Schema) -> pa.StructType:
    return pa.struct(list(schema_to_arrow(schema)))


def result_batch(
    pattern: Pattern | Query, schema: Schema, table: pa.Table, found: Block, times: Rows | None
) -> pa.RecordBatch:
    """Matches as columns, but for the events.

    Parameters
    ----------
    pattern, schema, table
        What was searched for, the schema of the stream, and the stream.
    found : Block
        The matches.
    times : int64 array or None
        The timestamps of all rows, in ticks; needed when the schema has a time attribute.
    """
    columns = result_schema(pattern, schema)
    starts, ends = found.positions[found.offsets[:-1]], found.positions[found.ends - 1]
    arrays: list[pa.Array[Any]] = [repeated(pattern.name, len(ends))]
    if pattern.partition_by:
        arrays.append(_structs(table, schema, pattern.partition_by, starts))
    arrays += [arrow(starts), arrow(ends)]
    if times is not None:
        kind = columns.field("start_time").type
        arrays += [arrow(times[some]).view(kind) for some in (starts, ends)]
    arrays.append(_lists(found, arrow(found.positions)))
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def event_lists(table: pa.Table, schema: Schema, found: Block) -> pa.Array[Any]:
    """For each match the events that it marks, as lists of structs in the types of `schema`."""
    return _lists(found, _structs(table, schema, schema.names, found.positions))


def _structs(table: pa.Table, schema: Schema, names: Sequence[str], rows: Rows) -> pa.StructArray:
    """Attributes of the events of some rows, as structs."""
    taken = table.select(list(names)).take(arrow(rows))
    declared = [schema.attributes[schema.index(name)] for name in names]
    parts = [_declared(taken.column(a.name), a) for a in declared]
    fields = [pa.field(name, arrow_type(schema[name])) for name in names]
    return pa.StructArray.from_arrays(parts, fields=fields)


def _declared(data: pa.ChunkedArray[Any], attribute: AttributeDeclaration) -> pa.Array[Any]:
    target = arrow_type(attribute.type)
    try:
        cast = pc.cast(data, target, safe=not isinstance(attribute.type, Float64))
    except pa.ArrowInvalid as error:
        message = f"a value of column '{attribute.name}' is not a value of {attribute.type}: {error}"
        raise SchemaError(message) from None
    return whole(cast)


def _lists(found: Block, values: pa.Array[Any]) -> pa.Array[Any]:
    offsets: Any = arrow(found.offsets.astype(np.int32))
    lists: pa.Array[Any] = pa.ListArray.from_arrays(offsets, values)
    return lists
