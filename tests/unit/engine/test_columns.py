"""Tables become columns: what fits, what is converted, and what is refused with which message."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.engine.columns import Column, Columns, check_types, columns_of
from mnemata.automata.engine.substreams import substreams
from mnemata.proofs.generators import schemas, streams
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.errors import SchemaError, StreamError
from mnemata.theory.schema import (
    AttributeType,
    Bool,
    Category,
    Event,
    Float64,
    Int64,
    Schema,
    String,
    Timestamp,
    Value,
)
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import EPSILON, Pattern


def values(table: pa.Table, schema: Schema, name: str = "a") -> list[Value]:
    columns = columns_of(table, schema, [name])
    read = columns.reader(name)
    return [read(row) for row in range(columns.size)]


DAY = 86_400
MIDNIGHTS = pa.array([date(1970, 1, 2), None, date(1969, 12, 31)])


@pytest.mark.parametrize(
    ("data", "kind", "expected"),
    [
        (pa.array([1, None, -3], pa.int8()), Int64(), [1, None, -3]),
        (pa.array([1, None], pa.uint64()), Int64(), [1, None]),
        (pa.array([2**63 - 1, None, -(2**63)]), Int64(), [2**63 - 1, None, -(2**63)]),
        (
            pa.array([0.5, None, float("nan"), float("inf")], pa.float32()),
            Float64(),
            [0.5, None, None, np.inf],
        ),
        (pa.array([np.float16(0.5), None]), Float64(), [0.5, None]),
        (pa.array([2**53 + 1, None]), Float64(), [2.0**53, None]),
        (pa.array([2**64 - 1], pa.uint64()), Float64(), [2.0**64]),
        (pa.array([True, None, False]), Bool(), [True, None, False]),
        (pa.array(["", None, "ä"], pa.large_string()), String(), ["", None, "ä"]),
        (pa.array(["b", None, "a"], pa.string_view()), String(), ["b", None, "a"]),
        (pa.array(["b", None, "a"]).dictionary_encode(), Category(("a", "b")), ["b", None, "a"]),
        (
            pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None]), pa.array(["x", None, "x"])),
            String(),
            ["x", None, "x", None],
        ),
        (pa.array([7, None, 7]).dictionary_encode(), Int64(), [7, None, 7]),
        (pa.array([1, None], pa.timestamp("s")), Timestamp("ms"), [1000, None]),
        (pa.array([1, None], pa.timestamp("ms")), Timestamp("ms"), [1, None]),
        (pa.array([1, None], pa.timestamp("ns", "UTC")), Timestamp("ns"), [1, None]),
        (pa.array([1, None], pa.timestamp("s", "Europe/Athens")), Timestamp("us"), [10**6, None]),
        (pa.array([5000, None], pa.timestamp("ms")), Timestamp("s"), [5, None]),
        (MIDNIGHTS, Timestamp("s"), [DAY, None, -DAY]),
        (MIDNIGHTS.cast(pa.date64()), Timestamp("ms"), [DAY * 1000, None, -DAY * 1000]),
        (pa.array([25263126, None], pa.int32()), Timestamp("ms"), [25263126, None]),
        *[
            (pa.nulls(2), kind, [None, None])
            for kind in (Int64(), Float64(), Bool(), String(), Category(("a",)), Timestamp("ns"))
        ],
        (pa.array([], pa.string()), String(), []),
        (pa.array([], pa.int64()), Int64(), []),
    ],
)
def test_conversion(data: pa.Array, kind: AttributeType, expected: list[Value]) -> None:
    assert values(pa.table({"a": data}), Schema.of(a=kind)) == expected
    in_pieces = pa.chunked_array([data[:1], data[1:1], data[1:]])
    assert values(pa.table({"a": in_pieces}), Schema.of(a=kind)) == expected


def test_text_of_chunks_with_different_dictionaries() -> None:
    chunks = pa.chunked_array(
        [pa.array(["a", "b"]).dictionary_encode(), pa.array(["b", "c"]).dictionary_encode()]
    )
    assert values(pa.table({"a": chunks}), Schema.of(a=String())) == ["a", "b", "b", "c"]


def test_equal_text_has_equal_codes_in_all_columns() -> None:
    table = pa.table({"a": ["x", "y"], "b": ["y", "x"]})
    columns = columns_of(table, Schema.of(a=String(), b=String()), ["a", "b"])
    assert columns["a"].values.tolist() == columns["b"].values.tolist()[::-1]


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        (pa.array([1.0]), Int64(), "column 'a' is double, the attribute is int64; cast"),
        (pa.array([True]), Int64(), "is bool, the attribute is int64"),
        (pa.array([1]), Bool(), "is int64, the attribute is bool"),
        (pa.array([1]), String(), "is int64, the attribute is string"),
        (pa.array(["1"]), Float64(), "is string, the attribute is float64"),
        (pa.array(["1"]), Timestamp("s"), r"is string, the attribute is timestamp\[s\]"),
        (pa.array([1], pa.time32("s")), Timestamp("s"), "is time32"),
        (pa.array([2**63], pa.uint64()), Int64(), "a value of column 'a' is not a value of int64"),
        (pa.array([1500], pa.timestamp("ms")), Timestamp("s"), r"not a value of timestamp\[s\].*lose data"),
        (pa.array([2**62], pa.timestamp("s")), Timestamp("ns"), "out of bounds"),
        (
            pa.array([None, "BUY", "BYU"]),
            Category(("BUY", "SELL")),
            r"'BYU' in row 2 of column 'a' is not a value of category\[BUY, SELL\]. Did you mean 'BUY'\?",
        ),
    ],
)
def test_what_does_not_fit(data: pa.Array, kind: AttributeType, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        columns_of(pa.table({"a": data}), Schema.of(a=kind), ["a"])


def test_missing_and_repeated_columns() -> None:
    with pytest.raises(SchemaError, match=r"no column 'price'; it has prise, id\. Did you mean 'prise'\?"):
        check_types(pa.table({"prise": [1.0], "id": [1]}), Schema.of(price=Float64()))
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(SchemaError, match="2 columns 'a'"):
        check_types(twice, Schema.of(a=Int64()))
    with pytest.raises(SchemaError, match="no column 'a'; it has none"):
        check_types(pa.table({}), Schema.of(a=Int64()))


def test_types_are_checked_even_of_columns_that_nobody_reads() -> None:
    with pytest.raises(SchemaError, match="column 'b'"):
        columns_of(pa.table({"a": [1], "b": ["x"]}), Schema.of(a=Int64(), b=Int64()), ["a"])


TIMED = Schema.of(at=Timestamp("ms"), time="at")


def test_a_stream_out_of_order() -> None:
    table = pa.table({"at": pa.array([1000, 2000, 2000, 1999, 5], pa.timestamp("ms"))})
    message = (
        "row 3 is out of order: its 'at' is 1970-01-01T00:00:01.999, that of row 2 is 1970-01-01T00:00:02.000"
    )
    with pytest.raises(StreamError, match=message):
        columns_of(table, TIMED, ["at"])


def test_extreme_timestamps() -> None:
    table = pa.table({"at": pa.array([2**63 - 1, -(2**63) + 1], pa.int64())})
    with pytest.raises(StreamError, match="row 1 is out of order"):
        columns_of(table, TIMED, ["at"])


def test_a_missing_timestamp() -> None:
    table = pa.table({"at": pa.array([3, None, 1, None], pa.timestamp("ms"))})
    with pytest.raises(StreamError, match="row 1 has no timestamp: 'at'"):
        columns_of(table, TIMED, ["at"])


def test_ties_in_time_and_short_streams_are_in_order() -> None:
    for ticks in ([], [5], [5, 5, 5]):
        assert columns_of(pa.table({"at": pa.array(ticks, pa.int64())}), TIMED, ["at"]).size == len(ticks)


@given(st.data())
def test_events_of_rows(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    stream = data.draw(streams(schema))
    columns = columns_of(stream_to_arrow(stream, schema), schema, schema.names)
    assert tuple(columns.event(row) for row in range(columns.size)) == stream


@given(st.data())
def test_substreams(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    stream = data.draw(streams(schema, max_size=12))
    names = tuple(data.draw(st.lists(st.sampled_from(schema.names), max_size=3, unique=True)))
    found = substreams(columns_of(stream_to_arrow(stream, schema), schema, schema.names), names)
    order = range(len(stream)) if found.order is None else found.order.tolist()
    bounds = found.bounds.tolist()
    own = [[stream[order[row]] for row in range(*ends)] for ends in pairwise(bounds)]
    assert own == [part for part in semantics.substreams(Pattern(EPSILON, names), stream) if part]


def test_positions_count_from_the_start_of_the_substream() -> None:
    columns = Columns(Schema.of(a=Int64()), 3, {"a": Column(np.array([7, 8, 9]))})
    assert columns.positions.tolist() == [columns.position(row) for row in range(3)] == [1, 2, 3]
    taken = columns.take(np.array([2, 0, 1]), np.array([0, 0, 2]))
    assert taken.positions.tolist() == [taken.position(row) for row in range(3)] == [1, 2, 1]
    assert [taken.event(row) for row in (0, 2)] == [
        Event(columns.schema, (9,), 1),
        Event(columns.schema, (8,), 1),
    ]


def test_zeros_of_either_sign_are_one_key() -> None:
    columns = columns_of(pa.table({"a": [0.0, -0.0, float("nan"), 1.0]}), Schema.of(a=Float64()), ["a"])
    found = substreams(columns, ["a"])
    assert found.order is not None
    assert (found.order.tolist(), found.bounds.tolist()) == ([0, 1, 3], [0, 2, 3])
