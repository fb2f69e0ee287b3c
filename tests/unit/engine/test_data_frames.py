"""Streams that are data frames, patterns that are text, and matches as one row an event."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from mnemata.automata.engine.compiled import reports
from mnemata.automata.engine.recognition import recognise
from mnemata.theory.arrow import ExportsArrow
from mnemata.theory.errors import SchemaError, UnknownAttributeError
from mnemata.theory.schema import Int64, Schema

COLUMNS = {"kind": ["S", "B", "S", "B"], "price": [3, 1, 2, 4], "at": [0, 1, 2, 3]}
PATTERN = "any(S as s, B where price > s.price) within 3 s"
DATA = {
    "arrow": pa.table(COLUMNS),
    "record batch": pa.record_batch(COLUMNS),
    "pandas": pd.DataFrame(COLUMNS),
    "pandas with an index": pd.DataFrame(COLUMNS, index=["a", "b", "c", "d"]),
    "pandas of Arrow": pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame(COLUMNS),
    "polars with categories": pl.DataFrame(COLUMNS, schema_overrides={"kind": pl.Categorical}),
}


def timed(data: ExportsArrow) -> ExportsArrow:
    """The same with times for numbers of seconds."""
    if isinstance(data, pd.DataFrame):
        return data.assign(at=pd.to_datetime(data["at"], unit="s"))
    if isinstance(data, pl.DataFrame):
        return data.with_columns(pl.from_epoch("at", time_unit="s"))
    table = data if isinstance(data, pa.Table) else pa.Table.from_batches([data])
    return table.set_column(2, "at", table.column("at").cast(pa.timestamp("s")))


@pytest.mark.parametrize("name", DATA)
def test_any_data_frame_is_a_stream(name: str) -> None:
    found = recognise(PATTERN, timed(DATA[name]), event_type="kind", time="at")
    assert [match.positions for match in found] == [(2, 3)]
    assert found.to_arrow().column("start_time").to_pylist()[0].second == 2


def test_queries_are_text_too() -> None:
    found = recognise("SELECT * WHERE S; B WITHIN 2 EVENTS", DATA["polars"], event_type="kind")
    assert [match.positions for match in found] == [(0, 1), (2, 3)]


def test_one_row_for_each_marked_event() -> None:
    table = recognise("any(S, B)", DATA["pandas"], event_type="kind").explode()
    assert table.column("match").to_pylist() == [0, 0, 1, 1, 2, 2]
    assert table.column("place").to_pylist() == [0, 1] * 3
    positions = table.column("position").to_pylist()
    assert sorted(zip(positions[::2], positions[1::2], strict=True)) == [(0, 1), (0, 3), (2, 3)]
    events = table.column("event").to_pylist()
    assert events == [{name: column[p] for name, column in COLUMNS.items()} for p in positions]
    assert table.flatten().column_names[3:] == ["event.kind", "event.price", "event.at"]


def test_matches_are_numbered_from_block_to_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "POSITIONS_AT_ONCE", 2)
    table = recognise("any(S, B)", DATA["arrow"], event_type="kind").explode()
    assert table.column("match").to_pylist() == [0, 0, 1, 1, 2, 2]


def test_no_matches_have_the_same_columns() -> None:
    none, some = (recognise(text, DATA["arrow"]).explode() for text in ("event where price > 9", "event"))
    assert none.num_rows == 0
    assert none.schema == some.schema


@pytest.mark.parametrize("data", [COLUMNS, [1, 2], None])
def test_other_things_are_no_streams(data: ExportsArrow) -> None:
    with pytest.raises(SchemaError, match=r"a stream is an Arrow table.*, got (dict|list|NoneType); pyarrow"):
        recognise("event", data)


def test_what_a_schema_says_is_not_said_twice() -> None:
    with pytest.raises(SchemaError, match="leave out the others"):
        recognise("event", DATA["arrow"], schema=Schema.of(price=Int64()), time="at")


def test_the_columns_are_the_attributes() -> None:
    with pytest.raises(UnknownAttributeError, match="Did you mean 'price'"):
        recognise("event where prize > 1", DATA["polars"])
