"""Two ways for events to reach the workers that recognise: as rows through Spark, or as columns from files.

Through Spark each row becomes an object of the Java machine on its way, is checked there, and sent to where
it belongs. Where Parquet files say that every row is an event, workers read the columns of their slices by
themselves; Spark plans the work and takes the matches. With keys, slices must be bounded by time, and the
whole stream be in its order: then nothing has to be sent to where its key belongs, and a key with most of the
events is no burden to one worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from mnemata.automata.compilation import CompiledPattern
from mnemata.pipeline.failures import reported, translated
from mnemata.pipeline.pushdown import that_matter
from mnemata.pipeline.quarantine import Tallied, events_of, tallied
from mnemata.pipeline.recognition import Task, matches_of
from mnemata.pipeline.slicing import Cuts, inside_windows
from mnemata.pipeline.sources.row_groups import RowGroups
from mnemata.theory.schema import Schema

ROWS_TO_SURVEY: Final = 8_000_000
_SURVEY: Final = "ordered boolean, without_key bigint"


class Reading(Protocol):
    """A stream on its way to recognition."""

    @property
    def task(self) -> Task:
        """What to find."""

    def finding(self, patterns: Iterable[CompiledPattern]) -> Reading:
        """The same for some of the patterns."""

    def tallied(self) -> Tallied:
        """How many rows are what."""

    def inside(self, begins: Sequence[int], ticks: int) -> list[int]:
        """For each of these rows the first one that is less than so many ticks before it."""

    def matches(self, cuts: Cuts | None) -> DataFrame:
        """The matches, lazily; a stream may be cut."""


@dataclass(frozen=True, slots=True)
class RowsReading:
    """A stream as rows through Spark.

    Parameters
    ----------
    rows : DataFrame
        As `mnemata.pipeline.sources.Stream.rows` returns them, for the columns of the task.
    schema : Schema
        Of the stream.
    task : Task
        What to find.
    in_order : bool
        Whether its events are known to be in the order of time.
    """

    rows: DataFrame
    schema: Schema
    task: Task
    in_order: bool = False

    def finding(self, patterns: Iterable[CompiledPattern]) -> RowsReading:
        """See `Reading`."""
        return replace(self, task=self.task.only(patterns))

    def tallied(self) -> Tallied:
        """Count rows in one pass over them."""
        return tallied(self.rows, self.schema, self.task.columns, self.task.shown)

    def inside(self, begins: Sequence[int], ticks: int) -> list[int]:
        """See `Reading`; two passes over the times."""
        return inside_windows(events_of(self.rows), self.schema.time or "", begins, ticks)

    def matches(self, cuts: Cuts | None) -> DataFrame:
        """See `Reading`; where their order is no question, only events that matter."""
        events = events_of(self.rows)
        if self.in_order or self.task.options.sort or self.task.schema.time is None:
            events = that_matter(events, self.task)
        return matches_of(events, self.task, cuts)


@dataclass(frozen=True, slots=True)
class ColumnsReading:
    """A stream as columns of Parquet files in which every row is an event.

    Parameters
    ----------
    spark : SparkSession
        Where workers run.
    groups : RowGroups
        The files.
    task : Task
        What to find.
    without_key : int
        How many events belong to no sub-stream.
    """

    spark: SparkSession
    groups: RowGroups
    task: Task
    without_key: int = 0

    def finding(self, patterns: Iterable[CompiledPattern]) -> ColumnsReading:
        """See `Reading`."""
        return replace(self, task=self.task.only(patterns))

    def tallied(self) -> Tallied:
        """What the files say of themselves."""
        missing = {name: self.groups.missing[name] for name in self.task.columns}
        lacking = {name: number for name, number in missing.items() if number}
        return Tallied(self.groups.rows, {}, self.without_key, lacking)

    def inside(self, begins: Sequence[int], ticks: int) -> list[int]:
        """See `Reading`; reads the times around these rows."""
        return [self.groups.first_inside(begin, ticks) for begin in begins]

    def matches(self, cuts: Cuts | None) -> DataFrame:
        """See `Reading`; each slice is a task."""
        ready = Cuts((0,), (0,)) if cuts is None else cuts
        numbers = self.spark.range(0, ready.slices, 1, ready.slices)
        found = partial(_in_slices, self.groups, self.task, ready)
        return numbers.mapInArrow(reported(found), self.task.spark_result)


class Survey(NamedTuple):
    """What is to be known of a stream with keys.

    Parameters
    ----------
    ordered : bool
        Whether all events are in the order of time, not only those of each key.
    without_key : int
        How many events belong to no sub-stream.
    """

    ordered: bool
    without_key: int


def surveyed(spark: SparkSession, groups: RowGroups, keys: tuple[str, ...]) -> Survey:
    """Look at the times and keys of all events."""
    parts = -(-groups.rows // ROWS_TO_SURVEY)
    found = partial(_surveyed, groups, keys, parts)
    with translated():
        rows = spark.range(0, parts, 1, parts).mapInArrow(reported(found), _SURVEY).collect()
    return Survey(all(row["ordered"] for row in rows), sum(row["without_key"] for row in rows))


def _in_slices(
    groups: RowGroups, task: Task, cuts: Cuts, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    ends = (*cuts.begins[1:], groups.rows)
    for number in _numbers(batches):
        # One task alone has all processors of its machine.
        table = groups.read(cuts.firsts[number], ends[number], task.columns, threads=cuts.slices == 1)
        yield from task.matches_from(cuts.begins[number], table)


def _surveyed(
    groups: RowGroups, keys: tuple[str, ...], parts: int, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Whether rows are in the order of time, the one before them included; and how many have no key."""
    time = groups.schema.time
    for number in _numbers(batches):
        begin, end = groups.rows * number // parts, groups.rows * (number + 1) // parts
        table = groups.read(max(0, begin - 1), end, dict.fromkeys([*keys, *([time] if time else [])]))
        times = np.zeros(0, np.int64) if time is None else table.column(time).to_numpy()
        own = table.slice(min(1, begin))
        lacking = np.zeros(own.num_rows, np.bool_)
        for key in keys:
            lacking |= own.column(key).is_null(nan_is_null=True).to_numpy()
        ordered = bool((times[1:] >= times[:-1]).all())
        row = {"ordered": ordered, "without_key": int(lacking.sum())}
        yield pa.RecordBatch.from_pylist([row])


def _numbers(batches: Iterable[pa.RecordBatch]) -> Iterator[int]:
    for batch in batches:
        yield from (int(number) for number in batch.column("id").to_numpy())
