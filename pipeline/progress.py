"""What happens while a job runs: on a terminal a bar, elsewhere a line now and then; nothing if silent."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Protocol

from py4j.protocol import Py4JError
from pyspark.sql import SparkSession
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

_SECONDS_BETWEEN_LOOKS: Final = 0.2
_SECONDS_BETWEEN_LINES: Final = 10.0
_GROUP: Final = "mnemata"


class Reporter(Protocol):
    """Shows how far the current phase is."""

    def begin(self, phase: str) -> None:
        """A phase begins."""

    def advance(self, done: int, total: int) -> None:
        """So many of the tasks that are known of are done."""

    def close(self) -> None:
        """There is nothing more to show."""


class Bar:
    """A bar on a terminal."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[tasks]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("", total=None, tasks="")
        self._progress.start()

    def begin(self, phase: str) -> None:
        self._progress.remove_task(self._task)
        self._task = self._progress.add_task(phase, total=None, tasks="")

    def advance(self, done: int, total: int) -> None:
        known = total or None
        self._progress.update(
            self._task, completed=done, total=known, tasks=f"{done}/{total}" if total else ""
        )

    def close(self) -> None:
        self._progress.stop()


class Lines:
    """Plain lines, for logs: one when a phase begins, and one every ten seconds."""

    def __init__(self, console: Console) -> None:
        self._console, self._phase = console, ""
        self._begun = self._spoken = time.monotonic()

    def begin(self, phase: str) -> None:
        self._phase = phase
        self._begun = self._spoken = time.monotonic()
        self._console.print(f"{phase} ...", highlight=False)

    def advance(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._spoken >= _SECONDS_BETWEEN_LINES:
            self._spoken = now
            tasks = f"{done} of {total} tasks" if total else "waiting for Spark"
            self._console.print(f"{self._phase}: {tasks}, {now - self._begun:.0f} s", highlight=False)

    def close(self) -> None:
        pass


class Silence:
    """Shows nothing."""

    def begin(self, phase: str) -> None:
        pass

    def advance(self, done: int, total: int) -> None:
        pass

    def close(self) -> None:
        pass


class Watch:
    """Follows the Spark jobs of this thread and reports how far they are.

    Parameters
    ----------
    reporter : Reporter
        What shows it.
    """

    def __init__(self, reporter: Reporter) -> None:
        self._reporter, self._stop = reporter, threading.Event()
        self._spark: SparkSession | None = None
        self._thread = threading.Thread(target=self._look, daemon=True, name="mnemata-progress")

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join(timeout=5)
        self._reporter.close()

    @contextmanager
    def phase(self, name: str, spark: SparkSession | None = None) -> Iterator[None]:
        """What runs inside the block is the phase `name`."""
        self._reporter.begin(name)
        if spark is not None:
            spark.sparkContext.setJobGroup(_GROUP, name)
        self._spark = spark
        try:
            yield
        finally:
            self._spark = None

    def _look(self) -> None:
        while not self._stop.wait(_SECONDS_BETWEEN_LOOKS):
            spark = self._spark
            try:
                done, total = (0, 0) if spark is None else _tasks(spark)
            except Py4JError:
                # Spark is gone; whoever waits for the job hears of it.
                continue
            self._reporter.advance(done, total)


def _tasks(spark: SparkSession) -> tuple[int, int]:
    """How many tasks of the running stages are done, and how many there are."""
    tracker = spark.sparkContext.statusTracker()
    infos = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    known = [info for info in infos if info is not None]
    return sum(info.numCompletedTasks for info in known), sum(info.numTasks for info in known)


def reporter(*, quiet: bool) -> Reporter:
    """What suits the place where this process writes its errors: a bar, lines, or nothing."""
    if quiet:
        return Silence()
    console = Console(stderr=True)
    return Bar(console) if console.is_terminal else Lines(console)
