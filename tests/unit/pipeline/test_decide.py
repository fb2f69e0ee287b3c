"""The commands that reason: decide, determinize and complement, without Spark."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemata.pipeline.command import main
from mnemata.theory.schema import Category, Float64, Schema, String, Timestamp

SCHEMA = Schema.of(
    type=Category(("BUY", "SELL")),
    name=String(),
    price=Float64(),
    at=Timestamp("ms"),
    event_type="type",
    time="at",
)
ANY = "any(SELL as s, BUY where price > s.price)"
NEXT = "next(SELL as s, BUY where price > s.price)"


class Outcome:
    """What a command printed and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Command = Callable[..., Outcome]


@pytest.fixture
def mnemata(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command line in this process, in a folder with a schema."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "150")
    Path("schema.json").write_text(SCHEMA.to_json())

    def run(*arguments: str) -> Outcome:
        with pytest.raises(SystemExit) as end:
            main([*arguments, "--schema", "schema.json"])
        printed = capsys.readouterr()
        return Outcome(int(str(end.value.code or 0)), printed.out, printed.err)

    return run


@pytest.mark.parametrize(
    ("question", "patterns", "code", "said"),
    [
        (
            "empty",
            ["BUY where price > 2 and price < 1"],
            0,
            "yes: nothing matches the pattern (strings of any",
        ),
        ("empty", [ANY], 1, "no: this matches"),
        (
            "universal",
            ["event+"],
            0,
            "yes: the pattern matches every string (strings of up to 5 events; --up-to",
        ),
        ("universal", [ANY], 1, "no: the pattern does not match this"),
        ("deterministic", ["SELL; BUY"], 0, "yes: at most one transition"),
        ("deterministic", [ANY], 1, "no: two transitions of the automaton can be taken at the last event"),
        ("ambiguous", ["SELL | event"], 0, "yes: two runs of the automaton find the same match here"),
        ("ambiguous", ["SELL | BUY"], 1, "no: no two runs of the automaton find the same match"),
        (
            "equivalent",
            [ANY, f"{ANY} | never"],
            0,
            "yes: both patterns have the same matches (strings of up to",
        ),
        ("equivalent", [ANY, NEXT], 1, "no: this separates the patterns"),
        ("includes", [ANY, NEXT], 0, "yes: every match of the second pattern is a match of the first"),
        ("includes", [NEXT, ANY], 1, "no: the second pattern has a match here that the first has not"),
        ("disjoint", ["SELL; event", "BUY; event"], 0, "yes: no string is matched by both patterns"),
        ("disjoint", [ANY, NEXT], 1, "no: both patterns match this"),
    ],
)
def test_answers_and_exit_codes(
    mnemata: Command, question: str, patterns: list[str], code: int, said: str
) -> None:
    done = mnemata("decide", question, *patterns)
    assert (done.code, done.err) == (code, "")
    assert done.out.startswith(said)


def test_what_separates_two_patterns_is_a_table_with_the_match_in_question(mnemata: Command) -> None:
    lines = mnemata("decide", "equivalent", ANY, NEXT).out.splitlines()
    assert lines[2].split() == ["row", "type", "name", "price", "at", "match"]
    rows = [line.split() for line in lines[4:7]]
    assert [(row[0], row[1], row[-1] == "•") for row in rows] == [
        ("0", "SELL", True),
        ("1", "BUY", False),
        ("2", "BUY", True),
    ]
    assert all("T00:00:0" in line or "T23:59:5" in line for line in lines[4:7])
    assert lines[-2:] == ["the first pattern matches rows 0, 2", "the second pattern does not match"]


def test_marks_can_be_ignored(mnemata: Command) -> None:
    assert mnemata("decide", "equivalent", "SELL; BUY", "SELL; skip BUY").code == 1
    assert mnemata("decide", "equivalent", "SELL; BUY", "SELL; skip BUY", "--ignore-marks").code == 0


def test_two_runs_with_the_same_match_are_spelled_out(mnemata: Command) -> None:
    lines = mnemata("decide", "ambiguous", "(SELL | event where price > 3); BUY").out.splitlines()
    assert lines[-6:] == [
        "run 1:",
        "  row 0: state 0 -> 1: event where price > 3",
        "  row 1: state 1 -> 2: event where type = 'BUY'",
        "run 2:",
        "  row 0: state 0 -> 1: event where type = 'SELL'",
        "  row 1: state 1 -> 2: event where type = 'BUY'",
    ]


def test_why_an_automaton_is_not_deterministic(mnemata: Command) -> None:
    out = mnemata("decide", "deterministic", ANY).out
    assert "state 1 -> 1: skip event\n" in out
    assert "state 1 -> 2: event where type = 'BUY' and price > s.price\n" in out
    assert out.endswith("register s holds row 0\n")


def test_longer_strings_on_request(mnemata: Command) -> None:
    pattern = "event; event; event; event"
    assert mnemata("decide", "disjoint", f"{pattern}; event+", pattern).code == 0
    assert mnemata("decide", "empty", pattern, "--up-to", "1").code == 1
    assert "up to 2 events" in mnemata("decide", "universal", "event+", "--up-to", "2").out


def test_as_json(mnemata: Command) -> None:
    found = json.loads(mnemata("decide", "includes", NEXT, ANY, "--json").out)
    assert found["answer"] == "no"
    assert found["match in question"] == [0, 2]
    assert [event["type"] for event in found["events"]] == ["SELL", "BUY", "BUY"]
    assert found["matches"]["the second pattern"] == [[0, 2]]
    assert found["solver calls"] > 0
    other = json.loads(mnemata("decide", "deterministic", ANY, "--json").out)
    assert list(other["registers"]) == ["s"]
    assert len(other["transitions"]) == 2
    runs = json.loads(mnemata("decide", "ambiguous", "SELL | event", "--json").out)["runs"]
    assert list(runs) == ["run 1", "run 2"]


@pytest.mark.parametrize("limit", [("--most-states", "3"), ("--seconds", "0.001")], ids=["states", "seconds"])
@pytest.mark.parametrize("question", ["equivalent", "deterministic"])
def test_a_limit_gives_unknown_and_says_how_far_it_came(
    mnemata: Command, question: str, limit: tuple[str, str]
) -> None:
    pattern = "any(SELL as s, (event where price * price > s.price)+, BUY)"
    done = mnemata("decide", question, *([pattern] * (1 + (question == "equivalent"))), *limit)
    assert done.code == 7
    assert done.out.startswith("unknown: the limit of ")
    assert "solver call" in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("decide", "equivalent", "BUY"), 2, "'equivalent' compares two patterns"),
        (("decide", "empty", "BUY", "SELL"), 2, "'empty' is asked of one pattern"),
        (("decide", "whether", "BUY"), 2, "'whether' is not one of"),
        (("decide", "empty", "BUY where prize > 1"), 3, "Did you mean 'price'?"),
        (
            ("decide", "disjoint", "BUY partition by name", "BUY"),
            3,
            "different attributes (name and nothing)",
        ),
        (("determinize", ANY), 8, "  1. SELL as s (line 1 column 5)\n"),
        (
            ("complement", f"skip BUY; {ANY} within 3 events"),
            8,
            "1. skip BUY (line 1 column 1)  <- not marked",
        ),
        (("determinize", f"{ANY} within 3 s"), 8, "its window is in time"),
        (("determinize", "BUY", "-o", "picture.jpg"), 2, "use .dot, .gv, .pdf, .png, .svg"),
        (("determinize", "BUY", "--stream", "--as-published"), 8, "not for streams"),
        (
            ("determinize", ANY, "--window", "400", "--most-states", "9"),
            7,
            "the limit of 9 states was reached",
        ),
        (("complement", ANY, "--window", "400", "--seconds", "0.1"), 7, "the limit of 0.1 s was reached"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_exit_code(
    mnemata: Command, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = mnemata(*arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def rows(printed: str) -> list[list[str]]:
    """The numbers of the table of stages."""
    lines = [line for line in printed.splitlines() if line.strip() and not line.startswith("wrote")]
    return [line.split()[-3:] for line in lines[2:]]


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf", "dot"])
def test_determinize_tells_sizes_and_draws_all_stages(mnemata: Command, suffix: str) -> None:
    done = mnemata("determinize", f"{ANY} within 3 events", "-o", f"stages.{suffix}")
    assert (done.code, done.err) == (0, "")
    assert rows(done.out) == [["3", "3", "1"], ["6", "7", "2"]]
    assert f"wrote stages.{suffix}: 2 automata" in done.out
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "dot": b"digraph"}[suffix]
    assert Path(f"stages.{suffix}").read_bytes().startswith(begins)


def test_the_published_construction_has_a_stage_more(mnemata: Command) -> None:
    done = mnemata("determinize", f"{ANY} within 3 events", "--as-published", "-o", "stages.dot")
    assert [row[0] for row in rows(done.out)] == ["3", "5", "6"]
    assert "unrolled to 3 events" in Path("stages.dot").read_text()


def test_a_window_on_the_command_line(mnemata: Command) -> None:
    for arguments in ((ANY, "--window", "3"), (f"{ANY} within 9 events", "--window", "3")):
        assert [row[0] for row in rows(mnemata("determinize", *arguments).out)] == ["3", "6"]
    streaming = mnemata("determinize", ANY, "--window", "3", "--stream")
    assert "streams, matches of up to 3 events" in streaming.out


def test_complement_is_complete_unless_within_the_window(mnemata: Command) -> None:
    done = mnemata("complement", f"{ANY} within 3 events", "-o", "stages.svg")
    assert [row[0] for row in rows(done.out)] == ["3", "6", "7", "7"]
    within = mnemata("complement", f"{ANY} within 3 events", "--within")
    assert "no longer than 3 events" in within.out


def test_stages_too_large_for_one_picture(mnemata: Command) -> None:
    done = mnemata("complement", ANY, "--window", "100", "-o", "last.dot")
    assert done.code == 0
    assert "drawn is the last stage alone" in done.err
    assert "wrote last.dot: SRT with" in done.out


def test_pattern_from_a_file(mnemata: Command) -> None:
    Path("rise.pattern").write_text(ANY)
    assert mnemata("decide", "equivalent", "@rise.pattern", ANY).code == 0


def test_no_spark_is_started(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text(SCHEMA.to_json())
    code = (
        "import sys; from mnemata.pipeline.command import main\n"
        "try: main(['decide', 'empty', 'BUY', '--schema', 'schema.json'])\n"
        "finally: sys.stderr.write(str(__import__('pyspark').SparkContext._active_spark_context))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (1, "None")
