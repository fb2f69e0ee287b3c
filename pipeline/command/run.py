"""``mnemata run``: find patterns in a stream and write the matches."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

import typer

from mnemata.pipeline.command import arguments as given
from mnemata.pipeline.command.inputs import (
    PatternSource,
    about_pattern,
    left_out_named,
    pattern_sources,
    schema_from_file,
    session,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mnemata.pipeline.progress import Watch
    from mnemata.pipeline.recognition import RecognitionOptions
    from mnemata.pipeline.sinks import Sink
    from mnemata.pipeline.sources import SourceOptions
    from mnemata.pipeline.summary import Summary
    from mnemata.theory.cel.query import Query
    from mnemata.theory.schema import Schema
    from mnemata.theory.sremo.expressions import Pattern


def run(
    pattern: given.PatternTexts,
    stream: given.StreamPath,
    output: given.Output,
    also: given.AlsoPatterns = None,
    language: given.Language = "auto",
    schema: given.SchemaFile = None,
    time: given.TimeAttribute = None,
    event_type: given.EventType = None,
    format: given.StreamFormat = None,
    missing: given.MissingTexts = None,
    delimiter: given.Delimiter = None,
    sort: given.Sort = False,
    max_configurations: given.MaxConfigurations = None,
    partitions: given.Partitions = None,
    master: given.Master = None,
    conf: given.Settings = None,
    name: given.PatternName = None,
    events: given.Events = False,
    output_format: given.OutputFormat = None,
    quarantine: given.Quarantine = None,
    overwrite: given.Overwrite = False,
    as_json: given.AsJson = False,
    quiet: given.Quiet = False,
) -> None:
    """Find patterns in a stream and write a table of their matches.

    Rows of the stream that do not fit its schema go to a quarantine, with the reason, and are counted.
    Positions in the table are 0-based numbers of rows, in the order of the files. Several patterns are found
    in one pass; the column `pattern` tells whose a match is.

    **Examples**

    - `mnemata run "any(SELL as s, BUY where price > s.price) within 500 ms" ticks.stream.xz --time
      stock_time:ms -o matches.csv`

    - `mnemata run delays.pattern flights/ --time departure --events -o matches.parquet`

    - `mnemata run patterns/ flights/ --time departure -o matches/`

    - `mnemata run "SELECT * WHERE SELL AS s; (BUY AS b)+ FILTER b[price < 20] WITHIN 500 ms" ticks.stream.xz
      --time stock_time:ms -o matches.csv`
    """
    from mnemata.automata.engine.compiled.search import Limits
    from mnemata.automata.engine.recognition import LIMITS
    from mnemata.pipeline.recognition import RecognitionOptions
    from mnemata.pipeline.sinks import sink
    from mnemata.pipeline.sources import SourceOptions

    target = sink(output, output_format, overwrite=overwrite)
    bad = sink(quarantine, output_format, overwrite=overwrite) if quarantine else target.beside("quarantine")
    declared = schema_from_file(schema)
    limits = Limits(max_configurations or LIMITS.configurations)
    job = _Job(
        pattern_sources(pattern, also or [], name, language),
        stream,
        SourceOptions(format, declared, time, event_type, tuple(missing or ()), delimiter),
        RecognitionOptions(events, sort, partitions, limits),
        target,
        bad,
    )
    job.check()
    summary = job.run(master, conf or [], quiet=quiet)
    if as_json:
        typer.echo(json.dumps(summary.to_json(), ensure_ascii=False))
    else:
        _show(summary)


@dataclass(frozen=True, slots=True)
class _Job:
    sources: list[PatternSource]
    stream: str
    reading: SourceOptions
    recognising: RecognitionOptions
    target: Sink
    quarantine: Sink

    def check(self) -> None:
        """Raise what can be found wrong before Spark starts."""
        from mnemata.pipeline.sinks import check_sink
        from mnemata.pipeline.sources.location import locate
        from mnemata.pipeline.sources.options import with_overrides

        for source in self.sources:
            with about_pattern(source, self.sources):
                source.check_syntax()
        locate(self.stream, self.reading.format)
        if self.reading.schema is not None:
            self._meanings(with_overrides(self.reading.schema, self.reading))
        for place in (self.target, self.quarantine):
            check_sink(place, self.stream)

    def run(self, master: str | None, settings: list[str], *, quiet: bool) -> Summary:
        from mnemata.pipeline.failures import translated
        from mnemata.pipeline.progress import Watch, reporter

        with Watch(reporter(quiet=quiet)) as watch, ExitStack() as ending:
            with watch.phase("Starting Spark"):
                spark = ending.enter_context(session(master, settings))
            with translated():
                return self._run(spark, watch)

    def _run(self, spark: SparkSession, watch: Watch) -> Summary:
        from mnemata.pipeline.batch import Batch
        from mnemata.pipeline.recognition import Task
        from mnemata.pipeline.sources import open_stream

        started = monotonic()
        with watch.phase("Opening the stream", spark):
            stream = open_stream(spark, self.stream, self.reading)
        with left_out_named(stream.left_out):
            patterns = self._meanings(stream.schema)
        task = Task.of_all(patterns, stream.schema, self.recognising)
        return Batch(stream, task, self.target, self.quarantine).run(watch, started)

    def _meanings(self, schema: Schema) -> list[Pattern | Query]:
        found = []
        for source in self.sources:
            with about_pattern(source, self.sources):
                found.append(source.meaning(schema))
        return found


def _show(summary: Summary) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    for label, value in summary.lines():
        table.add_row(Text(label, style="bold"), Text(value))
    Console(highlight=False, soft_wrap=True).print(table)
