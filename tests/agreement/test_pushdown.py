"""Spark leaves out events that do not matter, and no others."""

from __future__ import annotations

import contextlib
import io
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import LongType, StringType, StructField, StructType

from mnemata.automata.engine.recognition import recognise
from mnemata.pipeline.batch import Batch
from mnemata.pipeline.failures import translated
from mnemata.pipeline.progress import Watch, reporter
from mnemata.pipeline.pushdown import wanted_of
from mnemata.pipeline.reading import RowsReading
from mnemata.pipeline.recognition import RecognitionOptions, Task
from mnemata.pipeline.sinks import sink
from mnemata.pipeline.sources import SourceOptions, open_stream
from mnemata.pipeline.tables import recognise as in_table
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.evaluation import models
from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import StreamError
from mnemata.theory.schema import Bool, Category, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.syntax import parse

VALUES = Schema.of(t=String(), i=Int64(), x=Float64(), b=Bool())
ROWS = [
    (t, i, x, b)
    for t in ("a", "B", "", None)
    for i in (-(2**63), 0, 1, 2**53 + 1, None)
    for x in (-0.0, 0.5, math.inf, math.nan, None)
    for b in (True, False, None)
]
e = head(VALUES)
EXACT = [
    e.t == "a",
    e.t != "a",
    e.t.isin(["a", ""]),
    ~e.x.isin([0, 0.5]),
    e.i == 1,
    e.i > 0.0,
    e.i <= 2**53 + 1,
    e.x == 0,
    e.x != 0.5,
    e.x > 0.25,
    e.x >= 0,
    e.x < 1,
    e.b == True,  # noqa: E712
    e.b != True,  # noqa: E712
    (e.t == "a") & ~(e.x > 0.25),
    ~((e.i > 0) | ~(e.x <= 0.5)) | (e.b == False),  # noqa: E712
]
WEAKENED = [
    ((e.t == "a") & (e.i + 1 > 1), e.t == "a"),
    ((e.t == "a") & ~(e.x > e.i), e.t == "a"),
    ((e.t == "a") | (e.i > 0.5), TOP),
    ((e.t == "a") & (e.i == 2.0**53), e.t == "a"),
]


def test_spark_answers_as_the_engine_does(spark: SparkSession) -> None:
    pairs = [(c, c) for c in EXACT] + WEAKENED
    pairs = [(bind(asked, VALUES), bind(answered, VALUES)) for asked, answered in pairs]
    names = ("t string", "i bigint", "x double", "b boolean")
    frame = spark.createDataFrame(ROWS, ", ".join(names))
    columns = [wanted_of(asked, VALUES, frame.schema) for asked, _ in pairs]
    assert [c is None for c in columns] == [answered == TOP for _, answered in pairs]
    shown = [F.coalesce(F.lit(True) if c is None else c, F.lit(False)) for c in columns]
    found = [list(row) for row in frame.select(*shown).collect()]
    rows = [[None if v != v else v for v in row] for row in ROWS]
    events = VALUES.stream(rows)
    assert found == [[models(event, {}, answered) for _, answered in pairs] for event in events]


def test_columns_of_other_types_are_not_asked() -> None:
    insensitive = StructType([StructField("t", StringType("UTF8_LCASE")), StructField("i", LongType())])
    schema = Schema.of(t=String(), i=Int64())
    condition: Condition = bind(~(head(schema).t == "a"), schema)
    assert wanted_of(condition, schema, insensitive) is None


SCHEMA = Schema.of(kind=String(), key=Int64(), x=Float64(), at=Timestamp("ms"), event_type="kind", time="at")
TEXT = "any(A as a, B where x > a.x and x < 90.0) partition by key"


def events(size: int) -> pa.Table:
    kinds = ["A", "C", "D", "B", "C", "E", None]
    return pa.table(
        {
            "kind": [kinds[n * 5 % 7] for n in range(size)],
            "key": pa.array([n % 3 for n in range(size)]),
            "x": [float(n * 37 % 101) for n in range(size)],
            "at": pa.array(range(size), pa.int64()),
            "other": pa.array(range(size), pa.int64()),
        }
    )


def plan(frame: DataFrame) -> str:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        frame.explain()
    return shown.getvalue()


@pytest.mark.parametrize("ordered", [True, False])
def test_files_are_read_as_far_as_is_needed(spark: SparkSession, ordered: bool, tmp_path: Path) -> None:
    """Columns that no pattern reads are not; rows that do not matter are left out where order is known."""
    pq.write_table(events(300), tmp_path / "e.parquet")
    stream = open_stream(spark, tmp_path / "e.parquet", SourceOptions(schema=SCHEMA))
    task = Task.of(parse(TEXT, schema=SCHEMA), SCHEMA, RecognitionOptions())
    spark.conf.set("spark.sql.maxMetadataStringLength", "10000")
    shown = plan(RowsReading(stream.rows(task.columns), SCHEMA, task, in_order=ordered).matches(None))
    spark.conf.unset("spark.sql.maxMetadataStringLength")
    assert "other" not in shown
    pushed = "Or(EqualTo(kind,A),And(EqualTo(kind,B),LessThan(x,90.0)))"
    assert (pushed in shown.partition("PushedFilters")[2]) == ordered


@pytest.mark.parametrize("place", [None, 150])
def test_a_run_leaves_out_what_does_not_matter(
    spark: SparkSession, place: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And notices disorder among what it would leave out."""
    table = events(300)
    if place is not None:
        times = table.column("at").to_pylist()
        times[place + 3] = times[place] - 1
        table = table.set_column(3, "at", pa.array(times, pa.int64()))
    pq.write_table(table, tmp_path / "e.parquet")
    stream = open_stream(spark, tmp_path / "e.parquet", SourceOptions(schema=SCHEMA))
    pattern = parse(TEXT, schema=SCHEMA)
    batch = Batch(
        stream, Task.of(pattern, SCHEMA, RecognitionOptions()), sink(tmp_path / "m"), sink(tmp_path / "q")
    )
    with Watch(reporter(quiet=True)) as watch:
        if place is not None:
            with pytest.raises(StreamError, match="row 153 of the sub-stream key = 0 is out of order"):
                batch.run(watch)
            return
        batch.run(watch)
    found = sorted(tuple(row["positions"]) for row in pq.read_table(tmp_path / "m").to_pylist())
    assert found == sorted(match.positions for match in recognise(pattern, table, schema=SCHEMA))
    assert len(found) > 100


def test_tables_leave_out_what_does_not_matter_once_it_is_numbered(spark: SparkSession) -> None:
    frame = spark.createDataFrame(events(300)).repartition(3, "other")
    found = in_table(frame, TEXT, schema=SCHEMA)
    assert "kind" in plan(found).split("Window")[0]
    rows = found.select("key.key", "positions").collect()
    own: dict[int, list[dict[str, Any]]] = {key: [] for key in range(3)}
    for event in events(300).to_pylist():
        own[event["key"]].append(event)
    expected = [
        (key, match.positions)
        for key, some in own.items()
        for match in recognise(TEXT, pa.Table.from_pylist(some, events(1).schema), schema=SCHEMA)
    ]
    assert sorted((row[0], tuple(row[1])) for row in rows) == sorted(expected)


def test_what_is_wrong_with_events_that_do_not_matter_is_said(spark: SparkSession) -> None:
    schema = Schema.of(
        kind=Category(("A", "B")), key=Int64(), x=Float64(), at=Timestamp("ms"), event_type="kind", time="at"
    )
    rows = [("A", 0, 1.0, 1), ("B", 0, 2.0, 2)]
    columns = "kind string, key bigint, x double, at bigint"
    for more, said in (
        ([("?", 0, 1.0, 3)], "kind is not a category"),
        ([("B", 0, 95.0, 3), ("B", 0, 96.0, 3)], "have the same 'at'"),
    ):
        frame = spark.createDataFrame([*rows, *more], columns)
        assert in_table(spark.createDataFrame(rows, columns), TEXT, schema=schema).count() == 1
        with pytest.raises(StreamError, match=said), translated():
            in_table(frame, TEXT, schema=schema).collect()
