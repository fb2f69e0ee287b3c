"""Many patterns found at once have the matches that they have one by one."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv
from pyspark.sql import SparkSession

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine import classes
from mnemata.automata.engine.recognition import found_together, recognise, recognise_all
from mnemata.pipeline.batch import Batch
from mnemata.pipeline.progress import Watch, reporter
from mnemata.pipeline.recognition import RecognitionOptions, Task
from mnemata.pipeline.sinks import sink
from mnemata.pipeline.sources import SourceOptions, open_stream
from mnemata.pipeline.tables import recognise as in_table
from mnemata.proofs.generators import TICKS, patterns, streams
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.errors import PatternError, SchemaError
from mnemata.theory.schema import Event, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import Pattern, mark
from mnemata.theory.syntax import named, parse

PRICES = pa.table({"kind": ["a", "b", "a", "b", None], "price": [3, 1, 2, 5, None]})


@settings(max_examples=50)
@given(st.lists(patterns(), min_size=1, max_size=5), streams(), st.sampled_from([0, 2, 128]))
def test_together_as_one_by_one(some: list[Pattern], stream: tuple[Event, ...], few: int) -> None:
    """However many classes of events patterns may share."""
    table = stream_to_arrow(stream, TICKS)
    named = {str(number): pattern for number, pattern in enumerate(some)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "FEW_CLASSES", few)
        found = recognise_all(named, table, schema=TICKS)
        together = {name: list(matches) for name, matches in found.items()}
    assert together == {name: list(recognise(one, table, schema=TICKS)) for name, one in named.items()}


def test_names_are_those_of_the_mapping() -> None:
    found = recognise_all({"one": "event where price > 2", "two": mark()}, PRICES)
    assert list(found) == ["one", "two"]
    assert found["one"].to_arrow().column("pattern").to_pylist() == ["one", "one"]
    assert [match.positions for match in found["two"]] == [(n,) for n in range(5)]


def test_sub_streams_may_differ() -> None:
    texts = {"whole": "event; event", "kinds": "event; event partition by kind"}
    found = recognise_all(texts, PRICES)
    assert [match.positions for match in found["whole"]] == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert [(match.key, match.positions) for match in found["kinds"]] == [(("a",), (0, 2)), (("b",), (1, 3))]


def test_a_sequence_of_patterns_needs_names() -> None:
    one = Pattern(mark(), name="one")
    assert list(recognise_all([one, "event; event"], PRICES)) == ["one", "pattern"]
    with pytest.raises(PatternError, match="2 patterns are called 'pattern'; give a mapping from names"):
        recognise_all(["event", "event; event"], PRICES)
    with pytest.raises(PatternError, match="there is no pattern to find; give at least one"):
        recognise_all([], PRICES)


def test_a_schema_is_one_for_all() -> None:
    schemas = (Schema.of(price=Int64()), Schema.of(price=Float64()))
    one, two = (compile_pattern(Pattern(mark(), name=str(schema["price"])), schema) for schema in schemas)
    with pytest.raises(SchemaError, match="patterns 'int64' and 'float64' were compiled for different"):
        found_together([one, two], PRICES)


SCHEMA = Schema.of(
    kind=String(), x=Float64(), at=Timestamp("ms"), key=Int64(), kin=String(), event_type="kind", time="at"
)
MIXED = {
    "cut": "any(A as a, B where x > a.x) within 6 ms",
    "wider": "any(A as a, any(B+), C where x > a.x) within 9 ms",
    "whole": "A as a; event; B where x != a.x",
    "keyed": "any(A as a, B where x > a.x) within 30 ms partition by key",
    "two keys": "any(A as a, B where x > a.x) within 30 ms partition by kin, key",
    "keyed, no window": "A as a; event; C where x = a.x partition by key",
    "used up": "SELECT * WHERE A AS a; C AS c FILTER c.x > a.x PARTITION BY [kin] CONSUME BY ANY",
}


def events(size: int) -> pa.Table:
    chance = random.Random(8)
    now, columns = 0, {name: [] for name in SCHEMA.names}
    for _ in range(size):
        now += chance.choice([0, 0, 0, 1, 2, 30])
        drawn = (chance.choice("AABC"), chance.choice([None, 1.0, 2.0, 3.0]), now)
        for name, value in zip(
            SCHEMA.names, (*drawn, chance.choice([1, 1, 2, None]), chance.choice("pq")), strict=True
        ):
            columns[name].append(value)
    kinds = (pa.string(), pa.float64(), pa.int64(), pa.int64(), pa.string())
    return pa.table(
        {name: pa.array(columns[name], kind) for name, kind in zip(SCHEMA.names, kinds, strict=True)}
    )


EVENTS = events(400)


def by_name(rows: list[dict[str, Any]]) -> dict[str, list[tuple[int, ...]]]:
    found: dict[str, list[tuple[int, ...]]] = {name: [] for name in MIXED}
    for row in rows:
        found[row["pattern"]].append(tuple(row["positions"]))
    return {name: sorted(some) for name, some in found.items()}


@pytest.fixture(scope="module")
def expected() -> dict[str, list[tuple[int, ...]]]:
    found = recognise_all(MIXED, EVENTS, schema=SCHEMA)
    positions = {name: sorted(match.positions for match in some) for name, some in found.items()}
    assert all(len(some) >= 5 for some in positions.values())
    return positions


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize("slices", [1, 8])
def test_a_run_finds_each_pattern(
    spark: SparkSession, expected: dict[str, Any], ending: str, slices: int, tmp_path: Path
) -> None:
    """Some are cut by time, some not at all, some go by key; keys are those of all."""
    path = tmp_path / f"events.{ending}"
    if ending == "parquet":
        pq.write_table(EVENTS, path, row_group_size=37)
    else:
        csv.write_csv(EVENTS, path)
    stream = open_stream(spark, path, SourceOptions(schema=SCHEMA))
    task = Task.of_all(named(MIXED, SCHEMA), SCHEMA, RecognitionOptions(partitions=slices))
    target = sink(tmp_path / "matches.parquet")
    with Watch(reporter(quiet=True)) as watch:
        summary = Batch(stream, task, target, target.beside("quarantine")).run(watch)
    rows = pq.read_table(target.path).to_pylist()
    assert by_name(rows) == expected
    assert {one.pattern: one.matches for one in summary.found} == {n: len(s) for n, s in expected.items()}
    assert all(one.longest and one.longest.length >= 2 for one in summary.found)
    assert (summary.slices > 1) == (slices > 1)
    assert (summary.whole is not None) == (slices > 1)
    keys = {row["pattern"]: row["key"] for row in rows}
    assert keys["cut"] is None
    assert keys["two keys"].keys() == {"key", "kin"}
    assert keys["keyed"] == {"key": keys["keyed"]["key"], "kin": None}
    kin, key = (EVENTS.column(name).to_pylist() for name in ("kin", "key"))
    assert all(
        row["key"] == {"key": key[row["start"]], "kin": kin[row["start"]]}
        for row in rows
        if row["pattern"] == "two keys"
    )


def test_a_table_finds_each_pattern(spark: SparkSession, expected: dict[str, Any]) -> None:
    numbered = EVENTS.append_column("number", pa.array(range(EVENTS.num_rows), pa.int64()))
    frame = spark.createDataFrame(numbered).repartition(3, "x")
    rows = in_table(frame, MIXED, arrival="number", schema=SCHEMA).select("pattern", "positions").collect()
    assert by_name([row.asDict() for row in rows]) == expected


def test_a_table_without_numbers_has_positions_in_sub_streams(spark: SparkSession) -> None:
    times = pa.array([1, 2, 3, 4], pa.timestamp("s", tz="UTC"))
    frame = spark.createDataFrame(pa.table({"id": ["a", "b", "a", "b"], "at": times}))
    texts = ["event; event", "event; event partition by id"]
    patterns = [replace(parse(text), name=name) for text, name in zip(texts, ("one", "two"), strict=True)]
    rows = in_table(frame, patterns, time="at").collect()
    found = sorted((row["pattern"], row["key"] and row["key"]["id"], row["positions"]) for row in rows)
    assert found == [
        ("one", None, [0, 1]),
        ("one", None, [1, 2]),
        ("one", None, [2, 3]),
        ("two", "a", [0, 1]),
        ("two", "b", [0, 1]),
    ]
