"""A run over a stream that does not end, or that ends for now."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from mnemata.pipeline.failures import translated
from mnemata.pipeline.recognition import Task
from mnemata.pipeline.streaming.checkpoint import Checkpoint, Identity
from mnemata.pipeline.streaming.operator import outcome
from mnemata.pipeline.streaming.parcels import Parcels
from mnemata.pipeline.streaming.publishing import Destination, Publisher
from mnemata.pipeline.streaming.report import Report
from mnemata.theory.schema import Schema

_STATE_STORE: Final = "spark.sql.streaming.stateStore"
_STATE: Final = "org.apache.spark.sql.execution.streaming.state"
SETTINGS: Final[Mapping[str, str]] = {
    f"{_STATE_STORE}.providerClass": f"{_STATE}.RocksDBStateStoreProvider",
    # A batch then writes what it changed rather than all of the state.
    f"{_STATE_STORE}.rocksdb.changelogCheckpointing.enabled": "true",
}
"""What a session is told while a stream begins."""

_SECONDS_BETWEEN_LOOKS: Final = 0.2


class Source(Protocol):
    """Where rows come from."""

    @property
    def schema(self) -> Schema:
        """The attributes of events."""

    @property
    def format(self) -> str | None:
        """How its rows are written, if they are text or files."""

    def rows(self, spark: SparkSession) -> DataFrame:
        """All rows to come, as of `mnemata.pipeline.sources.Stream.rows`."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a stream is read.

    Parameters
    ----------
    once : bool
        Whether to stop when all is read that is there now.
    interval : str, optional
        How long to wait from the beginning of a micro-batch to that of the next, as an interval of Spark; by
        default not at all.
    """

    once: bool = False
    interval: str | None = None

    @property
    def trigger(self) -> dict[str, Any]:
        """What Spark calls it."""
        return {"availableNow": True} if self.once else {"processingTime": self.interval or "0 seconds"}


@dataclass(frozen=True, slots=True)
class Streaming:
    """A stream, what to find in it, and where it goes.

    Parameters
    ----------
    source : Source
        Where events come from.
    task : Task
        What to find, compiled for the source's schema.
    checkpoint : Checkpoint
        Where the stream keeps what it needs to go on.
    identity : Identity
        Its name and the division of its keys.
    matches, quarantine : Destination
        Where tables go.
    delay : str
        By how much an event may come too late, as an interval of Spark.
    pace : Pace
        How fast to read.
    """

    source: Source
    task: Task
    checkpoint: Checkpoint
    identity: Identity
    matches: Destination
    quarantine: Destination
    delay: str
    pace: Pace

    def run(self, spark: SparkSession, told: Callable[[Report], None]) -> None:
        """Run until it ends, if it is to, or until it is interrupted.

        Parameters
        ----------
        spark : SparkSession
            Where to run.
        told : callable
            Gets a report on each micro-batch.

        Raises
        ------
        LimitError, RelationError, SourceError, EnvironmentProblem
            What a worker raises. What was written before stays; the next run goes on behind it.
        """
        totals: dict[int, dict[str, int]] = {}
        with translated(), ExitStack() as ending:
            hush = ending.enter_context(ExitStack())
            hush.enter_context(_hushed(spark))
            with _set(spark, SETTINGS):
                query = self._begin(spark, totals)
            ending.callback(_stop, spark, query)
            for report in _reports(query, totals):
                hush.close()
                told(report)

    def _begin(self, spark: SparkSession, totals: dict[int, dict[str, int]]) -> StreamingQuery:
        keys = self.task.compiled.pattern.partition_by
        parcels = Parcels(self.source.schema, keys, self.identity.groups)
        found = outcome(parcels.packed(self.source.rows(spark)), parcels, self.task, self.delay)
        publisher = Publisher(
            self.identity.stream,
            self.checkpoint,
            self.matches,
            self.quarantine,
            self.task.result,
            totals.__setitem__,
        )
        writer = found.writeStream.foreachBatch(publisher.publish).queryName(f"mnemata {self.identity.name}")
        return writer.option("checkpointLocation", self.checkpoint.spark).trigger(**self.pace.trigger).start()


def _reports(query: StreamingQuery, totals: dict[int, dict[str, int]]) -> Iterator[Report]:
    """A report on each batch that was written, until the query ends; raises what ended it."""
    seen = -1
    while True:
        ended = not query.isActive
        for progress in query.recentProgress:
            number = progress["batchId"]
            if number > seen and number in totals:
                seen = number
                yield Report.of(progress, totals.pop(number))
        if ended:
            query.awaitTermination()
            return
        time.sleep(_SECONDS_BETWEEN_LOOKS)


def _stop(spark: SparkSession, query: StreamingQuery) -> None:
    """Stop a query; in the middle of a batch its thread dies with more noise than news."""
    with _hushed(spark):
        query.stop()


@contextmanager
def _set(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[None]:
    before = {key: spark.conf.get(key, None) for key in settings}
    for key, value in settings.items():
        spark.conf.set(key, value)
    try:
        yield
    finally:
        for key, old in before.items():
            if old is None:
                spark.conf.unset(key)
            else:
                spark.conf.set(key, old)


@contextmanager
def _hushed(spark: SparkSession) -> Iterator[None]:
    """Keep off the console what Java and Spark's helper processes print about their beginning and end.

    Java's log has a way to the console of its own.
    """
    java: Any = spark.sparkContext._jvm.java  # type: ignore[union-attr]
    before = java.lang.System.err
    java.lang.System.setErr(java.io.PrintStream(java.io.OutputStream.nullOutputStream()))
    try:
        yield
    finally:
        java.lang.System.setErr(before)
