"""`Matches`: lazy, countable, iterable again, and as Arrow."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mnemata.automata.engine.compiled import search
from mnemata.automata.engine.matches import Match, Matches
from mnemata.automata.engine.recognition import recognise
from mnemata.automata.engine.results import result_schema
from mnemata.theory.conditions.building import head
from mnemata.theory.errors import SchemaError
from mnemata.theory.schema import Bool, Category, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import Pattern, mark, skip_till_any

SCHEMA = Schema.of(
    kind=Category(("A", "B")), n=Int64(), x=Float64(), ok=Bool(), at=Timestamp("ms"), time="at"
)
TABLE = pa.table(
    {
        "at": pa.array([0, 1, 2, 3], pa.timestamp("s")),
        "extra": ["?"] * 4,
        "kind": pa.array(["A", "B", None, "B"]).dictionary_encode(),
        "n": pa.array([7, 8, 7, 7], pa.int32()),
        "x": pa.array([1, 2, None, 2**53 + 1]),
        "ok": [True, None, False, True],
    }
)
PAIR = Pattern(skip_till_any(mark(), mark(head().kind == "B")), ("n",), name="pair")


def moment(second: int) -> datetime:
    return datetime.fromtimestamp(second, UTC)


@pytest.fixture
def pairs() -> Matches:
    return recognise(PAIR, TABLE, schema=SCHEMA)


def test_nothing_is_searched_before_it_is_asked_for(pairs: Matches, monkeypatch: pytest.MonkeyPatch) -> None:
    searches = 0
    read = search.stages

    def counted(*given: Any) -> object:
        nonlocal searches
        searches += 1
        return read(*given)

    monkeypatch.setattr(search, "stages", counted)
    assert repr(pairs) == "<Matches of 'pair' in 4 events: not searched yet>"
    assert searches == 0
    assert next(iter(pairs)) == Match((0, 3), (7,))
    assert searches == 1
    assert bool(pairs)
    assert searches == 2
    assert list(pairs) == [Match((0, 3), (7,)), Match((2, 3), (7,))]
    assert searches == 3  # once, although list() asks for the length as well
    assert (pairs.count(), len(pairs), list(pairs)) == (2, 2, list(pairs))
    assert searches == 3
    assert repr(pairs) == "<Matches of 'pair' in 4 events: 2 found>"


def test_count_alone_keeps_nothing(pairs: Matches) -> None:
    assert pairs.count() == 2
    assert pairs._kept is None


def test_no_more_than_some_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemata.automata.engine.matches.MOST_KEPT", 10)
    for size in (10, 11, 12):
        matches = recognise(mark(), pa.table({"n": range(size)}))
        assert len(matches) == size
        assert (matches._kept is None) == (size > 10)
        assert [match.positions for match in matches] == [(n,) for n in range(size)]


def test_no_matches() -> None:
    nothing = recognise(mark(head().n > 9), TABLE, schema=SCHEMA)
    assert (bool(nothing), len(nothing), list(nothing)) == (False, 0, [])
    arrow = nothing.to_arrow(events=True)
    assert arrow.num_rows == 0
    assert arrow.schema == result_schema(nothing.pattern, SCHEMA, events=True)


def test_a_match() -> None:
    match = Match((2, 5, 9), ("k",))
    assert (match.start, match.end, len(match)) == (2, 9, 3)
    assert repr(match) == "Match(positions=(2, 5, 9), key=('k',))"
    assert pickle.loads(pickle.dumps(match)) == match


def test_arrow(pairs: Matches) -> None:
    arrow = pairs.to_arrow()
    assert arrow.schema == result_schema(PAIR, SCHEMA)
    assert arrow.to_pylist() == [
        {
            "pattern": "pair",
            "key": {"n": 7},
            "start": start,
            "end": 3,
            "start_time": moment(start),
            "end_time": moment(3),
            "positions": [start, 3],
        }
        for start in (0, 2)
    ]


def test_arrow_with_events(pairs: Matches) -> None:
    arrow = pairs.to_arrow(events=True)
    assert arrow.schema == result_schema(PAIR, SCHEMA, events=True)
    assert arrow.column("events").to_pylist()[1] == [
        {"kind": None, "n": 7, "x": None, "ok": False, "at": moment(2)},
        {"kind": "B", "n": 7, "x": 2.0**53, "ok": True, "at": moment(3)},
    ]


def test_arrow_of_an_unpartitioned_pattern_without_time() -> None:
    arrow = recognise(mark(head().n > 7), pa.table({"n": [7, 8]})).to_arrow()
    assert arrow.to_pylist() == [{"pattern": "pattern", "start": 1, "end": 1, "positions": [1]}]


def test_arrow_of_an_empty_stream() -> None:
    arrow = recognise(PAIR, TABLE.slice(0, 0), schema=SCHEMA).to_arrow(events=True)
    assert (arrow.num_rows, arrow.schema) == (0, result_schema(PAIR, SCHEMA, events=True))


def test_keys_of_all_types() -> None:
    names = ("kind", "n", "x", "ok", "at")
    arrow = recognise(Pattern(mark(), names), TABLE, schema=SCHEMA).to_arrow()
    assert arrow.column("key").to_pylist() == [
        {"kind": "A", "n": 7, "x": 1.0, "ok": True, "at": moment(0)},
        {"kind": "B", "n": 7, "x": 2.0**53, "ok": True, "at": moment(3)},
    ]


def test_results_survive_parquet(pairs: Matches, tmp_path: object) -> None:
    path = f"{tmp_path}/matches.parquet"
    pq.write_table(pairs.to_arrow(events=True), path)
    assert pq.read_table(path).to_pylist() == pairs.to_arrow(events=True).to_pylist()


def test_batches_are_bounded_and_made_as_taken() -> None:
    matches = recognise(skip_till_any(mark().plus()), pa.table({"n": range(12)}))
    batches = matches.to_batches(100)
    first = next(batches)
    assert first.num_rows == 100
    rest = list(batches)
    assert all(batch.num_rows <= 100 for batch in rest)
    whole = pa.Table.from_batches([first, *rest])
    assert whole.num_rows == matches.count() == 2**12 - 1
    assert whole.column("positions").to_pylist() == [list(match.positions) for match in matches]


def test_batches_of_long_matches_are_smaller() -> None:
    matches = recognise(mark().plus(), pa.table({"n": range(60)}))
    marks = [sum(map(len, batch.column("positions").to_pylist())) for batch in matches.to_batches(100)]
    assert len(marks) > 60 * 61 / 2 / 100
    assert max(marks) < 16 * 100 + 60


def test_events_that_do_not_fit() -> None:
    schema = Schema.of(n=Int64(), big=Int64())
    table = pa.table({"n": [1], "big": pa.array([2**63], pa.uint64())})
    matches = recognise(mark(head().n == 1), table, schema=schema)
    assert matches.count() == 1
    with pytest.raises(SchemaError, match="'big'"):
        matches.to_arrow(events=True)


def test_order_of_matches() -> None:
    schema = Schema.of(k=String(), n=Int64())
    table = pa.table({"k": list("baabb"), "n": [1] * 5})
    matches = list(recognise(Pattern(skip_till_any(mark().plus()), ("k",)), table, schema=schema))
    assert [m.key for m in matches] == [("b",)] * 7 + [("a",)] * 3
    assert [m.end for m in matches][:7] == [0, 3, 3, 4, 4, 4, 4]
    assert {m.positions for m in matches[3:7]} == {(0, 3, 4), (0, 4), (3, 4), (4,)}


def test_what_is_known_of_ends_without_making_matches() -> None:
    matches = recognise(skip_till_any(mark().plus()).within(events=100), pa.table({"n": range(200)}))
    assert matches.ends().tolist() == list(range(200))
    assert list(matches.counts()) == [(row, 2 ** min(row, 99)) for row in range(200)]
    assert matches.count() == sum(2 ** min(row, 99) for row in range(200))
    some = list(matches.first(3))
    assert len(set(some)) == len(some) == 1 + 2 + 3 * 198
    assert [match.end for match in some][:6] == [0, 1, 1, 2, 2, 2]
    assert all(match.end - match.start < 100 for match in some)
