"""Two ways for events to reach the workers that recognise: as rows through Spark, or as columns from files.

Through Spark each row becomes an object of the Java machine on its way, is checked there, and sent to where
it belongs. Where Parquet files say that every row is an event, and the stream has no keys, workers read the
columns of their slices by themselves; Spark plans the work and takes the matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from mnemata.pipeline.failures import reported
from mnemata.pipeline.quarantine import Tallied, events_of, tallied
from mnemata.pipeline.recognition import Task, matches_of
from mnemata.pipeline.slicing import Cuts, inside_windows
from mnemata.pipeline.sources.row_groups import RowGroups
from mnemata.theory.schema import Schema


class Reading(Protocol):
    """A stream on its way to recognition."""

    def tallied(self) -> Tallied:
        """How many rows are what."""

    def inside(self, begins: Sequence[int], ticks: int) -> list[int]:
        """For each of these rows the first one that is less than so many ticks before it."""

    def matches(self, cuts: Cuts | None) -> DataFrame:
        """The matches, lazily; a stream without keys may be cut."""


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
    """

    rows: DataFrame
    schema: Schema
    task: Task

    def tallied(self) -> Tallied:
        """Count rows in one pass over them."""
        return tallied(self.rows, self.schema, self.task.columns, self.task.compiled.pattern.partition_by)

    def inside(self, begins: Sequence[int], ticks: int) -> list[int]:
        """See `Reading`; two passes over the times."""
        return inside_windows(events_of(self.rows), self.schema.time or "", begins, ticks)

    def matches(self, cuts: Cuts | None) -> DataFrame:
        """See `Reading`."""
        return matches_of(events_of(self.rows), self.task, cuts)


@dataclass(frozen=True, slots=True)
class ColumnsReading:
    """A stream without keys as columns of Parquet files in which every row is an event.

    Parameters
    ----------
    spark : SparkSession
        Where workers run.
    groups : RowGroups
        The files.
    task : Task
        What to find.
    """

    spark: SparkSession
    groups: RowGroups
    task: Task

    def tallied(self) -> Tallied:
        """What the files say of themselves."""
        missing = {name: self.groups.missing[name] for name in self.task.columns}
        return Tallied(self.groups.rows, {}, 0, {name: number for name, number in missing.items() if number})

    def inside(self, begins: Sequence[int], ticks: int) -> list[int]:
        """See `Reading`; reads the times around these rows."""
        return [self.groups.first_inside(begin, ticks) for begin in begins]

    def matches(self, cuts: Cuts | None) -> DataFrame:
        """See `Reading`; each slice is a task."""
        ready = Cuts((0,), (0,)) if cuts is None else cuts
        numbers = self.spark.range(0, ready.slices, 1, ready.slices)
        found = partial(_in_slices, self.groups, self.task, ready)
        return numbers.mapInArrow(reported(found), self.task.spark_result)


def _in_slices(
    groups: RowGroups, task: Task, cuts: Cuts, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    ends = (*cuts.begins[1:], groups.rows)
    for number in (int(number) for batch in batches for number in batch.column("id").to_numpy()):
        table = groups.read(cuts.firsts[number], ends[number], task.columns)
        yield from task.matches_from(cuts.begins[number], table)
