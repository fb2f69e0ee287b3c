"""What users see while a job runs, when it is done, and when Spark fails."""

from __future__ import annotations

import io
import time
import warnings
from typing import Any, cast

import pytest
from py4j.protocol import Py4JError
from pyspark.sql import SparkSession
from rich.console import Console

from mnemata.pipeline import failures
from mnemata.pipeline.failures import SPARK_IS_GONE, WorkerFailure, reported, translated, translation
from mnemata.pipeline.progress import Bar, Lines, Silence, Watch, reporter
from mnemata.pipeline.quarantine import Tallied
from mnemata.pipeline.session import stop
from mnemata.pipeline.summary import Found, Longest, Summary, described, duration
from mnemata.theory.errors import (
    EnvironmentProblem,
    LimitError,
    MnemataError,
    PatternSyntaxError,
    SourceError,
)

TALLIED = Tallied(1_000_000, {"price is not a float64": 1200, "a blank line": 1}, 7, {"price": 3})


def test_the_summary_in_words() -> None:
    longest = Longest(3, 10, 42, 800_000_000)
    found = (Found("rise", 819, longest),)
    summary = Summary(found, TALLIED, 2.5, "m.csv", "m.quarantine.csv", ("column 'x' is y",))
    assert summary.lines() == [
        ("events", "1,000,000 in 2.5 s (400,000 per second)"),
        ("bad rows", "1,201, kept in m.quarantine.csv"),
        ("", "1,200 x price is not a float64"),
        ("", "1 x a blank line"),
        ("without key", "7 events, in no sub-stream"),
        ("missing values", "price 3"),
        ("left out", "column 'x' is y"),
        ("matches", "819, written to m.csv"),
        ("longest match", "3 events over 800 ms (rows 10 to 42)"),
    ]
    assert summary.to_json()["bad_rows"] == TALLIED.faulty
    assert summary.to_json()["longest_match"]["nanoseconds"] == 800_000_000


def test_a_summary_of_nothing() -> None:
    summary = Summary((Found("rise", 0, None),), Tallied(0, {}, 0, {}), 0.0, "m.csv", None)
    assert [label for label, _ in summary.lines()] == ["events", "bad rows", "matches"]
    assert summary.to_json()["longest_match"] is None


def test_a_summary_of_two_patterns() -> None:
    found = (Found("rise", 819, Longest(3, 10, 42)), Found("fall", 0, None))
    summary = Summary(found, TALLIED, 2.5, "m.csv", None)
    assert summary.lines()[-3:] == [
        ("matches", "819, written to m.csv"),
        ("", "819 x rise; the longest: 3 events (rows 10 to 42)"),
        ("", "0 x fall"),
    ]
    told = summary.to_json()
    assert told["matches"] == 819
    assert [(one["pattern"], one["matches"]) for one in told["patterns"]] == [("rise", 819), ("fall", 0)]


def test_lengths_of_time() -> None:
    assert described(Longest(1, 5, 5, 0)) == "1 event over 0 s (row 5)"
    assert described(Longest(1, 5, 5)) == "1 event (row 5)"
    assert [duration(n) for n in (1, 1500, 2_000_000, 3_600_000_000_000, 90_000_000_001)] == [
        "1 ns",
        "1.5 us",
        "2 ms",
        "1 h",
        "1 min 30.000000001 s",
    ]


def test_progress_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemata.pipeline.progress._SECONDS_BETWEEN_LINES", 0.0)
    written = io.StringIO()
    with Watch(Lines(Console(file=written))) as watch, watch.phase("Thinking"):
        time.sleep(0.5)
    lines = written.getvalue().splitlines()
    assert lines[0] == "Thinking ..."
    assert lines[1] == "Thinking: waiting for Spark, 0 s"


def test_progress_of_spark_jobs(spark: SparkSession) -> None:
    seen: list[tuple[int, int]] = []

    class Recorder(Silence):
        def advance(self, done: int, total: int) -> None:
            seen.append((done, total))

    def slow(batches: Any) -> Any:
        for batch in batches:
            time.sleep(0.6)
            yield batch

    with Watch(Recorder()) as watch, watch.phase("Counting", spark):
        assert spark.range(0, 3, 1, 3).mapInArrow(slow, "id bigint").count() == 3
    assert any(total == 3 for _, total in seen)
    assert all(done <= total for done, total in seen)


def test_progress_on_a_terminal() -> None:
    written = io.StringIO()
    with Watch(Bar(Console(file=written, force_terminal=True, width=80))) as watch, watch.phase("Thinking"):
        time.sleep(0.5)
    assert "Thinking" in written.getvalue()


def test_progress_suits_the_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert isinstance(reporter(quiet=True), Silence)
    assert isinstance(reporter(quiet=False), Lines), "standard error is no terminal here"


def packed(error: Exception) -> str:
    """What Spark's exception says when a worker raises `error`."""

    def work(batches: Any) -> Any:
        yield from batches
        raise error

    with pytest.raises(RuntimeError) as raised:
        list(reported(work)([1, 2]))
    return f"Job aborted.\nTraceback (most recent call last):\n  ...\nRuntimeError: {raised.value}\n more"


@pytest.mark.parametrize(
    "error",
    [
        LimitError("100% \u00fcber\n  two lines \U0001f600"),
        PatternSyntaxError("unexpected", line=1, column=3, text="abc"),
        SourceError("'f' is truncated"),
    ],
)
def test_errors_of_workers_come_back(error: MnemataError) -> None:
    found = translation(Py4JError(packed(error)))
    assert type(found) is type(error)
    assert str(found) == str(error)


def test_other_errors_of_workers() -> None:
    found = translation(Py4JError(packed(ZeroDivisionError("division by zero"))))
    assert isinstance(found, WorkerFailure)
    assert str(found) == "a worker failed with ZeroDivisionError: division by zero"


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("java.io.IOException: No space left on device", SourceError, "the disk is full"),
        ("Python worker exited unexpectedly (crashed)", EnvironmentProblem, "a Python worker of Spark died"),
        ("java.lang.OutOfMemoryError: Java heap space", EnvironmentProblem, "Spark ran out of memory"),
        (
            "[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///a/b%20c.parquet.  "
            "SQLSTATE: KD001",
            SourceError,
            r"^'/a/b c\.parquet' cannot be read: ",
        ),
        ("java.io.FileNotFoundException: File f does not exist", SourceError, "a file cannot be read"),
        ("something\nelse", WorkerFailure, "^Spark failed: something$"),
        ("", WorkerFailure, "no reason given"),
        ("x" * 9999, WorkerFailure, r"^Spark failed: x{300}\.\.\.$"),
    ],
)
def test_failures_of_spark(text: str, kind: type[MnemataError], message: str) -> None:
    found = translation(Py4JError(text))
    assert isinstance(found, kind)
    with pytest.raises(kind, match=message):
        raise found


@pytest.mark.parametrize(
    "cause",
    [
        "org.apache.spark.SparkException: Python worker failed to connect back.\n\tat org.apache.spark...",
        "java.net.SocketTimeoutException: Timed out while waiting for the Python worker to connect back",
        "java.net.SocketTimeoutException: Timed out while waiting for the Python worker to connect back "
        "after 60000 ms",
    ],
)
def test_a_worker_that_does_not_start_in_time(cause: str) -> None:
    found = translation(Py4JError(f"An error occurred while calling o42.collectToPython.\n: {cause}"))
    assert type(found) is EnvironmentProblem
    assert str(found) == (
        "a Python worker of Spark did not start in the time that Spark gives it; the machine may have too "
        "much to do: run it again with fewer cores (--master local[1]), let tasks be tried again (--master "
        "'local[2, 4]'), or wait until less else runs"
    )


@pytest.mark.parametrize("kind", SPARK_IS_GONE)
def test_spark_is_gone(kind: type[Exception]) -> None:
    with pytest.raises(EnvironmentProblem, match=r"^Spark stopped while it worked"), translated():
        raise kind("connection refused")


@pytest.mark.parametrize("kind", SPARK_IS_GONE)
def test_a_session_that_is_gone_can_be_stopped(kind: type[Exception]) -> None:
    class Gone:
        def stop(self) -> None:
            warnings.warn("Unable to cleanly shutdown Spark JVM process.", RuntimeWarning, stacklevel=1)
            raise kind("connection refused")

    stop(cast(SparkSession, Gone()))


def test_who_reads_no_more_is_not_spark() -> None:
    """Such as `head`, at the other end of a pipe."""
    with pytest.raises(BrokenPipeError), translated():
        raise BrokenPipeError


def test_every_class_of_errors_can_travel() -> None:
    """All classes that workers may raise are found by name when they come back."""
    kinds = [kind for kind in vars(failures.errors).values() if isinstance(kind, type)]
    assert sum(issubclass(kind, MnemataError) for kind in kinds) > 10
