"""From what a user wants to a stream that can run: what can be found wrong is found before it runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from mnemata.automata.engine.incremental import Recogniser
from mnemata.pipeline.recognition import RecognitionOptions, Task
from mnemata.pipeline.sinks import SUFFIXES, same_or_inside
from mnemata.pipeline.sources import SourceOptions, check_names, open_stream
from mnemata.pipeline.sources.location import SUFFIXES as FORMATS
from mnemata.pipeline.sources.location import is_remote, local_path, locate
from mnemata.pipeline.sources.options import with_overrides
from mnemata.pipeline.streaming.checkpoint import Checkpoint, Identity
from mnemata.pipeline.streaming.files import FileReader
from mnemata.pipeline.streaming.folder import Folder, check_folder
from mnemata.pipeline.streaming.job import Pace, Source, Streaming
from mnemata.pipeline.streaming.publishing import Shelf
from mnemata.pipeline.streaming.rate import SCHEME, Rate
from mnemata.pipeline.streaming.records import Records
from mnemata.pipeline.streaming.topics import Topic, TopicShelf, is_topic
from mnemata.theory.cel.query import Query
from mnemata.theory.errors import SchemaError, SourceError, StreamError, suggestion
from mnemata.theory.schema import NANOSECONDS, Schema
from mnemata.theory.sremo.expressions import Pattern

GROUPS: Final = 64
_DURATION: Final = re.compile(r"\s*([0-9]+)\s*([a-z]+)\s*")


def milliseconds(text: str) -> int:
    """A length of time in milliseconds, rounded up; raises `StreamError`.

    >>> milliseconds("10 s"), milliseconds("5min"), milliseconds("1 us")
    (10000, 300000, 1)
    """
    found = _DURATION.fullmatch(text)
    if found is None or found[2] not in NANOSECONDS:
        raise StreamError(f"'{text}' is no length of time; write a whole number and {', '.join(NANOSECONDS)}")
    return -(-int(found[1]) * NANOSECONDS[found[2]] // NANOSECONDS["ms"])


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user wants.

    Parameters
    ----------
    text, name : str
        Of the pattern.
    meaning : callable
        The pattern under a schema.
    source : str
        A folder, ``rate:N``, or ``kafka:host:9092/topic``.
    reading : SourceOptions
        How to read it.
    files_at_once : int or None
        How many files a micro-batch takes at most.
    records_at_once : int or None
        How many records of a topic it takes at most.
    client : mapping of str to str
        Settings of the client of Kafka.
    recognising : RecognitionOptions
        How to recognise.
    checkpoint, sink, quarantine : str
        Folders; the second may be a topic.
    sink_format : str
        Of the files in the last two.
    watermark : str or None
        By how much events may come too late.
    groups : int or None
        Into how many groups keys are divided.
    pace : Pace
        How fast to read.
    """

    text: str
    name: str
    meaning: Callable[[Schema], Pattern | Query]
    source: str
    reading: SourceOptions
    files_at_once: int | None
    recognising: RecognitionOptions
    checkpoint: str
    sink: str
    quarantine: str
    sink_format: str
    watermark: str | None
    groups: int | None
    pace: Pace
    records_at_once: int | None = None
    client: Mapping[str, str] = field(default_factory=dict)

    def check(self) -> None:
        """Raise what can be found wrong before Spark starts."""
        self._check_places()
        if self.watermark is not None:
            milliseconds(self.watermark)
        known = self.kept.identity()
        schema = Rate.parse(self.source).schema if self._is_rate else self._declared(known)
        if schema is not None:
            self._task(schema, known)
        if is_topic(self.source):
            self._records(known).check()
        if is_topic(self.sink):
            Topic.parse(self.sink, self.client).partitions()

    def prepared(self, spark: SparkSession) -> Streaming:
        """The stream, ready to run: its checkpoint and folders are there."""
        known = self.kept.identity()
        source = self._source(spark, known)
        check_names(spark, source.schema)
        task, identity = self._task(source.schema, known, source.format)
        streaming = Streaming(
            source,
            task,
            self.kept,
            identity,
            TopicShelf(Topic.parse(self.sink, self.client))
            if is_topic(self.sink)
            else Shelf(self.sink, self.sink_format),
            Shelf(self.quarantine, self.sink_format),
            f"{milliseconds(self.watermark or '0 s')} milliseconds",
            self.pace,
        )
        for destination in (streaming.matches, streaming.quarantine):
            destination.prepare(identity.stream, begins=known is None)
        if known is None:
            self.kept.begin(identity)
        return streaming

    @property
    def kept(self) -> Checkpoint:
        """The checkpoint."""
        return Checkpoint(Path(local_path(self.checkpoint)).absolute())

    @property
    def _is_rate(self) -> bool:
        return self.source.partition(":")[0] == SCHEME

    @property
    def _reads_folder(self) -> bool:
        return not self._is_rate and not is_topic(self.source)

    def _check_places(self) -> None:
        places = {"checkpoint": self.checkpoint, "sink": self.sink, "quarantine": self.quarantine}
        if is_topic(self.sink):
            del places["sink"]
        for what, place in places.items():
            if is_remote(place):
                raise SourceError(
                    f"the {what} '{place}' is not on this machine; choose a folder that is mounted"
                )
            if self._reads_folder and same_or_inside(Path(local_path(place)), Path(local_path(self.source))):
                raise SourceError(f"the {what} '{place}' lies where the stream is read from; choose another")
        if len({Path(local_path(place)).resolve() for place in places.values()}) < len(places):
            raise SourceError("checkpoint, sink and quarantine are three folders; choose different ones")
        if self.sink_format not in SUFFIXES:
            hint = suggestion(self.sink_format, SUFFIXES)
            raise SourceError(f"unknown format '{self.sink_format}'; use {', '.join(SUFFIXES)}.{hint}")
        if self._reads_folder:
            check_folder(self.source)

    def _declared(self, known: Identity | None) -> Schema | None:
        """The schema, if it need not be derived from the files."""
        if self.reading.schema is not None:
            return with_overrides(self.reading.schema, self.reading)
        return None if known is None else with_overrides(Schema.from_json(known.schema), self.reading)

    def _source(self, spark: SparkSession, known: Identity | None) -> Source:
        if self._is_rate:
            return Rate.parse(self.source)
        if is_topic(self.source):
            return self._records(known)
        format = self.reading.format or (known.format if known is not None else None)
        if format is None:
            format = locate(self.source).format
        if format not in FORMATS:
            hint = suggestion(format, FORMATS)
            raise SourceError(f"unknown format '{format}' of a stream; use {', '.join(FORMATS)}.{hint}")
        schema = self._declared(known)
        if schema is None:
            schema = open_stream(spark, self.source, self.reading).schema
        return Folder(
            self.source, self.kept.files, FileReader(format, schema, self.reading), self.files_at_once
        )

    def _records(self, known: Identity | None) -> Records:
        topic, schema = Topic.parse(self.source, self.client), self._declared(known)
        if schema is None:
            raise SchemaError(
                f"the attributes of the records of '{topic.name}' are not known; declare them with --schema"
            )
        format = self.reading.format or (known.format if known is not None else None) or "json"
        return Records(topic, schema, format, tuple(self.reading.missing), self.records_at_once)

    def _task(
        self, schema: Schema, known: Identity | None, format: str | None = None
    ) -> tuple[Task, Identity]:
        if self.watermark is not None and schema.time is None:
            raise SchemaError(
                "a watermark needs a time, and no attribute orders the stream; name it with "
                "--time ATTR[:UNIT]"
            )
        task = Task.of(self.meaning(schema), schema, self.recognising)
        pattern, recognised = task.compiled.pattern, Recogniser(task.compiled, task.compiled.schema)
        groups = self.groups or (GROUPS if known is None else known.groups)
        now = Identity.new(
            pattern.name,
            self.text,
            recognised.fingerprint,
            schema.to_json(),
            groups if task.keys else 1,
            format,
        )
        if known is None:
            return task, now
        self.kept.check(known, now)
        return task, known
