"""Streams without end: their files, checkpoint, groups and output; what is refused; the command."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxFiles

from mnemata.automata.engine.compiled.search import Limits
from mnemata.paper_figures.benchmarks.faults.damage import DAMAGES, Damage
from mnemata.pipeline.command import main
from mnemata.pipeline.recognition import RecognitionOptions, Task
from mnemata.pipeline.sources import SourceOptions
from mnemata.pipeline.sources.formats import DETAIL, RAW, REASON, ROW
from mnemata.pipeline.streaming import topics
from mnemata.pipeline.streaming.arrivals import ArrivalLog
from mnemata.pipeline.streaming.checkpoint import Checkpoint, Identity
from mnemata.pipeline.streaming.files import UNREADABLE, FileReader
from mnemata.pipeline.streaming.folder import Folder, FolderReader
from mnemata.pipeline.streaming.groups import LATE, Group, State
from mnemata.pipeline.streaming.job import Pace
from mnemata.pipeline.streaming.parcels import Parcels
from mnemata.pipeline.streaming.preparing import Wanted
from mnemata.pipeline.streaming.publishing import Shelf
from mnemata.pipeline.streaming.records import Records
from mnemata.pipeline.streaming.topics import Topic, settings_from
from mnemata.theory.errors import (
    EnvironmentProblem,
    LimitError,
    MnemataError,
    SchemaError,
    SnapshotError,
    SourceError,
    StreamError,
    UnsupportedError,
)
from mnemata.theory.schema import Category, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.syntax import parse

SCHEMA = Schema.of(
    kind=Category(("A", "B")), key=String(), x=Float64(), at=Timestamp("s"), event_type="kind", time="at"
)
PATTERN = "any(A as r, B where x > r.x) within 10 s partition by key"


def rows_of(reader: FileReader, file: Path, first: int = 0) -> list[dict[str, Any]]:
    return [row for batch in reader.rows(str(file), first) for row in batch.to_pylist()]


class TestFiles:
    def test_all_formats_have_the_same_rows(self, tmp_path: Path) -> None:
        values = [("A", "k", 1.5, 5), ("B", None, None, 6)]
        csv = "kind,at,key,x\nA,5,k,1.5\nB,1970-01-01T00:00:06Z,,\n"
        (tmp_path / "1.csv").write_text(csv)
        lines = [json.dumps(dict(zip(SCHEMA.names, row, strict=True))) for row in values]
        (tmp_path / "1.json").write_text("\n".join(lines))
        (tmp_path / "1.stream").write_text("A(key=k,x=1.5,at=5)\nB(at=6)\n")
        table = pa.table(dict(zip(SCHEMA.names, map(list, zip(*values, strict=True)), strict=True)))
        times = table.column("at").cast(pa.timestamp("s")).cast(pa.timestamp("us"))
        names = table.column("kind").dictionary_encode()
        pq.write_table(table.set_column(3, "at", times).set_column(0, "kind", names), tmp_path / "1.parquet")
        for format in ("csv", "json", "stream", "parquet"):
            reader = FileReader(format, SCHEMA, SourceOptions())
            file = tmp_path / f"1.{format}"
            assert reader.count(str(file)) == 2
            found = rows_of(reader, file, 7)
            assert [row[ROW] for row in found] == [7, 8]
            assert [tuple(row[name] for name in SCHEMA.names) for row in found] == values
            assert [row[REASON] for row in found] == [None, None]

    def test_rows_that_do_not_fit(self, tmp_path: Path) -> None:
        columns = {
            "kind": ["A", "C", "B", "B"],
            "key": ["k"] * 4,
            "x": [1, 2, 3, 4],
            "at": pa.array([1000, 2000, 2500, None], pa.timestamp("ms")),
        }
        pq.write_table(pa.table(columns), tmp_path / "1.parquet")
        found = rows_of(FileReader("parquet", SCHEMA, SourceOptions()), tmp_path / "1.parquet")
        assert [(row[REASON], row[DETAIL]) for row in found] == [
            (None, None),
            (f"kind is not a {SCHEMA['kind']}", "C"),
            ("at is not a timestamp[s]", "1970-01-01 00:00:02.500000"),
            ("at, the time, is missing", None),
        ]
        assert json.loads(found[1][RAW]) == {"kind": "C", "key": "k", "x": 2, "at": "1970-01-01 00:00:02"}

    @pytest.mark.parametrize(
        ("name", "content", "problem"),
        [
            ("1.parquet", b"PAR1 and no more", "is not Parquet, or is damaged"),
            ("1.csv", b"kind,x,at\nA,1,1\n", "has no column 'key'"),
            ("1.csv.xz", b"nothing of the kind", "is damaged or not in the format"),
        ],
    )
    def test_files_that_cannot_be_read(self, tmp_path: Path, name: str, content: bytes, problem: str) -> None:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(SourceError, match=problem):
            FileReader(name.split(".")[1], SCHEMA, SourceOptions()).count(str(tmp_path / name))

    @pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
    def test_whatever_is_damaged_is_found_before_a_row_is_taken_in(
        self, tmp_path: Path, damage: Damage
    ) -> None:
        file, reader = tmp_path / "1.parquet", FileReader("parquet", SCHEMA, SourceOptions())
        rows = {"kind": ["A"] * 9, "key": ["k"] * 9, "x": [0.5] * 9, "at": range(9)}
        pq.write_table(pa.table(rows), file, write_page_checksum=True)
        assert reader.count(str(file)) == 9
        damage.apply(file)
        with pytest.raises(SourceError, match=r"1\.parquet' (is not Parquet, or is damaged|cannot be read)"):
            reader.count(str(file))

    def test_a_column_of_another_type(self, tmp_path: Path) -> None:
        table = pa.table({"kind": ["A"], "key": ["k"], "x": ["one"], "at": [1]})
        pq.write_table(table, tmp_path / "1.parquet")
        with pytest.raises(SchemaError, match=r"1\.parquet' does not fit .* column 'x' is string"):
            FileReader("parquet", SCHEMA, SourceOptions()).count(str(tmp_path / "1.parquet"))


class TestFolder:
    def folder(self, root: Path, at_once: int | None = None) -> Folder:
        (root / "in").mkdir(exist_ok=True)
        reader = FileReader("stream", SCHEMA, SourceOptions(missing=("NA",)))
        return Folder(str(root / "in"), str(root / "files.jsonl"), reader, at_once)

    def put(self, root: Path, name: str, rows: int) -> None:
        (root / "in").mkdir(exist_ok=True)
        (root / "in" / name).write_text("".join(f"A(x={n},at={n})\n" for n in range(rows)))

    def read(self, reader: FolderReader, start: dict[str, int], end: dict[str, int]) -> list[tuple[int, Any]]:
        parts = reader.partitions(start, end)
        batches = [batch for part in parts for batch in reader.read(part)]
        return [(row[ROW], row["x"]) for batch in batches for row in batch.to_pylist()]

    def test_the_order_of_arrival(self, tmp_path: Path) -> None:
        for name, rows in (("b.stream", 2), ("c.stream", 1), (".hidden", 1), ("_SUCCESS", 1)):
            self.put(tmp_path, name, rows)
        reader = FolderReader(self.folder(tmp_path, 1))
        assert isinstance(reader.getDefaultReadLimit(), ReadMaxFiles)
        first = reader.latestOffset(reader.initialOffset(), ReadMaxFiles(1))
        self.put(tmp_path, "a.stream", 2)
        second = reader.latestOffset(first, ReadAllAvailable())
        assert self.read(reader, reader.initialOffset(), first) == [(0, 0.0), (1, 1.0)]
        # A new one, as after a restart.
        reader = FolderReader(Folder.from_json(self.folder(tmp_path).to_json()))
        assert self.read(reader, first, second) == [(2, 0.0), (3, 1.0), (4, 0.0)]
        assert reader.latestOffset(second, ReadAllAvailable()) == second

    def test_all_that_is_there_now(self, tmp_path: Path) -> None:
        self.put(tmp_path, "a.stream", 1)
        self.put(tmp_path, "b.stream", 1)
        reader = FolderReader(self.folder(tmp_path))
        reader.prepareForTriggerAvailableNow()
        self.put(tmp_path, "c.stream", 1)
        one = reader.latestOffset(reader.initialOffset(), ReadMaxFiles(1))
        two = reader.latestOffset(one, ReadMaxFiles(1))
        assert (one, two, reader.latestOffset(two, ReadMaxFiles(1))) == ({"files": 1}, {"files": 2}, two)

    def test_a_damaged_file_is_a_faulty_row(self, tmp_path: Path) -> None:
        self.put(tmp_path, "a.stream", 1)
        self.put(tmp_path, "c.stream", 1)
        (tmp_path / "in" / "b.stream.gz").write_bytes(b"no gzip")
        reader = FolderReader(self.folder(tmp_path))
        end = reader.latestOffset(reader.initialOffset(), ReadAllAvailable())
        batches = [b for part in reader.partitions(reader.initialOffset(), end) for b in reader.read(part)]
        rows = [row for batch in batches for row in batch.to_pylist()]
        assert [(row[ROW], row[REASON]) for row in rows] == [(0, None), (1, UNREADABLE), (2, None)]
        assert "b.stream.gz" in rows[1][RAW]

    def test_a_file_that_changed(self, tmp_path: Path) -> None:
        self.put(tmp_path, "a.stream", 3)
        reader = FolderReader(self.folder(tmp_path))
        end = reader.latestOffset(reader.initialOffset(), ReadAllAvailable())
        self.put(tmp_path, "a.stream", 2)
        with pytest.raises(RuntimeError) as raised:
            self.read(reader, reader.initialOffset(), end)
        assert isinstance(raised.value.__cause__, SourceError)
        assert "had 3 rows when it was taken in and has 2 now" in str(raised.value.__cause__)

    def test_a_log_that_ends_in_the_middle_of_a_line(self, tmp_path: Path) -> None:
        log = ArrivalLog(tmp_path / "log")
        log.add("a", 3)
        log.add("b", 2)
        with (tmp_path / "log").open("a") as file:
            file.write('{"name": "c", "fi')
        again = ArrivalLog(tmp_path / "log")
        assert (len(again), again.rows) == (2, 5)
        again.add("c", 1)
        assert [a.first for a in ArrivalLog(tmp_path / "log").between(0, 3)] == [0, 3, 5]
        with pytest.raises(SourceError, match="ends at file 3, and the stream was at file 4"):
            again.between(3, 4)


class TestCheckpoint:
    KNOWN = Identity.new("p", "event", "f", "{}", 4)

    def test_it_is_whose_it_was(self, tmp_path: Path) -> None:
        checkpoint = Checkpoint(tmp_path / "state")
        assert checkpoint.identity() is None
        checkpoint.begin(self.KNOWN)
        assert checkpoint.identity() == self.KNOWN

    @pytest.mark.parametrize(
        ("other", "what"),
        [
            (Identity.new("p", "event", "f", "other", 4), "with another schema of the stream"),
            (Identity.new("p", "event; event", "g", "{}", 4), "for the pattern 'p', 'event'"),
            (Identity.new("p", "event", "g", "{}", 4), "as another version of mnemata compiled it"),
            (Identity.new("p", "event", "f", "{}", 5), "with --groups 4"),
        ],
    )
    def test_another_stream(self, tmp_path: Path, other: Identity, what: str) -> None:
        with pytest.raises(SnapshotError, match=what):
            Checkpoint(tmp_path).check(self.KNOWN, other)

    def test_other_things_in_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "thesis.tex").touch()
        with pytest.raises(SourceError, match="is not a checkpoint of mnemata"):
            Checkpoint(tmp_path).identity()
        (tmp_path / "stream.json").write_text('{"version": 99}')
        with pytest.raises(SnapshotError, match="has version 99, this is version 2"):
            Checkpoint(tmp_path).identity()
        (tmp_path / "stream.json").write_text("{")
        with pytest.raises(SourceError, match="is damaged"):
            Checkpoint(tmp_path).identity()

    @pytest.mark.parametrize("text", ["", "[]", "{}", "[[1]]", '[[1, {"events": "many"}]]', "7"])
    def test_damaged_totals(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "totals.json").write_text(text)
        with pytest.raises(SourceError, match=r"is damaged: totals\.json is not as written"):
            Checkpoint(tmp_path).totals()

    @pytest.mark.parametrize(
        "text", ["[]", "7", '{"version": 2}', '{"version": 2, "stream": "s", "evil": 1}']
    )
    def test_damaged_identities(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "stream.json").write_text(text)
        with pytest.raises(SourceError, match=r"is damaged: stream\.json is not as written"):
            Checkpoint(tmp_path).identity()

    @pytest.mark.parametrize("line", ["{", "[]", '{"name": "a"}'])
    def test_damaged_logs_of_files(self, tmp_path: Path, line: str) -> None:
        (tmp_path / "log").write_text(f"{line}\n")
        with pytest.raises(SourceError, match=r"line 1 of the log .* is not as written"):
            ArrivalLog(tmp_path / "log")

    def test_a_batch_that_is_done_again_counts_once(self, tmp_path: Path) -> None:
        checkpoint = Checkpoint(tmp_path)
        assert checkpoint.totals() == {}
        assert checkpoint.count(0, {"events": 3}) == {"events": 3}
        assert checkpoint.count(1, {"events": 4}) == {"events": 7}
        assert checkpoint.count(1, {"events": 4}) == {"events": 7}
        assert checkpoint.count(2, {"events": -1}) == checkpoint.totals() == {"events": 6}

    def test_a_sink_with_something_in_it(self, tmp_path: Path) -> None:
        shelf = Shelf(str(tmp_path), "parquet")
        (tmp_path / "0123-0000000000.parquet").touch()
        shelf.prepare("0123", begins=False)
        with pytest.raises(SourceError, match="has files in it, and the checkpoint is new"):
            shelf.prepare("4567", begins=True)


def arrived(*rows: tuple[str, str, float | None, int]) -> pa.Table:
    """Events with numbers from 10 on."""
    columns = dict(zip(SCHEMA.names, map(list, zip(*rows, strict=True)), strict=True))
    return pa.table({ROW: range(10, 10 + len(rows)), **columns})


class TestGroup:
    def group(self, pattern: str = PATTERN, **options: Any) -> Group:
        task = Task.of(parse(pattern, schema=SCHEMA), SCHEMA, RecognitionOptions(**options))
        return Group(task, SCHEMA)

    def test_events_wait_and_windows_close(self) -> None:
        group = self.group(events=True)
        step = group.step(State(), arrived(("B", "k", 2.0, 7), ("A", "k", 1.0, 3), ("A", "l", 1.0, 4)), None)
        assert step.state is not None
        assert (step.events, step.state.lingering, step.state.wakes) == (0, 3, 3001)
        step = group.step(step.state, None, 7000)
        assert step.state is not None
        assert (step.events, step.state.lingering, step.state.live, step.matches) == (2, 1, 2, [])
        step = group.step(step.state, None, 7001)
        assert step.state is not None
        (matches,) = step.matches
        assert matches.column("positions").to_pylist() == [[11, 10]]
        assert [event["x"] for event in matches.column("events")[0].as_py()] == [1.0, 2.0]
        # The window of key l closes at 14 s, that of k at 17 s, when its last event is 10 s old.
        assert step.state.wakes == 13_001
        step = group.step(step.state, None, 14_000)
        assert step.state is not None
        assert (step.state.live, step.state.wakes) == (1, 16_001)
        assert group.step(step.state, None, 17_000).state is None

    def test_late_events(self) -> None:
        step = self.group().step(State(), arrived(("A", "k", 1.0, 5), ("A", "k", None, 4)), 4001)
        assert step.late.to_pylist() == [
            {
                "row": 11,
                "reason": LATE,
                "detail": "1970-01-01T00:00:04; the watermark is 1970-01-01T00:00:04.001",
                "raw": '{"kind": "A", "key": "k", "x": null, "at": 4}',
            }
        ]
        assert step.state is not None
        assert step.state.lingering == 1

    def test_a_limit(self) -> None:
        group = self.group(limits=Limits(configurations=2))
        rows = [("A", "k", float(n), 5) for n in range(5)]
        state = group.step(State(), arrived(*rows), None).state
        assert state is not None
        with pytest.raises(LimitError, match="and the limit is 2"):
            group.step(state, None, 6000)

    def test_patterns_for_python_are_refused(self) -> None:
        with pytest.raises(UnsupportedError, match="cannot be recognised batch by batch"):
            self.group("any(skip A as r, B where x = r.x)")


def test_parcels_keep_whole_numbers_beside_missing_ones() -> None:
    schema = Schema.of(n=Int64())
    parcels = Parcels(schema, (), 1)
    columns = {ROW: [0, 1, 2], "n": [2**62 + 1, None, 3]} | dict.fromkeys((REASON, DETAIL, RAW), [None] * 3)
    batch = pa.record_batch(
        pa.table({**columns, "#group": [0, 0, 1]}).to_batches()[0].columns, [*columns, "#group"]
    )
    typed = batch.set_column(3, REASON, pa.nulls(3, pa.string()))
    (packed,) = parcels.pack([typed])
    contents = packed.column("content").to_pylist()
    assert packed.column("group").to_pylist() == [0, 1]
    assert parcels.unpacked(contents[:1]).to_pylist() == [{ROW: 0, "n": 2**62 + 1}, {ROW: 1, "n": None}]


class TestTopics:
    @pytest.mark.parametrize(
        "text", ["kafka", "kafka:", "kafka:host:9092", "kafka:host:9092/", "kafka:a/b/c"]
    )
    def test_what_is_no_topic(self, text: str) -> None:
        with pytest.raises(SourceError, match=f"'{text}' is no topic; write kafka:host:9092/topic"):
            Topic.parse(text)

    def test_it_travels_as_text(self) -> None:
        topic = Topic.parse("kafka:one:9092,two:9092/ticks", {"b": "2", "a": "1"})
        assert topic.settings == (("a", "1"), ("b", "2"))
        records = Records(topic, SCHEMA, "stream", ("NA",), 7)
        assert Records.from_json(records.to_json()) == records

    def test_formats(self) -> None:
        with pytest.raises(
            SourceError, match=r"are not read as 'jsn'; use json or stream.*Did you mean 'json'"
        ):
            Records(Topic("host:1", "ticks"), SCHEMA, "jsn")

    def test_settings(self, tmp_path: Path) -> None:
        file = tmp_path / "client.properties"
        file.write_text("# who we are\nsasl.username = me\n\nsasl.password=a=b\n")
        assert settings_from(file) == {"sasl.username": "me", "sasl.password": "a=b"}
        file.write_text("sasl.username\n")
        with pytest.raises(SourceError, match=r"line 1 of '.*' is not NAME=VALUE"):
            settings_from(file)
        with pytest.raises(SourceError, match=r"cannot read the settings in .*: No such file"):
            settings_from(tmp_path / "none")

    def test_without_the_client(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "confluent_kafka", None)
        with pytest.raises(
            EnvironmentProblem, match=r"is not installed; get it with: pip install 'mnemata\[kafka\]'"
        ):
            Topic("host:1", "ticks").partitions()

    def test_nobody_answers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("confluent_kafka", reason="the client of Kafka is not installed")
        monkeypatch.setattr(topics, "SECONDS", 0.3)
        with pytest.raises(EnvironmentProblem, match=r"no broker of Kafka answers at 127\.0\.0\.1:1 within"):
            Topic("127.0.0.1:1", "ticks").partitions()
        with pytest.raises(
            SourceError, match="a setting of the client of Kafka is wrong: No such configuration"
        ):
            Topic("127.0.0.1:1", "ticks", (("no.such", "1"),)).partitions()


class TestWanted:
    def wanted(self, root: Path, **changes: Any) -> Wanted:
        (root / "in").mkdir(exist_ok=True)
        text = changes.pop("text", PATTERN)
        options: dict[str, Any] = {
            "text": text,
            "name": "rise",
            "meaning": lambda schema: parse(text, schema=schema),
            "source": str(root / "in"),
            "reading": SourceOptions("parquet", SCHEMA),
            "files_at_once": None,
            "recognising": RecognitionOptions(),
            "checkpoint": str(root / "state"),
            "sink": str(root / "out"),
            "quarantine": str(root / "bad"),
            "sink_format": "parquet",
            "watermark": None,
            "groups": None,
            "pace": Pace(),
        }
        return Wanted(**(options | changes))

    def test_nothing_is_wrong(self, tmp_path: Path) -> None:
        self.wanted(tmp_path).check()
        assert [entry.name for entry in tmp_path.iterdir()] == ["in"]

    @pytest.mark.parametrize(
        ("changes", "kind", "message"),
        [
            ({"watermark": "soon"}, StreamError, "'soon' is no length of time"),
            (
                {
                    "watermark": "1 s",
                    "reading": SourceOptions("csv", Schema.of(x=Float64())),
                    "text": "event",
                },
                SchemaError,
                "a watermark needs a time, and no attribute orders the stream",
            ),
            ({"source": "s3a://bucket/ticks"}, SourceError, "is not on this machine"),
            ({"sink": "hdfs://host/out"}, SourceError, "the sink 'hdfs://host/out' is not on this machine"),
            ({"source": "rate:fast"}, SourceError, "'rate:fast' is no rate of rows"),
            (
                {"source": "kafka:host:1/ticks", "reading": SourceOptions()},
                SchemaError,
                "the attributes of the records of 'ticks' are not known; declare them with --schema",
            ),
            ({"sink": "kafka:host:1"}, SourceError, "'kafka:host:1' is no topic"),
            ({"sink_format": "parket"}, SourceError, "unknown format 'parket'.*Did you mean 'parquet'"),
            (
                {"text": "any(skip A as r, B where x = r.x)"},
                UnsupportedError,
                "cannot be recognised batch by batch",
            ),
        ],
    )
    def test_what_is_wrong_is_said_before_spark_starts(
        self, tmp_path: Path, changes: dict[str, Any], kind: type[MnemataError], message: str
    ) -> None:
        with pytest.raises(kind, match=message):
            self.wanted(tmp_path, **changes).check()

    def test_places_that_are_in_each_others_way(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match=r"the sink .* lies where the stream is read from"):
            self.wanted(tmp_path, sink=str(tmp_path / "in" / "out")).check()
        with pytest.raises(SourceError, match="three folders; choose different ones"):
            self.wanted(tmp_path, sink=str(tmp_path / "state")).check()
        (tmp_path / "file").touch()
        with pytest.raises(SourceError, match="is a file; a stream comes from a folder"):
            self.wanted(tmp_path, source=str(tmp_path / "file")).check()

    def test_the_pattern_of_an_old_checkpoint(self, tmp_path: Path) -> None:
        task = Task.of(parse(PATTERN, schema=SCHEMA), SCHEMA, RecognitionOptions())
        wanted = self.wanted(tmp_path)
        known = wanted._task(SCHEMA, None, "parquet")[1]
        wanted.kept.begin(known)
        assert wanted._task(SCHEMA, known) == (task, known)
        # The schema and the format are known by now.
        self.wanted(tmp_path, reading=SourceOptions()).check()
        with pytest.raises(
            SnapshotError, match=r"was begun for the pattern 'pattern'.*begin anew with another"
        ):
            self.wanted(tmp_path, text=PATTERN.replace("10 s", "11 s")).check()


JSON = """\
{"kind": "A", "x": 1}
{"kind": "B", "x": 2}
{"kind": "B", "x": "two"}
{"kind": "B", "x": 3}
"""


def test_the_command(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON lines without time and keys, whose schema is derived; matches with their events as JSON lines."""
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("in/1.json").write_text(JSON)
    places = ("--source", "in", "--sink", "out", "--checkpoint", "state")
    options = ("--once", "--json", "-q", "--events", "--sink-format", "json", "--event-type", "kind")
    Path("schema.json").write_text(Schema.of(kind=String(), x=Float64(), event_type="kind").to_json())
    with pytest.raises(SystemExit) as end:
        main(["stream", "any(A as r, B where x > r.x)", *places, *options, "--schema", "schema.json"])
    printed = capsys.readouterr()
    assert (end.value.code, printed.err) == (0, "")
    report = json.loads(printed.out.splitlines()[-1])
    assert (report["events"], report["matches"], report["bad"], report["live"]) == (3, 2, 1, 1)
    (file,) = Path("out").glob("*.json")
    matches = [json.loads(line) for line in file.read_text().splitlines()]
    assert [match["positions"] for match in matches] == [[0, 1], [0, 3]]
    assert matches[1]["events"][1] == {"kind": "B", "x": 3.0}
    (file,) = Path("out.quarantine").glob("*.json")
    assert json.loads(file.read_text())["reason"] == "x is not a float64"
    with pytest.raises(SystemExit) as end:
        main(["stream", "any(A as r, B where x < r.x)", *places, *options, "--schema", "schema.json"])
    assert end.value.code == 6
    assert "was begun for the pattern 'pattern', 'any(A as r, B where x > r.x)'" in capsys.readouterr().err
