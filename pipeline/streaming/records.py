"""The records of a topic of Kafka as a source of Spark's Structured Streaming.

Each record holds a row as text. The number of a row is the offset of its record, which counts the records
of a partition; partition p begins at p times 2^40. So a row has the same number however often it is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from mnemata.pipeline.failures import packed
from mnemata.pipeline.sources.event_text import EventText
from mnemata.pipeline.sources.formats import RowReader, TextFormat
from mnemata.pipeline.sources.json_text import JsonText
from mnemata.pipeline.spark_schema import written_schema
from mnemata.pipeline.streaming.topics import SECONDS, Topic
from mnemata.theory.errors import EnvironmentProblem, SchemaError, SourceError, suggestion
from mnemata.theory.schema import Schema

if TYPE_CHECKING:
    from confluent_kafka import Consumer, Message

NAME: Final = "mnemata-kafka"
FORMATS: Final = ("json", "stream")
OFFSETS: Final = 1 << 40
"""More than a partition ever has."""

_AT_ONCE: Final = 10_000
_MOST_WAITS: Final = 6


@dataclass(frozen=True, slots=True)
class Records:
    """A topic as a stream.

    Parameters
    ----------
    topic : Topic
        Which one.
    schema : Schema
        The attributes of events.
    format : str
        How records are written: one of `FORMATS`.
    missing : tuple of str
        What stands for a missing value in the format ``stream``.
    at_once : int, optional
        How many records a micro-batch takes at most; by default all that are there.
    """

    topic: Topic
    schema: Schema
    format: str
    missing: tuple[str, ...] = ()
    at_once: int | None = None

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            hint = suggestion(self.format, FORMATS)
            raise SourceError(f"records of Kafka are not read as '{self.format}'; use json or stream.{hint}")

    @property
    def reader(self) -> RowReader:
        """How records are read."""
        text: TextFormat = JsonText()
        if self.format == "stream":
            text = EventText(self.schema.event_type or "type", frozenset(self.missing))
        return RowReader(text, self.schema, self.schema.names)

    def check(self) -> None:
        """Raise unless the topic is there and its events have an order."""
        partitions = self.topic.partitions()
        if len(partitions) > 1 and self.schema.time is None:
            raise SchemaError(
                f"the topic '{self.topic.name}' has {len(partitions)} partitions, and no attribute orders "
                "what comes from them; name it with --time ATTR[:UNIT], or use a topic with one partition"
            )

    def rows(self, spark: SparkSession) -> DataFrame:
        """All rows to come, sound and faulty; see `mnemata.pipeline.sources.Stream.rows`."""
        spark.dataSource.register(RecordSource)
        return spark.readStream.format(NAME).option("records", self.to_json()).load()

    def to_json(self) -> str:
        """What workers need to know, as text."""
        return json.dumps(
            {
                "topic": self.topic.to_json(),
                "schema": self.schema.to_json(),
                "format": self.format,
                "missing": self.missing,
                "at_once": self.at_once,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Records:
        """What `to_json` told of."""
        read: dict[str, Any] = json.loads(text)
        topic, schema = Topic.from_json(read["topic"]), Schema.from_json(read["schema"])
        return cls(topic, schema, read["format"], tuple(read["missing"]), read["at_once"])


class RecordSource(DataSource):
    """The topic as Spark knows it."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._records = Records.from_json(options["records"])

    @classmethod
    def name(cls) -> str:
        return NAME

    def schema(self) -> StructType:
        return written_schema(self._records.reader.arrow_schema)

    def streamReader(self, schema: StructType) -> RecordReader:  # noqa: N802 - Spark's name
        return RecordReader(self._records)


@dataclass(frozen=True, slots=True)
class Span:
    """Records of a partition, from one offset up to and without another."""

    partition: int
    start: int
    end: int


class _Part(InputPartition):
    """A span to read."""

    def __init__(self, span: Span) -> None:
        super().__init__((span.partition, span.start, span.end))


class RecordReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Offsets and rows of a topic; an offset maps partitions to the offsets of their next records.

    Parameters
    ----------
    records : Records
        Which ones.
    """

    def __init__(self, records: Records) -> None:
        self._records = records
        self._last: dict[str, int] | None = None

    def initialOffset(self) -> dict[str, int]:  # noqa: N802
        with packed():
            return self._bounds()[0]

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        most = self._records.at_once
        return ReadAllAvailable() if most is None else ReadMaxRows(most)

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        with packed():
            self._last = self._bounds()[1]

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:  # noqa: N802
        with packed():
            ends = self._bounds()[1] if self._last is None else self._last
            return within(start, ends, limit.max_rows if isinstance(limit, ReadMaxRows) else None)

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[InputPartition]:
        spans = (Span(int(name), start.get(name, 0), last) for name, last in end.items())
        return [_Part(span) for span in spans if span.start < span.end]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        with packed():
            yield from self._read(Span(*partition.value))

    def _bounds(self) -> tuple[dict[str, int], dict[str, int]]:
        """The offsets of the first records that are kept, and of the next ones that will be written."""
        topic = self._records.topic
        return topic.offsets(latest=False), topic.offsets(latest=True)

    def _read(self, span: Span) -> Iterator[pa.RecordBatch]:
        reader = self._records.reader
        for some in self._messages(span):
            lines = pa.array([message.value() or b"" for message in some], pa.binary())
            numbers = [span.partition * OFFSETS + (message.offset() or 0) for message in some]
            yield reader.read(lines, pa.array(numbers, pa.int64()))

    def _messages(self, span: Span) -> Iterator[list[Message]]:
        from confluent_kafka import TopicPartition

        topic = self._records.topic
        with topic.consumer() as consumer, topic.explained():
            consumer.assign([TopicPartition(topic.name, span.partition, span.start)])
            following, waits = span.start, 0
            while following < span.end:
                some, ended = self._some(consumer, span, span.end - following)
                waits = 0 if some else waits + 1
                if waits >= _MOST_WAITS:
                    raise EnvironmentProblem(
                        f"no record came from the topic '{topic.name}' at {topic.brokers} within "
                        f"{SECONDS * _MOST_WAITS:.0f} s; see that its brokers run"
                    )
                kept = [message for message in some if (message.offset() or 0) < span.end]
                if kept:
                    yield kept
                if ended or len(kept) < len(some):
                    return
                following = (some[-1].offset() or 0) + 1 if some else following

    def _some(self, consumer: Consumer, span: Span, most: int) -> tuple[list[Message], bool]:
        """Some records, and whether none of those behind them, if there are offsets left, is one to read."""
        from confluent_kafka import KafkaError

        found: list[Message] = []
        ended = False
        for message in consumer.consume(min(most, _AT_ONCE), timeout=SECONDS):
            error = message.error()
            if error is None:
                found.append(message)
            elif error.code() == KafkaError._PARTITION_EOF:
                ended = (message.offset() or 0) >= span.end
            elif error.code() == KafkaError._AUTO_OFFSET_RESET:
                raise SourceError(
                    f"records of the topic '{self._records.topic.name}' were deleted before they were read, "
                    f"from offset {span.start:,} of partition {span.partition} on; begin anew with another "
                    "checkpoint and another sink"
                )
            else:
                raise EnvironmentProblem(f"Kafka at {self._records.topic.brokers} fails: {error.str()}")
        return found, ended


def within(start: dict[str, int], ends: dict[str, int], most: int | None) -> dict[str, int]:
    """The offsets up to which to read, each partition its share when there are more records than `most`.

    >>> within({"0": 0, "1": 5}, {"0": 30, "1": 15}, 20)
    {'0': 15, '1': 10}
    """
    there = {name: max(end - start.get(name, 0), 0) for name, end in ends.items()}
    total = sum(there.values())
    share = 1.0 if most is None or total <= most else most / total
    # At least one of each, so that none waits for ever.
    taken = {name: min(size, max(1, int(size * share))) for name, size in there.items()}
    return {name: start.get(name, 0) + taken[name] for name in ends}
