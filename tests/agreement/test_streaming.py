"""A stream that comes in micro-batches, out of order, has the matches that it has in order and as a whole."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from mnemata.automata.engine.recognition import recognise
from mnemata.paper_figures.benchmarks.faults.running import parent_of, told_of
from mnemata.pipeline.failures import WorkerFailure
from mnemata.pipeline.recognition import RecognitionOptions, Task
from mnemata.pipeline.sources import SourceOptions
from mnemata.pipeline.sources.formats import ROW
from mnemata.pipeline.streaming.files import UNREADABLE
from mnemata.pipeline.streaming.groups import LATE, Group, State
from mnemata.pipeline.streaming.job import Pace
from mnemata.pipeline.streaming.operator import MEASURES, OBSERVED
from mnemata.pipeline.streaming.preparing import Wanted
from mnemata.pipeline.streaming.report import Report
from mnemata.proofs.generators import TICKS, patterns, streams
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.cel.query import Query
from mnemata.theory.errors import EnvironmentProblem, UnsupportedError
from mnemata.theory.schema import Event, Float64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.syntax import parse, parse_cel

Found = list[tuple[int, ...]]

SCHEMA = Schema.of(kind=String(), key=String(), x=Float64(), at=Timestamp("ms"), event_type="kind", time="at")
TEXT = "any(A as r, B where x > r.x) within 12 ms partition by key"
DELAY = 10


# Without Spark: groups get what Spark would hand them.


def in_steps(group: Group, arriving: pa.Table, cuts: list[int], delay: int) -> tuple[Found, set[int]]:
    """The positions of matches, and the rows that came too late; the end of time comes last."""
    state, newest, watermark = State(), 0, 0
    found: Found = []
    late: set[int] = set()
    bounds = [0, *sorted(min(cut, arriving.num_rows) for cut in cuts), arriving.num_rows]
    for begin, end in [*pairwise(bounds), (None, None)]:
        some = None if begin is None else arriving.slice(begin, end - begin)
        watermark = 10**12 if begin is None else max(watermark, newest - delay)
        if some is not None and not some.num_rows:
            some = None
        step = group.step(state, some, watermark if watermark > 0 else None)
        state = step.state or State()
        found += [tuple(p) for batch in step.matches for p in batch.column("positions").to_pylist()]
        late |= set(step.late.column("row").to_pylist())
        if some is not None:
            newest = max(newest, *some.column("at").to_pylist())
    assert state.waiting == b""
    return found, late


def numbered(table: pa.Table) -> pa.Table:
    """With numbers of rows, and times as ticks."""
    times = table.column("at").cast(pa.int64())
    timed = table.set_column(table.schema.get_field_index("at"), "at", times)
    return timed.append_column(ROW, pa.array(range(table.num_rows), pa.int64()))


def in_order(
    pattern: Pattern | Query, schema: Schema, table: pa.Table, left_out: set[int]
) -> set[tuple[int, ...]]:
    """The positions of matches in a stream that is sorted first, without some rows."""
    kept = numbered(table).filter(
        pa.array([row not in left_out for row in range(table.num_rows)], pa.bool_())
    )
    ordered = kept.sort_by([("at", "ascending"), (ROW, "ascending")])
    rows = ordered.column(ROW).to_pylist()
    return {tuple(rows[p] for p in m.positions) for m in recognise(pattern, ordered, schema=schema)}


@given(
    patterns(),
    streams(max_size=8),
    st.randoms(use_true_random=False),
    st.lists(st.integers(0, 8), max_size=3),
    st.integers(0, 4),
)
def test_any_order_of_arrival(
    pattern: Pattern, stream: tuple[Event, ...], chance: random.Random, cuts: list[int], delay: int
) -> None:
    task = Task.of(pattern, TICKS, RecognitionOptions())
    try:
        group = Group(task, TICKS)
    except UnsupportedError:
        assume(False)
    arriving = stream_to_arrow(tuple(chance.sample(stream, len(stream))), TICKS)
    found, late = in_steps(group, numbered(arriving), cuts, delay)
    assert len(set(found)) == len(found)
    assert set(found) == in_order(pattern, TICKS, arriving, late)


# With Spark.


def events(size: int, disorder: float, seed: int = 0) -> list[dict[str, Any]]:
    """Events of some keys, three in each millisecond, out of order by less than `disorder` of them."""
    chance = random.Random(seed)
    rows = [
        {
            "kind": chance.choice("ABB"),
            "key": f"k{chance.randrange(5)}",
            "x": chance.choice([0.5, 1.5, 2.5, None]),
            "at": n // 3,
        }
        for n in range(size)
    ]
    return sorted(rows, key=lambda row: row["at"] + chance.random() * disorder)


def as_table(rows: list[dict[str, Any]]) -> pa.Table:
    kinds = [("kind", pa.string()), ("key", pa.string()), ("x", pa.float64()), ("at", pa.timestamp("ms"))]
    return pa.Table.from_pylist(rows, pa.schema(kinds))


class Place:
    """A stream's folders."""

    def __init__(self, root: Path, spark: SparkSession) -> None:
        self.root, self.spark = root, spark
        (root / "in").mkdir(parents=True)

    def put(self, rows: list[dict[str, Any]], name: str) -> None:
        (self.root / "in").mkdir(exist_ok=True)
        pq.write_table(as_table(rows), self.root / "in" / f"{name}.parquet")

    def wanted(self, text: str = TEXT, **changes: Any) -> Wanted:
        options: dict[str, Any] = {
            "text": text,
            "name": "rise",
            "meaning": lambda schema: parse(text, schema=schema),
            "source": str(self.root / "in"),
            "reading": SourceOptions("parquet", SCHEMA),
            "files_at_once": 1,
            "recognising": RecognitionOptions(),
            "checkpoint": str(self.root / "state"),
            "sink": str(self.root / "out"),
            "quarantine": str(self.root / "bad"),
            "sink_format": "parquet",
            "watermark": f"{DELAY} ms",
            "groups": 3,
            "pace": Pace(once=True),
        }
        return Wanted(**(options | changes))

    def run(self, wanted: Wanted | None = None, told: Callable[[Report], None] = lambda _: None) -> None:
        chosen = wanted or self.wanted()
        chosen.check()
        chosen.prepared(self.spark).run(self.spark, told)

    def rows(self, folder: str) -> list[dict[str, Any]]:
        files = sorted((self.root / folder).glob("*.parquet"))
        return [row for file in files for row in pq.read_table(file).to_pylist()]

    def found(self) -> list[tuple[int, ...]]:
        rows = self.rows("out")
        assert len({row["id"] for row in rows}) == len(rows)
        assert all((row["start"], row["end"]) == (row["positions"][0], row["positions"][-1]) for row in rows)
        return sorted(tuple(row["positions"]) for row in rows)


@pytest.fixture
def place(tmp_path: Path, spark: SparkSession) -> Place:
    return Place(tmp_path / "stream", spark)


END = {"kind": "A", "key": "end", "x": None, "at": 10_000}
"""An event that all others are before, even behind the watermark."""


def test_files_one_by_one_with_a_stop_between(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    observed: list[dict[str, int]] = []

    def of(progress: Any, totals: Mapping[str, int], original: Any = Report.of) -> Report:
        observed.append(progress["observedMetrics"][OBSERVED].asDict())
        return original(progress, totals)

    monkeypatch.setattr(Report, "of", of)
    rows = [*events(240, disorder=9), END]
    late = [{"kind": "A", "key": "k0", "x": 0.5, "at": 3}, {"kind": "B", "key": "k1", "x": 2.5, "at": 69}]
    bad = {"kind": "B", "key": None, "x": 1.0, "at": 79}
    place.put(rows[:120], "1")
    place.put(rows[120:], "2")
    reports: list[Report] = []
    place.run(told=reports.append)
    place.put([*late, bad], "0")
    place.run(told=reports.append)
    assert len(reports) >= 4
    table = as_table(rows)
    # Nothing comes after the last event, so it waits still.
    assert place.found() == sorted(in_order(parse(TEXT, schema=SCHEMA), SCHEMA, table, {len(rows) - 1}))
    quarantined = sorted(place.rows("bad"), key=lambda row: row["row"])
    assert [(row["row"], row["reason"]) for row in quarantined] == [
        (len(rows), LATE),
        (len(rows) + 1, LATE),
        (len(rows) + 2, "key, of the key, is missing"),
    ]
    assert [json.loads(row["raw"])["at"] for row in quarantined] == [3, 69, 79]
    last = reports[-1].totals
    assert (last["events"], last["matches"], last["bad"]) == (len(rows) - 1, len(place.rows("out")), 3)
    assert {name: sum(batch[name] or 0 for batch in observed) for name in MEASURES} == last
    # All windows have closed.
    assert (last["live"], last["nodes"], last["waiting"]) == (0, 0, 1)


def test_one_group_where_a_match_uses_up_the_events_of_all_keys(place: Place) -> None:
    text = "SELECT * WHERE A AS a; B AS b FILTER b.x > a.x PARTITION BY [key] WITHIN 12 ms CONSUME BY ANY"
    rows = [*events(90, disorder=9, seed=3), END]
    for part in range(3):
        place.put(rows[31 * part : 31 * (part + 1)], str(part))
    query = parse_cel(text, schema=SCHEMA)
    wanted = place.wanted(text, meaning=lambda schema: parse_cel(text, schema=schema))
    place.run(wanted)
    known = wanted.kept.identity()
    assert known is not None
    assert known.groups == 1
    table = as_table(rows)
    assert place.found() == sorted(in_order(query, SCHEMA, table, {len(rows) - 1}))
    # Each key by itself would find more.
    each = parse_cel(text.replace(" ANY", " PARTITION"), schema=SCHEMA)
    assert len(place.found()) < len(in_order(each, SCHEMA, table, {len(rows) - 1}))


def test_a_run_that_ends_before_spark_notes_its_last_batch(place: Place) -> None:
    rows = [*events(240, disorder=9, seed=1), END]
    for part in range(3):
        place.put(rows[81 * part : 81 * (part + 1)], str(part))
    place.run()
    whole = place.found()
    assert whole == sorted(in_order(parse(TEXT, schema=SCHEMA), SCHEMA, as_table(rows), {len(rows) - 1}))
    # As after a kill between writing a batch and noting that it is done.
    commits = sorted((place.root / "state" / "spark" / "commits").glob("[0-9]*"), key=lambda f: int(f.name))
    for file in (commits[-1], commits[-1].with_name(f".{commits[-1].name}.crc")):
        file.unlink(missing_ok=True)
    written = sorted((place.root / "out").glob("*.parquet"))
    written[-1].unlink()
    (place.root / "out" / f".{written[-1].name}.0123abcd.partial").mkdir()
    place.run()
    assert place.found() == whole
    assert not list((place.root / "out").glob(".*.partial"))


def workers() -> list[int]:
    """The Python workers of this process's Spark."""
    found = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
    daemons = {p for p in found if "pyspark.daemon" in told_of(p, "cmdline")}
    return [p for p in daemons if parent_of(p) in daemons and os.getpid() in ancestors(p)]


def ancestors(process: int) -> Iterator[int]:
    while process > 1:
        process = parent_of(process)
        yield process


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to find workers in")
def test_a_worker_that_dies_and_a_file_that_is_damaged(place: Place) -> None:
    rows = [*events(120, disorder=9, seed=4), END]
    for part in range(3):
        place.put(rows[41 * part : 41 * (part + 1)], f"{part}")
    (place.root / "in" / "0z.parquet").write_bytes(b"no Parquet")
    killed: list[int] = []

    def kill(_: Report) -> None:
        for worker in workers() if not killed else ():
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)

    try:
        place.run(told=kill)
    except (EnvironmentProblem, WorkerFailure):
        place.run()
    assert killed
    # The damaged file is a row by itself, behind the first file.
    numbers = [number + (number >= 41) for number in range(len(rows))]
    found = in_order(parse(TEXT, schema=SCHEMA), SCHEMA, as_table(rows), {len(rows) - 1})
    assert place.found() == sorted(tuple(numbers[p] for p in match) for match in found)
    assert [(row["row"], row["reason"]) for row in place.rows("bad")] == [(41, UNREADABLE)]
