"""Recognition in Spark: sub-stream by sub-stream, in Arrow workers.

Rows are sent to workers by key and arrive there key after key, each in stream order. A worker hands
whole sub-streams to the engine, many small ones at once. Without ``partition by`` the stream is one
sub-stream: one task recognises it, or one for each of the slices that it is cut into
(`mnemata.pipeline.slicing`). Where a match uses up the events of all sub-streams, one task gets them all. The
outcome does not depend on the number of partitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import StructType

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.engine.compiled.search import Limits
from mnemata.automata.engine.ingestion import names_read
from mnemata.automata.engine.matches import Matches
from mnemata.automata.engine.queries import compile_for_engine
from mnemata.automata.engine.recognition import LIMITS, found_together
from mnemata.automata.engine.results import result_columns
from mnemata.pipeline.failures import reported
from mnemata.pipeline.slicing import SLICE, Cuts, in_slices
from mnemata.pipeline.sources.casting import nothing
from mnemata.pipeline.sources.formats import ROW
from mnemata.pipeline.sources.frames import quoted
from mnemata.pipeline.spark_schema import written_schema
from mnemata.pipeline.substreams import check_stream, in_stream_order, whole_substreams
from mnemata.theory.cel.query import Query
from mnemata.theory.schema import Float64, Schema
from mnemata.theory.sremo.expressions import Expression, Pattern

ROWS_AT_ONCE: Final = 200_000
"""How many rows of small sub-streams the engine gets at once."""

MATCHES_AT_ONCE: Final = 16_384
"""How many matches a worker returns at once, at most."""


@dataclass(frozen=True, slots=True)
class RecognitionOptions:
    """How to recognise.

    Parameters
    ----------
    events : bool
        Whether matches carry their marked events.
    sort : bool
        Whether to sort each sub-stream by time (then by row number) rather than to refuse it when it is out
        of order.
    partitions : int, optional
        Into how many tasks keys are divided, or a stream without keys is cut; by default two for each core.
    limits : Limits
        How much a task may keep at once.
    """

    events: bool = False
    sort: bool = False
    partitions: int | None = None
    limits: Limits = LIMITS


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker needs to know: patterns, compiled for the columns that it gets.

    Parameters
    ----------
    patterns : tuple of CompiledPattern
        At least one, under different names, for a schema of exactly the columns that are sent, besides the
        row numbers.
    options : RecognitionOptions
        How to recognise.
    first : int, optional
        Find only so many matches of each pattern, those that end first; has no effect with `keys`.
    shown : tuple of str
        The attributes that make up the key of a match; null where its pattern is not partitioned by them.
    """

    patterns: tuple[CompiledPattern, ...]
    options: RecognitionOptions
    first: int | None = None
    shown: tuple[str, ...] = ()

    @classmethod
    def of(cls, pattern: Pattern | Expression | Query, schema: Schema, options: RecognitionOptions) -> Task:
        """The task of finding a pattern in a stream; raises `PatternError` if it does not fit."""
        return cls.of_all([pattern], schema, options)

    @classmethod
    def of_all(
        cls,
        patterns: Sequence[Pattern | Expression | Query],
        schema: Schema,
        options: RecognitionOptions,
    ) -> Task:
        """The task of finding patterns with different names in a stream."""
        compiled = tuple(compile_for_engine(pattern, schema) for pattern in patterns)
        shown = tuple(dict.fromkeys(key for one in compiled for key in one.pattern.partition_by))
        if not options.events:
            # Not compiled anew: a pattern may name attributes that its automaton does not read.
            narrow = _narrowed(schema, (name for one in compiled for name in names_read(one)))
            compiled = tuple(replace(one, schema=narrow) for one in compiled)
        return cls(compiled, options, shown=shown)

    @property
    def compiled(self) -> CompiledPattern:
        """The pattern, where there is one; the first of several."""
        return self.patterns[0]

    @property
    def schema(self) -> Schema:
        """The schema of the columns that a worker gets."""
        return self.compiled.schema

    @property
    def columns(self) -> tuple[str, ...]:
        """The attributes that a worker gets."""
        return self.schema.names

    @property
    def keys(self) -> tuple[str, ...]:
        """The attributes by which rows are sent to tasks, see `sent_by`; those of all patterns, `by_keys`."""
        return sent_by(self.compiled)

    def only(self, patterns: Iterable[CompiledPattern]) -> Task:
        """The task of finding some of the patterns; its results have the columns of this one's."""
        return replace(self, patterns=tuple(patterns))

    def by_keys(self) -> list[Task]:
        """The task in parts, in each of which rows are sent to tasks by the same keys."""
        parts: dict[tuple[str, ...], list[CompiledPattern]] = {}
        for one in self.patterns:
            parts.setdefault(sent_by(one), []).append(one)
        return [self.only(some) for some in parts.values()]

    @property
    def result(self) -> pa.Schema:
        """The columns of matches, see `mnemata.automata.engine.results.result_schema`."""
        return result_columns(self.shown, self.schema, events=self.options.events)

    @property
    def spark_result(self) -> StructType:
        """The same as Spark's types."""
        return written_schema(self.result)

    def matches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The matches in batches of whole sub-streams, positions being row numbers."""
        keys = self.keys
        for table in whole_substreams(batches, keys, ROWS_AT_ONCE):
            check_stream(table, keys, self.schema)
            yield from self._matches_in(in_stream_order(table, self.schema) if keys else table)

    def matches_of_slice(
        self, begins: Sequence[int], batches: Iterable[pa.RecordBatch]
    ) -> Iterator[pa.RecordBatch]:
        """The matches that end in a slice, from all its rows; `begins` are the first own rows of slices."""
        held = [batch for batch in batches if batch.num_rows]
        if not held:
            return
        table = pa.Table.from_batches(held)
        own = begins[table.column(SLICE)[0].as_py()]
        yield from self.matches_from(own, table.drop_columns([SLICE]))

    def matches_from(self, row: int, table: pa.Table) -> Iterator[pa.RecordBatch]:
        """The matches in a stream without keys that end at the row of this number, or later."""
        check_stream(table, (), self.schema)
        for batch in self._matches_in(table):
            yield batch.filter(pc.greater_equal(batch.column("end"), pa.scalar(row, pa.int64())))

    def _matches_in(self, table: pa.Table) -> Iterator[pa.RecordBatch]:
        rows = table.column(ROW).combine_chunks()
        for found in found_together(self.patterns, table, self.options.limits).values():
            yield from self._written(found, rows)

    def _written(self, found: Matches, rows: pa.Array[Any]) -> Iterator[pa.RecordBatch]:
        left = None if self.keys else self.first
        for batch in found.to_batches(left or MATCHES_AT_ONCE, events=self.options.events):
            yield with_keys(written(batch, rows), self.result).slice(0, left)
            left = None if left is None else max(left - batch.num_rows, 0)
            if left == 0:
                break


def sent_by(compiled: CompiledPattern) -> tuple[str, ...]:
    """The attributes by which rows are sent to tasks; none where sub-streams depend on one another."""
    return () if compiled.consumes_across else compiled.pattern.partition_by


def _narrowed(schema: Schema, names: Iterable[str]) -> Schema:
    kept = set(names)
    declared = tuple(a for a in schema.attributes if a.name in kept)
    return Schema(declared, schema.event_type if schema.event_type in kept else None, schema.time)


def written(batch: pa.RecordBatch, rows: pa.Array[Any]) -> pa.RecordBatch:
    """A batch of matches with row numbers as positions, in the types that Spark writes."""
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    positions = columns["positions"]
    for name in ("start", "end"):
        columns[name] = rows.take(_places(columns[name]))
    if isinstance(positions, pa.ListArray):
        columns["positions"] = pa.ListArray.from_arrays(
            positions.offsets, rows.take(_places(positions.values))
        )
    ready = [column.cast(_spark_arrow(column.type)) for column in columns.values()]
    return pa.record_batch(ready, names=batch.schema.names)


def with_keys(batch: pa.RecordBatch, result: pa.Schema) -> pa.RecordBatch:
    """A batch of matches with the key that `result` has: null where a pattern is not partitioned by it."""
    if "key" not in result.names:
        return batch
    place = result.get_field_index("key")
    wanted: Any = _spark_arrow(result.field(place).type)
    own: Any = batch.column("key") if "key" in batch.schema.names else None
    if own is None:
        return batch.add_column(place, "key", nothing(batch.num_rows, wanted))
    known = {field.name for field in own.type}
    parts = [own.field(f.name) if f.name in known else nothing(len(own), f.type) for f in wanted]
    return batch.set_column(place, "key", pa.StructArray.from_arrays(parts, fields=list(wanted)))


def _places(column: pa.Array[Any]) -> npt.NDArray[np.int64]:
    return np.asarray(column.to_numpy(), dtype=np.int64)


def _spark_arrow(kind: pa.DataType) -> pa.DataType:
    """The Arrow type in which Spark takes a column: timestamps in microseconds, or whole nanoseconds."""
    if isinstance(kind, pa.TimestampType):
        return pa.int64() if kind.unit == "ns" else pa.timestamp("us", tz="UTC")
    if isinstance(kind, pa.ListType):
        return pa.list_(_spark_arrow(kind.value_type))
    if isinstance(kind, pa.StructType):
        return pa.struct([pa.field(field.name, _spark_arrow(field.type)) for field in kind])
    return kind


def matches_of(events: DataFrame, task: Task, cuts: Cuts | None = None) -> DataFrame:
    """The matches of patterns in events, lazily.

    Parameters
    ----------
    events : DataFrame
        ``#row`` and the attributes of the task, as `mnemata.pipeline.sources.Stream.rows` returns them,
        without faulty rows.
    task : Task
        The patterns and how to recognise them.
    cuts : Cuts, optional
        Where to cut a stream without keys; by default it stays whole.
    """
    parts = task.by_keys()
    if len(parts) > 1:
        return united([matches_of(events, part, cuts) for part in parts])
    schema, keys = task.schema, task.keys
    needed = events.select(quoted(ROW), *map(quoted, task.columns))
    if cuts is not None and not keys:
        in_slice = partial(task.matches_of_slice, cuts.begins)
        return in_slices(needed, cuts).mapInArrow(reported(in_slice), task.spark_result)
    placed = _by_key(needed, schema, keys, task.options.partitions) if keys else needed.repartition(1)
    order = [*keys, *([schema.time] if task.options.sort and schema.time else []), ROW]
    ready = placed.sortWithinPartitions(*map(quoted, order))
    return ready.mapInArrow(reported(task.matches), task.spark_result)


def united(tables: Sequence[DataFrame]) -> DataFrame:
    """The rows of all tables, which have the same columns; there is at least one."""
    return reduce(DataFrame.union, tables)


def _by_key(events: DataFrame, schema: Schema, keys: tuple[str, ...], partitions: int | None) -> DataFrame:
    number = partitions or 2 * events.sparkSession.sparkContext.defaultParallelism
    # Spark takes 0.0 and -0.0 for one key, as the definitions do; NaN is missing and gone by now.
    return events.where(has_key(schema, keys)).repartition(number, *map(quoted, keys))


def has_key(schema: Schema, keys: tuple[str, ...]) -> Column:
    """Whether an event belongs to a sub-stream: no part of its key is missing."""
    found = F.lit(True)
    for key in keys:
        found = found & quoted(key).isNotNull()
        if isinstance(schema[key], Float64):
            found = found & ~F.isnan(quoted(key))
    return found
