"""Windows: the cost of an event while the number of matches grows without measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine.recognition import recognise
from mnemata.paper_figures.benchmarks.figures import Figure, Options, exactly, nanoseconds
from mnemata.paper_figures.benchmarks.patterns import kleene_of_stocks
from mnemata.paper_figures.benchmarks.scan import scan_of
from mnemata.paper_figures.benchmarks.streams import stock_stream
from mnemata.paper_figures.benchmarks.throughput import Bench
from mnemata.paper_figures.benchmarks.timing import least_seconds
from mnemata.paper_figures.tables import Table
from mnemata.pipeline.datasets.arrivals import STOCKS

EVENTS: Final = 4_000_000
PREFIX: Final = 30_000
WINDOWS_MS: Final = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000)
NAME: Final = "windows"
TEXT: Final = """\
The Kleene pattern of length 3 (SRT eq. 7), counted under windows from 500 ms to 30 s over {stocks}.
Counting is end to end from the Arrow table; the kernel is what is left without ingestion, classification
and static checks. Ratios are to the smallest window; the aim is at most 3. Numbers of matches are exact,
and shown as powers of two when they are large.

Counts on the first {prefix:,} events are compared with those of a plain Python programme that knows nothing
of automata: for each first event, the number of ways to go on, in Python's integers. The figure is not made
when one of them differs."""


class Row(NamedTuple):
    """A window: matches, seconds end to end and of the kernel, matches in the prefix."""

    window_ms: int
    matches: int
    counting: float
    kernel: float
    in_prefix: int


def counted_by_hand(ticks: pa.Table, window_ms: int) -> int:
    """How many matches the pattern has: for each first event the number of ways to go on.

    Of one first event, `ways` is the number of non-empty sets of RIMM seen since: each further one doubles
    them and makes one of its own.
    """
    rows = _rows(ticks)
    found = 0
    for first, (kind, name, price, time) in enumerate(rows):
        if (kind, name) != ("SELL", "INTC"):
            continue
        ways = 0
        for place in range(first + 1, len(rows)):
            then_kind, then_name, then_price, then_time = rows[place]
            if then_time - time >= window_ms:
                break
            if (then_kind, then_name) == ("BUY", "RIMM"):
                ways = 2 * ways + 1
            elif (then_kind, then_name) == ("BUY", "QQQ") and then_price > price:
                found += ways
    return found


def _rows(ticks: pa.Table) -> list[tuple[str, str, float, int]]:
    times = pc.cast(ticks["stock_time"], pa.int64())
    columns = (ticks["type"], ticks["name"], ticks["price"], times)
    return list(zip(*(column.to_pylist() for column in columns), strict=True))


def measured(
    ticks: pa.Table, windows: Sequence[int], prefix: int, repetitions: int
) -> tuple[float, list[Row]]:
    """Seconds of a scan, and a row for each window.

    Raises
    ------
    ArithmeticError
        When a count is not what it is by hand.
    """
    benches = [Bench(compile_pattern(kleene_of_stocks(window), STOCKS), ticks) for window in windows]
    runs: list[Callable[[], object]] = [scan_of(benches[0].columns)]
    for bench in benches:
        runs += [bench.count, bench.search.count]
    scan, *times = least_seconds(runs, repetitions)
    checked = [_checked(ticks.slice(0, prefix), window) for window in windows]
    matches = [bench.search.count() for bench in benches]
    return scan, [Row(*row) for row in zip(windows, matches, times[::2], times[1::2], checked, strict=True)]


def _checked(ticks: pa.Table, window: int) -> int:
    found, expected = (
        recognise(kleene_of_stocks(window), ticks, schema=STOCKS),
        counted_by_hand(ticks, window),
    )
    if found.count() != expected:
        raise ArithmeticError(
            f"{found.count()} matches under {window} ms were counted, and there are {expected}"
        )
    return expected


def figure(options: Options) -> Figure:
    """The figure."""
    stocks = stock_stream(options.events or EVENTS)
    scan, rows = measured(stocks.table, WINDOWS_MS, PREFIX, options.repetitions)
    n, least = stocks.table.num_rows, rows[0]
    columns: tuple[str, ...] = (
        "window",
        "matches",
        "count ns",
        "count / scan",
        "count / smallest window",
        "kernel ns",
    )
    columns += ("kernel / smallest window", "matches in the prefix, checked")
    cells = tuple(
        (
            f"{row.window_ms / 1000:g} s",
            exactly(row.matches),
            nanoseconds(row.counting, n),
            f"{row.counting / scan:.1f}",
            f"{row.counting / least.counting:.2f}",
            nanoseconds(row.kernel, n),
            f"{row.kernel / least.kernel:.2f}",
            exactly(row.in_prefix),
        )
        for row in rows
    )
    text = TEXT.format(stocks=stocks.described, prefix=PREFIX)
    table = Table(f"For each event; the scan takes {nanoseconds(scan, n)} ns", columns, cells)
    return Figure(NAME, "Flat in the window", text, (table,))
