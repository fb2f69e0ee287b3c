"""Running a system in a process of its own, under a limit of time."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TextIO

from mnemata.paper_figures import process_memory
from mnemata.paper_figures.peers.outcomes import Outcome, Status

ROUNDS: Final = 40
BUDGET: Final = 10.0
TIMEOUT: Final = 120.0
PATIENCE: Final = 10
"""How many times that in wall-clock time, on a machine that has other things to do."""

STARTING: Final = 120.0
"""How long a process may take before its first pass begins, in seconds of processor time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long to run.

    Parameters
    ----------
    timeout : float
        Seconds of processor time that one pass over the stream may take.
    rounds : int
        Rounds of passes at most; the first ones warm a system up, the least time counts.
    budget : float
        No round begins after so many seconds of processor time of passes.
    """

    timeout: float = TIMEOUT
    rounds: int = ROUNDS
    budget: float = BUDGET


@dataclass(frozen=True, slots=True)
class Launch:
    """A system ready to run one pattern.

    Parameters
    ----------
    command : tuple of str
        The program and its first arguments.
    query : str
        The pattern in the language of the system.
    environment : mapping
        Variables that are set for it.
    """

    command: tuple[str, ...]
    query: str
    environment: Mapping[str, str] = field(default_factory=dict)


def run(
    launch: Launch,
    blank: Outcome,
    ticks: Path,
    folder: Path,
    limits: Limits,
    matches: Path | None = None,
) -> Outcome:
    """Run a system over a stream.

    Parameters
    ----------
    launch : Launch
        What to run.
    blank : Outcome
        Names the system, the question and the length of the stream.
    ticks : Path
        The stream.
    folder : Path
        Where the query and what the process complains of are written.
    limits : Limits
        How long.
    matches : Path, optional
        Where the process writes all matches, one a line.
    """
    folder.mkdir(parents=True, exist_ok=True)
    query = folder / "query.txt"
    query.write_text(launch.query, encoding="utf-8")
    arguments = [str(ticks), str(query), str(limits.rounds), str(limits.budget)]
    arguments += [] if matches is None else [str(matches)]
    with (
        (folder / "stderr.txt").open("w", encoding="utf-8") as complaints,
        subprocess.Popen(
            [*launch.command, *arguments],
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            encoding="utf-8",
            env={**os.environ, **launch.environment},
        ) as process,
    ):
        lines: queue.Queue[str | None] = queue.Queue()
        listener = threading.Thread(target=_listen, args=(process.stdout, lines))
        listener.start()
        try:
            return _followed(process, lines, blank, limits, folder / "stderr.txt")
        finally:
            process.kill()
            listener.join()


def python(module: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module in this interpreter."""
    return (sys.executable, "-P", "-m", module, *arguments)


def _followed(
    process: subprocess.Popen[str],
    lines: queue.Queue[str | None],
    outcome: Outcome,
    limits: Limits,
    complaints: Path,
) -> Outcome:
    """Listen to a process until it ends or its time is over."""
    began, rounds, peak, watch = time.perf_counter(), list[float](), 0, Stopwatch(process.pid, STARTING)
    while True:
        peak = max(peak, process_memory.peak(process.pid) or 0)
        outcome = replace(outcome, rounds=tuple(rounds), peak=peak or None)
        try:
            line = lines.get(timeout=0.05)
        except queue.Empty:
            if watch.over:
                return _stopped(outcome, watch.spent)
            continue
        if line is None:
            process.wait()
            return _ended(outcome, process.returncode, complaints)
        facts = _facts(line)
        match facts.pop("what", None):
            case "ready":
                watch = Stopwatch(process.pid, limits.timeout)
            case "progress" if not rounds:
                outcome = replace(outcome, reached=facts["events"], matches=facts["matches"])
            case "round":
                rounds.append(facts["seconds"])
                wall = outcome.wall or time.perf_counter() - began
                found = {"matches": facts["matches"], "digest": facts["digest"], "reached": facts["events"]}
                outcome = replace(outcome, wall=wall, **found)
                watch = Stopwatch(process.pid, limits.timeout)
            case "end":
                peak = max(peak, facts["peak"] or 0)


class Stopwatch:
    """Processor time that a process may take; wall-clock time where the system does not tell.

    A process that does not use the processor is given `PATIENCE` times as long.
    """

    def __init__(self, process: int, seconds: float) -> None:
        self._process, self._seconds = process, seconds
        self._began, self._used = time.perf_counter(), processor_time(process)

    @property
    def spent(self) -> float:
        """How much the process has taken."""
        used = processor_time(self._process)
        wall = time.perf_counter() - self._began
        return wall if used is None or self._used is None else used - self._used

    @property
    def over(self) -> bool:
        """Whether that is too much."""
        wall = time.perf_counter() - self._began
        return self.spent > self._seconds or wall > PATIENCE * self._seconds


def _listen(stream: TextIO | None, lines: queue.Queue[str | None]) -> None:
    for line in stream or ():
        lines.put(line)
    lines.put(None)


def _facts(line: str) -> dict[str, Any]:
    """What a line tells; nothing if it is not one of ours, since libraries print too."""
    try:
        facts = json.loads(line)
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) else {}


def _stopped(outcome: Outcome, spent: float) -> Outcome:
    """When time is over: what the rounds before have found counts, if there are any."""
    return outcome if outcome.rounds else replace(outcome, status=Status.TIMEOUT, stopped=spent)


def processor_time(process: int) -> float | None:
    """Processor time of a process so far, in seconds; ``None`` where the system does not tell."""
    try:
        facts = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    user, system = facts.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _ended(outcome: Outcome, code: int, complaints: Path) -> Outcome:
    if outcome.rounds and code == 0:
        return outcome
    text = complaints.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    why = next((line for line in text if "Error" in line or "Exception" in line), text[-1] if text else "")
    return replace(outcome, status=Status.FAILED, message=why.strip() or f"ended with code {code}")
