"""Topics of Kafka: where they are, how they are reached, and matches as their records.

The client is `confluent_kafka`, which mnemata can do without; ``pip install 'mnemata[kafka]'`` adds it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from mnemata.pipeline.failures import reported, translated
from mnemata.pipeline.sinks import JSON_OPTIONS
from mnemata.pipeline.sources.frames import quoted
from mnemata.theory.errors import EnvironmentProblem, SourceError, suggestion

if TYPE_CHECKING:
    from confluent_kafka import Consumer, Producer

SCHEME: Final = "kafka"
SECONDS: Final = 10.0
"""How long a broker has to answer."""

_SECONDS_TO_DELIVER: Final = 60.0
_LOG: Final = logging.getLogger("mnemata.kafka")
_LOG.addHandler(logging.NullHandler())
_LOG.propagate = False


def is_topic(text: str) -> bool:
    """Whether a source or sink is a topic rather than a folder."""
    return text.startswith(f"{SCHEME}:")


def settings_from(path: Path) -> dict[str, str]:
    """The settings in a file, one NAME=VALUE in each line; raises `SourceError`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise SourceError(f"cannot read the settings in '{path}': {reason}") from None
    found = {}
    for number, line in enumerate(lines, 1):
        name, equals, value = line.partition("=")
        if line.strip() and not line.lstrip().startswith("#"):
            if not (equals and name.strip()):
                raise SourceError(f"line {number} of '{path}' is not NAME=VALUE")
            found[name.strip()] = value.strip()
    return found


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic.

    Parameters
    ----------
    brokers : str
        Some of the brokers that know where it is: ``host:port``, with commas in between.
    name : str
        Its name.
    settings : tuple of pairs of str
        Further settings of the client, as librdkafka names them: for encryption, names and passwords.
    """

    brokers: str
    name: str
    settings: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str, settings: Mapping[str, str] | None = None) -> Topic:
        """Read ``kafka:host:9092/topic``; raises `SourceError`.

        >>> Topic.parse("kafka:one:9092,two:9092/ticks")
        Topic(brokers='one:9092,two:9092', name='ticks', settings=())
        """
        brokers, slash, name = text.partition(":")[2].rpartition("/")
        if not (is_topic(text) and slash and brokers and name) or "/" in brokers:
            raise SourceError(f"'{text}' is no topic; write {SCHEME}:host:9092/topic")
        return cls(brokers, name, tuple(sorted((settings or {}).items())))

    def to_json(self) -> str:
        """It as text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Topic:
        """What `to_json` told of."""
        read = json.loads(text)
        return cls(read["brokers"], read["name"], tuple((name, value) for name, value in read["settings"]))

    def partitions(self) -> tuple[int, ...]:
        """The numbers of its partitions.

        Raises
        ------
        EnvironmentProblem
            The client is not installed, or no broker answers in time.
        SourceError
            There is no such topic, or a setting is wrong.
        """
        with self.consumer() as consumer, self.explained():
            # All topics: to ask for one may make it.
            topics = consumer.list_topics(timeout=SECONDS).topics
        if self.name not in topics:
            hint = suggestion(self.name, [name for name in topics if not name.startswith("_")])
            raise SourceError(f"there is no topic '{self.name}' at {self.brokers}; make it first.{hint}")
        return tuple(sorted(topics[self.name].partitions))

    def offsets(self, *, latest: bool) -> dict[str, int]:
        """For each partition the offset of its first record, or that behind its last committed one."""
        numbers = self.partitions()
        from confluent_kafka import IsolationLevel, TopicPartition
        from confluent_kafka.admin import AdminClient, OffsetSpec

        spec = OffsetSpec.latest() if latest else OffsetSpec.earliest()
        with self.explained():
            asked = {TopicPartition(self.name, number): spec for number in numbers}
            client = AdminClient(self._configured({}))
            found = client.list_offsets(
                asked, isolation_level=IsolationLevel.READ_COMMITTED, request_timeout=SECONDS
            )
            return {str(place.partition): answer.result(SECONDS).offset for place, answer in found.items()}

    @contextmanager
    def consumer(self) -> Iterator[Consumer]:
        """A client that reads, from where it is told to, what is committed."""
        client = _client()
        reading = {"group.id": "mnemata", "enable.auto.commit": False, "auto.offset.reset": "error"}
        with self.explained():
            consumer = client.Consumer(self._configured(reading | {"enable.partition.eof": True}))
        try:
            yield consumer
        finally:
            consumer.close()

    def producer(self) -> Producer:
        """A client that writes; a record that it sends twice for lack of an answer is there once."""
        client = _client()
        lasting = {"enable.idempotence": True, "message.timeout.ms": int(1000 * _SECONDS_TO_DELIVER)}
        with self.explained():
            made: Producer = client.Producer(self._configured(lasting))
        return made

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Raise what the client raises as an error of mnemata."""
        from confluent_kafka import KafkaError, KafkaException

        try:
            yield
        except KafkaException as raised:
            error = raised.args[0]
            if error.code() in (KafkaError._TRANSPORT, KafkaError._ALL_BROKERS_DOWN, KafkaError._TIMED_OUT):
                raise self._silent() from None
            if error.code() == KafkaError._INVALID_ARG:
                raise SourceError(f"a setting of the client of Kafka is wrong: {error.str()}") from None
            raise EnvironmentProblem(f"Kafka at {self.brokers} fails: {error.str()}") from None
        except TimeoutError:
            raise self._silent() from None

    def _silent(self) -> EnvironmentProblem:
        return EnvironmentProblem(
            f"no broker of Kafka answers at {self.brokers} within {SECONDS:.0f} s; see that it runs, and "
            "that its address, encryption and password are right"
        )

    def _configured(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Settings of a client, which keeps what goes on inside it to itself."""
        given = {"bootstrap.servers": self.brokers, **settings, **dict(self.settings)}
        return given | {"logger": _LOG, "error_cb": lambda _: None}


def _client() -> Any:
    try:
        import confluent_kafka
    except ImportError:
        raise EnvironmentProblem(
            "Kafka needs its client for Python, which is not installed; get it with: "
            "pip install 'mnemata[kafka]'"
        ) from None
    return confluent_kafka


@dataclass(frozen=True, slots=True)
class TopicShelf:
    """A topic that gets a record for each row: the first column as its key, all of them as JSON.

    A batch that is done again is written again, with the same keys: each match is there at least once.

    Parameters
    ----------
    topic : Topic
        Which one.
    """

    topic: Topic

    def prepare(self, _stream: str, *, begins: bool) -> None:
        """See that it is there, whether the stream begins or goes on."""
        self.topic.partitions()

    def write(self, table: DataFrame, _stream: str, _batch: int, *order: str) -> None:
        """Write a table; returns when the brokers have it."""
        key, *_ = table.columns
        ordered = table.repartition(1).sortWithinPartitions(*order)
        records = ordered.select(
            quoted(key).cast("string").alias("key"),
            F.to_json(F.struct(*map(quoted, table.columns)), dict(JSON_OPTIONS)).alias("value"),
        )
        with translated():
            records.mapInArrow(reported(self.send), "sent bigint").collect()

    def send(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Send records; tells how many. Raises `EnvironmentProblem` when one is not taken in time."""
        producer, sent = self.topic.producer(), 0
        failures: list[str] = []

        def delivered(error: Any, _record: Any) -> None:
            if error is not None:
                failures.append(error.str())

        for batch in batches:
            for key, value in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                self._produce(producer, key, value, delivered)
            sent += batch.num_rows
        left = producer.flush(2 * _SECONDS_TO_DELIVER)
        if failures or left:
            why = failures[0] if failures else "they do not answer"
            raise EnvironmentProblem(
                f"the brokers at {self.topic.brokers} did not take {max(len(failures), left):,} records for "
                f"the topic '{self.topic.name}': {why}"
            )
        yield pa.record_batch([pa.array([sent], pa.int64())], names=["sent"])

    def _produce(self, producer: Producer, key: str, value: str, delivered: Any) -> None:
        while True:
            try:
                producer.produce(self.topic.name, value, key, on_delivery=delivered)
            except BufferError:
                producer.poll(1.0)  # until there is room again; what waits too long is given up
                continue
            producer.poll(0)
            return
