"""Measuring the points of a figure, each system in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

import pyarrow as pa

from mnemata.paper_figures.benchmarks.streams import stock_stream
from mnemata.paper_figures.experiments.measurements import Measured, Measurement
from mnemata.paper_figures.experiments.points import Point, points
from mnemata.paper_figures.experiments.systems import SLOW, SYSTEMS
from mnemata.pipeline.datasets.arrivals import STOCK_TICKS, Source

EVENTS: Final = 4_000_000
SLOW_EVENTS: Final = 100_000
FAST: Final = tuple(system for system in SYSTEMS if system not in SLOW)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to measure.

    Parameters
    ----------
    events : int
        The length of streams; that of real ticks is the next multiple of their day.
    rounds : int
        How often the engine runs; the least time counts.
    seconds : float
        Of processor time after which a system is stopped at a point; and six times as many that pass.
    """

    events: int = EVENTS
    rounds: int = 3
    seconds: float = 10.0


Tell = Callable[[str], None]


def measure(figure: int, effort: Effort, tell: Tell) -> Measured:
    """All systems at all points of a figure."""
    return Measured.now(_rows(figure, effort, tell))


def _rows(figure: int, effort: Effort, tell: Tell) -> Iterator[Measurement]:
    with TemporaryDirectory() as folder:
        streams = _Streams(Path(folder), effort)
        for number, point in enumerate(points(figure)):
            for systems in (FAST, tuple(SLOW)):
                path = streams.path(point.source, slow=systems is not FAST)
                for row in run(figure, number, systems, path, effort):
                    speed = f"{row.throughput:,.0f} events/s{', stopped' * row.stopped}"
                    tell(f"{point.name}, {row.system}: {speed}")
                    yield row


@dataclass(slots=True)
class _Streams:
    """The streams as files, made when they are first needed."""

    folder: Path
    effort: Effort
    made: dict[tuple[str, bool], Path] = field(default_factory=dict)

    def path(self, source: Source, *, slow: bool) -> Path:
        """The file of a stream, or of its part for what is slow."""
        key = (source.name, slow)
        if key not in self.made:
            events = min(SLOW_EVENTS, self.effort.events) if slow else self.effort.events
            self.made[key] = self.folder / f"{len(self.made)}.arrow"
            _write(_stream(source, events).slice(0, events if slow else None), self.made[key])
        return self.made[key]


def _stream(source: Source, events: int) -> pa.Table:
    return stock_stream(events).table if source is STOCK_TICKS else source.table(events)


def _write(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table.combine_chunks())


def run(figure: int, number: int, systems: Sequence[str], stream: Path, effort: Effort) -> list[Measurement]:
    """Some systems at a point, one after the other in one process, until the time of one is up."""
    rounds = 1 if SLOW & set(systems) else effort.rounds
    arguments = [str(figure), str(number), str(stream), str(rounds), *systems]
    command = [sys.executable, "-m", "mnemata.paper_figures.experiments.worker", *arguments]
    told: list[_Told] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is not None:
                _listen(process.stdout, told, effort.seconds)
        finally:
            process.kill()
    point = points(figure)[number]
    return [one.row(point) for one in told]


@dataclass(slots=True)
class _Told:
    """What a process has told of a system."""

    system: str
    loaded: int
    begin: float
    peak: int = 0
    read: int = 0
    spent: float = 0.0
    rounds: list[dict[str, Any]] = field(default_factory=list)

    def row(self, point: Point) -> Measurement:
        """As a measurement: the best of its rounds, or how far it came in the first."""
        best = min(self.rounds, key=lambda one: float(one["seconds"]), default=None)
        return Measurement(
            data=point.source.name,
            pattern=point.pattern.name,
            series=point.series,
            length=point.length,
            window=point.window,
            system=self.system,
            events=self.read if best is None else best["events"],
            seconds=self.spent if best is None else best["seconds"],
            matches=None if best is None else best["matches"],
            loaded=self.loaded,
            peak=max(self.peak, self.loaded),  # the system counts in lumps
            stopped=best is None,
        )


def _listen(lines: IO[str], told: list[_Told], patience: float) -> None:
    """Follow what a process tells until it ends or the time of a system is up."""
    for line in lines:
        facts = json.loads(line)
        if facts["what"] == "ready":
            told.append(_Told(facts["system"], facts["memory"], time.perf_counter()))
            continue
        last = told[-1]
        last.peak = facts.get("memory", last.peak)
        if facts["what"] == "round":
            last.rounds.append(facts)
        if facts["what"] == "progress":
            last.read, last.spent = facts["events"], facts["seconds"]
        passed = time.perf_counter() - last.begin
        if facts["what"] == "progress" and (last.spent > patience or passed > 6 * patience):
            break
