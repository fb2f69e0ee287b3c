"""A long stream with many keys through Structured Streaming: times of batches, and the size of state."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mnemata.paper_figures.benchmarks.figures import Figure, Options
from mnemata.paper_figures.tables import Table
from mnemata.pipeline.recognition import RecognitionOptions
from mnemata.pipeline.session import spark_session
from mnemata.pipeline.sources import SourceOptions
from mnemata.pipeline.streaming.job import Pace
from mnemata.pipeline.streaming.preparing import Wanted
from mnemata.pipeline.streaming.report import Report
from mnemata.theory.schema import Float64, Int64, Schema, String, Timestamp
from mnemata.theory.syntax import parse

EVENTS: Final = 60_000_000
"""Half an hour on two cores."""
KEYS: Final = 10_000
EVENTS_PER_FILE: Final = 200_000
EVENTS_PER_SECOND: Final = 20_000
DISORDER: Final = 2_000
PATTERN: Final = "any(A as r, B where x > r.x) within 10 s partition by key"
PERCENTILES: Final = (50.0, 90.0, 99.0, 100.0)
NAME: Final = "soak"
TEXT: Final = """\
`mnemata stream "{pattern}"` over {events:,} events of {keys:,} keys in files of {size:,}, one for each
micro-batch, out of order by up to {disorder:,} ms; one event in ten is an A, one a B. All files are there
when it begins, so batches follow each other as fast as they can. It took {seconds:,.0f} s in all, Spark's
beginning included, and found {matches:,} matches; {late:,} events came too late. Times are by the wall clock;
{load}."""

SCHEMA: Final = Schema.of(
    kind=String(), key=Int64(), x=Float64(), at=Timestamp("ms"), event_type="kind", time="at"
)


def figure(options: Options) -> Figure:
    """The figure."""
    events = options.events or EVENTS
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mnemata-soak-") as folder:
        root = Path(folder)
        generate(root / "in", events)
        reports, loads = run(root)
    seconds = time.monotonic() - begun
    last = reports[-1].totals
    text = TEXT.format(
        pattern=PATTERN,
        events=events,
        keys=KEYS,
        size=EVENTS_PER_FILE,
        disorder=DISORDER,
        seconds=seconds,
        matches=last["matches"],
        late=last["bad"],
        load=_load(loads),
    )
    return Figure(NAME, "Soak", text, (_times(reports), _states(reports)), "with all cores")


def generate(folder: Path, events: int, seed: int = 0) -> None:
    """Files of random events, `EVENTS_PER_SECOND` in each second of the stream's time."""
    folder.mkdir(parents=True)
    chance = np.random.default_rng(seed)
    for number, begin in enumerate(range(0, events, EVENTS_PER_FILE)):
        size = min(EVENTS_PER_FILE, events - begin)
        at = np.arange(begin, begin + size) * 1000 // EVENTS_PER_SECOND
        order = np.argsort(at + chance.random(size) * DISORDER, kind="stable")
        columns: dict[str, pa.Array[Any]] = {
            "kind": pa.array(chance.choice(["A", "B", "C"], size, p=[0.1, 0.1, 0.8])),
            "key": pa.array(chance.integers(0, KEYS, size)),
            "x": pa.array(chance.random(size)),
            "at": pa.array(at[order], pa.timestamp("ms")),
        }
        pq.write_table(pa.table(columns), folder / f"{number:06}.parquet")


def run(root: Path) -> tuple[list[Report], list[float]]:
    """Run over all files in a folder; a report on each batch, and the load of the machine behind it."""
    wanted = Wanted(
        text=PATTERN,
        name=NAME,
        meaning=lambda schema: parse(PATTERN, schema=schema),
        source=str(root / "in"),
        reading=SourceOptions("parquet", SCHEMA),
        files_at_once=1,
        recognising=RecognitionOptions(),
        checkpoint=str(root / "state"),
        sink=str(root / "out"),
        quarantine=str(root / "bad"),
        sink_format="parquet",
        watermark=f"{DISORDER} ms",
        groups=None,
        pace=Pace(once=True),
    )
    reports: list[Report] = []
    loads: list[float] = []

    def told(report: Report) -> None:
        reports.append(report)
        loads.append(os.getloadavg()[0])
        sys.stderr.write(f"{report.line()}\n")

    spark = spark_session()
    try:
        wanted.prepared(spark).run(spark, told)
    finally:
        spark.stop()
    return reports, loads


def _load(loads: list[float]) -> str:
    """How busy the machine was: two runs compare only where that is alike."""
    return (
        f"meanwhile {np.mean(loads):,.1f} processes on average, the stream's own included, wanted the "
        f"{os.cpu_count()} cores"
    )


def _times(reports: list[Report]) -> Table:
    """Without the first batch, in which workers start."""
    full = [report for report in reports[1:] if report.rows] or reports
    seconds = [report.seconds for report in full]
    rate = sum(report.rows for report in full) / sum(seconds)
    cells = (f"{np.percentile(seconds, p):,.2f}" for p in PERCENTILES)
    heads = ("batches", *(f"{p:g}%" for p in PERCENTILES), "events per second")
    return Table("Seconds of a batch, percentiles", heads, ((f"{len(full):,}", *cells, f"{rate:,.0f}"),))


def _states(reports: list[Report]) -> Table:
    places = sorted({len(reports) * part // 8 for part in range(1, 8)})
    heads = ("after batch", "events", "configurations", "nodes", "KiB of state", "events waiting")
    rows = [
        (
            str(report.batch),
            *(f"{report.totals[name]:,}" for name in ("events", "live", "nodes")),
            f"{report.totals['bytes'] // 1024:,}",
            f"{report.totals['waiting']:,}",
        )
        for report in (reports[place] for place in places)
    ]
    return Table("State", heads, tuple(rows))
