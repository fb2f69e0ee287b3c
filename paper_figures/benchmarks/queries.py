"""Queries of complex event logic: what an event costs, with and without making complex events."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.engine.compiled.plan import Mode
from mnemata.automata.engine.queries import compile_query
from mnemata.paper_figures.benchmarks.figures import Figure, Options, exactly, nanoseconds
from mnemata.paper_figures.benchmarks.scan import scan_of
from mnemata.paper_figures.benchmarks.streams import StockStream, stock_stream
from mnemata.paper_figures.benchmarks.throughput import Bench
from mnemata.paper_figures.benchmarks.timing import least_seconds
from mnemata.paper_figures.tables import Table
from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.schema import Schema
from mnemata.theory.syntax import parse_cel

TYPED: Final = Schema(STOCKS.attributes, "type", STOCKS.time)
EVENTS: Final = 4_000_000
WINDOWS_MS: Final = (500, 2_000, 10_000, 100_000, 1_000_000)
MOST_COUNTED_MS: Final = 2_000
NAME: Final = "queries"
QUERY: Final = """\
SELECT * WHERE SELL AS a; {second}; BUY AS c
FILTER a[name = 'INTC'] AND b[name = 'RIMM'{more}] AND c[name = 'QQQ'] WITHIN {window} ms"""
SHAPES: Final = {"sequence": ("BUY AS b", ""), "Kleene": ("(BUY AS b)+", " and price < 500.0")}
TEXT: Final = """\
The query `SELL INTC; BUY RIMM; BUY QQQ` without relational condition, and the same with `(BUY RIMM)+` (price
below 500), under windows from 500 ms to 1,000,000 ms over {stocks}. Both are complex event automata;
their complex events multiply with the window and are not in the cost of an event. *Update* reads the whole
stream and keeps the graph of all complex events, from which they could be listed at any time, and lists none;
*detect* only says where some end; *end to end* detects from the Arrow table on. *List* makes all complex
events as well, where there are not too many. Ratios are to the scan. The aim is ten times the engine CORE
on the same machine, which was measured at 3.7 million events per second without listing at 500 ms,
and 1.8 million at 1,000,000 ms."""


class Row(NamedTuple):
    """A query and a window: seconds end to end, to detect, to update and to list; complex events."""

    shape: str
    window_ms: int
    whole: float
    detecting: float
    updating: float
    listing: float | None
    found: int | None


def query(shape: str, window_ms: int) -> CompiledPattern:
    """A query, compiled."""
    second, more = SHAPES[shape]
    text = QUERY.format(second=second, more=more, window=window_ms)
    return compile_query(parse_cel(text, schema=TYPED), TYPED)


def measured(stocks: StockStream, repetitions: int) -> tuple[float, list[Row]]:
    """Seconds of a scan, and a row for each query and window."""
    chosen = [(shape, window) for shape in SHAPES for window in WINDOWS_MS]
    benches = [Bench(query(*one), stocks.table) for one in chosen]
    runs: list[Callable[[], object]] = [scan_of(benches[0].columns)]
    for bench in benches:
        runs += [bench.detect, partial(detected, bench), partial(updated, bench)]
    scan, *times = least_seconds(runs, repetitions)
    rows = []
    for number, ((shape, window), bench) in enumerate(zip(chosen, benches, strict=True)):
        listing = found = None
        if window <= MOST_COUNTED_MS:
            (listing,) = least_seconds([bench.enumerate], 1)
            found = bench.count()
        whole, detecting, updating = times[3 * number : 3 * number + 3]
        rows.append(Row(shape, window, whole, detecting, updating, listing, found))
    return scan, rows


def detected(bench: Bench) -> int:
    """Say where complex events end; at how many events."""
    return sum(len(rows) for rows in bench.search.ends())


def updated(bench: Bench) -> int:
    """Read the stream and keep the graph of all matches, without listing any; how many nodes there are."""
    return sum(len(store.nodes) for store in bench.search.stages(Mode.ENUMERATE))


def figure(options: Options) -> Figure:
    """The figure."""
    stocks = stock_stream(options.events or EVENTS)
    scan, rows = measured(stocks, options.repetitions)
    n = stocks.table.num_rows
    heads: tuple[str, ...] = (
        "query",
        "window",
        "complex events",
        "end to end ns",
        "detect ns",
        "update ns",
        "list ns",
    )
    heads += ("end to end / scan", "update / scan", "update, M events/s")
    cells = tuple(
        (
            row.shape,
            f"{row.window_ms / 1000:g} s",
            "—" if row.found is None else exactly(row.found),
            nanoseconds(row.whole, n),
            nanoseconds(row.detecting, n),
            nanoseconds(row.updating, n),
            "—" if row.listing is None else nanoseconds(row.listing, n),
            f"{row.whole / scan:.1f}",
            f"{row.updating / scan:.1f}",
            f"{n / row.updating / 1e6:.1f}",
        )
        for row in rows
    )
    title = f"For each event; the scan takes {nanoseconds(scan, n)} ns"
    text = TEXT.format(stocks=stocks.described)
    return Figure(NAME, "Queries of complex event logic", text, (Table(title, heads, cells),))
