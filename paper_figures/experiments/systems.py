"""What is measured: the engine in its modes, and Algorithm 1, which keeps one object for each run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import pyarrow as pa

from mnemata.automata.compilation import automaton, compile_pattern, without_windows
from mnemata.automata.engine.algorithm_1 import algorithm_1
from mnemata.automata.engine.recognition import recognise
from mnemata.paper_figures.experiments.points import Point
from mnemata.paper_figures.following import Followed, events_of
from mnemata.theory.sremo.rewriting import bound


@dataclass
class Progress:
    """How far a system has come.

    Parameters
    ----------
    events : int
        Read so far.
    seconds : float
        Of processor time for its work on the stream.
    matches : int or None
        Found; ``None`` while that is not known, and of a system that only looks where matches end.
    """

    events: int = 0
    seconds: float = 0.0
    matches: int | None = None
    since: float = field(default_factory=time.process_time)

    def begin(self) -> None:
        """The work begins."""
        self.since = time.process_time()

    def end(self) -> None:
        """The work is done."""
        self.seconds = self.spent()

    def spent(self) -> float:
        """Seconds since it began."""
        return time.process_time() - self.since


def count(point: Point, table: pa.Table, progress: Progress) -> None:
    """Count the matches, without listing them."""
    compiled = compile_pattern(point.pattern, point.source.schema)
    progress.begin()
    progress.matches = recognise(compiled, table).count()
    progress.end()
    progress.events = table.num_rows


def detect(point: Point, table: pa.Table, progress: Progress) -> None:
    """Find the events at which matches end: the published experiment without output."""
    compiled = compile_pattern(point.pattern, point.source.schema)
    progress.begin()
    recognise(compiled, table).ends()
    progress.end()
    progress.events = table.num_rows


def enumerate_all(point: Point, table: pa.Table, progress: Progress) -> None:
    """List all matches, in Arrow batches."""
    compiled = compile_pattern(point.pattern, point.source.schema)
    progress.begin()
    found = sum(batch.num_rows for batch in recognise(compiled, table).to_batches())
    progress.end()
    progress.matches, progress.events = found, table.num_rows


def one_run_each(point: Point, table: pa.Table, progress: Progress) -> None:
    """Algorithm 1 with its repairs: one object for each run, gone when its window closes (ERRATA A9)."""
    schema = point.source.schema
    inner, windows = without_windows(bound(point.pattern, schema).expression)
    stream = Followed(events_of(table, schema), progress)
    progress.begin()
    reports = algorithm_1(automaton(inner, schema), stream, windows)
    progress.end()
    progress.matches, progress.events = sum(map(len, reports)), table.num_rows


System: TypeAlias = Callable[[Point, pa.Table, Progress], None]

SYSTEMS: Final[dict[str, System]] = {
    "count": count,
    "detect": detect,
    "enumerate": enumerate_all,
    "Algorithm 1": one_run_each,
}
"""By the names that plots use."""

SLOW: Final = frozenset({"Algorithm 1"})
"""Those that get a part of the stream only, and one pass over it."""
