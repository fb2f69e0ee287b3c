"""Updates: what reading an event costs, as the stream, the window and the contents of registers grow."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import pyarrow as pa

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine.compiled.search import Search
from mnemata.automata.engine.recognition import recognise
from mnemata.paper_figures.benchmarks.figures import Figure, Options, nanoseconds
from mnemata.paper_figures.benchmarks.throughput import Bench
from mnemata.paper_figures.benchmarks.timing import least_seconds, slope
from mnemata.paper_figures.tables import Table
from mnemata.pipeline.datasets.arrivals import HOMES, SMART_HOMES, STOCK_TICKS, STOCKS
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Expression, Pattern, mark, skip_till_any

EVENTS: Final = 10_000_000
FEWEST: Final = 1_000
WINDOW: Final = 1_000
WINDOWS: Final = (10, 100, 1_000, 10_000, 100_000)
STREAM_FOR_WINDOWS: Final = 1_000_000
WINDOWS_TO_COUNT: Final = (10, 100, 1_000)
STREAM_TO_COUNT: Final = 50_000
STREAM_FOR_REGISTERS: Final = 100_000
STREAM_FOR_JOINS: Final = 10_000
NAME: Final = "updates"
TEXT: Final = """\
Time of the kernel for each event: classes of events are made before, and matches are not written out (in
enumeration mode the match graph is built and nothing is read from it). Streams are generated.

The pattern without relational conditions is `any(A, any(B+), C)` over three names of stock ticks, under a
window in events. Its cost should depend neither on the length of the stream ({fewest:,} to {events:,}
events under a window of {window:,} events) nor on the window: the slope of the cost in log-log is the
exponent with which it grows. What is fixed for each run, the time for a stream of one event, is subtracted.
Counting is another matter: it keeps numbers apart by the first mark, so that a window can take them back.

With a relational condition, `any(A as r, B where price > r.price)`, an event B meets each live content of
`r`; only to detect a match the first one that fits is enough. How many those are follows from the matches
of `any(A, B)` under the same window. With an equality, `any(event as r, event where plug_id = r.plug_id
and value > r.value)` over smart homes, an event should meet only the contents with its own plug."""

_tick: Final = head(STOCKS)
_load: Final = head(HOMES)
_held_tick: Final = register("r", STOCKS)
_held_load: Final = register("r", HOMES)


def unary() -> Expression:
    """A Kleene pattern without relational conditions."""
    first, second, third = (mark(_tick.name == name) for name in ("INTC", "RIMM", "QQQ"))
    return skip_till_any(first, skip_till_any(second.plus()), third)


def relational(condition: Condition) -> Expression:
    """A pair of ticks under a condition on both."""
    return skip_till_any(mark(_tick.name == "INTC", _held_tick), mark((_tick.name == "QQQ") & condition))


def joined(condition: Condition) -> Expression:
    """A pair of loads under a condition on both."""
    return skip_till_any(mark(write=_held_load), mark(condition))


RISES: Final = _tick.price > _held_tick.price
SAME_PLUG: Final = _load.plug_id == _held_load.plug_id
RISES_THERE: Final = SAME_PLUG & (_load.value > _held_load.value)


class Costs(NamedTuple):
    """Seconds for each event: to detect matches, and to count or to enumerate them without reading any."""

    detect: float
    other: float


def costs(
    pattern: Expression, schema: Schema, table: pa.Table, repetitions: int, *, count: bool = False
) -> Costs:
    """What reading an event costs, without what is fixed for each run."""
    compiled = compile_pattern(Pattern(pattern), schema)
    whole, one = (Bench(compiled, part).search for part in (table, table.slice(0, 1)))
    times = least_seconds([*_modes(whole, count), *_modes(one, count)], repetitions)
    net = [
        max(long - short, 1e-12) / table.num_rows for long, short in zip(times[:2], times[2:], strict=True)
    ]
    return Costs(*net)


def _modes(search: Search, count: bool) -> Sequence[Callable[[], object]]:
    return (
        lambda: deque(search.ends(), 0),
        search.count if count else lambda: deque(search.matches(0), 0),
    )


def figure(options: Options) -> Figure:
    """The figure."""
    events = options.events or EVENTS
    ticks = STOCK_TICKS.table(max(events, FEWEST))
    text = TEXT.format(fewest=FEWEST, events=ticks.num_rows, window=WINDOW)
    tables = (
        _by_length(ticks, options.repetitions),
        _by_window(ticks.slice(0, min(events, STREAM_FOR_WINDOWS)), options.repetitions),
        _counting(ticks.slice(0, min(events, STREAM_TO_COUNT)), options.repetitions),
        _by_contents(ticks.slice(0, min(events, STREAM_FOR_REGISTERS)), options.repetitions),
        _by_join(SMART_HOMES.table(min(events, STREAM_FOR_JOINS)), options.repetitions),
    )
    return Figure(NAME, "The cost of an update", text, tables)


def _by_length(ticks: pa.Table, repetitions: int) -> Table:
    sizes = [FEWEST]
    while sizes[-1] * 10 <= ticks.num_rows:
        sizes.append(sizes[-1] * 10)
    pattern = unary().within(events=WINDOW)
    found = [costs(pattern, STOCKS, ticks.slice(0, size), repetitions) for size in sizes]
    return _table("Without relational conditions, by length of the stream", "events", sizes, found)


def _by_window(ticks: pa.Table, repetitions: int) -> Table:
    found = [costs(unary().within(events=window), STOCKS, ticks, repetitions) for window in WINDOWS]
    return _table("Without relational conditions, by window", "window, events", WINDOWS, found)


def _counting(ticks: pa.Table, repetitions: int) -> Table:
    patterns = [Pattern(unary().within(events=window)) for window in WINDOWS_TO_COUNT]
    searches = [Bench(compile_pattern(pattern, STOCKS), ticks).search for pattern in patterns]
    times = [each / ticks.num_rows for each in least_seconds([s.count for s in searches], repetitions)]
    rows = [
        (f"{window:,}", nanoseconds(each, 1)) for window, each in zip(WINDOWS_TO_COUNT, times, strict=True)
    ]
    rows.append(("slope in log-log", f"{slope(WINDOWS_TO_COUNT, times):+.3f}"))
    return Table("Counting the same, by window", ("window, events", "count ns"), tuple(rows))


def _table(title: str, head: str, sizes: Sequence[int], found: Sequence[Costs]) -> Table:
    rows = [
        (f"{size:,}", *(nanoseconds(cost, 1) for cost in one)) for size, one in zip(sizes, found, strict=True)
    ]
    if len(sizes) > 1:
        slopes = (f"{slope(sizes, mode):+.3f}" for mode in zip(*found, strict=True))
        rows.append(("slope in log-log", *slopes))
    return Table(title, (head, "detect ns", "enumerate ns"), tuple(rows))


def _by_contents(ticks: pa.Table, repetitions: int) -> Table:
    return _met(
        "With a relational condition, by live contents of its register",
        [relational(TOP).within(events=window) for window in WINDOWS],
        [relational(RISES).within(events=window) for window in WINDOWS],
        STOCKS,
        ticks,
        repetitions,
    )


def _by_join(loads: pa.Table, repetitions: int) -> Table:
    windows = [window for window in WINDOWS if window <= loads.num_rows]
    return _met(
        "With an equality, by loads of the same plug in the window",
        [joined(SAME_PLUG).within(events=window) for window in windows],
        [joined(RISES_THERE).within(events=window) for window in windows],
        HOMES,
        loads,
        repetitions,
    )


def _met(
    title: str,
    meetings: Sequence[Expression],
    patterns: Sequence[Expression],
    schema: Schema,
    table: pa.Table,
    repetitions: int,
) -> Table:
    """The cost of an event against how many contents it meets: one row for each window."""
    n = table.num_rows
    met = [recognise(pattern, table, schema=schema).count() / n for pattern in meetings]
    found = [costs(pattern, schema, table, repetitions, count=True) for pattern in patterns]
    rows: list[tuple[str, ...]] = [
        (
            f"{window:,}",
            f"{number:,.3f}",
            nanoseconds(cost.detect, 1),
            nanoseconds(cost.other, 1),
            nanoseconds(cost.other / number, 1),
        )
        for window, number, cost in zip(WINDOWS[: len(met)], met, found, strict=True)
        if number
    ]
    large = [(number, cost.other) for number, cost in zip(met, found, strict=True) if number >= 1]
    if len(large) > 1:
        rows.append(("slope in log-log, from 1 on", "", "", f"{slope(*zip(*large, strict=True)):+.3f}", ""))
    costs_of = ("detect ns", "count ns", "count ns for each content met")
    return Table(title, ("window, events", "contents met by an event", *costs_of), tuple(rows))
