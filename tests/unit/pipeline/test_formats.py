"""Lines of text to rows: what is read, what is refused and why, whatever batch a line comes in."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.pipeline.sources.csv_text import CsvText, header_of
from mnemata.pipeline.sources.event_text import EventText, split_event
from mnemata.pipeline.sources.formats import ROW, VERDICT, RowReader, TextFormat, tallies
from mnemata.pipeline.sources.json_text import JsonText
from mnemata.theory.errors import SourceError
from mnemata.theory.schema import Bool, Category, Float64, Int64, Schema, String, Timestamp

TICKS = Schema.of(
    type=Category(("BUY", "SELL")),
    id=Int64(),
    price=Float64(),
    open=Bool(),
    at=Timestamp("ms"),
    event_type="type",
    time="at",
)
CSV, STREAM, JSON = CsvText(TICKS.names), EventText("type"), JsonText()


def read(format: TextFormat, lines: Sequence[str | bytes], schema: Schema = TICKS) -> pa.RecordBatch:
    coded = [line.encode() if isinstance(line, str) else line for line in lines]
    numbers = pa.array(range(100, 100 + len(coded)), pa.int64())
    return RowReader(format, schema, schema.names).read(pa.array(coded, pa.binary()), numbers)


def values(batch: pa.RecordBatch) -> list[tuple[object, ...]]:
    return [tuple(row[name] for name in TICKS.names) for row in batch.to_pylist()]


def reason(format: TextFormat, line: str | bytes, schema: Schema = TICKS) -> str | None:
    row = read(format, [line], schema).to_pylist()[0]
    why: str | None = row["#reason"]
    return why if row["#detail"] is None else f"{why} ({row['#detail']})"


SAME_ROW = {
    CSV: "BUY,8,27.85,true,1500",
    STREAM: "BUY(id=8,price=27.85,open=true,at=1500)",
    JSON: '{"type": "BUY", "id": 8, "price": 27.85, "open": true, "at": 1500}',
}


@pytest.mark.parametrize(("format", "line"), SAME_ROW.items(), ids=["csv", "stream", "json"])
def test_a_row_is_the_same_in_all_formats(format: TextFormat, line: str) -> None:
    batch = read(format, [line])
    assert batch.schema.names == [ROW, *TICKS.names, *VERDICT]
    assert values(batch) == [("BUY", 8, 27.85, True, 1500)]
    assert batch.to_pylist()[0] | {"#row": 0} == {
        "#row": 0,
        **dict(zip(TICKS.names, values(batch)[0], strict=True)),
        **dict.fromkeys(VERDICT),
    }


MISSING = {
    CSV: "BUY,,,,1500",
    STREAM: "BUY(at=1500,id=)",
    JSON: '{"type": "BUY", "at": 1500, "id": null}',
}


@pytest.mark.parametrize(("format", "line"), MISSING.items(), ids=["csv", "stream", "json"])
def test_missing_values(format: TextFormat, line: str) -> None:
    assert values(read(format, [line])) == [("BUY", None, None, None, 1500)]
    assert reason(format, line) is None


CASES: list[tuple[TextFormat, str | bytes, str]] = [
    (CSV, "BUY,8,27.85,true", "not 5 cells as in the header (4 cells)"),
    (CSV, "BUY,8,27.85,true,1500,9", "not 5 cells as in the header (6 cells)"),
    (CSV, 'BUY,"8,27.85,true,1500', "quotes that do not end in this line, or end inside a cell"),
    (CSV, 'BUY,"8"x,27.85,true,1500', "quotes that do not end in this line, or end inside a cell"),
    (CSV, "BUY,eight,27.85,true,1500", "id is not an int64 (eight)"),
    (CSV, "BUY,9223372036854775808,1,true,1500", "id is not an int64 (9223372036854775808)"),
    (CSV, "BUY,8,1e999,true,1500", "price is not a float64 (1e999)"),
    (CSV, "BYU,8,1,true,1500", "type is not a category[BUY, SELL] (BYU)"),
    (CSV, "BUY,8,1,true,", "at, the time, is missing"),
    (CSV, "BUY,8,1,true,2013-02-30", "at is not a timestamp[ms] (2013-02-30)"),
    (CSV, "", "a blank line"),
    (CSV, " \t ", "a blank line"),
    (CSV, b"BUY,8,\xff,true,1500", "not text in UTF-8"),
    (STREAM, "BUY(id=8,price=27.85,open=true,at=1500", "not of the form TYPE(name=value,...)"),
    (STREAM, "BUY(id=8,price27.85,open=true,at=1500)", "not of the form TYPE(name=value,...)"),
    (STREAM, "(id=8,at=1500)", "not of the form TYPE(name=value,...)"),
    (STREAM, "BUY(id=8,id=9,at=1500)", "a field that occurs twice (id)"),
    (STREAM, "BUY(id=8,at=1500,colour=red)", "a field that the schema does not have (colour)"),
    (STREAM, "BUY()", "at, the time, is missing"),
    (STREAM, "BUY(id=8,price=x,at=y)", "price is not a float64 (x)"),
    (STREAM, "\x00\x01\x02", "not of the form TYPE(name=value,...)"),
    (JSON, '{"id": 8', "not JSON"),
    (JSON, "[" * 100_000, "not JSON"),
    (JSON, '{"id": ' + "9" * 5000 + "}", "not JSON"),
    (JSON, "[1, 2]", "JSON, but not an object"),
    (JSON, "null", "JSON, but not an object"),
    (JSON, '{"at": 1500, "id": 8, "id": 9}', "a field that occurs twice (id)"),
    (JSON, '{"at": 1500, "colour": "red"}', "a field that the schema does not have (colour)"),
    (JSON, '{"at": 1500, "id": "8"}', "id is not an int64 (8)"),
    (JSON, '{"at": 1500, "id": 8.0}', "id is not an int64 (8.0)"),
    (JSON, '{"at": 1500, "id": true}', "id is not an int64 (true)"),
    (JSON, '{"at": 1500, "id": 9223372036854775808}', "id is not an int64 (9223372036854775808)"),
    (JSON, '{"at": 1500, "id": {"x": 1}}', 'id is not an int64 ({"x": 1})'),
    (JSON, '{"at": 1500, "price": 1e999}', "a number that no float64 holds (1e999)"),
    (JSON, '{"at": 1500, "price": ' + "9" * 400 + "}", "price is not a float64 (" + "9" * 400 + ")"),
    (JSON, '{"at": 1500, "open": "true"}', "open is not a bool (true)"),
    (JSON, '{"at": 1500, "type": 3}', "type is not a category[BUY, SELL] (3)"),
    (JSON, '{"id": 8}', "at, the time, is missing"),
]


@pytest.mark.parametrize(("format", "line", "expected"), CASES)
def test_faults(format: TextFormat, line: str | bytes, expected: str) -> None:
    assert reason(format, line) == expected


def test_the_raw_row_is_kept() -> None:
    rows = read(CSV, [b"BUY,8,\xff,true,1500", "BUY,8,1,true,1500"]).to_pylist()
    assert rows[0]["#raw"] == "BUY,8,\\xff,true,1500"
    assert rows[1]["#raw"] is None
    assert [row["#row"] for row in rows] == [100, 101]


def test_infinity_may_be_written_in_json() -> None:
    assert values(read(JSON, ['{"at": 1, "price": -Infinity}']))[0][2] == -float("inf")


def test_quoted_cells() -> None:
    schema = Schema.of(a=String(), b=String())
    lines = ['"x, ""y""",z', "plain,z", '"",""']
    rows = read(CsvText(("a", "b")), lines, schema).to_pylist()
    assert [(row["a"], row["b"]) for row in rows] == [('x, "y"', "z"), ("plain", "z"), (None, None)]


def test_texts_that_mean_missing() -> None:
    schema = Schema.of(a=Int64(), b=String())
    format = CsvText(("a", "b"), missing=frozenset({"NA"}))
    assert [(r["a"], r["b"]) for r in read(format, ["NA,NA", "1,x"], schema).to_pylist()] == [
        (None, None),
        (1, "x"),
    ]
    assert reason(CsvText(("a", "b")), "NA,NA", schema) == "a is not an int64 (NA)"


def test_columns_in_another_order_and_more_of_them() -> None:
    schema = Schema.of(a=Int64(), b=String())
    rows = read(CsvText(("other", "b", "a")), ["1.5,x,3"], schema).to_pylist()
    assert (rows[0]["a"], rows[0]["b"], rows[0]["#reason"]) == (3, "x", None)


def test_event_text_with_blanks_and_any_order() -> None:
    lines = [" BUY ( id = 8, price =27.85,open=true,at=1500 ) ", "SELL(at=1,open=false,price=2,id=3)"]
    assert values(read(STREAM, lines)) == [("BUY", 8, 27.85, True, 1500), ("SELL", 3, 2.0, False, 1)]


def test_many_shapes_of_events() -> None:
    """More shapes than are read by pattern: the rest is read one by one, and equal."""
    schema = Schema.of(type=String(), **{f"a{i}": Int64() for i in range(40)})
    lines = [f"T(a{i}={i})" for i in range(40)] * 2
    rows = read(EventText("type"), lines, schema).to_pylist()
    assert [row[f"a{i % 40}"] for i, row in enumerate(rows)] == [*range(40)] * 2
    assert sum(value is not None for row in rows for name, value in row.items() if name[0] == "a") == 80


@pytest.mark.parametrize("line", ["BUY", "(a=1)", "BUY(a=1", "BUY a=1)", "BUY(=1)", "BUY(a)", "BUY(a=1,)"])
def test_lines_unlike_events(line: str) -> None:
    assert split_event(line) is None


ALPHABET = st.text(st.sampled_from('aB1.,=()" \t"\\{}:é-\x00'), max_size=14)
LINES = st.one_of(
    ALPHABET,
    st.sampled_from([str(line) for _, line, _ in CASES if isinstance(line, str) and len(line) < 200]),
    st.sampled_from([*SAME_ROW.values(), *MISSING.values()]),
)


@pytest.mark.parametrize("format", [CSV, STREAM, JSON], ids=["csv", "stream", "json"])
@given(st.lists(LINES, max_size=10))
def test_a_row_depends_on_its_line_alone(format: TextFormat, lines: list[str]) -> None:
    together = read(format, lines).drop_columns([ROW]).to_pylist()
    alone = [read(format, [line]).drop_columns([ROW]).to_pylist()[0] for line in lines]
    assert json.dumps(together) == json.dumps(alone)


@pytest.mark.parametrize("format", [CSV, STREAM, JSON], ids=["csv", "stream", "json"])
@given(st.binary(max_size=30))
def test_garbage_is_refused_with_its_text(format: TextFormat, line: bytes) -> None:
    row = read(format, [line]).to_pylist()[0]
    assert row["#reason"]
    assert row["#raw"] == line.decode("utf-8", "backslashreplace")


def test_what_fields_look_like() -> None:
    lines = pa.array([b"x,1,1.5,true,2013-01-01", b",2,3,FALSE,2013-01-02T10:00:00.123456Z"], pa.binary())
    found = tallies(CsvText(("a", "b", "c", "d", "e")), lines)
    kinds = {name: str(tally.type()) for name, tally in found.items()}
    assert kinds == {"a": "string", "b": "int64", "c": "float64", "d": "bool", "e": "timestamp[us]"}


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["1", "2", "3.5"], "float64"),
        (["1"] * 19 + ["oops"], "int64"),
        (["1"] * 8 + ["oops"] * 2, "string"),
        (["007", "010"], "string"),
        (["12345678901234567890"], "string"),
        (["", ""], "string"),
        (["nan", "1.5"], "float64"),
        (["2013-01-01T00:00:00.1234567"], "timestamp[ns]"),
    ],
)
def test_types_are_inferred(texts: list[str], kind: str) -> None:
    lines = pa.array([f'"{text}"'.encode() for text in texts], pa.binary())
    assert str(tallies(CsvText(("x",)), lines)["x"].type()) == kind


def test_types_of_json_are_inferred() -> None:
    rows = [{"a": 1, "b": 1, "c": True, "d": "x", "e": "2013-01-01"}, {"a": 2, "b": 1.5, "f": [1]}]
    lines = pa.array([json.dumps(row).encode() for row in rows], pa.binary())
    kinds = {name: str(tally.type()) for name, tally in tallies(JsonText(), lines).items()}
    assert kinds == {
        "a": "int64",
        "b": "float64",
        "c": "bool",
        "d": "string",
        "e": "timestamp[ms]",
        "f": "string",
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"\x89PNG\r\n\x1a", "not CSV"),
        (b"", "not CSV"),
        (b"\xff\xfe", "not CSV"),
        (b"a,,c", "column 2 .* has no name"),
        (b"a,b,a", "names column 'a' twice"),
        (b'"a,b', "not CSV"),
    ],
)
def test_headers_that_are_none(line: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        header_of(line, ",", "f.csv")


def test_header_with_byte_order_mark() -> None:
    assert header_of(b"\xef\xbb\xbfa,b", ",", "f.csv") == ("a", "b")
