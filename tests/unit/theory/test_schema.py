"""Schemas and events: JSON round trips, checked values, and a specific error for everything else."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import pytest
from hypothesis import given

from mnemata.proofs.generators import TICKS, Stream, schemas, streams
from mnemata.theory.errors import MnemataError, SchemaError, UnknownAttributeError
from mnemata.theory.schema import (
    INT64_MAX,
    INT64_MIN,
    AttributeDeclaration,
    AttributeType,
    Bool,
    Category,
    Float64,
    Int64,
    Schema,
    String,
    Timestamp,
    normalise,
)

EVERYTHING = Schema.of(
    kind=Category(("SELL", "BUY")),
    n=Int64(),
    x=Float64(),
    flag=Bool(),
    label=String(),
    at=Timestamp("us"),
    event_type="kind",
    time="at",
)


@given(schemas())
def test_json_and_pickle_give_the_schema_back(schema: Schema) -> None:
    assert Schema.from_json(schema.to_json()) == schema
    assert pickle.loads(pickle.dumps(schema)) == schema
    assert hash(Schema.from_json(schema.to_json())) == hash(schema)


def test_json_form() -> None:
    assert json.loads(EVERYTHING.to_json()) == {
        "attributes": [
            {"name": "kind", "type": "category", "values": ["BUY", "SELL"]},
            {"name": "n", "type": "int64"},
            {"name": "x", "type": "float64"},
            {"name": "flag", "type": "bool"},
            {"name": "label", "type": "string"},
            {"name": "at", "type": "timestamp", "unit": "us"},
        ],
        "event_type": "kind",
        "time": "at",
    }


def _document(**changed: object) -> str:
    return json.dumps({"attributes": [{"name": "a", "type": "int64"}]} | changed)


def _attribute(**entry: object) -> str:
    return json.dumps({"attributes": [entry]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the schema is not valid JSON"),
        ("{", "the schema is not valid JSON: .* line 1 column 2"),
        ("[" * 100_000, "the schema is not valid JSON"),
        ("[]", "a schema in JSON is an object with a list 'attributes'"),
        ('{"attributes": 3}', "an object with a list 'attributes'"),
        (_document(times="a"), "unknown key 'times' in the schema; it has attributes, event_type, time"),
        (_document(event_type=3), "'event_type' names an attribute or is null, got 3"),
        (_document(time=["a"]), r"'time' names an attribute or is null, got \['a'\]"),
        (_document(time="a"), "the time attribute 'a' must be a timestamp"),
        (_document(event_type="a"), "the event type 'a' must be a string or a category"),
        (_document(attributes=[3]), "an object with a name and a type, got 3"),
        (_document(attributes=[{"type": "int64"}]), "an object with a name and a type"),
        (_attribute(name="a"), "unknown type None of attribute 'a'; types are int64, float64, bool"),
        (_attribute(name="a", type="int"), "unknown type 'int' of attribute 'a'"),
        (_attribute(name="a", type=["int64"]), r"unknown type \['int64'\] of attribute 'a'"),
        (_attribute(name="", type="int64"), "a non-empty string"),
        (_attribute(name="a`b", type="int64"), "without `: 'a`b'"),
        (_attribute(name="a", type="category"), "category 'a' needs a list 'values'"),
        (_attribute(name="a", type="category", values=[]), "at least one value, all of them strings"),
        (_attribute(name="a", type="category", values=[1]), "at least one value, all of them strings"),
        (_attribute(name="a", type="timestamp", unit="h"), "unknown timestamp unit 'h'; use ns, us, ms or s"),
        (_attribute(name="a", type="timestamp", unit=[]), "unknown timestamp unit"),
        (_attribute(name="a", type="int64", unit="s"), r"unknown key 'unit' of attribute 'a' \(int64\)"),
        (_document(attributes=[{"name": "a", "type": "bool"}] * 2), "attribute 'a' is declared twice"),
    ],
)
def test_bad_json_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        Schema.from_json(text)


def test_naming_an_attribute_that_is_not_there() -> None:
    with pytest.raises(UnknownAttributeError, match=r"unknown attribute 'b'; the schema has a\."):
        Schema.from_json(_document(time="b"))


@pytest.mark.parametrize("kind", ["int64", Int64, None])
def test_types_are_objects(kind: Any) -> None:
    with pytest.raises(SchemaError, match="is not a type for attribute 'a'"):
        AttributeDeclaration("a", kind)


def test_categories_are_sorted_sets() -> None:
    assert Category(("b", "a", "b")) == Category(("a", "b"))
    assert str(Category(("b", "a"))) == "category[a, b]"


def test_looking_up_attributes() -> None:
    assert EVERYTHING.names == ("kind", "n", "x", "flag", "label", "at")
    assert EVERYTHING["at"] == Timestamp("us")
    assert EVERYTHING.index("x") == 2
    assert "x" in EVERYTHING
    assert "y" not in EVERYTHING
    with pytest.raises(UnknownAttributeError, match="Did you mean 'label'"):
        EVERYTHING["labl"]
    with pytest.raises(LookupError):
        EVERYTHING.index("nothing alike")


ATTRIBUTE = {name: AttributeDeclaration(name, EVERYTHING[name]) for name in EVERYTHING.names}


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("n", 3, 3),
        ("n", INT64_MAX, INT64_MAX),
        ("n", INT64_MIN, INT64_MIN),
        ("at", -1, -1),
        ("x", 3, 3.0),
        ("x", 2**53 + 1, float(2**53)),
        ("x", -math.inf, -math.inf),
        ("x", math.nan, None),
        ("n", math.nan, None),
        ("label", math.nan, None),
        ("flag", True, True),
        ("label", "", ""),
        ("kind", "BUY", "BUY"),
        *((name, None, None) for name in EVERYTHING.names),
    ],
)
def test_values_in_normal_form(name: str, value: object, expected: object) -> None:
    found = normalise(value, ATTRIBUTE[name])
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n", 2**63),
        ("n", INT64_MIN - 1),
        ("n", 1.0),
        ("n", True),
        ("n", "1"),
        ("x", True),
        ("x", "1"),
        ("x", 2**63),
        ("flag", 1),
        ("flag", "true"),
        ("label", 1),
        ("label", b"x"),
        ("kind", "buy"),
        ("kind", ["BUY"]),
        ("at", 1.5),
        ("at", "2020-01-01"),
    ],
)
def test_values_that_do_not_fit_are_refused(name: str, value: object) -> None:
    with pytest.raises(SchemaError, match=f"is not a value of attribute '{name}'") as caught:
        normalise(value, ATTRIBUTE[name])
    assert isinstance(caught.value, MnemataError)
    assert isinstance(caught.value, ValueError)
    assert repr(value) in str(caught.value)


def test_events_from_sequences_and_mappings() -> None:
    row = ["BUY", 1, 2.5, None, "x", 7]
    event = EVERYTHING.event(row, position=4)
    assert list(event) == row
    assert event["x"] == 2.5
    assert event.position == 4
    assert EVERYTHING.event({"x": 2.5, "n": 1, "at": 7, "label": "x", "kind": "BUY"}, 4) == event
    assert EVERYTHING.event(row, position=5) != event
    with pytest.raises(UnknownAttributeError, match="unknown attribute 'y'"):
        event["y"]


def test_events_with_the_wrong_shape() -> None:
    with pytest.raises(SchemaError, match="an event has 6 values, got 2"):
        EVERYTHING.event(["BUY", 1])
    with pytest.raises(UnknownAttributeError, match=r"unknown attribute 'labell'.*Did you mean 'label'"):
        EVERYTHING.event({"labell": "x"})


def test_streams_count_from_one() -> None:
    assert [event.position for event in TICKS.stream([{}, {}, {}])] == [1, 2, 3]
    assert TICKS.stream([]) == ()


@given(streams())
def test_normal_form_is_stable(stream: Stream) -> None:
    assert TICKS.stream([event.values for event in stream]) == stream
    assert pickle.loads(pickle.dumps(stream)) == stream


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        (Int64(), "int64"),
        (Float64(), "float64"),
        (Bool(), "bool"),
        (String(), "string"),
        (Timestamp(), "timestamp[ms]"),
    ],
)
def test_types_show_their_names(kind: AttributeType, shown: str) -> None:
    assert str(kind) == shown
