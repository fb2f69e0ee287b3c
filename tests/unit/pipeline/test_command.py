"""The command line: what it does, what it says, and how it ends."""

from __future__ import annotations

import csv
import json
import lzma
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from mnemata.pipeline.command import main
from mnemata.pipeline.command.problems import exit_code
from mnemata.theory.errors import EnvironmentProblem, LimitError, MnemataError, UnsupportedError
from mnemata.theory.schema import Category, Float64, Schema, String, Timestamp

SCHEMA = Schema.of(
    type=Category(("BUY", "SELL")),
    name=String(),
    price=Float64(),
    at=Timestamp("ms"),
    event_type="type",
    time="at",
)
TICKS = """\
SELL(name=INTC,price=27.5,at=1000)
BUY(name=RIMM,price=117.25,at=1100)
BUY(name=QQQ,price=36.5,at=1200)
SELL(name=INTC,price=40.0,at=1300)
BUY(name=QQQ,price=41.0,at=1400)
BUY(name=QQQ,price=39.0,at=9400)
"""
PATTERN = "any(SELL as s, BUY where price > s.price) within 500 ms"
FOUND = [(0, 1), (0, 2), (0, 4), (3, 4)]


class Outcome:
    """What a command printed and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Command = Callable[..., Outcome]


@pytest.fixture
def mnemata(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command line in this process, in a folder with a stream and a schema."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    Path("ticks.stream").write_text(TICKS)
    Path("schema.json").write_text(SCHEMA.to_json())

    def run(*arguments: str) -> Outcome:
        with pytest.raises(SystemExit) as end:
            main(arguments)
        printed = capsys.readouterr()
        return Outcome(int(str(end.value.code or 0)), printed.out, printed.err)

    return run


def table(path: str) -> list[dict[str, Any]]:
    if path.endswith(".csv"):
        with open(path, newline="") as file:
            return list(csv.DictReader(file))
    if path.endswith(".json"):
        return [json.loads(line) for line in Path(path).read_text().splitlines()]
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def test_matches_in_a_parquet_file(spark: SparkSession, mnemata: Command) -> None:
    done = mnemata("run", PATTERN, "ticks.stream", "-o", "m.parquet", "--time", "at:ms", "--name", "rise")
    assert (done.code, done.err.splitlines()[0]) == (0, "Starting Spark ...")
    rows = table("m.parquet")
    assert [tuple(row["positions"]) for row in rows] == FOUND
    assert {row["pattern"] for row in rows} == {"rise"}
    assert [(row["start"], row["end"]) for row in rows] == FOUND
    assert rows[0]["start_time"].isoformat() == "1970-01-01T00:00:01+00:00"
    assert str(pq.read_schema("m.parquet").field("end_time").type) == "timestamp[us, tz=UTC]"
    lines = [line.split(maxsplit=1) for line in done.out.splitlines()]
    assert lines[0][0] == "events"
    assert lines[0][1].startswith("6 in ")
    assert done.out.splitlines()[1].split() == ["bad", "rows", "0"]
    assert "matches        4, written to m.parquet" in done.out
    assert "longest match  2 events over 400 ms (rows 0 to 4)" in done.out
    assert sorted(path.name for path in Path().iterdir()) == ["m.parquet", "schema.json", "ticks.stream"]


def test_matches_with_events_in_text(spark: SparkSession, mnemata: Command) -> None:
    pattern = "any(event as s, event where price > s.price) within 1 s partition by name"
    for path in ("m.csv", "m.json"):
        options = ("--time", "at:ms", "--events", "--json", "-q")
        done = mnemata("run", pattern, "ticks.stream", "-o", path, *options)
        assert (done.code, done.err) == (0, "")
        assert json.loads(done.out)["matches"] == 2
    one, two = table("m.csv"), table("m.json")
    assert [row["positions"] for row in two] == [[0, 3], [2, 4]]
    for text, values in zip(one, two, strict=True):
        assert list(text) == list(values)
        assert [json.loads(text[name]) for name in ("key", "positions", "events")] == [
            values[name] for name in ("key", "positions", "events")
        ]
        assert text["start_time"] == values["start_time"]
    assert two[0]["key"] == {"name": "INTC"}
    assert two[0]["events"][1] == {
        "type": "SELL",
        "name": "INTC",
        "price": 40.0,
        "at": "1970-01-01T00:00:01.300000Z",
    }


def test_columns_that_are_no_attributes_are_named(spark: SparkSession, mnemata: Command) -> None:
    pq.write_table(pa.table({"price": [1.0], "key": pa.nulls(1)}), "ticks.parquet")
    done = mnemata("run", "event; event partition by key", "ticks.parquet", "-o", "m.json", "-q")
    assert done.code == 3
    assert re.search(r"unknown attribute 'key'.* Not an attribute: .*'key' is .*null", done.err)


def test_many_patterns(spark: SparkSession, mnemata: Command) -> None:
    Path("patterns").mkdir()
    Path("patterns/rise.pattern").write_text(PATTERN)
    Path("patterns/twice.cel").write_text("SELECT * WHERE BUY AS a; BUY AS b FILTER b.price > a.price")
    Path("patterns/.notes").write_text("nothing")
    arguments = ("ticks.stream", "-o", "m.json", "--time", "at:ms", "--quiet", "--overwrite")
    done = mnemata("run", "patterns", *arguments, "--also", "dear=event where price > 100")
    assert (done.code, done.err) == (0, "")
    found = {(row["pattern"], tuple(row["positions"])) for row in table("m.json")}
    twice = {(2, 4), (2, 5)}
    assert found == {*(("rise", p) for p in FOUND), *(("twice", p) for p in twice), ("dear", (1,))}
    assert "matches   7, written to m.json" in done.out
    assert "          1 x dear; the longest: 1 event over 0 s (row 1)" in done.out
    told = json.loads(mnemata("run", "patterns", *arguments, "--json").out)
    assert [(one["pattern"], one["matches"]) for one in told["patterns"]] == [("rise", 4), ("twice", 2)]


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (("empty",), 6, "the folder 'empty' holds no patterns; each is a file of its own"),
        (("patterns", "--name", "x"), 3, "are called by their files; leave out --name"),
        (("patterns", "--also", "BUY; SELL"), 2, "another pattern is NAME=PATTERN, got --also BUY; SELL"),
        (("patterns", "--also", "rise=BUY"), 3, "2 patterns are called 'rise'; results tell them apart"),
        (("patterns", "--also", "bad=BUY;;"), 3, "pattern 'bad': "),
        (("patterns", "--also", "bad=BUY where cost > 1"), 3, "pattern 'bad': unknown attribute 'cost'"),
    ],
)
def test_what_is_wrong_with_many_patterns(
    mnemata: Command, given: tuple[str, ...], code: int, said: str
) -> None:
    Path("empty").mkdir()
    Path("patterns").mkdir()
    Path("patterns/rise.pattern").write_text(PATTERN)
    schema = ("--schema", "schema.json")
    done = mnemata("run", *given, "ticks.stream", "-o", "m.json", *schema, "--quiet")
    assert done.code == code
    assert said in done.err


def test_a_folder_of_matches(spark: SparkSession, mnemata: Command) -> None:
    Path("rise.pattern").write_text(PATTERN)
    for overwrite in ((), ("--overwrite",)):
        done = mnemata("run", "@rise.pattern", "ticks.stream", "-o", "out/m", "--time", "at:ms", *overwrite)
        assert done.code == 0
        found = pq.read_table("out/m")
        assert sorted(map(tuple, found.column("positions").to_pylist())) == FOUND
        assert set(found.column("pattern").to_pylist()) == {"rise"}
        assert [path.name for path in Path("out").iterdir()] == ["m"]


def test_bad_rows_go_to_the_quarantine(spark: SparkSession, mnemata: Command) -> None:
    with open("ticks.stream", "a") as file:
        file.write("SELL(name=INTC,price=cheap,at=9500)\nSELL(name=INTC\n\nBYU(name=X,price=1,at=9500)\n")
    declared = ("--schema", "schema.json")
    done = mnemata("run", PATTERN, "ticks.stream", "-o", "m.csv", *declared)
    assert done.code == 0
    assert "bad rows       4, kept in m.quarantine.csv" in done.out
    assert "1 x price is not a float64" in done.out
    assert [(row["row"], row["reason"], row["detail"], row["raw"]) for row in table("m.quarantine.csv")] == [
        ("6", "price is not a float64", "cheap", "SELL(name=INTC,price=cheap,at=9500)"),
        ("7", "not of the form TYPE(name=value,...)", "", "SELL(name=INTC"),
        ("8", "a blank line", "", ""),
        ("9", "type is not a category[BUY, SELL]", "BYU", "BYU(name=X,price=1,at=9500)"),
    ]
    assert len(table("m.csv")) == len(FOUND)
    again = mnemata(
        "run", PATTERN, "ticks.stream", "-o", "n.csv", "--schema", "schema.json", "--quarantine", "bad"
    )
    assert again.code == 0
    assert pq.read_table("bad").num_rows == 4
    Path("ticks.stream").write_text(TICKS)
    clean = mnemata("run", PATTERN, "ticks.stream", "-o", "m.csv", *declared, "--overwrite")
    assert clean.code == 0
    assert not Path("m.quarantine.csv").exists(), "what an earlier run left would be taken for this one's"


def test_no_row_is_an_event(spark: SparkSession, mnemata: Command) -> None:
    Path("ticks.stream").write_text("SELL(at=x)\n" * 3)
    done = mnemata("run", PATTERN, "ticks.stream", "-o", "m.json", "--schema", "schema.json", "-q")
    assert done.code == 5
    assert done.err == (
        "error: none of the 3 rows is an event: at is not a timestamp[ms] in 3 of them; they are in "
        "m.quarantine.json\n"
    )
    assert len(table("m.quarantine.json")) == 3
    assert not Path("m.json").exists()


def test_an_empty_stream_has_no_matches(spark: SparkSession, mnemata: Command) -> None:
    Path("ticks.stream").write_text("")
    for path in ("m.parquet", "m.csv", "m.json"):
        done = mnemata("run", PATTERN, "ticks.stream", "-o", path, "--schema", "schema.json")
        assert done.code == 0
        assert table(path) == []
        assert "matches   0, written to" in done.out


def test_order(spark: SparkSession, mnemata: Command) -> None:
    Path("ticks.stream").write_text("".join(reversed(TICKS.splitlines(keepends=True))))
    command = ("run", PATTERN, "ticks.stream", "-o", "m.json", "--time", "at:ms", "-q")
    refused = mnemata(*command)
    assert refused.code == 5
    assert refused.err == (
        "error: row 1 is out of order: its 'at' is 1970-01-01T00:00:01.400, that of row 0 before it is "
        "1970-01-01T00:00:09.400; sort the stream by 'at' (--sort)\n"
    )
    assert sorted(path.name for path in Path().iterdir()) == ["schema.json", "ticks.stream"]
    assert mnemata(*command, "--sort").code == 0
    assert sorted(tuple(5 - n for n in row["positions"]) for row in table("m.json")) == FOUND


def test_the_stock_stream(spark: SparkSession, mnemata: Command, stock_stream_path: Path) -> None:
    """Three other engines agree on these numbers."""
    pattern = (
        "any(SELL as r1 where name = 'INTC', BUY where name = 'RIMM', "
        "BUY where name = 'QQQ' and price > r1.price) within 500 ms"
    )
    done = mnemata(
        "run", pattern, str(stock_stream_path), "-o", "m.parquet", "--time", "stock_time:ms", "--json", "-q"
    )
    summary = json.loads(done.out)
    assert (summary["events"], summary["bad_rows"], summary["matches"]) == (224_473, {}, 819)
    assert summary["longest_match"]["events"] == 3
    assert pq.read_table("m.parquet").num_rows == 819


LIMITED = ("--time", "at:ms", "--max-configurations", "1")
WRONG: dict[str, tuple[int, tuple[str, ...], str]] = {
    "syntax": (3, ("any(SELL as s", "ticks.stream"), "error: ')' is missing at line 1 column 14"),
    "empty pattern": (3, ("", "ticks.stream"), "error: the pattern is empty at line 1 column 1"),
    "attribute": (
        3,
        ("SELL where prize > 3", "ticks.stream"),
        "error: unknown attribute 'prize' at line 1 column 12; the schema has type, name, price, at. "
        "Did you mean 'price'?\n  SELL where prize > 3\n             ^\n",
    ),
    "register": (3, ("SELL where price > r.price", "ticks.stream"), "error: nothing writes the register 'r'"),
    "type": (3, ("SELL where name > 3", "ticks.stream"), "error: cannot compare string > int64 at line 1"),
    "no time": (
        3,
        (PATTERN, "ticks.stream"),
        "error: the pattern measures time, but no attribute orders the stream; name it with --time ATTR",
    ),
    "partition": (3, ("SELL partition by nam", "ticks.stream"), "error: unknown attribute 'nam'"),
    "unit": (4, (PATTERN, "ticks.stream", "--time", "at"), "error: 'at' holds whole numbers; add the unit"),
    "window": (
        3,
        ("SELL; BUY within 5 us", "ticks.stream", "--time", "at:ms"),
        "error: a window of 5 us is not a whole number of ms",
    ),
    "missing stream": (
        6,
        (PATTERN, "tick.stream"),
        "error: there is no file or folder 'tick.stream'. Did you mean 'ticks.stream'?",
    ),
    "empty folder": (6, (PATTERN, "nothing"), "error: the folder 'nothing' holds no files"),
    "truncated": (6, (PATTERN, "cut.stream.xz"), "error: '{}/cut.stream.xz' is truncated"),
    "parquet": (6, (PATTERN, "cut.parquet"), "error: '{}/cut.parquet' is not Parquet, or is truncated"),
    "empty file": (
        6,
        (PATTERN, "empty.stream"),
        "error: 'empty.stream' has no events to derive a schema",
    ),
    "header only": (6, (PATTERN, "header.csv"), "error: 'header.csv' has no events to derive a schema"),
    "garbage": (6, (PATTERN, "garbage.stream"), "error: no line of 'garbage.stream' is of the form TYPE"),
    "unknown format": (6, (PATTERN, "garbage"), "error: cannot tell the format of '{}/garbage' by its name"),
    "format": (6, (PATTERN, "ticks.stream", "--format", "cvs"), "error: unknown format 'cvs' of a stream"),
    "pattern file": (
        6,
        ("@nope.pattern", "ticks.stream"),
        "error: cannot read the pattern in 'nope.",
    ),
    "pattern folder": (6, ("@nothing", "ticks.stream"), "error: cannot read the pattern in 'nothing'"),
    "schema file": (6, (PATTERN, "ticks.stream", "--schema", "no.json"), "error: cannot read the schema"),
    "schema": (
        4,
        (PATTERN, "ticks.stream", "--schema", "ticks.stream"),
        "error: the schema is not valid",
    ),
    "output": (6, (PATTERN, "ticks.stream", "-o", "m.xlsx"), "error: cannot tell the format of 'm.xlsx'"),
    "taken": (6, (PATTERN, "ticks.stream", "-o", "taken.csv"), "error: 'taken.csv' is there already"),
    "folder": (
        6,
        (PATTERN, "ticks.stream", "-o", "taken", "--overwrite"),
        "error: 'taken' is a folder with other things in it and is not replaced",
    ),
    "itself": (
        6,
        (PATTERN, "ticks.stream", "-o", "ticks.stream", "--output-format", "csv", "--overwrite"),
        "error: 'ticks.stream' is where the stream is read from",
    ),
    "limit": (
        7,
        ("any(SELL as s, BUY, BUY where price > s.price)", "ticks.stream", *LIMITED),
        "error: pattern 'pattern' has 2 configurations",
    ),
    "setting": (2, (PATTERN, "ticks.stream", "--conf", "nonsense"), "a setting of Spark is KEY=VALUE"),
    "master": (9, (PATTERN, "ticks.stream", "--master", "local[9]"), "error: Spark already runs on local[2]"),
    "option": (2, (PATTERN, "ticks.stream", "--nonsense"), "No such option: --nonsense"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(spark: SparkSession, mnemata: Command, tmp_path: Path, case: str) -> None:
    code, arguments, message = WRONG[case]
    Path("nothing").mkdir()
    Path("taken").mkdir()
    Path("taken/precious").touch()
    for name, content in {
        "cut.stream.xz": lzma.compress(TICKS.encode() * 99)[:-20],
        "cut.parquet": b"PAR1 and no more",
        "empty.stream": b"",
        "header.csv": b"type,name,price,at\n",
        "garbage.stream": bytes(range(256)) * 9,
        "garbage": bytes(range(256)) * 9,
        "taken.csv": b"",
    }.items():
        Path(name).write_bytes(content)
    before = sorted(Path().rglob("*"))
    output = () if "-o" in arguments else ("-o", "m.csv")
    done = mnemata("run", *arguments, *output, "-q")
    assert (done.code, done.out) == (code, "")
    assert message.format(tmp_path) in done.err
    assert "Traceback" not in done.err
    assert sorted(Path().rglob("*")) == before, "a run that fails leaves nothing behind"


DEEP = 5_000


NESTED: dict[str, tuple[str, int, str]] = {
    "parentheses": ("(" * DEEP + "SELL" + ")" * DEEP, 0, "2 states, 1 transitions when trimmed"),
    "negations": ("SELL where " + "not (" * DEEP + "price > 3" + ")" * DEEP, 0, "2 states, 1 transitions"),
    "sequences": ("(" * DEEP + "SELL" + "; SELL)" * DEEP, 0, "5,002 states"),
    "1 MB": ("; ".join(["SELL"] * 170_000), 7, ""),
}


@pytest.mark.parametrize(("text", "code", "said"), NESTED.values(), ids=NESTED)
def test_patterns_that_are_deep_or_long(mnemata: Command, text: str, code: int, said: str) -> None:
    Path("p.pattern").write_text(text)
    done = mnemata("explain", "p.pattern", "--schema", "schema.json")
    assert done.code == code
    assert said in done.out
    assert "Traceback" not in done.err


def test_a_pattern_is_explained(mnemata: Command) -> None:
    done = mnemata("explain", PATTERN + " partition by name", "--schema", "schema.json")
    assert done.code == 0
    for said in (
        PATTERN,
        "((~.type = 'SELL') ↑ • ↓ s) · (⊤ ↑ ⊗)* · ",
        "SELL as s; (skip event)*; BUY where price > s.price within 500 ms",
        "s: written at 1:13, read at 1:34 (line:column)",
        "less than 500 ms pass from the first to the last marked event; bounds the whole string too",
        "partition by  name",
        "3 states, 3 transitions when trimmed",
        "epsilon) as built",
    ):
        assert said in done.out
    for pattern, said in {
        "event; skip event; event within 3 events": "among 3 consecutive events; bounds the whole string too",
        "(skip event; event) within 3 events": "does not bound the whole string",
        "event+ length 4": "at most 4 events are read; bounds the whole string",
        "any(event, event)": "none: an unfinished match is kept to the end of the stream",
    }.items():
        assert said in mnemata("explain", pattern).out


def test_a_match_is_explained(spark: SparkSession, mnemata: Command) -> None:
    command = ("explain", PATTERN, "ticks.stream", "--time", "at:ms", "-q")
    done = mnemata(*command, "--match", "3")
    assert done.code == 0
    told = done.out[done.out.index("match 3") :].splitlines()
    assert told == [
        "match 3: 2 events over 400 ms (rows 0 to 4)",
        "row 0      SELL(name=INTC, price=27.5, at=1970-01-01T00:00:01.000)",
        "           marked, written to s; state 0 -> 1: type = 'SELL'",
        "row 1      BUY(name=RIMM, price=117.25, at=1970-01-01T00:00:01.100)",
        "           skipped; state 1 -> 1: any event",
        "row 2      BUY(name=QQQ, price=36.5, at=1970-01-01T00:00:01.200)",
        "           skipped; state 1 -> 1: any event",
        "row 3      SELL(name=INTC, price=40.0, at=1970-01-01T00:00:01.300)",
        "           skipped; state 1 -> 1: any event",
        "row 4      BUY(name=QQQ, price=41.0, at=1970-01-01T00:00:01.400)",
        "           marked; state 1 -> 2: type = 'BUY' and price > s.price",
        "           price > s.price, because 41.0 > 27.5",
    ]
    none = mnemata(*command, "--match", "9")
    assert (none.code, none.err) == (5, "error: 'ticks.stream' has fewer than 9 matches\n")


def test_a_match_of_a_substream_is_explained(spark: SparkSession, mnemata: Command) -> None:
    Path("ticks.stream").write_text("".join(reversed(TICKS.splitlines(keepends=True))))
    pattern = "skip event; event as s; event where position(~) = 3 and price < s.price partition by name"
    done = mnemata("explain", pattern, "ticks.stream", "--time", "at:ms", "--sort", "-q")
    told = done.out[done.out.index("match 1") :].splitlines()
    assert told[0] == "match 1: 2 events over 8 s (rows 1 to 0)"
    assert [line.split()[1] for line in told if line.startswith("row")] == ["3", "1", "0"]
    assert (
        told[-2:]
        == [
            "           position(~) = 3, because 3 = 3",
            "           price < s.price, because 39.0 < 41.0",
        ]
        or told[-1] == "           price < s.price, because 39.0 < 41.0"
    )


CHECKED: dict[str, tuple[int, str, list[tuple[str, int | None, int | None, str]]]] = {
    "fine": (0, PATTERN, []),
    "syntax": (3, "any(", [("error", 1, 5, "unexpected end of the pattern")]),
    "name": (3, "SELL\n  where prize > 3", [("error", 2, 9, "unknown attribute 'prize'")]),
    "category": (3, "BYU within 3 s", [("error", 1, 1, "'BYU' is not a value of category[BUY, SELL]")]),
    "never": (
        1,
        "(SELL;\n BUY where price > 3 and price < 2) within 3 s",
        [("warning", 2, 2, "this condition never holds")],
    ),
    "alternative": (
        1,
        "BUY where price > 3 or price > 5 and price < 2",
        [("warning", 1, 24, "this alternative never holds")],
    ),
    "unread": (1, "SELL as s; BUY", [("warning", 1, 9, "register 's' is written and never read")]),
    "unwritten": (3, "SELL where price > s.price", [("error", 1, 20, "nothing writes the register 's'")]),
    "too early": (
        1,
        "(SELL where price > s.price; BUY as s)",
        [("warning", 1, 2, "register 's' is always empty here")],
    ),
    "later": (0, "(SELL where price > s.price; BUY as s){2}", []),
    "unreported": (1, "SELL; skip BUY", [("warning", 1, 1, "no match is ever reported")]),
    "nothing": (1, "nothing", [("warning", 1, 1, "the pattern matches no event at all")]),
    "window": (
        0,
        "((skip BUY)*; SELL; SELL) within 3 s",
        [("info", 1, 1, "this window bounds the marked events, not the whole string")],
    ),
    "unbounded": (0, "any(SELL, BUY)", [("info", None, None, "no window bounds the pattern")]),
    "query": (0, "SELECT * WHERE SELL AS s; BUY AS b FILTER b.price > s.price WITHIN 3 s", []),
    "query, choosing": (
        0,
        "SELECT MAX * WHERE SELL; BUY+ WITHIN 3 s",
        [("info", None, None, "MAX chooses among all that end at an event")],
    ),
    "query, contradictory": (
        1,
        "SELECT * WHERE SELL AS s FILTER s[price > 3 and price < 2]",
        [("warning", None, None, "no event can be bound to 's'")],
    ),
    "query, syntax": (3, "SELECT * WHERE", [("error", 1, 15, "unexpected end")]),
    "query, name": (3, "SELECT * WHERE SEL", [("error", 1, 16, "unknown event type 'SEL'")]),
    "query, hidden": (
        0,
        "SELECT s WHERE SELL AS s; BUY WITHIN 3 s",
        [("info", None, None, "what it shows may be found after its last event")],
    ),
    "query, first hidden": (0, "SELECT b WHERE SELL AS s; BUY AS b WITHIN 3 s", []),
    "query, hidden from a strategy": (
        3,
        "SELECT MAX s WHERE SELL AS s; BUY WITHIN 3 s",
        [("error", None, None, "query 'pattern' does not show all events that MAX chooses by")],
    ),
}


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("(SELL AS s ; BUY AS b) FILTER b.price > s.price", 0, "the pattern is fine"),
        (
            "((SELL AS s)+ ; BUY AS b) FILTER b.price > s.price",
            3,
            "'s' is bound in an OR or an iteration only",
        ),
        ("(SELL AS s ; BUY AS b) FILTER b.prize > s.price", 3, "Did you mean 'price'?"),
        ("(SELL AS s ; ", 3, "unexpected end"),
    ],
)
def test_expressions_of_cepl_are_checked(mnemata: Command, text: str, code: int, said: str) -> None:
    done = mnemata("check", text, "--language", "cepl", "--schema", "schema.json")
    assert done.code == code
    assert said in done.out
    assert mnemata("check", text, "--language", "cepl").code == 4


@pytest.mark.parametrize("case", CHECKED)
def test_patterns_are_checked(mnemata: Command, case: str) -> None:
    code, pattern, expected = CHECKED[case]
    done = mnemata("check", pattern, "--schema", "schema.json", "--json")
    found = [(f["level"], f["line"], f["column"], f["message"]) for f in json.loads(done.out)]
    assert done.code == code
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one[:3] == other[:3]
        assert one[3].startswith(other[3])
    shown = mnemata("check", pattern, "--schema", "schema.json")
    assert shown.code == code
    for level, line, column, message in expected:
        assert f"{level}: {message}" in shown.out
        if line is not None and column is not None:
            excerpt = pattern.splitlines()[line - 1]
            assert f"\n  {excerpt}\n  {' ' * (column - 1)}^\n" in shown.out
    assert ("the pattern is fine" in shown.out) == (code == 0)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (
            "((skip BUY)*; SELL; SELL) within 3 s",
            [
                "  1. skip BUY (line 1 column 3)  <- not marked",
                "  2. SELL (line 1 column 15)",
                "  3. SELL (line 1 column 21)",
            ],
        ),
        (
            "(BUY; skip BUY) within 3 events",
            ["  1. BUY (line 1 column 2)", "  2. skip BUY (line 1 column 7)  <- not marked"],
        ),
        (
            "any(SELL, BUY)",
            [
                "  1. SELL (line 1 column 5)",
                "  2. an event skipped between the parts of any(SELL, BUY) (line 1 column 1)  "
                "<- as often as one likes",
                "  3. BUY (line 1 column 11)",
            ],
        ),
    ],
)
def test_remarks_on_windows_show_a_path(mnemata: Command, pattern: str, path: list[str]) -> None:
    as_json = mnemata("check", pattern, "--schema", "schema.json", "--json")
    found = [finding["path"] for finding in json.loads(as_json.out) if "path" in finding]
    assert found == [path]
    assert "\n".join(path) in mnemata("check", pattern, "--schema", "schema.json").out


def test_a_pattern_is_drawn(mnemata: Command) -> None:
    starts = {"a.svg": b"<?xml", "a.png": b"\x89PNG", "a.pdf": b"%PDF", "a.dot": b"digraph"}
    for path, start in starts.items():
        done = mnemata("draw", PATTERN, "--schema", "schema.json", "-o", path)
        assert (done.code, done.out) == (0, f"wrote {path}: SRT with 3 states, 3 transitions, 1 register\n")
        assert Path(path).read_bytes().startswith(start)
    raw = mnemata("draw", PATTERN, "--schema", "schema.json", "-o", "a.dot", "--raw", "--ascii")
    assert "8 states" in raw.out
    wrong = mnemata("draw", PATTERN, "--schema", "schema.json", "-o", "a.jpg")
    assert wrong.code == 2
    assert "use .dot, .gv, .pdf, .png, .svg" in wrong.err


def test_a_query_is_drawn(mnemata: Command) -> None:
    query = "SELECT * WHERE SELL; (BUY AS b)+ WITHIN 3 s"
    done = mnemata("draw", query, "--schema", "schema.json", "-o", "a.svg")
    assert (done.code, done.out) == (0, "wrote a.svg: CEA with 3 states, 6 transitions, 1 variable\n")
    raw = mnemata("draw", query, "--schema", "schema.json", "-o", "a.dot", "--raw")
    assert "3 variables" in raw.out
    text = "(SELL AS s ; BUY AS b) FILTER b.price > s.price"
    cepl = mnemata("draw", text, "--language", "cepl", "--schema", "schema.json", "-o", "c.svg")
    assert (cepl.code, cepl.out) == (0, "wrote c.svg: SRT with 4 states, 6 transitions, 1 register\n")
    without = mnemata("draw", "SELL; BUY", "--language", "cel", "-o", "a.svg")
    assert without.code == 4
    assert "give them with --schema" in without.err


def test_a_query_is_run(spark: SparkSession, mnemata: Command) -> None:
    query = "SELECT * WHERE SELL AS s; BUY AS b FILTER b.price > s.price WITHIN 3 s"
    as_query = mnemata("run", query, "ticks.stream", "-o", "q.parquet", "--time", "at:ms", "--quiet")
    text = "(SELL AS s; BUY AS b FILTER b.price > s.price) WITHIN 3 s"
    as_formula = ("run", text, "ticks.stream", "-o", "f.parquet", "--time", "at:ms", "--language", "cel")
    assert (as_query.code, mnemata(*as_formula).code) == (0, 0)
    assert [tuple(row["positions"]) for row in table("q.parquet")] == FOUND
    assert [tuple(row["positions"]) for row in table("f.parquet")] == FOUND
    text = "((SELL AS s ; BUY AS b) FILTER b.price > s.price) WINDOW 5"
    as_cepl = ("run", text, "ticks.stream", "-o", "c.parquet", "--time", "at:ms", "--language", "cepl")
    assert mnemata(*as_cepl).code == 0
    assert [tuple(row["positions"]) for row in table("c.parquet")] == FOUND
    wrong = mnemata("run", query, "ticks.stream", "-o", "x.csv", "--language", "sql")
    assert wrong.code == 3
    assert "unknown language 'sql'; use auto, sremo, cel, cepl" in wrong.err


def test_a_pattern_of_event_types_is_read_before_spark_starts(
    mnemata: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def starts(*_: object) -> None:
        raise AssertionError("Spark starts")

    monkeypatch.setattr(import_module("mnemata.pipeline.command.run"), "session", starts)
    done = mnemata(
        "run", "any(SELL as s, BUY where price > s.price) within 5 fortnights", "ticks.stream", "-o", "m.csv"
    )
    assert done.code == 3
    assert "unknown unit 'fortnights' at line 1 column 52" in done.err


def test_patterns_without_a_schema(mnemata: Command) -> None:
    """Names of event types are values of 'type', or of what --event-type says."""
    assert "~.type = 'SELL'" in mnemata("explain", PATTERN).out
    assert "~.kind = 'SELL'" in mnemata("explain", PATTERN, "--event-type", "kind").out
    assert mnemata("draw", PATTERN, "-o", "a.dot").out.startswith("wrote a.dot: SRT with 3 states")
    done = mnemata("check", PATTERN)
    assert (done.code, done.out) == (
        0,
        "info: without --schema, attributes and types are not checked\nthe pattern is fine\n",
    )
    assert mnemata("check", PATTERN, "--time", "at").code == 4


def test_exit_codes_of_errors() -> None:
    assert exit_code(LimitError("x")) == 7
    assert exit_code(UnsupportedError("x")) == 8
    assert exit_code(EnvironmentProblem("x")) == 9
    assert exit_code(MnemataError("x")) == 1
    assert exit_code(ValueError("x")) == 1


def test_what_should_not_happen_is_said_too(mnemata: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("mnemata.automata.drawing.draw", fails)
    done = mnemata("draw", "event", "-o", "a.svg")
    assert done.code == 1
    assert done.err.startswith("error: mnemata failed, which it should not: ZeroDivisionError: oops\n")
    with pytest.raises(ZeroDivisionError):
        main(["--traceback", "draw", "event", "-o", "a.svg"])


def test_help(mnemata: Command) -> None:
    assert "automata with memory" in mnemata("--help").out
    for command in ("run", "explain", "check", "draw"):
        done = mnemata(command, "--help")
        assert done.code == 0
        assert "Example" in done.out
        assert "Exit codes" in done.out
    assert mnemata("--version").out.startswith("mnemata ")


def test_the_command_line_starts_quickly() -> None:
    """What takes long to import is imported when it is needed."""
    heavy = ("pyspark", "z3", "matplotlib", "numba", "pyarrow", "pandas", "lark", "numpy")
    program = (
        "import sys, mnemata.pipeline.command\n"
        f"print(*sorted({{name.split('.')[0] for name in sys.modules}} & set({heavy})))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_process_of_its_own(tmp_path: Path) -> None:
    """Spark starts and stops; nothing but the summary is on the standard output, and nothing is left."""
    (tmp_path / "ticks.stream").write_text(TICKS)
    program = "from mnemata.pipeline.command import main; main()"
    arguments = ["run", PATTERN, "ticks.stream", "-o", "m.csv", "--time", "at:ms"]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert done.returncode == 0
    assert [line.split("  ")[0] for line in done.stdout.splitlines()] == [
        "events",
        "bad rows",
        "matches",
        "longest match",
    ]
    # On a slow machine further lines tell how far a phase is.
    assert [line for line in done.stderr.splitlines() if line.endswith("...")] == [
        "Starting Spark ...",
        "Opening the stream ...",
        "Reading and checking rows ...",
        "Recognising and writing matches ...",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.csv", "ticks.stream"]
