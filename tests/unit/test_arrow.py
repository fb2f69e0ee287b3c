"""Schemas from Arrow and back."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.proofs.generators import schemas, streams
from mnemata.theory.arrow import arrow_type, schema_from_arrow, schema_to_arrow, stream_to_arrow
from mnemata.theory.errors import SchemaError, UnknownAttributeError
from mnemata.theory.schema import AttributeType, Bool, Category, Float64, Int64, Schema, String, Timestamp


@pytest.mark.parametrize(
    ("arrow", "attribute"),
    [
        *[(kind, Int64()) for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64())],
        *[(kind, Int64()) for kind in (pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())],
        *[(kind, Float64()) for kind in (pa.float16(), pa.float32(), pa.float64())],
        (pa.bool_(), Bool()),
        *[(kind, String()) for kind in (pa.string(), pa.large_string(), pa.string_view())],
        (pa.dictionary(pa.int32(), pa.string()), String()),
        (pa.dictionary(pa.int8(), pa.large_string()), String()),
        (pa.dictionary(pa.int8(), pa.int16()), Int64()),
        *[(pa.timestamp(unit), Timestamp(unit)) for unit in ("s", "ms", "us", "ns")],
        (pa.timestamp("us", tz="Europe/Athens"), Timestamp("us")),
        (pa.date32(), Timestamp("s")),
        (pa.date64(), Timestamp("ms")),
    ],
    ids=str,
)
def test_types(arrow: pa.DataType, attribute: AttributeType) -> None:
    assert schema_from_arrow(pa.schema({"a": arrow})) == Schema.of(a=attribute)


@pytest.mark.parametrize(
    ("arrow", "remedy"),
    [
        (pa.decimal128(10, 2), "cast it to float64"),
        (pa.time64("us"), "add the date"),
        (pa.duration("s"), "cast it to int64"),
        (pa.null(), "all its values are missing"),
        (pa.struct({"x": pa.int64()}), "flatten"),
        (pa.list_(pa.int64()), "columns of their own"),
        (pa.binary(), "cast it to string"),
        (pa.large_binary(), "cast it to string"),
        (pa.dictionary(pa.int8(), pa.binary()), "cast it to string"),
        (pa.month_day_nano_interval(), "leave the column out"),
    ],
    ids=str,
)
def test_other_types_are_refused_with_a_remedy(arrow: pa.DataType, remedy: str) -> None:
    with pytest.raises(SchemaError, match=f"column 'odd' is .*{remedy}"):
        schema_from_arrow(pa.schema({"fine": pa.int64(), "odd": arrow}))


def test_roles() -> None:
    arrow = pa.schema({"kind": pa.string(), "at": pa.timestamp("ms")})
    schema = schema_from_arrow(arrow, event_type="kind", time="at")
    assert (schema.event_type, schema.time) == ("kind", "at")


@pytest.mark.parametrize("roles", [{"time": "kind"}, {"event_type": "at"}])
def test_roles_that_do_not_fit(roles: dict[str, str]) -> None:
    arrow = pa.schema({"kind": pa.string(), "at": pa.timestamp("ms")})
    with pytest.raises(SchemaError, match="must be a"):
        schema_from_arrow(arrow, **roles)


def test_roles_that_do_not_exist() -> None:
    with pytest.raises(UnknownAttributeError, match="Did you mean 'time'"):
        schema_from_arrow(pa.schema({"time": pa.timestamp("s")}), time="tiem")


def test_a_column_twice() -> None:
    with pytest.raises(SchemaError, match="'a' is declared twice"):
        schema_from_arrow(pa.schema([("a", pa.int64()), ("a", pa.int64())]))


@given(schemas())
def test_there_and_back(schema: Schema) -> None:
    back = schema_from_arrow(schema_to_arrow(schema), event_type=schema.event_type, time=schema.time)
    for before, after in zip(schema.attributes, back.attributes, strict=True):
        text = isinstance(before.type, Category)
        assert after == (type(before)(before.name, String()) if text else before)
    assert (back.event_type, back.time) == (schema.event_type, schema.time)


def test_categories_are_written_as_text() -> None:
    assert arrow_type(Category(("A", "B"))) == pa.string()


@given(st.data())
def test_streams_as_tables(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    stream = data.draw(streams(schema))
    table = stream_to_arrow(stream, schema)
    assert table.schema == schema_to_arrow(schema)
    for row, event in zip(table.to_pylist(), stream, strict=True):
        plain = [row[name] for name in schema.names if not isinstance(schema[name], Timestamp)]
        assert plain == [event[name] for name in schema.names if not isinstance(schema[name], Timestamp)]
