"""Throughput: nanoseconds an event against a scan of the same columns, and where they go."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from mnemata.automata.compilation import CompiledPattern, compile_pattern
from mnemata.automata.engine.classes import classify
from mnemata.automata.engine.columns import Columns, columns_of
from mnemata.automata.engine.compiled.plan import Mode, plan_of
from mnemata.automata.engine.compiled.search import Search
from mnemata.automata.engine.ingestion import names_read
from mnemata.automata.engine.preparation import prepared
from mnemata.automata.engine.recognition import LIMITS, recognise
from mnemata.paper_figures.benchmarks.figures import Figure, Options, exactly, millions, nanoseconds
from mnemata.paper_figures.benchmarks.patterns import (
    SELECTIVE_TERMS,
    STOCK_TERMS,
    Question,
    Terms,
    questions,
)
from mnemata.paper_figures.benchmarks.scan import scan_of
from mnemata.paper_figures.benchmarks.streams import stock_stream
from mnemata.paper_figures.benchmarks.timing import least_seconds
from mnemata.paper_figures.tables import Table
from mnemata.pipeline.datasets.arrivals import SMART_HOMES, STOCK_TICKS, TAXI_TRIPS, Source
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.errors import LimitError
from mnemata.theory.sremo.expressions import Pattern

EVENTS: Final = 4_000_000
NAME: Final = "throughput"
TEXT: Final = """\
Patterns of SRT eqs. (5) to (10) at the papers' windows, and (*strict*) those of eq. (5) with their events one
right after the other, over {stocks}, and over generated smart-home loads
and taxi trips with the published schemas and match frequencies ({events:,} events each). *Count* is
`recognise(pattern, table).count()`, *enumerate* reads `.to_batches()` to the end, *detect* is `.ends()`:
all from the Arrow table on, with ingestion and the static checks of the compiled pattern. *Scan* is a numba
loop that reads the same columns of the table once and counts the values above zero (of text, which is in
a dictionary, the places there). Times are processor time, the least
of {repetitions} runs, and all runs of all patterns take turns, so that they see the machine at the same
times; of scans, the least of all over the same columns. The aim is the greatest ratio that is wanted.

The second table takes counting apart: ingestion makes columns of the Arrow table and checks its order,
classification evaluates the conditions on single events for whole columns, the kernel does the rest; fixed
is what counting takes in a stream of one event (milliseconds). The third table says how many
matches the relational conditions leave of those of the same pattern without them (ERRATA E2)."""


@dataclass(frozen=True)
class Bench:
    """A pattern and a stream, with the stages of recognition apart.

    Parameters
    ----------
    compiled : CompiledPattern
        What to find.
    table : pyarrow.Table
        Where.
    """

    compiled: CompiledPattern
    table: pa.Table

    @cached_property
    def columns(self) -> Columns:
        """The columns that the pattern reads."""
        return self.ingest()

    def ingest(self) -> Columns:
        """Make columns of the table."""
        return columns_of(self.table, self.compiled.schema, names_read(self.compiled))

    def classify(self) -> object:
        """Evaluate all conditions on single events."""
        return classify(plan_of(prepared(self.compiled).compiled, Mode.DETECT).heads, self.columns)

    @cached_property
    def search(self) -> Search:
        """The kernel's search, which remembers the classes of the events once it has run."""
        bounds = np.array([0, self.columns.size], np.int64)
        return Search(prepared(self.compiled).compiled, self.columns, bounds, LIMITS, _too_many)

    def count(self) -> int:
        """All of it."""
        return recognise(self.compiled, self.table).count()

    def detect(self) -> int:
        """Where matches end."""
        return len(recognise(self.compiled, self.table).ends())

    def enumerate(self) -> int:
        """All matches as Arrow record batches; how many there were."""
        return sum(batch.num_rows for batch in recognise(self.compiled, self.table).to_batches())

    def check(self) -> str | None:
        """Why the kernel cannot recognise the pattern; ``None`` when it can."""
        return prepared(self.compiled).obstacle


def _too_many(row: int, size: int, what: str) -> LimitError:
    return LimitError(f"{size:,} {what} at row {row}")


class Stages(NamedTuple):
    """Seconds that recognition takes, end to end and apart, and a scan of the same columns."""

    scan: float
    counting: float
    enumerating: float | None
    detecting: float
    ingest: float
    classify: float
    kernel: float
    fixed: float


class Row(NamedTuple):
    """A pattern and what was measured."""

    question: Question
    events: int
    matches: int
    stages: Stages
    obstacle: str | None
    columns: tuple[str, ...]

    @property
    def scanned(self) -> tuple[object, ...]:
        """What the scan read."""
        return self.question.source.name, self.columns, self.events

    @property
    def ratio(self) -> float:
        """How many times the scan counting takes."""
        return self.stages.counting / self.stages.scan


MOST_ENUMERATED: Final = 20_000_000
"""Patterns with more matches are not enumerated here; see the figure about enumeration."""


MOST_IN_PYTHON: Final = 20_000
"""As many events are measured of patterns that are recognised in Python."""


class Asked(NamedTuple):
    """A pattern to be measured, the same over a stream of one event, and what is known of it before."""

    question: Question
    bench: Bench
    alone: Bench
    matches: int
    obstacle: str | None

    @property
    def lists(self) -> bool:
        """Whether its matches are listed, too."""
        return self.matches <= MOST_ENUMERATED

    def runs(self) -> list[Callable[[], object]]:
        """What is measured, in the order of `Stages`; for matches that are not listed, they are counted."""
        bench = self.bench
        return [
            scan_of(bench.columns),
            bench.count,
            bench.enumerate if self.lists else bench.count,
            bench.detect,
            bench.ingest,
            bench.classify,
            bench.search.count if self.obstacle is None else bench.count,
            self.alone.count,
        ]


def asked(question: Question, table: pa.Table) -> Asked:
    """A pattern that is ready to be measured.

    Raises
    ------
    ArithmeticError
        When as many matches are not listed as are counted.
    """
    compiled = compile_pattern(question.pattern, question.source.schema)
    obstacle = Bench(compiled, table).check()
    bench = Bench(compiled, table if obstacle is None else table.slice(0, MOST_IN_PYTHON))
    found = Asked(question, bench, Bench(compiled, table.slice(0, 1)), bench.count(), obstacle)
    if found.lists and bench.enumerate() != found.matches:
        listed = f"{bench.enumerate()} are listed"
        raise ArithmeticError(f"{question.name} has {found.matches} matches, and {listed}")
    return found


def measured(all_asked: Sequence[Asked], repetitions: int) -> list[Row]:
    """Measure patterns; all runs of all of them take turns."""
    runs = [one.runs() for one in all_asked]
    times = iter(least_seconds(list(chain(*runs)), repetitions))
    rows = []
    for one, own in zip(all_asked, runs, strict=True):
        stages = Stages(*islice(times, len(own)))
        if not one.lists:
            stages = stages._replace(enumerating=None)
        bench = one.bench
        columns = tuple(bench.columns.by_name)
        rows.append(Row(one.question, bench.table.num_rows, one.matches, stages, one.obstacle, columns))
    return rows


def with_least_scans(rows: list[Row]) -> list[Row]:
    """The rows, each with the least time of all scans of as many events of the same columns."""
    least: dict[tuple[object, ...], float] = {}
    for row in rows:
        least[row.scanned] = min(row.stages.scan, least.get(row.scanned, row.stages.scan))
    return [row._replace(stages=row.stages._replace(scan=least[row.scanned])) for row in rows]


def figure(options: Options) -> Figure:
    """The figure."""
    events = options.events or EVENTS
    stocks = stock_stream(events)
    tables = {STOCK_TICKS: stocks.table, SMART_HOMES: SMART_HOMES.table(events)}
    tables[TAXI_TRIPS] = TAXI_TRIPS.table(events)
    all_asked = [asked(question, tables[question.source]) for question in questions()]
    rows = with_least_scans(measured(all_asked, options.repetitions))
    text = TEXT.format(stocks=stocks.described, events=events, repetitions=options.repetitions)
    return Figure(
        NAME,
        "Throughput on one core",
        f"{text}\n\n{_remarks(rows)}",
        (_throughput(rows), _stages(rows), _selectivity(stocks.table)),
    )


def _remarks(rows: list[Row]) -> str:
    slow = [f"{row.question.name}: {row.obstacle}" for row in rows if row.obstacle is not None]
    said = "; ".join(slow) if slow else "none; the kernel recognises all patterns"
    return f"Recognised in Python: {said}. {_within(rows)}"


def _within(rows: list[Row]) -> str:
    said = []
    for verb, times in (
        ("counted", [row.stages.counting for row in rows]),
        ("enumerated", [row.stages.enumerating for row in rows]),
    ):
        aims = [row.question.aim * row.stages.scan for row in rows]
        measured = [spent <= aim for spent, aim in zip(times, aims, strict=True) if spent is not None]
        said.append(f"{sum(measured)} of {len(measured)} {verb}")
    return f"Within the aim: {', '.join(said)}."


def _throughput(rows: list[Row]) -> Table:
    columns: tuple[str, ...] = (
        "pattern",
        "data",
        "window",
        "matches",
        "scan ns",
        "count ns",
        "enumerate ns",
        "detect ns",
    )
    columns += ("count, M events/s", "count / scan", "enumerate / scan", "detect / scan", "aim")
    return Table("End to end, for each event", columns, tuple(_throughput_row(row) for row in rows))


def _throughput_row(row: Row) -> tuple[str, ...]:
    question, stages, n = row.question, row.stages, row.events
    listed = stages.enumerating
    return (
        question.name,
        question.source.name,
        question.window,
        exactly(row.matches),
        nanoseconds(stages.scan, n),
        nanoseconds(stages.counting, n),
        "—" if listed is None else nanoseconds(listed, n),
        nanoseconds(stages.detecting, n),
        millions(n, stages.counting),
        f"{row.ratio:.1f}",
        "—" if listed is None else f"{listed / stages.scan:.1f}",
        f"{stages.detecting / stages.scan:.1f}",
        str(question.aim),
    )


def _stages(rows: list[Row]) -> Table:
    columns: tuple[str, ...] = ("pattern", "data", "window", "ingestion ns", "classification ns", "kernel ns")
    columns += ("kernel / scan", "classification / scan", "end to end ns", "fixed ms")
    return Table("Counting, stage by stage, for each event", columns, tuple(_stages_row(row) for row in rows))


def _stages_row(row: Row) -> tuple[str, ...]:
    question, stages, n = row.question, row.stages, row.events
    return (
        question.name,
        question.source.name,
        question.window,
        *(nanoseconds(part, n) for part in (stages.ingest, stages.classify, stages.kernel)),
        f"{stages.kernel / stages.scan:.1f}",
        f"{stages.classify / stages.scan:.1f}",
        nanoseconds(stages.counting, n),
        f"{stages.fixed * 1e3:.2f}",
    )


def _selectivity(table: pa.Table) -> Table:
    made: Mapping[str, Terms] = {"seq3": STOCK_TERMS, "seq3 selective": SELECTIVE_TERMS}
    rows = []
    for name, terms in made.items():
        unary = Terms(terms.schema, terms.triples, lambda held: TOP)
        among, kept = (_count(t, STOCK_TICKS, table) for t in (unary, terms))
        rows.append((name, f"{among:,}", f"{kept:,}", f"{kept / among:.3f}" if among else "—"))
    columns = ("pattern", "matches without", "matches with", "fraction")
    return Table("What the relational condition selects", columns, tuple(rows))


def _count(terms: Terms, source: Source, table: pa.Table) -> int:
    return recognise(Pattern(terms.sequence(3).within(ms=500)), table, schema=source.schema).count()
