"""Spark finds what the definitions say and what the engine finds, whatever the partitions and the format."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import PythonException
from pyspark.sql import DataFrame, SparkSession

from mnemata.automata.engine.compiled.search import Limits
from mnemata.automata.engine.recognition import recognise
from mnemata.pipeline.failures import translated
from mnemata.pipeline.quarantine import events_of, quarantine_of, tallied
from mnemata.pipeline.recognition import RecognitionOptions, Task, matches_of
from mnemata.pipeline.sources import SourceOptions, open_stream
from mnemata.pipeline.tables import recognise as in_table
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import Relation
from mnemata.theory.errors import (
    EnvironmentProblem,
    LimitError,
    RelationError,
    SchemaError,
    StreamError,
    UnknownAttributeError,
)
from mnemata.theory.schema import Float64, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import Pattern, mark, skip_till_any
from mnemata.theory.sremo.semantics import pattern_matches
from mnemata.theory.syntax import parse, parse_cel

SCHEMA = Schema.of(
    kind=String(), id=Int64(), key=String(), x=Float64(), at=Timestamp("ms"), event_type="kind", time="at"
)
KEYED = {
    "sequence": "any(A as r, B where x > r.x) partition by key",
    "iteration": "any(A as r, any(B as r where x > r.x)+) within 4 events partition by key",
    "time": "any(A as r, event where not x > r.x) within 3 ms partition by key",
    "positions": "A as r; skip event; event where position(~) > 2 partition by key",
    "two keys": "any(event as r, event where x = r.x) partition by key, kind",
    "float key": "any(event as r, event where id > r.id) partition by x",
}
WHOLE = {
    "sequence": "any(A as r, B where key = r.key and x > r.x) within 90 events",
    "contiguous": "A as r; (B where x > r.x)+",
    "no attribute": "event; event where position(~) > 290",
}


def table(size: int, seed: int = 0) -> pa.Table:
    """Random events, most of 60 keys having few of them; values are missing here and there."""
    chance = random.Random(seed)
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
    for number in range(size):
        columns["kind"].append(chance.choice(["A", "B", "B"]))
        columns["id"].append(number if chance.random() < 0.9 else None)
        columns["key"].append(f"k{chance.randrange(60)}" if chance.random() < 0.9 else None)
        columns["x"].append(chance.choice([0.0, -0.0, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, None]))
        columns["at"].append(number // 60 + chance.choice([0, 0]))
    types = (pa.string(), pa.int64(), pa.string(), pa.float64(), pa.int64())
    arrays = [pa.array(columns[n], t) for n, t in zip(SCHEMA.names, types, strict=True)]
    return pa.table(arrays, names=list(SCHEMA.names))


TABLE = table(300)


def found_by(matches: DataFrame) -> list[tuple[int, ...]]:
    """The positions of all matches, sorted; a match that is reported twice stands there twice."""
    with translated():
        rows = matches.select("start", "end", "positions").collect()
    assert all((row[0], row[1]) == (row[2][0], row[2][-1]) for row in rows)
    return sorted(tuple(row[2]) for row in rows)


def defined(pattern: Pattern, stream: pa.Table) -> list[tuple[int, ...]]:
    """The matches by the denotational semantics, with 0-based rows."""
    events = SCHEMA.stream(stream.to_pylist())
    return sorted(tuple(sorted(n - 1 for n in marks)) for marks in pattern_matches(pattern, events))


def frame_of(spark: SparkSession, stream: pa.Table) -> DataFrame:
    numbers = pa.array(range(stream.num_rows), pa.int64())
    return spark.createDataFrame(stream.append_column("number", numbers)).repartition(5, "x")


@pytest.mark.parametrize("name", KEYED)
def test_keyed_patterns_find_what_is_defined(spark: SparkSession, name: str) -> None:
    pattern = parse(KEYED[name], schema=SCHEMA)
    stream = TABLE if name != "float key" else TABLE.slice(0, 40)
    expected = defined(pattern, stream)
    assert len(expected) > 5
    frame = frame_of(spark, stream)
    for partitions in (1, 2, 7):
        options = RecognitionOptions(partitions=partitions)
        found = in_table(frame, pattern, arrival="number", schema=SCHEMA, options=options)
        assert found_by(found) == expected


def test_matches_that_use_up_the_events_of_all_keys(spark: SparkSession) -> None:
    text = "SELECT * WHERE A AS a; B AS b FILTER b.x > a.x PARTITION BY [key] CONSUME BY"
    frame = frame_of(spark, TABLE)
    sizes = []
    for consume in ("PARTITION", "ANY"):
        query = parse_cel(f"{text} {consume}", schema=SCHEMA)
        expected = sorted(match.positions for match in recognise(query, TABLE, schema=SCHEMA))
        options = RecognitionOptions(partitions=3)
        found = in_table(frame, query, arrival="number", schema=SCHEMA, options=options)
        assert found_by(found) == expected
        sizes.append(len(expected))
    assert sizes[0] > sizes[1] > 3


@pytest.mark.filterwarnings("ignore::mnemata.theory.errors.SlowRecognitionWarning")
@pytest.mark.parametrize("formula", ["A AS a; B AS b; B", "A AS a; B AS b FILTER b.x > a.x"])
@pytest.mark.parametrize("keys", ["", " PARTITION BY [key]"])
def test_queries_that_show_less_than_they_match(spark: SparkSession, keys: str, formula: str) -> None:
    for shown in "ab":
        query = parse_cel(f"SELECT {shown} WHERE {formula}{keys} WITHIN 3 ms", schema=SCHEMA)
        expected = sorted(match.positions for match in recognise(query, TABLE, schema=SCHEMA))
        options = RecognitionOptions(partitions=3)
        frame = frame_of(spark, TABLE)
        found = in_table(frame, query, arrival="number", schema=SCHEMA, options=options)
        assert found_by(found) == expected
        assert len(expected) > 5


@pytest.mark.parametrize("name", WHOLE)
def test_unkeyed_patterns_find_what_the_engine_finds(spark: SparkSession, name: str) -> None:
    pattern = parse(WHOLE[name], schema=SCHEMA)
    expected = sorted(match.positions for match in recognise(pattern, TABLE, schema=SCHEMA))
    assert len(expected) > 5
    frame = frame_of(spark, TABLE)
    assert found_by(in_table(frame, pattern, arrival="number", schema=SCHEMA)) == expected


def test_many_small_and_one_large_substream(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sub-streams that are cut into several engine calls, in a worker and in this process."""
    stream = table(3000, seed=1)
    keys = ["one" if n % 2 else key for n, key in enumerate(stream.column("key").to_pylist())]
    stream = stream.set_column(2, "key", pa.array(keys))
    pattern = parse("any(A as r, B where x > r.x) within 5 events partition by key", schema=SCHEMA)
    expected = sorted(match.positions for match in recognise(pattern, stream, schema=SCHEMA))
    frame = frame_of(spark, stream)
    assert found_by(in_table(frame, pattern, arrival="number", schema=SCHEMA)) == expected
    task = Task.of(pattern, SCHEMA, RecognitionOptions())
    monkeypatch.setattr("mnemata.pipeline.recognition.ROWS_AT_ONCE", 100)
    ordered = stream.append_column("#row", pa.array(range(3000), pa.int64()))
    kept = ordered.filter(ordered.column("key").is_valid()).sort_by(
        [("key", "ascending"), ("#row", "ascending")]
    )
    batches = list(task.matches(kept.select(["#row", *task.columns]).to_batches(max_chunksize=37)))
    assert len(batches) > 10
    assert sorted(tuple(row["positions"]) for batch in batches for row in batch.to_pylist()) == expected


def write_as(name: str, stream: pa.Table, folder: Path) -> Path:
    path = folder / f"events.{name}"
    rows = stream.to_pylist()
    if name == "parquet":
        pq.write_table(stream, path, row_group_size=50)
    elif name == "csv":
        lines = (",".join("" if v is None else str(v) for v in row.values()) for row in rows)
        path.write_text("\n".join([",".join(SCHEMA.names), *lines]))
    elif name == "jsonl":
        path.write_text("\n".join(map(json.dumps, rows)))
    else:
        fields = (
            ",".join(f"{k}={v}" for k, v in row.items() if k != "kind" and v is not None) for row in rows
        )
        path.write_text("\n".join(f"{row['kind']}({some})" for row, some in zip(rows, fields, strict=True)))
    return path


@pytest.mark.parametrize("name", ["parquet", "csv", "jsonl", "stream"])
def test_formats_agree(spark: SparkSession, tmp_path: Path, name: str) -> None:
    stream = open_stream(
        spark, write_as(name, TABLE, tmp_path), SourceOptions(time="at:ms", event_type="kind")
    )
    assert {a.name: a.type for a in stream.schema.attributes} == {a.name: a.type for a in SCHEMA.attributes}
    for text in (KEYED["iteration"], WHOLE["sequence"]):
        pattern = parse(text, schema=stream.schema)
        task = Task.of(pattern, stream.schema, RecognitionOptions(partitions=3))
        expected = sorted(match.positions for match in recognise(pattern, TABLE, schema=SCHEMA))
        assert found_by(matches_of(events_of(stream.rows(task.columns)), task)) == expected


def test_rows_are_counted(spark: SparkSession, tmp_path: Path) -> None:
    path = write_as("csv", TABLE, tmp_path)
    path.write_text(path.read_text() + "\nA,1,k1,x,9\nA,1,k1,x,9\nA,1,k1\n")
    options = SourceOptions(schema=SCHEMA)
    rows = open_stream(spark, path, options).rows(["key", "x"])
    counts = tallied(rows, SCHEMA, ["key", "x"], ("key",))
    lacking = {name: TABLE.column(name).null_count for name in ("key", "x")}
    assert counts.faulty == {"x is not a float64": 2, "not 5 cells as in the header": 1}
    assert (counts.rows, counts.events, counts.without_key) == (303, 300, lacking["key"])
    assert counts.missing == lacking
    assert [tuple(row) for row in quarantine_of(rows).orderBy("row").collect()] == [
        (300, "x is not a float64", "x", "A,1,k1,x,9"),
        (301, "x is not a float64", "x", "A,1,k1,x,9"),
        (302, "not 5 cells as in the header", "3 cells", "A,1,k1"),
    ]


def test_the_result_carries_what_it_should(spark: SparkSession) -> None:
    pattern = parse(KEYED["sequence"], schema=SCHEMA)
    options = RecognitionOptions(events=True)
    frame = frame_of(spark, TABLE)
    found = in_table(frame, pattern, arrival="number", schema=SCHEMA, options=options)
    expected = recognise(pattern, TABLE, schema=SCHEMA).to_arrow(events=True)
    assert found.columns == expected.column_names
    rows = {tuple(row["positions"]): row for row in found.toArrow().to_pylist()}
    for row in expected.to_pylist():
        assert rows[tuple(row["positions"])] == row
    assert found.schema["start_time"].dataType.simpleString() == "timestamp"


def test_only_columns_that_are_read_are_sent() -> None:
    pattern = parse(WHOLE["sequence"], schema=SCHEMA)
    assert Task.of(pattern, SCHEMA, RecognitionOptions()).columns == ("kind", "key", "x", "at")
    assert Task.of(pattern, SCHEMA, RecognitionOptions(events=True)).columns == SCHEMA.names


def test_the_result_composes(spark: SparkSession) -> None:
    """It is a DataFrame like any other, and nothing runs before it is used."""
    pattern = parse(KEYED["sequence"], schema=SCHEMA)
    frame = frame_of(spark, TABLE)
    found = in_table(frame, pattern, arrival="number", schema=SCHEMA)
    ends = found.join(frame, found["end"] == frame["number"]).select("kind").distinct().collect()
    assert [row[0] for row in ends] == ["B"]


DISORDERED = pa.table(
    {
        "kind": ["A", "A", "B", "B"],
        "id": [1, 2, 3, 4],
        "key": ["a", "b", "b", "a"],
        "x": [1.0, 1.0, 2.0, 2.0],
        "at": [1000, 7000, 6999, 2000],
    }
)


def test_disorder_is_refused_where_it_matters(spark: SparkSession) -> None:
    frame = frame_of(spark, DISORDERED)
    for text, message in {
        "A; B partition by key": (
            r"row 2 of the sub-stream key = 'b' is out of order: its 'at' is 1970-01-01T00:00:06.999, that "
            r"of row 1 before it is 1970-01-01T00:00:07.000; sort the stream by 'at' \(--sort\)"
        ),
        "A; B": "row 2 is out of order",
    }.items():
        found = in_table(frame, parse(text, schema=SCHEMA), arrival="number", schema=SCHEMA)
        with pytest.raises(StreamError, match=message):
            found_by(found)
    own = in_table(
        frame.where("key = 'a'"),
        parse("A; B partition by key", schema=SCHEMA),
        arrival="number",
        schema=SCHEMA,
    )
    assert found_by(own) == [(0, 3)]


def test_a_stream_is_sorted_on_request(spark: SparkSession) -> None:
    """By time, then by row; positions stay numbers of rows."""
    frame, options = frame_of(spark, DISORDERED), RecognitionOptions(sort=True)
    for text, expected in {"A; B": [(0, 3)], "B; event where kind = 'B'": [(3, 2)]}.items():
        pattern = parse(text, schema=SCHEMA)
        found = in_table(frame, pattern, arrival="number", schema=SCHEMA, options=options)
        assert [tuple(row["positions"]) for row in found.collect()] == expected


BAD_FRAMES: dict[str, tuple[dict[str, Any], str]] = {
    "no time": ({"at": [1, None]}, r"row 1: at, the time, is missing"),
    "no number": ({"number": [0, None]}, "a row has no number"),
    "one number twice": ({"number": [4, 4]}, "two events have the number 4"),
}


@pytest.mark.parametrize("case", BAD_FRAMES)
def test_tables_that_are_no_streams(spark: SparkSession, case: str) -> None:
    change, message = BAD_FRAMES[case]
    schema = Schema.of(x=Float64(), at=Timestamp("ms"), time="at")
    columns = {"x": [1.0, 2.0], "at": [1, 2], "number": [0, 1]} | change
    frame = spark.createDataFrame(pa.table(columns))
    found = in_table(frame, mark() >> mark(), arrival="number", schema=schema)
    with pytest.raises(StreamError, match=message):
        found_by(found)


def test_tables_and_patterns_are_checked_before_anything_runs(spark: SparkSession) -> None:
    frame = frame_of(spark, TABLE)
    pattern, other = parse("event where y > 3"), Schema.of(y=Int64())
    with pytest.raises(UnknownAttributeError, match="unknown attribute 'y'"):
        in_table(frame, pattern, arrival="number", schema=SCHEMA)
    with pytest.raises(SchemaError, match="no column 'y'"):
        in_table(frame, pattern, arrival="number", schema=other)


def broken(predicate: Callable[..., bool]) -> Pattern:
    relation = Relation("Broken", 1, predicate, attributes=("x",))
    return Pattern(mark(relation("~")), ("key",))


def test_a_relation_that_fails_in_a_worker(spark: SparkSession) -> None:
    def divides(event: Any) -> bool:
        return bool(event["x"] < 1 / 0)

    def refuses(event: Any) -> bool:
        raise LimitError(f"no more: x is {event['x']}, 'quoted' and \u00fcnusual")

    frame = frame_of(spark, TABLE.slice(0, 1))
    for predicate, kind, message in (
        (
            divides,
            RelationError,
            "^relation 'Broken' raised an exception, .*: ZeroDivisionError: division by zero$",
        ),
        (refuses, LimitError, "^no more: x is .*, 'quoted' and \u00fcnusual$"),
    ):
        found = in_table(frame, broken(predicate), arrival="number", schema=SCHEMA)
        with pytest.raises(kind, match=message):
            found_by(found)
    with pytest.raises(PythonException):
        found.collect()


def test_a_worker_that_dies(spark: SparkSession) -> None:
    def dies(event: Any) -> bool:
        os._exit(3)

    found = in_table(frame_of(spark, TABLE.slice(0, 1)), broken(dies), arrival="number", schema=SCHEMA)
    with pytest.raises(EnvironmentProblem, match="a Python worker of Spark died"):
        found_by(found)


def test_limits_hold_in_workers(spark: SparkSession) -> None:
    pattern = Pattern(skip_till_any(mark(write="r"), mark(head().id != register("r").id)), name="greedy")
    found = in_table(
        frame_of(spark, TABLE),
        pattern,
        arrival="number",
        schema=SCHEMA,
        options=RecognitionOptions(limits=Limits(configurations=10, nodes=100)),
    )
    with pytest.raises(LimitError, match="pattern 'greedy' has 11 configurations"):
        found_by(found)
