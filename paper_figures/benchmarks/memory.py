"""Memory: the resident size of the process while a long stream passes through, batch by batch."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from typing import Final, NamedTuple

import pyarrow as pa

from mnemata.automata.engine.compiled.plan import Mode
from mnemata.automata.engine.incremental import Recogniser
from mnemata.paper_figures.benchmarks import streams
from mnemata.paper_figures.benchmarks.figures import Figure, Options, nanoseconds
from mnemata.paper_figures.benchmarks.patterns import kleene_of_stocks, never
from mnemata.paper_figures.benchmarks.streams import endless, stock_stream
from mnemata.paper_figures.process_memory import resident
from mnemata.paper_figures.tables import Table
from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.sremo.expressions import Pattern

EVENTS: Final = 10_000_000
ROWS: Final = 65_536
READINGS: Final = 10
NAME: Final = "memory"
TEXT: Final = """\
The Kleene pattern of length 3 (SRT eq. 7) over {events:,} events: {stocks}, over and over with its time
moved on, pushed in batches of up to {rows:,} events. Resident size is that of the whole process, in MB,
Python, its libraries and the copy of the stream that is being pushed included. *Live* are the distinct
futures that are kept, *nodes* those of the match graph, which are collected when there are 2^20 or twice as
many as the last time.

The last table is about the graph: the last tick has to be below the first one, which never happens, so that
partial matches grow under a window of 30 s without ever being read."""


class Setting(NamedTuple):
    """What is recognised."""

    name: str
    pattern: Pattern
    mode: Mode


def settings() -> tuple[Setting, ...]:
    """What is measured."""
    return (
        Setting("Detect, 5 s", kleene_of_stocks(5_000), Mode.DETECT),
        Setting("Count, 5 s", kleene_of_stocks(5_000), Mode.COUNT),
        Setting("Enumerate, 1 s", kleene_of_stocks(1_000), Mode.ENUMERATE),
        Setting("Enumerate, 30 s, never a match", never(30_000), Mode.ENUMERATE),
    )


class Reading(NamedTuple):
    """Position in the stream, resident size in bytes (``None``: not known), distinct futures, nodes."""

    position: int
    resident: int | None
    live: int
    nodes: int


def batches(ticks: pa.Table, events: int, rows: int = ROWS) -> Iterator[pa.Table]:
    """So many events of a stream that is repeated without end."""
    left = events
    for copy in endless(ticks):
        for begin in range(0, copy.num_rows, rows):
            batch = copy.slice(begin, min(rows, left))
            yield batch
            left -= batch.num_rows
            if not left:
                return


def pushed(ticks: pa.Table, events: int, setting: Setting) -> tuple[list[Reading], float]:
    """Push a stream; readings at even distances, and the processor time of all pushes."""
    recogniser = Recogniser(setting.pattern, STOCKS, mode=setting.mode)
    readings: list[Reading] = []
    position, spent = 0, 0.0
    for batch in batches(ticks, events):
        begin = time.process_time()
        recogniser.push(batch)
        spent += time.process_time() - begin
        position += batch.num_rows
        if position * READINGS >= events * (len(readings) + 1):
            readings.append(Reading(position, resident(), recogniser.live, recogniser.nodes))
    return readings, spent


def figure(options: Options) -> Figure:
    """The figure."""
    events = options.events or EVENTS
    stocks = stock_stream(streams.DAY)
    tables = []
    for setting in settings():
        pushed(stocks.table, min(events, ROWS), setting)
        gc.collect()
        tables.append(_table(setting.name, *pushed(stocks.table, events, setting)))
    text = TEXT.format(events=events, stocks=stocks.described, rows=ROWS)
    return Figure(NAME, "Memory over a long stream", text, tuple(tables))


def _table(name: str, readings: list[Reading], spent: float) -> Table:
    cost = nanoseconds(spent, readings[-1].position)
    rows = tuple(
        (f"{reading.position:,}", _megabytes(reading.resident), f"{reading.live:,}", f"{reading.nodes:,}")
        for reading in readings
    )
    title = f"{name}; a push takes {cost} ns for each event"
    return Table(title, ("position", "resident MB", "live", "nodes"), rows)


def _megabytes(size: int | None) -> str:
    return "—" if size is None else f"{size / 1e6:,.1f}"
