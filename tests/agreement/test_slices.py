"""A stream that is cut into slices has the matches that it has as a whole."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mnemata.automata.engine.reach import reach
from mnemata.automata.engine.recognition import recognise
from mnemata.pipeline.batch import Batch
from mnemata.pipeline.failures import translated
from mnemata.pipeline.progress import Watch, reporter
from mnemata.pipeline.reading import ColumnsReading, RowsReading
from mnemata.pipeline.recognition import RecognitionOptions, Task
from mnemata.pipeline.sinks import sink
from mnemata.pipeline.slicing import Cuts, cuts_of
from mnemata.pipeline.sources import SourceOptions, open_stream
from mnemata.theory.errors import SourceError, StreamError, UnsupportedError
from mnemata.theory.schema import Category, Float64, Schema, String, Timestamp
from mnemata.theory.syntax import parse

SCHEMA = Schema.of(
    kind=Category(("A", "B", "C")), x=Float64(), at=Timestamp("ms"), event_type="kind", time="at"
)
PATTERNS = {
    "time": "any(A as a, B where x > a.x) within 6 ms",
    "ties in time": "any(A as a, any(B+), C where x > a.x) within 4 ms",
    "events": "any(A as a, any((B where x > a.x)+), C) within 7 events",
    "length": "((skip event)*; A as a; skip event; ((B where x > a.x) | C)) length 5",
    "both": "(any(A as a, B, C where x != a.x) within 9 events) within 5 ms",
    "no window": "A as a; event; B where x != a.x",
}


def rows(size: int, seed: int) -> list[dict[str, Any]]:
    """Events in bursts and pauses; some rows have a kind that is none."""
    chance = random.Random(seed)
    found, now = [], 0
    for _ in range(size):
        now += chance.choice([0, 0, 0, 0, 1, 1, 2, 40])
        kind = chance.choice("AABBCC?")
        found.append({"kind": kind, "x": chance.choice([None, 1.0, 2.0, 3.0]), "at": now})
    return found


def written(stream: Sequence[dict[str, Any]], path: Path) -> Path:
    types = pa.schema([("kind", pa.string()), ("x", pa.float64()), ("at", pa.int64())])
    pq.write_table(pa.Table.from_pylist(list(stream), schema=types), path, row_group_size=50)
    return path


def expected(stream: Sequence[dict[str, Any]], text: str, schema: Schema = SCHEMA) -> list[tuple[int, ...]]:
    sound = [number for number, row in enumerate(stream) if schema is SOUND or row["kind"] != "?"]
    table = pa.table(
        {name: [stream[n][name] for n in sound] for name in SCHEMA.names},
        schema=pa.schema([("kind", pa.string()), ("x", pa.float64()), ("at", pa.int64())]),
    )
    found = recognise(parse(text, schema=schema), table, schema=schema)
    return sorted(tuple(sound[place] for place in match.positions) for match in found)


def ran(spark: SparkSession, path: Path, text: str, slices: int, out: Path) -> list[tuple[int, ...]]:
    stream = open_stream(spark, path, SourceOptions(schema=SCHEMA))
    task = Task.of(parse(text, schema=SCHEMA), SCHEMA, RecognitionOptions(partitions=slices))
    target = sink(out / f"{slices}.parquet", overwrite=True)
    with Watch(reporter(quiet=True)) as watch:
        Batch(stream, task, target, target.beside("quarantine")).run(watch)
    return sorted(tuple(match["positions"]) for match in pq.read_table(target.path).to_pylist())


SOUND = Schema.of(kind=String(), x=Float64(), at=Timestamp("ms"), event_type="kind", time="at")
"""Every row fits, so that workers read the files by themselves."""


@pytest.mark.parametrize("name", PATTERNS)
def test_any_number_of_slices_of_row_groups_finds_the_same(
    spark: SparkSession, name: str, tmp_path: Path
) -> None:
    stream = rows(600, seed=4)
    for number, part in enumerate((stream[:130], stream[130:135], stream[135:])):
        written(part, tmp_path / f"{number}.parquet")
    opened = open_stream(spark, tmp_path, SourceOptions("parquet", SOUND))
    task = Task.of(parse(PATTERNS[name], schema=SOUND), SOUND, RecognitionOptions())
    assert opened.groups is not None
    reading = ColumnsReading(spark, opened.groups, task)
    whole = expected(stream, PATTERNS[name], SOUND)
    assert len(whole) >= 5
    for slices in (1, 2, 8, 64) if name == "time" else (2, 8):
        try:
            cuts = cuts_of(600, 0, [reach(task.compiled)], slices, reading.inside)
        except UnsupportedError:
            cuts = None
        found = reading.matches(cuts).select("positions").collect()
        assert sorted(tuple(row[0]) for row in found) == whole
    assert reading.tallied().missing == {"x": sum(row["x"] is None for row in stream)}


KEYED = {
    "time": "any(A as a, B where x > a.x) within 30 ms partition by key",
    "two windows": "(any(A as a, any(B+), C) within 12 events) within 60 ms partition by key, kin",
    "position": "any(A as a, event where position(~) - position(a) = 2) within 25 ms partition by key",
    "events": "any(A as a, B where x > a.x) within 4 events partition by key",
}
WITH_KEYS = Schema.of(
    kind=String(), x=Float64(), at=Timestamp("ms"), key=Float64(), kin=String(), event_type="kind", time="at"
)


def with_keys(stream: list[dict[str, Any]]) -> pa.Table:
    """One key has most of the events, and some have none."""
    chance = random.Random(1)
    for row in stream:
        row["key"] = chance.choice([1.0, 1.0, 1.0, 1.0, 2.0, -0.0, 0.0, math.nan, None])
        row["kin"] = chance.choice(["p", "q", None])
    fields = {
        "kind": pa.string(),
        "x": pa.float64(),
        "at": pa.int64(),
        "key": pa.float64(),
        "kin": pa.string(),
    }
    return pa.Table.from_pylist(stream, schema=pa.schema(list(fields.items())))


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("name", KEYED)
def test_streams_with_keys_are_cut_if_they_are_in_order(
    spark: SparkSession, name: str, ordered: bool, tmp_path: Path
) -> None:
    table = with_keys(rows(400, seed=6))
    if not ordered:  # each key by itself is in order still
        most = [key == 1.0 for key in table.column("key").to_pylist()]
        table = pa.concat_tables(
            [table.filter(pa.array(most)), table.filter(pa.array([not m for m in most]))]
        )
    pq.write_table(table, tmp_path / "stream.parquet", row_group_size=37)
    pattern = parse(KEYED[name], schema=WITH_KEYS)
    places = sorted(range(400), key=lambda row: (table.column("at")[row].as_py(), row))
    merged = recognise(pattern, table.take(places), schema=WITH_KEYS)
    whole = sorted(tuple(places[place] for place in match.positions) for match in merged)
    assert len(whole) >= 5
    stream = open_stream(spark, tmp_path / "stream.parquet", SourceOptions(schema=WITH_KEYS))
    for slices in (1, 8):
        task = Task.of(pattern, WITH_KEYS, RecognitionOptions(partitions=slices))
        target = sink(tmp_path / f"{slices}.parquet")
        with Watch(reporter(quiet=True)) as watch:
            summary = Batch(stream, task, target, target.beside("quarantine")).run(watch)
        found = sorted(tuple(match["positions"]) for match in pq.read_table(target.path).to_pylist())
        assert found == whole
        assert (summary.slices > 1) == (ordered and name != "events" and slices > 1)
        keys = [table.column(key).to_pylist() for key in pattern.partition_by]
        without = sum(any(k is None or k != k for k in key) for key in zip(*keys, strict=True))
        assert summary.rows.without_key == without


def test_both_ways_cut_alike(spark: SparkSession, tmp_path: Path) -> None:
    written(rows(600, seed=5), tmp_path / "stream.parquet")
    opened = open_stream(spark, tmp_path, SourceOptions("parquet", SOUND))
    task = Task.of(parse(PATTERNS["time"], schema=SOUND), SOUND, RecognitionOptions())
    assert opened.groups is not None
    begins = [1, 77, 300, 599]
    by_rows = RowsReading(opened.rows(task.columns), SOUND, task).inside(begins, 6)
    assert ColumnsReading(spark, opened.groups, task).inside(begins, 6) == by_rows


def test_files_that_changed_are_noticed(spark: SparkSession, tmp_path: Path) -> None:
    path = written(rows(100, seed=5), tmp_path / "stream.parquet")
    opened = open_stream(spark, path, SourceOptions("parquet", SOUND))
    task = Task.of(parse(PATTERNS["time"], schema=SOUND), SOUND, RecognitionOptions())
    assert opened.groups is not None
    written(rows(99, seed=5), path)
    with pytest.raises(SourceError, match="was changed while it was read"), translated():
        ColumnsReading(spark, opened.groups, task).matches(None).collect()


@pytest.mark.parametrize(
    "column",
    [
        pa.array([0, None, 2], pa.int64()),
        pa.array([0, 1, 2], pa.timestamp("ns")),
    ],
)
def test_where_rows_may_be_faulty_spark_reads_them(
    spark: SparkSession, column: pa.Array[Any], tmp_path: Path
) -> None:
    pq.write_table(
        pa.table({"kind": ["A", "B", "C"], "x": [1.0, 2.0, 3.0], "at": column}), tmp_path / "s.parquet"
    )
    schema = Schema.of(kind=String(), x=Float64(), at=Timestamp("ms"), time="at")
    assert open_stream(spark, tmp_path / "s.parquet", SourceOptions(schema=schema)).groups is None


@pytest.mark.parametrize("name", PATTERNS)
def test_any_number_of_slices_finds_the_same(spark: SparkSession, name: str, tmp_path: Path) -> None:
    stream = rows(600, seed=3)
    path = written(stream, tmp_path / "stream.parquet")
    whole = expected(stream, PATTERNS[name])
    assert len(whole) >= 5
    for slices in (1, 2, 8, 64) if name == "time" else (2, 8):
        assert ran(spark, path, PATTERNS[name], slices, tmp_path) == whole


def cut(spark: SparkSession, stream: Sequence[dict[str, Any]], text: str, slices: int, path: Path) -> Cuts:
    opened = open_stream(spark, written(stream, path / "cut.parquet"), SourceOptions(schema=SCHEMA))
    task = Task.of(parse(text, schema=SCHEMA), SCHEMA, RecognitionOptions())
    reading = RowsReading(opened.rows(task.columns), SCHEMA, task)
    faulty = sum(row["kind"] == "?" for row in stream)
    return cuts_of(len(stream), faulty, [reach(task.compiled)], slices, reading.inside)


def test_slices_read_what_their_matches_depend_on_and_no_more(spark: SparkSession, tmp_path: Path) -> None:
    stream = [{"kind": "A", "x": 1.0, "at": n // 2} for n in range(100)]
    by_time = cut(spark, stream, "any(A, A) within 3 ms", 4, tmp_path)
    assert by_time == Cuts((0, 25, 50, 75), (0, 20, 46, 70))
    by_events = cut(spark, stream, "any(A, A) within 3 events", 4, tmp_path)
    assert by_events == Cuts((0, 25, 50, 75), (0, 23, 48, 73))


def test_a_stream_is_not_cut_where_slices_would_read_mostly_the_same(
    spark: SparkSession, tmp_path: Path
) -> None:
    stream = [{"kind": "A", "x": 1.0, "at": n} for n in range(100)]
    assert cut(spark, stream, "any(A, A) within 90 events", 8, tmp_path).slices == 1
    assert 1 < cut(spark, stream, "any(A, A) within 20 events", 8, tmp_path).slices < 8


@pytest.mark.parametrize("place", range(4, 99, 10))
def test_disorder_is_noticed_wherever_it_is(spark: SparkSession, place: int, tmp_path: Path) -> None:
    stream = [{"kind": "A", "x": 1.0, "at": 10 * n} for n in range(100)]
    stream[place]["kind"] = "?"
    stream[place + 1]["at"] -= 18
    stream[place - 1]["at"] += 4
    path = written(stream, tmp_path / "stream.parquet")
    with pytest.raises(StreamError, match="out of order"):
        ran(spark, path, "any(A, A) within 25 ms", 8, tmp_path)
