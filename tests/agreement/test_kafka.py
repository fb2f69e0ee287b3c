"""A stream between topics of a real broker has the matches that its events have in order, kills and all."""

from __future__ import annotations

import base64
import json
import os
import random
import shutil
import socket
import subprocess
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from mnemata.automata.engine.recognition import recognise
from mnemata.paper_figures.benchmarks.faults.events import PATTERN, SCHEMA
from mnemata.paper_figures.benchmarks.faults.places import PROGRAM
from mnemata.paper_figures.benchmarks.faults.running import Running
from mnemata.pipeline.java import find_java
from mnemata.pipeline.sources.formats import RAW, REASON, ROW
from mnemata.pipeline.streaming.records import OFFSETS, RecordReader, Records
from mnemata.pipeline.streaming.topics import Topic
from mnemata.theory.errors import EnvironmentProblem, SchemaError, SourceError
from mnemata.theory.schema import Schema, String
from mnemata.theory.syntax import parse

kafka = pytest.importorskip("confluent_kafka", reason="the client of Kafka is not installed")
pytestmark = pytest.mark.slow

JARS = "MNEMATA_KAFKA_JARS"
POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>mnemata</groupId><artifactId>broker</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>3.9.1</version>
    </dependency>
  </dependencies>
</project>
"""
PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={logs}
offsets.topic.replication.factor=1
auto.create.topics.enable=false
"""


@pytest.fixture(scope="module")
def jars(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A broker's jars: those in the folder that `JARS` names, else from Maven Central."""
    if JARS in os.environ:
        return f"{os.environ[JARS]}/*"
    maven, folder = shutil.which("mvn"), tmp_path_factory.mktemp("broker")
    if maven is None:
        pytest.skip(f"no broker: there is no mvn to fetch one; name a folder of its jars in {JARS}")
    (folder / "pom.xml").write_text(POM)
    command = [maven, "-q", "-B", "-f", str(folder), "dependency:copy-dependencies", "-DincludeScope=runtime"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        pytest.skip(
            f"no broker: mvn does not fetch it; name a folder of its jars in {JARS}: {done.stdout[:300]}"
        )
    return f"{folder}/target/dependency/*"


def free_ports(number: int) -> list[int]:
    with_ports = [socket.socket() for _ in range(number)]
    for one in with_ports:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in with_ports]
    for one in with_ports:
        one.close()
    return ports


@pytest.fixture(scope="module")
def broker(jars: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a broker of its own, on loopback."""
    folder, (port, controller) = tmp_path_factory.mktemp("kafka"), free_ports(2)
    settings = folder / "server.properties"
    settings.write_text(PROPERTIES.format(port=port, controller=controller, logs=folder / "logs"))
    java = [str(find_java().program), "-Xmx512m", "-cp", jars]
    cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
    made = [*java, "kafka.tools.StorageTool", "format", "-t", cluster, "-c", str(settings)]
    subprocess.run(made, check=True, capture_output=True, timeout=120)
    with subprocess.Popen(
        [*java, "kafka.Kafka", str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        try:
            wait_for(port, running)
            yield f"127.0.0.1:{port}"
        finally:
            running.kill()


def wait_for(port: int, running: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 120
    while running.poll() is None and time.monotonic() < end:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    pytest.skip("no broker: it does not listen within 120 s")


def make(broker: str, name: str, partitions: int) -> Topic:
    from confluent_kafka.admin import AdminClient, NewTopic

    client = AdminClient({"bootstrap.servers": broker})
    client.create_topics([NewTopic(name, partitions, 1)])[name].result(60)
    return Topic(broker, name)


def put(topic: Topic, values: list[tuple[int, str | None]]) -> list[int]:
    """Write records to partitions; the numbers of their rows."""
    numbers: list[int] = [0] * len(values)
    producer = topic.producer()
    for place, (partition, value) in enumerate(values):

        def delivered(error: Any, record: Any, place: int = place) -> None:
            assert error is None
            numbers[place] = record.partition() * OFFSETS + record.offset()

        producer.produce(topic.name, value, partition=partition, on_delivery=delivered)
    assert producer.flush(60) == 0
    return numbers


def every(topic: Topic, schema: Schema, **options: Any) -> list[dict[str, Any]]:
    """The rows of a topic, in as many batches as its reader makes of them."""
    reader = RecordReader(Records(topic, schema, "json", **options))
    start, rows = reader.initialOffset(), []
    reader.prepareForTriggerAvailableNow()
    while (end := reader.latestOffset(start, reader.getDefaultReadLimit())) != start:
        # A new one, as after a restart.
        again = RecordReader(Records(topic, schema, "json", **options))
        rows += [
            row for part in again.partitions(start, end) for b in again.read(part) for row in b.to_pylist()
        ]
        start = end
    return rows


def test_records_are_read_once_whatever_the_batches(broker: str) -> None:
    topic, schema = make(broker, "rows", 2), Schema.of(name=String())
    values = [(n % 2, json.dumps({"name": str(n)})) for n in range(50)]
    numbers = put(topic, [*values, (1, "nonsense"), (0, None)])
    assert numbers[:3] == [0, OFFSETS, 1]
    for at_once in (None, 7):
        rows = every(topic, schema, at_once=at_once)
        assert sorted(row[ROW] for row in rows) == sorted(numbers)
        assert {row[ROW]: row["name"] for row in rows if row[REASON] is None} == {
            number: str(n) for n, number in enumerate(numbers[:50])
        }
        assert {row[RAW]: row[REASON] for row in rows if row[REASON]} == {
            "nonsense": "not JSON",
            "": "a blank line",
        }


def test_what_is_not_there_is_said(broker: str) -> None:
    make(broker, "ticks-of-one", 1)
    two = make(broker, "ticks-of-two", 2)
    with pytest.raises(
        SourceError, match=r"there is no topic 'ticks-of-on' at .*Did you mean 'ticks-of-one'"
    ):
        Topic(broker, "ticks-of-on").partitions()
    with pytest.raises(SchemaError, match="'ticks-of-two' has 2 partitions, and no attribute orders"):
        Records(two, Schema.of(name=String()), "json").check()
    (nobody,) = free_ports(1)
    with pytest.raises(EnvironmentProblem, match=r"no broker of Kafka answers at 127.0.0.1:\d+ within 10 s"):
        Topic(f"127.0.0.1:{nobody}", "ticks").partitions()


def events(size: int) -> list[dict[str, Any]]:
    """In order but for a little, three in each millisecond; and one that all others are before."""
    chance = random.Random(7)
    some = [
        {
            "kind": chance.choice("ABB"),
            "key": chance.randrange(5),
            "x": chance.choice([0.5, 1.5, None]),
            "at": n // 3,
        }
        for n in range(size)
    ]
    return [
        *sorted(some, key=lambda event: event["at"] + 3 * chance.random()),
        {"kind": "C", "key": 0, "at": 10**6},
    ]


def test_from_topic_to_topic_with_kills_between(broker: str, tmp_path: Path) -> None:
    source, sink = make(broker, "ticks", 3), make(broker, "found", 1)
    written = events(600)
    numbers = put(source, [(n % 3, json.dumps(event)) for n, event in enumerate(written)])
    (tmp_path / "schema.json").write_text(SCHEMA.to_json())
    options = ["--source", f"kafka:{broker}/ticks", "--sink", f"kafka:{broker}/found", "--once"]
    options += ["--checkpoint", str(tmp_path / "state"), "--schema", str(tmp_path / "schema.json")]
    options += ["--watermark", "12 ms", "--groups", "2", "--records-per-batch", "60", "--master", "local[2]"]
    command = [*PROGRAM, "stream", PATTERN, *options]
    for batches in (1, 3):
        with Running(command) as running:
            assert running.wait_for("batch ", batches), running.said
            assert running.wait(0.3), running.said
            running.kill()
    with Running(command) as running:
        assert running.end() == 0, running.said
    assert not list((tmp_path / "state.quarantine").glob("*.parquet"))
    found = matches(sink)
    rows = sorted(zip(written, numbers, strict=True), key=lambda pair: (pair[0]["at"], pair[1]))[:-1]
    table = pa.Table.from_pylist([{"x": None, **event} for event, _ in rows])
    expected = {
        tuple(rows[p][1] for p in match.positions)
        for match in recognise(parse(PATTERN, schema=SCHEMA), table, schema=SCHEMA)
    }
    assert len(expected) > 50
    assert {tuple(match["positions"]) for match in found.values()} == expected
    assert len(found) == len(expected)


def matches(topic: Topic) -> dict[str, dict[str, Any]]:
    """The records of matches by key; those with the same key are the same."""
    found: dict[str, dict[str, Any]] = {}
    with topic.consumer() as consumer:
        consumer.assign([kafka.TopicPartition(topic.name, 0, 0)])
        while True:
            message = consumer.poll(30)
            assert message is not None
            if message.error() is not None:
                assert message.error().code() == kafka.KafkaError._PARTITION_EOF
                return found
            match = json.loads(message.value())
            assert found.setdefault(message.key().decode(), match) == match
            assert match["id"] == message.key().decode()
