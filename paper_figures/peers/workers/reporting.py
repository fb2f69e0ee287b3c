"""What a process that runs a system tells the harness: lines of JSON on its standard output."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, TextIO

import numpy as np

from mnemata.paper_figures import process_memory
from mnemata.paper_figures.peers.digests import WORD, Numbers, digest

LEAST_SECONDS: Final = 1.0
"""A round but the first takes at least as long: the clock of Java tells hundredths of a second."""


class Job(NamedTuple):
    """What to run: the arguments of every worker, in this order.

    Parameters
    ----------
    ticks : Path
        The stream, as `mnemata.paper_figures.peers.ticks` writes it.
    query : Path
        The pattern in the language of the system.
    rounds : int
        How many rounds of passes, at most.
    budget : float
        No further round begins after so many seconds of processing.
    matches : Path or None
        Where to write the matches of the last pass, one a line.
    """

    ticks: Path
    query: Path
    rounds: int
    budget: float
    matches: Path | None

    @classmethod
    def of(cls, arguments: Sequence[str]) -> Job:
        """From the command line."""
        ticks, query, rounds, budget, *rest = arguments
        return cls(Path(ticks), Path(query), int(rounds), float(budget), Path(rest[0]) if rest else None)


@dataclass
class Pass:
    """What one pass over the stream has found.

    Parameters
    ----------
    seconds : float
        Of processor time.
    matches : int
        How many.
    digest : int
        Of their positions.
    events : int
        How many were read so far.
    """

    seconds: float = 0.0
    matches: int = 0
    digest: int = 0
    events: int = 0
    file: TextIO | None = None

    @contextmanager
    def clock(self) -> Iterator[None]:
        """Take the processor time of what is done inside, over all threads."""
        begin = time.process_time()
        yield
        self.seconds += time.process_time() - begin

    def found(self, offsets: Numbers, positions: Numbers) -> None:
        """Take note of matches; not part of the time."""
        self.matches += len(offsets) - 1
        self.digest = (self.digest + digest(offsets, positions)) % WORD
        if self.file is not None:
            for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
                self.file.write(",".join(map(str, positions[begin:end].tolist())) + "\n")


def tell(what: str, **facts: object) -> None:
    """Write a line to the harness."""
    sys.stdout.write(json.dumps({"what": what, **facts}) + "\n")
    sys.stdout.flush()


def rounds(job: Job, run: Callable[[Pass], None]) -> None:
    """Run as often as the job says and report each round, and once a second how far it has come.

    The first round is one pass, and so are all where matches are written. What is told of the others is the
    mean time of their passes.
    """
    tell("ready")
    with _watched() as progress:
        _rounds(job, run, progress)
    tell("end", peak=process_memory.peak())


def _rounds(job: Job, run: Callable[[Pass], None], progress: list[Pass]) -> None:
    spent, number = 0.0, 0
    while number < job.rounds and (number == 0 or spent < job.budget):
        least = 0.0 if number == 0 or job.matches is not None else LEAST_SECONDS
        begin = time.monotonic()
        current = _pass(job, run, progress)
        seconds, passes = current.seconds, 1
        while time.monotonic() - begin < least:  # what is timed of a short stream may be nearly nothing
            current = _pass(job, run, progress)
            seconds, passes = seconds + current.seconds, passes + 1
        spent, number = spent + seconds, number + 1
        facts = {"matches": current.matches, "digest": f"{current.digest:016x}", "events": current.events}
        tell("round", seconds=seconds / passes, **facts)


def _pass(job: Job, run: Callable[[Pass], None], progress: list[Pass]) -> Pass:
    current = progress[0] = Pass()
    if job.matches is None:
        run(current)
        return current
    with job.matches.open("w", encoding="ascii") as file:
        current.file = file
        run(current)
    return current


@contextmanager
def _watched() -> Iterator[list[Pass]]:
    """Tell once a second how far the pass has come that the list holds; no thread is started in a pass."""
    progress, over = [Pass()], threading.Event()

    def watch() -> None:
        while not over.wait(1.0):
            tell("progress", events=progress[0].events, matches=progress[0].matches)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    yield progress
    over.set()
    watcher.join()


def flat(positions: Sequence[Sequence[int]]) -> tuple[Numbers, Numbers]:
    """Matches as offsets and positions."""
    lengths = np.array([0, *map(len, positions)], np.int64)
    return np.cumsum(lengths), np.array([p for some in positions for p in some], np.int64)
