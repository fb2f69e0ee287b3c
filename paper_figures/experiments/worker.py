"""One pattern and one stream in a process of their own, which tells what it measures of some systems.

``python -m mnemata.paper_figures.experiments.worker FIGURE NUMBER STREAM ROUNDS SYSTEM...``
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pyarrow as pa

from mnemata.paper_figures import process_memory
from mnemata.paper_figures.experiments.points import Point, points
from mnemata.paper_figures.experiments.systems import SYSTEMS, Progress

EVERY: Final = 0.5
"""Seconds from one word of progress to the next."""

MOST_LISTED: Final = 50_000_000
"""Where there are more matches, they are counted and not listed."""

WARM: Final = 500
"""So many events are read before anything is measured: libraries and machine code are loaded then."""


def main(figure: str, number: str, stream: str, rounds: str, *systems: str) -> None:
    """Run each system as often as is asked for, and tell the time of each round."""
    point = points(int(figure))[int(number)]
    with pa.OSFile(stream, "rb") as file:
        table = pa.ipc.open_file(file).read_all()
    for system in systems:
        SYSTEMS[system](point, table.slice(0, WARM), Progress())
    known = 0
    for system in systems:
        if system != "enumerate" or known <= MOST_LISTED:
            known = _run(system, point, table, int(rounds)) or known


def _run(system: str, point: Point, table: pa.Table, rounds: int) -> int:
    """Some rounds of a system; how many matches it found, if it says so."""
    process_memory.forget_peak()
    _tell("ready", system=system, memory=process_memory.resident() or 0)
    progress = Progress()
    for _ in range(rounds):
        progress = Progress()
        with _watched(progress):
            SYSTEMS[system](point, table, progress)
        matches = None if progress.matches is None else str(progress.matches)
        _tell("round", seconds=progress.seconds, events=progress.events, matches=matches)
    _tell("end", memory=process_memory.peak() or 0)
    return progress.matches or 0


@contextmanager
def _watched(progress: Progress) -> Iterator[None]:
    over = threading.Event()

    def watch() -> None:
        while not over.wait(EVERY):
            memory = process_memory.peak() or 0
            _tell("progress", events=progress.events, seconds=progress.spent(), memory=memory)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _tell(what: str, **facts: object) -> None:
    sys.stdout.write(json.dumps({"what": what, **facts}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
