"""A command that runs in processes of its own, and these processes."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final

SECONDS: Final = 600.0
"""More than any run takes."""


class Running:
    """A command while it runs, in a session of its own, whose processes end with it.

    Parameters
    ----------
    command : sequence of str
        What is run.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        self._lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self.end()

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def said(self) -> str:
        """What it has printed."""
        return "".join(self._lines)

    def wait_until(self, true: Callable[[], bool]) -> bool:
        """Wait until something is so, or the command has ended; whether it still runs."""
        end = time.monotonic() + SECONDS
        while self.runs and not true():
            if time.monotonic() > end:
                raise RuntimeError(f"the command still runs after {SECONDS:.0f} s: {self.said}")
            time.sleep(0.002)
        return self.runs

    def wait(self, seconds: float) -> bool:
        """Wait so long at the most; whether it still runs."""
        end = time.monotonic() + seconds
        return self.wait_until(lambda: time.monotonic() >= end)

    def wait_for(self, beginning: str, lines: int = 1) -> bool:
        """Wait until it has printed so many more lines that begin like this; whether it still runs."""
        known = self._number(beginning)
        return self.wait_until(lambda: self._number(beginning) >= known + lines)

    def kill(self) -> None:
        """Kill all its processes at once, as when the machine loses power."""
        for process in processes_of(self._process.pid):
            kill(process)

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    @property
    def program(self) -> list[int]:
        """The process of the command itself, while it runs."""
        return [self._process.pid] if self.runs else []

    @property
    def java(self) -> list[int]:
        """Its processes of Spark's driver."""
        return self._with("org.apache.spark.deploy.SparkSubmit")

    @property
    def workers(self) -> list[int]:
        """Its Python workers."""
        daemons = set(self._with("pyspark.daemon"))
        return sorted(process for process in daemons if parent_of(process) in daemons)

    def end(self) -> int:
        """Wait for the end; the exit code."""
        code = self._process.wait(SECONDS)
        self._reader.join(SECONDS)
        if self._process.stderr is not None:
            self._process.stderr.close()
        return code

    def end_of_all(self) -> None:
        """Wait until none of its processes is left."""
        end = time.monotonic() + SECONDS
        while any(map(alive, processes_of(self._process.pid))):
            if time.monotonic() > end:
                raise RuntimeError(f"processes are left {SECONDS:.0f} s after the command: {self.said}")
            time.sleep(0.05)

    def _number(self, beginning: str) -> int:
        return sum(line.startswith(beginning) for line in self._lines)

    def _with(self, word: str) -> list[int]:
        found = processes_of(self._process.pid)
        return [process for process in found if word in told_of(process, "cmdline")]

    def _read(self) -> None:
        for line in self._process.stderr or ():
            self._lines.append(line)


def kill(process: int) -> bool:
    """Kill a process; whether it was there."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
        return True
    return False


def processes_of(session: int) -> Iterator[int]:
    """The processes of a session."""
    for folder in Path("/proc").glob("[0-9]*"):
        process = int(folder.name)
        if _numbers(process)[2:3] == [session]:
            yield process


def parent_of(process: int) -> int:
    """The process that began another; 0 when that has ended."""
    return (_numbers(process) or [0])[0]


def alive(process: int) -> bool:
    """Whether a process has not ended, though its parent may not know."""
    return _fields(process)[:1] not in ([], ["Z"])


def _numbers(process: int) -> list[int]:
    """Parent, group and session."""
    return [int(field) for field in _fields(process)[1:4]]


def _fields(process: int) -> list[str]:
    """State, parent, group, session and more; the name before them may contain anything."""
    return told_of(process, "stat").rpartition(")")[2].split()


def told_of(process: int, file: str) -> str:
    """What the system tells of a process; nothing when it has ended."""
    try:
        return (Path("/proc") / str(process) / file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
