"""Recognition in Spark tables beside other Spark code: keys and times as columns, SQL, one row an event."""

from __future__ import annotations

import random
from collections import defaultdict

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from mnemata.automata.engine.recognition import recognise as in_arrow
from mnemata.pipeline.failures import translated
from mnemata.pipeline.recognition import RecognitionOptions
from mnemata.pipeline.tables import explode, recognise
from mnemata.theory.errors import PatternError, SchemaError, StreamError
from mnemata.theory.schema import Int64, Schema
from mnemata.theory.syntax import parse

RISING = "any(SELL as s, BUY where price > s.price) within 200 s"
QUERY = "SELECT * WHERE SELL AS s; BUY AS b FILTER b.price > s.price WITHIN 200 seconds"


def ticks(size: int, seed: int = 0) -> pa.Table:
    chance = random.Random(seed)
    times = random.Random(seed).sample(range(10 * size), size)
    return pa.table(
        {
            "kind": [chance.choice(["SELL", "BUY"]) for _ in range(size)],
            "stock": [chance.choice(["a", "b", "c", None]) for _ in range(size)],
            "price": [float(chance.randrange(9)) for _ in range(size)],
            "at": pa.array([1000 * t for t in times], pa.timestamp("ms", tz="UTC")),
        }
    )


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame(ticks(120)).repartition(3)


def expected(stream: pa.Table, text: str) -> list[tuple[str, tuple[int, ...]]]:
    """Key and positions in the sub-stream of each match, sub-stream by sub-stream."""
    rows = defaultdict(list)
    for row in sorted(stream.to_pylist(), key=lambda row: row["at"]):
        rows[row["stock"]].append(row)
    return sorted(
        (stock, match.positions)
        for stock, some in rows.items()
        if stock is not None
        for match in in_arrow(text, pa.Table.from_pylist(some, stream.schema), event_type="kind", time="at")
    )


@pytest.mark.parametrize("text", [RISING, QUERY])
def test_keys_and_times_are_columns(frame: DataFrame, text: str) -> None:
    found = recognise(frame, text, key="stock", time="at", event_type="kind")
    rows = found.select("key.stock", "positions").collect()
    assert sorted((row[0], tuple(row[1])) for row in rows) == expected(ticks(120), text)
    assert len(rows) > 10


def test_without_keys_the_table_is_one_stream(frame: DataFrame) -> None:
    stream = ticks(120).sort_by("at")
    wanted = sorted(m.positions for m in in_arrow(RISING, stream, event_type="kind", time="at"))
    rows = recognise(frame, RISING, time="at", event_type="kind").select("positions").collect()
    assert sorted(tuple(row[0]) for row in rows) == wanted
    assert len(wanted) > 10


def test_what_a_match_of_one_key_uses_up_is_gone_for_all(frame: DataFrame) -> None:
    """Then positions are those in the whole table."""
    query = "SELECT * WHERE SELL AS s; BUY AS b FILTER b.price > s.price PARTITION BY [stock] CONSUME BY ANY"
    stream = ticks(120).sort_by("at")
    wanted = sorted(m.positions for m in in_arrow(query, stream, event_type="kind", time="at"))
    rows = recognise(frame, query, time="at", event_type="kind").select("positions").collect()
    assert sorted(tuple(row[0]) for row in rows) == wanted
    assert len(wanted) > 5


def test_matches_are_a_table_for_sql(spark: SparkSession, frame: DataFrame) -> None:
    recognise(frame, RISING, key="stock", time="at", event_type="kind").createOrReplaceTempView("rises")
    rows = spark.sql("SELECT key.stock, count(*) FROM rises GROUP BY 1").collect()
    wanted: dict[str, int] = defaultdict(int)
    for stock, _ in expected(ticks(120), RISING):
        wanted[stock] += 1
    assert {row[0]: row[1] for row in rows} == wanted


def test_one_row_for_each_marked_event(frame: DataFrame) -> None:
    options = RecognitionOptions(events=True)
    found = recognise(frame, RISING, key="stock", time="at", event_type="kind", options=options)
    table = explode(found)
    assert table.columns == [
        "match", "pattern", "key", "start", "end", "start_time", "end_time", "place", "position", "event",
    ]  # fmt: skip
    by_match = defaultdict(list)
    for row in table.collect():
        assert row["event"]["stock"] == row["key"]["stock"]
        by_match[row["match"]].append(
            (row["place"], row["position"], row["event"]["kind"], row["key"]["stock"])
        )
    taken = sorted((some[0][3], tuple(p for _, p, _, _ in sorted(some))) for some in by_match.values())
    assert taken == expected(ticks(120), RISING)
    assert all([k for _, _, k, _ in sorted(some)] == ["SELL", "BUY"] for some in by_match.values())
    assert table.select("match", "event.*").columns == ["match", "kind", "stock", "price", "at"]


def test_matches_without_events_cannot_be_taken_apart(frame: DataFrame) -> None:
    with pytest.raises(SchemaError, match=r"without their events.*RecognitionOptions\(events=True\)"):
        explode(recognise(frame, RISING, key="stock", time="at", event_type="kind"))


def timed(spark: SparkSession, seconds: list[int]) -> DataFrame:
    times = pa.array(seconds, pa.timestamp("s", tz="UTC"))
    return spark.createDataFrame(pa.table({"id": ["a", "a", "b"], "at": times}))


def test_two_events_at_one_time_have_no_order(spark: SparkSession) -> None:
    frame = timed(spark, [1, 1, 1])
    found = recognise(frame, "event; event", key="id", time="at")
    with (
        pytest.raises(StreamError, match=r"two events of a sub-stream have the same 'at'.*arrival="),
        translated(),
    ):
        found.collect()


def test_events_of_different_keys_may_share_a_time(spark: SparkSession) -> None:
    frame = timed(spark, [1, 2, 1])
    rows = recognise(frame, "event; event", key=["id"], time="at").collect()
    assert [(row["key"]["id"], row["positions"]) for row in rows] == [("a", [0, 1])]


def test_an_order_is_needed(frame: DataFrame) -> None:
    with pytest.raises(StreamError, match=r"have no order: .*time=.*arrival="):
        recognise(frame, "event; event")


def test_the_pattern_and_the_call_must_agree(frame: DataFrame) -> None:
    pattern = parse("event; event partition by stock")
    with pytest.raises(PatternError, match="partitioned by stock, and key says kind"):
        recognise(frame, pattern, key="kind", time="at")
    with pytest.raises(SchemaError, match="the schema says"):
        recognise(frame, "event", time="at", schema=Schema.of(price=Int64()))
