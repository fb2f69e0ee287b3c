"""Enumeration: how many marked positions a second, and how long one match keeps the next waiting."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import FunctionType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine.blocks import Block
from mnemata.automata.engine.compiled.enumeration import (
    BUFFERS_FULL,
    NEED_PATH,
    NEED_STACK,
    enumerate_into,
)
from mnemata.automata.engine.compiled.plan import Mode
from mnemata.automata.engine.compiled.search import Search
from mnemata.automata.engine.compiled.store import N_REPORTS, Store
from mnemata.automata.engine.recognition import recognise
from mnemata.paper_figures.benchmarks import streams
from mnemata.paper_figures.benchmarks.figures import Figure, Options, millions
from mnemata.paper_figures.benchmarks.patterns import kleene_of_stocks
from mnemata.paper_figures.benchmarks.streams import stock_stream
from mnemata.paper_figures.benchmarks.throughput import Bench
from mnemata.paper_figures.tables import Table
from mnemata.pipeline.datasets.arrivals import STOCKS

POSITIONS: Final = 200_000_000
WINDOWS_MS: Final = (2_000, 5_000, 10_000)
OUTPUTS: Final = 200_000
"""How many matches the delay is counted for."""

BLOCK_OF_MATCHES: Final = 256
EDGES: Final = (1, 2, 3, 4, 5, 6, 8, 10)
NAME: Final = "enumeration"
TEXT: Final = """\
The Kleene pattern of length 3 (SRT eq. 7) over {stocks}, under windows at which it has very many matches;
each run stops after {positions:,} marked positions. *Blocks* are the engine's own buffers: marked positions
of one match after the other, and where each ends. *Batches* are Arrow record batches with start, end and
the positions of each match as a list. Times are processor time and include recognition up to where the run
stops.

The delay is counted, not timed: the enumerator itself, as interpreted Python with room for a single match
at a time, runs over a graph that counts how often it is read. Between one output and the next, the reads
divided by the number of marked positions of the output are shown for the first {outputs:,} matches under
each window. Beside it stands the time of blocks of {block} matches, divided by their positions."""


class Rate(NamedTuple):
    """Positions and matches that were written, and how long that took."""

    positions: int
    matches: int
    seconds: float


def rate_of_blocks(search: Search, most: int) -> Rate:
    """Read blocks until there are enough positions."""
    begin = time.process_time()
    return _rate(((len(b.positions), len(b.ends)) for b in search.matches()), most, begin)


def rate_of_batches(ticks: pa.Table, window_ms: int, most: int) -> Rate:
    """Read Arrow record batches until there are enough positions."""
    begin = time.process_time()
    batches = recognise(kleene_of_stocks(window_ms), ticks, schema=STOCKS).to_batches()
    sizes = ((pc.sum(pc.list_value_length(batch["positions"])).as_py(), batch.num_rows) for batch in batches)
    return _rate(sizes, most, begin)


def _rate(sizes: Iterator[tuple[int, int]], most: int, begin: float) -> Rate:
    positions = matches = 0
    for more_positions, more_matches in sizes:
        positions, matches = positions + more_positions, matches + more_matches
        if positions >= most:
            break
    return Rate(positions, matches, time.process_time() - begin)


class CountedReads:
    """A graph of nodes that counts how often it is read."""

    def __init__(self, nodes: npt.NDArray[np.int64]) -> None:
        self._nodes, self.reads = nodes, 0

    def __getitem__(self, place: tuple[int, int]) -> int:
        self.reads += 1
        return int(self._nodes[place])


class Delays(NamedTuple):
    """For consecutive matches: reads of the graph before each, and how many positions it marks."""

    reads: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]

    @property
    def ratios(self) -> npt.NDArray[np.float64]:
        """Reads for each position."""
        return self.reads / self.sizes


def delays(search: Search, most: int) -> Delays:
    """The delays of the first matches, counted in reads of the match graph."""
    reads, sizes = [], []
    for nodes, reports in _graphs(search):
        graph = CountedReads(nodes)
        for size in _one_by_one(graph, reports):
            reads.append(graph.reads)
            sizes.append(size)
            graph.reads = 0
            if len(sizes) == most:
                return Delays(np.array(reads), np.array(sizes))
    return Delays(np.array(reads, np.int64), np.array(sizes, np.int64))


def _graphs(search: Search) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """The match graph and the reports of each stage of a search."""
    stores: Iterator[Store] = search.stages(Mode.ENUMERATE)
    for store in stores:
        yield store.nodes, store.reports[: store.numbers[N_REPORTS]]


def interpreted(function: Any) -> Callable[..., Any]:
    """A compiled function as plain Python, and likewise what it calls."""
    plain = getattr(function, "py_func", function)
    known = plain.__globals__
    called = {name: known[name] for name in plain.__code__.co_names if hasattr(known.get(name), "py_func")}
    inner = {name: interpreted(value) for name, value in called.items()}
    return FunctionType(plain.__code__, {**known, **inner})


def _one_by_one(graph: Any, reports: npt.NDArray[np.int64]) -> Iterator[int]:
    """The sizes of all matches, each as soon as the enumerator has written it."""
    step = interpreted(enumerate_into)
    cursor, stack, path = np.zeros(3, np.int64), np.zeros((64, 2), np.int64), np.zeros(64, np.int64)
    positions, ends = np.zeros(1 << 16, np.int64), np.zeros(1, np.int64)
    most, code = np.iinfo(np.int64).max, BUFFERS_FULL
    while code in (BUFFERS_FULL, NEED_STACK, NEED_PATH):
        code, written = step(graph, reports, len(reports), most, cursor, stack, path, positions, ends)
        if written:
            yield int(ends[0])
        if code == NEED_STACK:
            stack = np.concatenate([stack, np.zeros_like(stack)])
        elif code == NEED_PATH:
            path = np.concatenate([path, np.zeros_like(path)])


def timed_blocks(search: Search, most: int) -> npt.NDArray[np.float64]:
    """Nanoseconds for each position, of blocks of `BLOCK_OF_MATCHES` matches."""
    found = []
    for nodes, reports in _graphs(search):
        for seconds, block in _blocks(nodes, reports):
            found.append(seconds * 1e9 / len(block.positions))
            if len(found) == most:
                return np.array(found)
    return np.array(found)


def _blocks(nodes: npt.NDArray[np.int64], reports: npt.NDArray[np.int64]) -> Iterator[tuple[float, Block]]:
    cursor, stack, path = np.zeros(3, np.int64), np.zeros((4096, 2), np.int64), np.zeros(4096, np.int64)
    positions, ends = np.zeros(1 << 16, np.int64), np.zeros(BLOCK_OF_MATCHES, np.int64)
    most, code = np.iinfo(np.int64).max, BUFFERS_FULL
    while code == BUFFERS_FULL:
        begin = time.perf_counter()
        code, written = enumerate_into(
            nodes, reports, len(reports), most, cursor, stack, path, positions, ends
        )
        spent = time.perf_counter() - begin
        if written == BLOCK_OF_MATCHES:
            yield spent, Block(positions[: ends[written - 1]], ends[:written])


def figure(options: Options) -> Figure:
    """The figure: `Options.events` stands for positions here."""
    most = options.events or POSITIONS
    stocks = stock_stream(streams.DAY)
    searches = {
        w: Bench(compile_pattern(kleene_of_stocks(w), STOCKS), stocks.table).search for w in WINDOWS_MS
    }
    for search in searches.values():
        rate_of_blocks(search, 1)
    text = TEXT.format(
        stocks=stocks.described, positions=most, outputs=min(OUTPUTS, most), block=BLOCK_OF_MATCHES
    )
    rates = Table(
        "Marked positions a second, the best of the runs",
        ("window", "into", "positions", "matches", "seconds", "M positions/s", "ns for each position"),
        tuple(
            row
            for window in WINDOWS_MS
            for row in _rates(searches[window], window, stocks.table, most, options)
        ),
    )
    counted = {window: delays(search, min(OUTPUTS, most)).ratios for window, search in searches.items()}
    return Figure(NAME, "Enumeration", text, (rates, _histogram(counted), _spread(searches, counted)))


def _rates(
    search: Search, window: int, ticks: pa.Table, most: int, options: Options
) -> Iterator[tuple[str, ...]]:
    blocks = [rate_of_blocks(search, most) for _ in range(options.repetitions)]
    batches = [rate_of_batches(ticks, window, most) for _ in range(options.repetitions)]
    for name, rates in (("blocks", blocks), ("batches", batches)):
        positions, matches, seconds = min(rates, key=lambda rate: rate.seconds)
        cells = (f"{positions:,}", f"{matches:,}", f"{seconds:.2f}", millions(positions, seconds))
        yield (f"{window / 1000:g} s", name, *cells, f"{seconds / positions * 1e9:.2f}")


def _histogram(counted: dict[int, npt.NDArray[np.float64]]) -> Table:
    bounds = (0.0, *EDGES, np.inf)
    rows = []
    for low, high in pairwise(bounds):
        numbers = (np.count_nonzero((ratios > low) & (ratios <= high)) for ratios in counted.values())
        bound = f"more than {low:g}" + (f", at most {high:g}" if high < np.inf else "")
        rows.append((bound, *(f"{number:,}" for number in numbers)))
    heads = ("reads of the graph for each position", *(f"{window / 1000:g} s" for window in counted))
    return Table("Delay divided by the size of the output: how many matches", heads, tuple(rows))


def _spread(searches: dict[int, Search], counted: dict[int, npt.NDArray[np.float64]]) -> Table:
    rows = []
    for window, ratios in counted.items():
        times = timed_blocks(searches[window], OUTPUTS // BLOCK_OF_MATCHES)
        middle, most = np.quantile(times, (0.5, 0.999)) if len(times) else (np.nan, np.nan)
        cells = (f"{np.median(ratios):.2f}", f"{ratios.max():.2f}", f"{middle:.2f}", f"{most:.2f}")
        rows.append((f"{window / 1000:g} s", *cells))
    heads = (
        "window",
        "reads, median",
        "reads, most",
        "ns in blocks, median",
        "ns in blocks, 99.9th percentile",
    )
    return Table("The same in short, for each position", heads, tuple(rows))
