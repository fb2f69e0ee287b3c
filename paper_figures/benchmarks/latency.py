"""Latency: how long a push takes, of a single event and of more."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mnemata.automata.engine.compiled.plan import Mode
from mnemata.automata.engine.incremental import Recogniser
from mnemata.paper_figures.benchmarks.figures import Figure, Options
from mnemata.paper_figures.benchmarks.patterns import kleene_of_stocks
from mnemata.paper_figures.benchmarks.streams import stock_stream
from mnemata.paper_figures.tables import Table
from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.conditions.building import head, register
from mnemata.theory.sremo.expressions import Pattern, mark, skip_till_any

EVENTS: Final = 10_000
SIZES: Final = (1, 10, 100, 1_000, 10_000)
MOST_EVENTS: Final = 200_000
PERCENTILES: Final = (50.0, 99.0, 99.9, 100.0)
NAME: Final = "latency"
TEXT: Final = """\
Time of `Recogniser.push` of record batches of the stock stream, in its order: {stocks}. The wall clock
includes the times at which the processor was given to others; the processor's does not. A first part of the
stream is pushed before anything is measured. *k3* is the Kleene pattern of length 3 (SRT eq. 7), *rise by
name* is `any(event as r, event where price > r.price) within 1 s partition by name`: names come as often as
they do. Garbage collection is as it is by default.

The last table is about new processes that find byte code and machine code on disk, the least of
{repetitions}: the wall clock of the imports, then of counting a pattern over five events, then of counting
another; both were never seen before, and reading their texts is not included."""

STARTING: Final = """
from time import perf_counter
begun = perf_counter()
import pyarrow as pa
from mnemata.automata.engine.recognition import recognise
from mnemata.theory.arrow import schema_from_arrow
from mnemata.theory.syntax import parse
imported = perf_counter()
kinds, prices = ["SELL", "BUY", "BUY", "SELL", "BUY"], [27.8, 117.5, 36.2, 55.9, 27.1]
ticks = pa.table({"type": kinds, "price": prices})
schema = schema_from_arrow(ticks.schema, event_type="type")
print(imported - begun)
for most in (100, 200):
    pattern = parse(f"any(SELL as s, BUY where price > s.price and price < {most})", schema=schema)
    begun = perf_counter()
    recognise(pattern, ticks, schema=schema).count()
    print(perf_counter() - begun)
"""

_tick: Final = head(STOCKS)
_held: Final = register("r", STOCKS)


class Setting(NamedTuple):
    """What is recognised."""

    name: str
    pattern: Pattern
    mode: Mode


def settings() -> tuple[Setting, ...]:
    """What is measured."""
    rise = skip_till_any(mark(write=_held), mark(_tick.price > _held.price)).within(s=1)
    by_name = Pattern(rise, ("name",), "rise by name")
    return (
        Setting("k3, 500 ms, detect", kleene_of_stocks(500), Mode.DETECT),
        Setting("k3, 500 ms, enumerate", kleene_of_stocks(500), Mode.ENUMERATE),
        Setting("k3, 5 s, count", kleene_of_stocks(5_000), Mode.COUNT),
        Setting("rise by name, enumerate", by_name, Mode.ENUMERATE),
    )


def pushes(setting: Setting, ticks: pa.Table, size: int, events: int) -> npt.NDArray[np.float64]:
    """Seconds that each push of `size` events takes, on the wall and of the processor: shape (n_pushes, 2).

    The first eleventh of the stream is pushed before anything is measured.
    """
    recogniser = Recogniser(setting.pattern, STOCKS, mode=setting.mode)
    whole = ticks.slice(0, events).combine_chunks().to_batches()[0]
    batches = [whole.slice(begin, size) for begin in range(0, whole.num_rows, size)]
    warm = -(-len(batches) // 11)
    for batch in batches[:warm]:
        recogniser.push(batch)
    gc.collect()
    found = []
    for batch in batches[warm:]:
        begin, worked = time.perf_counter_ns(), time.thread_time_ns()
        recogniser.push(batch)
        found.append((time.perf_counter_ns() - begin, time.thread_time_ns() - worked))
    return np.array(found) / 1e9


def figure(options: Options) -> Figure:
    """The figure."""
    events = options.events or EVENTS
    stocks = stock_stream(MOST_EVENTS)
    one = [(setting.name, pushes(setting, stocks.table, 1, events)) for setting in settings()]
    more = [_by_size(setting, stocks.table, options) for setting in settings()]
    text = TEXT.format(stocks=stocks.described, repetitions=options.repetitions)
    sizes = Table(
        "Microseconds of the processor for a push, median, by size of the batch", _heads(), tuple(more)
    )
    return Figure(NAME, "Latency", text, (_percentiles(one), sizes, _starts(options.repetitions)))


def _starts(repetitions: int) -> Table:
    """How long a new process takes until it has recognised something."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    runs = []
    for _ in range(repetitions + 1):
        run = subprocess.run(
            [sys.executable, "-c", STARTING], env=environment, capture_output=True, text=True, check=True
        )
        runs.append([float(line) for line in run.stdout.split()])
    least = (min(times) for times in zip(*runs[1:], strict=True))  # the first run fills the caches
    cells = tuple(f"{seconds * 1e3:,.0f}" for seconds in least)
    heads = ("process", "imports", "first pattern", "second pattern")
    return Table("Milliseconds of a new process", heads, (("new, with warm caches", *cells),))


def _heads() -> tuple[str, ...]:
    return "pattern", *(f"{size:,} events" for size in SIZES), f"ns for each event, at {SIZES[-1]:,}"


def _percentiles(found: list[tuple[str, npt.NDArray[np.float64]]]) -> Table:
    rows = tuple(
        (name, clock, *(f"{np.percentile(times[:, column], p) * 1e6:,.0f}" for p in PERCENTILES))
        for name, times in found
        for column, clock in enumerate(("wall", "processor"))
    )
    heads = ("pattern", "clock", "median", "99th percentile", "99.9th percentile", "most")
    return Table("Microseconds of a push of a single event", heads, rows)


def _by_size(setting: Setting, ticks: pa.Table, options: Options) -> tuple[str, ...]:
    most = options.events or MOST_EVENTS
    sizes = [size for size in SIZES if size <= most]
    medians = [
        np.median(pushes(setting, ticks, size, min(most, max(20 * size, 2_000)))[:, 1]) for size in sizes
    ]
    missing = ["—"] * (len(SIZES) - len(sizes))
    last = f"{medians[-1] / SIZES[-1] * 1e9:.1f}" if not missing else "—"
    return (setting.name, *(f"{median * 1e6:,.0f}" for median in medians), *missing, last)
