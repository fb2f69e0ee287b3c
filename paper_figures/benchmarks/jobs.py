"""Whole jobs on Spark: from Parquet files to a table of matches, on one core and on two.

Every measurement has a process of its own, which runs this module and prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import pyarrow.parquet as pq

from mnemata.automata.engine.ingestion import names_read
from mnemata.automata.engine.queries import compile_for_engine
from mnemata.automata.engine.recognition import recognise
from mnemata.paper_figures import process_memory
from mnemata.paper_figures.benchmarks.figures import Figure, Options, millions
from mnemata.paper_figures.benchmarks.patterns import STOCK_TERMS, kleene_of_stocks
from mnemata.paper_figures.tables import Table
from mnemata.pipeline.batch import Batch
from mnemata.pipeline.datasets.arrivals import SHARES, STOCK_TICKS, STOCKS
from mnemata.pipeline.datasets.generation import Generation
from mnemata.pipeline.progress import Watch, reporter
from mnemata.pipeline.recognition import RecognitionOptions, Task
from mnemata.pipeline.session import spark_session
from mnemata.pipeline.sinks import sink
from mnemata.pipeline.sources import SourceOptions, open_stream
from mnemata.theory.cel.query import Query
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.syntax import named, parse

EVENTS: Final = 100_000_000
MAY_BIND: Final = hasattr(os, "sched_setaffinity")
"""Whether processes can be bound to cores. A task of Spark is a thread of Java and a process of Python."""
PROCESS: Final = "each measurement in a process of its own"
WARM_UP: Final = 1_000_000
NAME: Final = "jobs"
MODULE: Final = "mnemata.paper_figures.benchmarks.jobs"
OPTIONS: Final = SourceOptions(time="stock_time", event_type="type")
TEXT: Final = """\
Jobs over {events:,} generated stock ticks in a folder of Parquet files, by the wall clock of this
machine. *Read* is a Spark job that reads the columns that the pattern needs, and takes the number of rows
and the greatest value of each column. *Job* finds the pattern and writes a table of its matches, from
opening the files to the table in its place. Both run on one core and on two (`local[1]`, `local[2]`;
Java and the Python workers are {bound}), each in a process of its own, after a run over {warm:,} events
that does not count; the least of {repetitions}. *Engine* is `recognise` on one core with all columns in
memory, every match made.

Patterns: *seq3* and *k3* are eqs. (5) and (7) of length 3 within 500 ms over the whole stream, which is
cut into overlapping slices; *keyed* is a rise within 500 ms in the ticks of each share, `{keyed}`.
*Worker* is the greatest resident size of a Python worker, in MB; *short* the same with a tenth of the
events.

*Together* is one job for ten patterns, *apart* ten jobs one after the other, both on one core, over a tenth
of the events: *flat* are pairs and Kleene patterns of different shares within 500 ms, *by share* rises and
falls in each share within 200 or 300 ms."""
KEYED: Final = "any(SELL as s, BUY where price > s.price) within 500 ms partition by name"


def patterns() -> Mapping[str, Pattern]:
    """What is looked for, by name."""
    return {
        "seq3": Pattern(STOCK_TERMS.sequence(3).within(ms=500), name="seq3"),
        "k3": kleene_of_stocks(500),
        "keyed": parse(KEYED, schema=_SCHEMA),
    }


def sets() -> Mapping[str, Mapping[str, str]]:
    """Sets of patterns by name: over all ticks, and over those of each share."""
    flat, by_share = {}, {}
    for place, (name, other) in enumerate(zip(ASKED, (*ASKED[1:], ASKED[0]), strict=True)):
        flat[f"pair {name}"] = (
            f"any(SELL as s where name = '{name}', BUY where name = '{other}' and price > s.price) "
            "within 500 ms"
        )
        flat[f"kleene {name}"] = (
            f"any(BUY as s where name = '{name}', any((SELL where name = '{other}')+), "
            f"SELL where name = '{name}' and price < s.price) within 500 ms"
        )
        by_share[f"rise {place}"] = (
            f"any(SELL as s where volume > {100 * (place + 1)}, BUY where price > s.price) within 200 ms "
            "partition by name"
        )
        by_share[f"fall {place}"] = (
            f"any(BUY as s where price > {20 + place}, SELL where price < s.price and volume = s.volume) "
            "within 300 ms partition by name"
        )
    return {"flat": flat, "by share": by_share}


ASKED: Final = tuple(SHARES)[:5]
"""The shares that sets of patterns ask for; each has two patterns in a set."""

_SCHEMA: Final = replace(STOCKS, event_type="type")


class Measured(NamedTuple):
    """Seconds, how many matches, and the greatest resident size of a worker in bytes."""

    seconds: float
    matches: int = 0
    resident: int = 0


def read(name: str, cores: int, folder: Path) -> Measured:
    """Read the columns that a pattern needs, and count rows."""
    spark = spark_session(f"local[{cores}]")
    columns = list(names_read(compile_for_engine(patterns()[name], _SCHEMA)))
    begun = time.monotonic()
    found = (
        spark.read.parquet(str(folder)).selectExpr("count(*)", *(f"max(`{c}`)" for c in columns)).collect()
    )
    return Measured(time.monotonic() - begun, found[0][0])


def job(name: str, cores: int, folder: Path) -> Measured:
    """Find a pattern and write its matches."""
    with resident() as most:
        done = _found(cores, folder, [patterns()[name]])
        return done._replace(resident=most())


def together(name: str, cores: int, folder: Path) -> Measured:
    """Find the patterns of a set in one job."""
    return _found(cores, folder, named(sets()[name], _SCHEMA))


def apart(name: str, cores: int, folder: Path) -> Measured:
    """The same in a job for each."""
    done = [_found(cores, folder, [pattern]) for pattern in named(sets()[name], _SCHEMA)]
    return Measured(sum(one.seconds for one in done), sum(one.matches for one in done))


def _found(cores: int, folder: Path, wanted: Sequence[Pattern | Query]) -> Measured:
    spark = spark_session(f"local[{cores}]")
    with TemporaryDirectory() as made, Watch(reporter(quiet=True)) as watch:
        begun = time.monotonic()
        stream = open_stream(spark, str(folder), OPTIONS)
        task = Task.of_all(wanted, stream.schema, RecognitionOptions())
        batch = Batch(stream, task, sink(f"{made}/matches"), sink(f"{made}/quarantine"))
        summary = batch.run(watch)
        return Measured(time.monotonic() - begun, summary.matches)


def engine(name: str, cores: int, folder: Path) -> Measured:
    """Recognise in memory; `cores` is one."""
    pattern = patterns()[name]
    columns = list(names_read(compile_for_engine(pattern, _SCHEMA)))
    texts = [c for c in columns if c in ("type", "name")]
    table = (
        pq.read_table(folder, columns=columns, read_dictionary=texts).unify_dictionaries().combine_chunks()
    )
    begun = time.monotonic()
    matches = sum(
        batch.num_rows
        for batch in recognise(pattern, table, event_type="type", time="stock_time").to_batches()
    )
    return Measured(time.monotonic() - begun, matches)


KINDS: Final[Mapping[str, Callable[[str, int, Path], Measured]]] = {
    "read": read,
    "job": job,
    "engine": engine,
    "together": together,
    "apart": apart,
}


@contextmanager
def resident() -> Iterator[Callable[[], int]]:
    """Watch the greatest resident size of a Python worker of Spark; 0 where the system does not tell."""
    found, done = [0], threading.Event()

    def look() -> None:
        while not done.wait(0.2):
            found[0] = max([found[0], *_sizes_of_workers()])

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield lambda: found[0]
    finally:
        done.set()
        watcher.join()


def _sizes_of_workers() -> Iterator[int]:
    for facts in Path("/proc").glob("[0-9]*"):
        try:
            if b"pyspark.daemon" in (facts / "cmdline").read_bytes():
                yield process_memory.resident(facts.name) or 0
        except OSError:
            continue  # it has ended


def measured(kind: str, name: str, cores: int, folder: Path, warm: Path, repetitions: int) -> Measured:
    """The least of some measurements, in a process of its own."""
    command = [
        sys.executable,
        "-P",
        "-m",
        MODULE,
        kind,
        name,
        str(cores),
        str(folder),
        str(warm),
        str(repetitions),
    ]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def figure(options: Options) -> Figure:
    """The figure."""
    events = options.events or EVENTS
    with TemporaryDirectory() as folder:
        long, short, warm = (_made(Path(folder) / str(n), n) for n in (events, max(1, events // 10), WARM_UP))
        rows = [_row(name, events, long, short, warm, options.repetitions) for name in patterns()]
        many = [_row_of_set(name, short, warm, options.repetitions) for name in sets()]
    heads = (
        "pattern",
        "matches",
        "read, 1 core: s",
        "job, 1 core: s",
        "engine: s",
        "job, M events/s",
        "job / read",
        "job / engine",
        "read, 2 cores: s",
        "job, 2 cores: s",
        "speed-up of the job",
        "worker MB",
        "short: worker MB",
    )
    text = TEXT.format(
        events=events,
        warm=WARM_UP,
        repetitions=options.repetitions,
        keyed=KEYED,
        bound="bound to as many" if MAY_BIND else "not bound to them: this system has no means",
    )
    ten = ("patterns", "matches", "together: s", "apart: s", "apart / together")
    tables = (Table("From Parquet to Parquet", heads, tuple(rows)), Table("Ten patterns", ten, tuple(many)))
    return Figure(NAME, "Whole jobs on Spark", text, tables, PROCESS)


def _made(path: Path, events: int) -> Path:
    with Watch(reporter(quiet=True)) as watch:
        Generation(STOCK_TICKS, events).write(spark_session(), sink(path), watch)
    return path


def _row(name: str, events: int, long: Path, short: Path, warm: Path, repetitions: int) -> tuple[str, ...]:
    def of(kind: str, cores: int, folder: Path = long) -> Measured:
        return measured(kind, name, cores, folder, warm, repetitions)

    read_1, job_1, alone, read_2, job_2 = (
        of("read", 1),
        of("job", 1),
        of("engine", 1),
        of("read", 2),
        of("job", 2),
    )
    few = of("job", 1, short)
    if not job_1.matches == alone.matches == job_2.matches:
        raise RuntimeError(
            f"{name}: the jobs found {job_1.matches} and {job_2.matches}, the engine {alone.matches}"
        )
    seconds = (f"{one.seconds:.2f}" for one in (read_1, job_1, alone))
    return (
        name,
        f"{job_1.matches:,}",
        *seconds,
        millions(events, job_1.seconds),
        f"{job_1.seconds / read_1.seconds:.2f}",
        f"{job_1.seconds / alone.seconds:.2f}",
        f"{read_2.seconds:.2f}",
        f"{job_2.seconds:.2f}",
        f"{job_1.seconds / job_2.seconds:.2f}",
        f"{job_1.resident / 1e6:,.0f}",
        f"{few.resident / 1e6:,.0f}",
    )


def _row_of_set(name: str, folder: Path, warm: Path, repetitions: int) -> tuple[str, ...]:
    once, each = (measured(kind, name, 1, folder, warm, repetitions) for kind in ("together", "apart"))
    if once.matches != each.matches:
        raise RuntimeError(f"{name}: {once.matches} matches together and {each.matches} apart")
    seconds = (f"{one.seconds:.2f}" for one in (once, each))
    return (name, f"{once.matches:,}", *seconds, f"{each.seconds / once.seconds:.2f}")


def bind(cores: int) -> None:
    """Bind this process, and those that it starts from now on, to so many cores."""
    if MAY_BIND:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def main(kind: str, name: str, cores: str, folder: str, warm: str, repetitions: str) -> None:
    """Measure once to warm up, then as often as wanted; print the least."""
    bind(int(cores))
    KINDS[kind](name, int(cores), Path(warm))
    found: list[Measured] = [KINDS[kind](name, int(cores), Path(folder)) for _ in range(int(repetitions))]
    facts: dict[str, Any] = min(found)._asdict()
    sys.stdout.write(f"{json.dumps(facts)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
