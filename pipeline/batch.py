"""A whole run: stream in, matches and quarantine out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import LongType

from mnemata.automata.engine.reach import Reach, reach
from mnemata.pipeline.progress import Watch
from mnemata.pipeline.quarantine import Tallied, quarantine_of
from mnemata.pipeline.reading import ColumnsReading, Reading, RowsReading
from mnemata.pipeline.recognition import Task
from mnemata.pipeline.sinks import Draft, Sink, draft
from mnemata.pipeline.slicing import Cuts, cuts_of, number_of_slices
from mnemata.pipeline.sources import Stream
from mnemata.pipeline.sources.frames import quoted
from mnemata.pipeline.summary import Longest, Summary
from mnemata.theory.errors import StreamError, UnsupportedError

_ORDER: Final = ("end", "start", "positions")


@dataclass(frozen=True, slots=True)
class Batch:
    """A run over a finite stream.

    Parameters
    ----------
    stream : Stream
        Where events come from.
    task : Task
        What to find in them, compiled for the stream's schema.
    matches, quarantine : Sink
        Where matches and faulty rows go.
    """

    stream: Stream
    task: Task
    matches: Sink
    quarantine: Sink

    def run(self, watch: Watch, started: float | None = None) -> Summary:
        """Recognise and write everything.

        Parameters
        ----------
        watch : Watch
            Shows how far it is.
        started : float, optional
            When the run began (`time.monotonic`); by default now.

        Raises
        ------
        StreamError
            A sub-stream is out of order, or not a single row is an event; then the rows are in the
            quarantine and there is no table of matches.
        SourceError
            Something cannot be read or written.
        MnemataError
            What recognition raises.
        """
        begun = time.monotonic() if started is None else started
        pattern = self.task.compiled.pattern
        with kept(self.stream.rows(self.task.columns), self.stream.costly) as rows, ExitStack() as drafts:
            with watch.phase("Reading and checking rows", rows.sparkSession):
                reading = self._reading(rows)
                counts = reading.tallied()
            bad = drafts.enter_context(draft(self.quarantine))
            if counts.faulty:
                with watch.phase("Writing the quarantine", rows.sparkSession):
                    bad.write(_sorted(quarantine_of(rows), self.quarantine, "row"))
            self._check(counts, bad)
            found = drafts.enter_context(draft(self.matches))
            cuts, whole = self._cuts(reading, counts, rows.sparkSession, watch)
            with watch.phase("Recognising and writing matches", rows.sparkSession):
                number, longest = self._write(reading.matches(cuts), found)
            bad.publish()
            found.publish()
        where = self.quarantine.path if counts.faulty else None
        taken = time.monotonic() - begun
        return Summary(
            pattern.name,
            counts,
            number,
            longest,
            taken,
            self.matches.path,
            where,
            self.stream.left_out,
            1 if cuts is None else cuts.slices,
            whole,
        )

    def _check(self, counts: Tallied, bad: Draft) -> None:
        if counts.events or not counts.faulty:
            return
        bad.publish()
        reason, number = next(iter(counts.faulty.items()))
        raise StreamError(
            f"none of the {counts.rows:,} rows is an event: {reason} in {number:,} of them; "
            f"they are in {self.quarantine.path}"
        )

    def _reading(self, rows: DataFrame) -> Reading:
        """Through Spark, or without it where the files say that every row is an event."""
        through = RowsReading(rows, self.stream.schema, self.task)
        groups = self.stream.groups
        if groups is None or self.task.options.sort or (self._keys and self._bounding() is None):
            return through
        return ColumnsReading.of(rows.sparkSession, groups, self.task) or through

    def _cuts(
        self, reading: Reading, counts: Tallied, spark: SparkSession, watch: Watch
    ) -> tuple[Cuts | None, str | None]:
        """Where a stream is cut; or why it is recognised as a whole, if it might be cut."""
        options = self.task.options
        slices = number_of_slices(counts.rows, spark.sparkContext.defaultParallelism, options.partitions)
        if slices == 1 or (self._keys and isinstance(reading, RowsReading)):
            return None, None
        if options.sort:
            return None, "it is to be sorted"
        try:
            back = reach(self.task.compiled)
        except UnsupportedError as error:
            return None, str(error)
        with watch.phase("Cutting the stream", spark):
            bounds = self._bounding() or back
            found = cuts_of(counts.rows, counts.rows - counts.events, bounds, slices, reading.inside)
        return (found, None) if found.slices > 1 else (None, "its windows reach over most of it")

    @property
    def _keys(self) -> tuple[str, ...]:
        return self.task.keys

    def _bounding(self) -> Reach | None:
        """For a stream with keys: how far back in time matches reach, as events of other keys lie between."""
        try:
            found = reach(self.task.compiled)
        except UnsupportedError:
            return None
        return Reach(None, found.ticks) if self._keys and found.ticks is not None else None

    def _write(self, matches: DataFrame, found: Draft) -> tuple[int, Longest | None]:
        table = _sorted(matches, self.matches, *_ORDER)
        seen = Observation()
        found.write(table.observe(seen, F.count(F.lit(1)).alias("number"), _longest(table).alias("longest")))
        numbers: dict[str, Any] = seen.get
        longest = numbers["longest"]
        return numbers["number"], None if longest is None else Longest(
            longest[0], longest[2], longest[3], longest[1]
        )


def _sorted(table: DataFrame, target: Sink, *order: str) -> DataFrame:
    """A table that becomes one file, in order; one that becomes many files, as it is."""
    return table.repartition(1).sortWithinPartitions(*order) if target.single else table


def _longest(matches: DataFrame) -> Column:
    """The fields of `Longest`, of the longest match."""
    span = F.lit(None).cast("bigint")
    if "end_time" in matches.columns:
        # Timestamps in nanoseconds are whole ticks, see `mnemata.pipeline.spark_schema.spark_type`.
        whole = isinstance(matches.schema["end_time"].dataType, LongType)
        start, end = (quoted(n) if whole else F.unix_micros(n) for n in ("start_time", "end_time"))
        span = (end - start) * (1 if whole else 1000)
    return F.max(F.struct(F.size("positions"), span, quoted("start"), quoted("end")))


@contextmanager
def kept(rows: DataFrame, costly: bool) -> Iterator[DataFrame]:
    """`rows`, held in memory and on disk while they are used if computing them twice would be costly."""
    if not costly:
        yield rows
        return
    held = rows.persist(StorageLevel.MEMORY_AND_DISK)
    try:
        yield held
    finally:
        held.unpersist()
