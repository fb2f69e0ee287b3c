"""A whole run: stream in, matches and quarantine out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import LongType

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.engine.reach import Reach, reach
from mnemata.pipeline.progress import Watch
from mnemata.pipeline.quarantine import Tallied, quarantine_of
from mnemata.pipeline.reading import ColumnsReading, Reading, RowsReading, Survey, surveyed
from mnemata.pipeline.recognition import Task, sent_by, united
from mnemata.pipeline.sinks import Draft, Sink, draft
from mnemata.pipeline.slicing import Cuts, cuts_of, number_of_slices
from mnemata.pipeline.sources import Stream
from mnemata.pipeline.sources.frames import quoted
from mnemata.pipeline.summary import Found, Longest, Summary
from mnemata.theory.errors import StreamError, UnsupportedError

_ORDER: Final = ("end", "start", "positions", "pattern")


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
        with kept(self.stream.rows(self.task.columns), self.stream.costly) as rows, ExitStack() as drafts:
            with watch.phase("Reading and checking rows", rows.sparkSession):
                readings = self._readings(rows)
                counts = self._tallied(rows, readings)
            bad = drafts.enter_context(draft(self.quarantine))
            if counts.faulty:
                with watch.phase("Writing the quarantine", rows.sparkSession):
                    bad.write(_sorted(quarantine_of(rows), self.quarantine, "row"))
            self._check(counts, bad)
            found = drafts.enter_context(draft(self.matches))
            passes = [one for reading in readings for one in self._passes(reading, counts, rows, watch)]
            with watch.phase("Recognising and writing matches", rows.sparkSession):
                numbers = self._write(united([one.reading.matches(one.cuts) for one in passes]), found)
            bad.publish()
            found.publish()
        where = self.quarantine.path if counts.faulty else None
        taken = time.monotonic() - begun
        return Summary(
            numbers,
            counts,
            taken,
            self.matches.path,
            where,
            self.stream.left_out,
            max(1 if one.cuts is None else one.cuts.slices for one in passes),
            "; ".join(dict.fromkeys(one.whole for one in passes if one.whole)) or None,
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

    def _readings(self, rows: DataFrame) -> list[Reading]:
        """Ways of the patterns: without Spark where files say that every row is an event, else through it.

        With keys, only where the whole stream is in the order of time and windows bound how far back it
        matters.
        """
        through = RowsReading(rows, self.stream.schema, self.task)
        groups, patterns, keys = self.stream.groups, self.task.patterns, self.task.shown
        if groups is None or self.task.options.sort:
            return [through]
        survey = surveyed(rows.sparkSession, groups, keys) if keys else Survey(True, 0)
        through = replace(through, in_order=survey.ordered)
        alone = [one for one in patterns if not one.pattern.partition_by]
        bounded = [one for one in patterns if not sent_by(one) or _reach_in_time(one) is not None]
        able = bounded if survey.ordered else alone
        columns = ColumnsReading(rows.sparkSession, groups, self.task.only(able), survey.without_key)
        if len(able) == len(patterns):
            return [columns]
        others = through.finding(one for one in patterns if one not in able)
        return [columns, others] if able else [others]

    def _tallied(self, rows: DataFrame, readings: list[Reading]) -> Tallied:
        if isinstance(readings[0], ColumnsReading):
            return readings[0].tallied()
        return RowsReading(rows, self.stream.schema, self.task).tallied()

    def _passes(self, reading: Reading, counts: Tallied, rows: DataFrame, watch: Watch) -> Iterator[_Pass]:
        """Which patterns are recognised in one pass each, and where the stream is cut for them."""
        if isinstance(reading, ColumnsReading):
            yield from self._cut(reading, counts, rows, watch)
            return
        for part in reading.task.by_keys():
            one = reading.finding(part.patterns)
            yield from [_Pass(one)] if part.keys else self._cut(one, counts, rows, watch)

    def _cut(self, reading: Reading, counts: Tallied, rows: DataFrame, watch: Watch) -> list[_Pass]:
        """A pass over slices for patterns that allow it, and one over the whole stream for the others."""
        options, cores = self.task.options, rows.sparkSession.sparkContext.defaultParallelism
        slices = number_of_slices(counts.rows, cores, options.partitions)
        if slices == 1:
            return [_Pass(reading)]
        if options.sort:
            return [_Pass(reading, whole="it is to be sorted")]
        reaches, reasons = dict[CompiledPattern, Reach](), dict[CompiledPattern, str]()
        for one in reading.task.patterns:
            try:
                reaches[one] = (_reach_in_time(one) if sent_by(one) else None) or reach(one)
            except UnsupportedError as error:
                reasons[one] = str(error)
        whole = list(reasons.values())
        if reaches:
            faulty = counts.rows - counts.events
            with watch.phase("Cutting the stream", rows.sparkSession):
                cuts = cuts_of(counts.rows, faulty, reaches.values(), slices, reading.inside)
            if cuts.slices == 1:
                return [_Pass(reading, whole="; ".join([*whole, "its windows reach over most of it"]))]
            able = [_Pass(reading.finding(reaches), cuts)]
            return able + ([_Pass(reading.finding(reasons), whole="; ".join(whole))] if reasons else [])
        return [_Pass(reading, whole="; ".join(whole))]

    def _write(self, matches: DataFrame, found: Draft) -> tuple[Found, ...]:
        table = _sorted(matches, self.matches, *_ORDER)
        names = [one.pattern.name for one in self.task.patterns]
        seen = Observation()
        found.write(table.observe(seen, *_numbers(table, names)))
        numbers: dict[str, Any] = seen.get
        return tuple(
            Found(name, numbers[f"number {place}"], _as_longest(numbers[f"longest {place}"]))
            for place, name in enumerate(names)
        )


@dataclass(frozen=True, slots=True)
class _Pass:
    """One pass over the stream; `whole` says why it is not cut, where that might have been quicker."""

    reading: Reading
    cuts: Cuts | None = None
    whole: str | None = None


def _reach_in_time(compiled: CompiledPattern) -> Reach | None:
    """How far back in time the matches of a pattern with keys reach, as events of other keys lie between."""
    try:
        found = reach(compiled)
    except UnsupportedError:
        return None
    return None if found.ticks is None else Reach(None, found.ticks)


def _sorted(table: DataFrame, target: Sink, *order: str) -> DataFrame:
    """A table that becomes one file, in order; one that becomes many files, as it is."""
    return table.repartition(1).sortWithinPartitions(*order) if target.single else table


def _numbers(matches: DataFrame, names: Sequence[str]) -> Iterator[Column]:
    """For each pattern the number of its matches, and the fields of `Longest` of the longest one."""
    span = F.lit(None).cast("bigint")
    if "end_time" in matches.columns:
        # Timestamps in nanoseconds are whole ticks, see `mnemata.pipeline.spark_schema.spark_type`.
        whole = isinstance(matches.schema["end_time"].dataType, LongType)
        start, end = (quoted(n) if whole else F.unix_micros(n) for n in ("start_time", "end_time"))
        span = (end - start) * (1 if whole else 1000)
    fields = F.struct(F.size("positions"), span, quoted("start"), quoted("end"))
    for place, name in enumerate(names):
        own = quoted("pattern") == F.lit(name)
        yield F.count_if(own).alias(f"number {place}")
        yield F.max(F.when(own, fields)).alias(f"longest {place}")


def _as_longest(fields: Any) -> Longest | None:
    return None if fields is None else Longest(fields[0], fields[2], fields[3], fields[1])


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
