"""``mnemata stream``: find a pattern in a stream that does not end."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import TYPE_CHECKING

import typer

from mnemata.pipeline.command import arguments as given
from mnemata.pipeline.command.inputs import pattern_source, schema_from_file, session

if TYPE_CHECKING:
    from mnemata.pipeline.streaming.preparing import Wanted
    from mnemata.pipeline.streaming.report import Report


def stream(
    pattern: given.PatternText,
    source: given.StreamSource,
    sink: given.MatchSink,
    checkpoint: given.CheckpointFolder,
    language: given.Language = "auto",
    schema: given.SchemaFile = None,
    time: given.TimeAttribute = None,
    watermark: given.Watermark = None,
    event_type: given.EventType = None,
    format: given.StreamFormat = None,
    missing: given.MissingTexts = None,
    delimiter: given.Delimiter = None,
    files_per_batch: given.FilesPerBatch = None,
    records_per_batch: given.RecordsPerBatch = None,
    kafka_settings: given.ClientSettings = None,
    once: given.Once = False,
    interval: given.Interval = None,
    groups: given.Groups = None,
    max_configurations: given.MaxConfigurations = None,
    master: given.Master = None,
    conf: given.Settings = None,
    name: given.PatternName = None,
    events: given.Events = False,
    sink_format: given.SinkFormat = "parquet",
    quarantine: given.LateSink = None,
    as_json: given.AsJson = False,
    quiet: given.Quiet = False,
) -> None:
    """Find a pattern in a stream that does not end, and write its matches as they come.

    Runs until it is stopped; with the same checkpoint it goes on where it was, whatever stopped it, and each
    match is written once (to a topic, at least once). Positions of matches are 0-based numbers of rows in the
    order in which files were taken in: all that are there in the order of their names, then the next ones. In
    a topic they are the offsets of records; those of partition p begin at p times 2^40.

    **Examples**

    - `mnemata stream "any(SELL as s, BUY where price > s.price) within 500 ms" --source ticks/ --time
      stock_time:ms --watermark "2 s" --sink matches/ --checkpoint state/`

    - `mnemata stream delays.pattern --source flights/ --time departure --sink late/ --checkpoint
      state/ --once`

    - `mnemata stream delays.pattern --source kafka:broker:9092/flights --schema flights.json --sink
      kafka:broker:9092/late --checkpoint state/`
    """
    from mnemata.automata.engine.compiled.search import Limits
    from mnemata.automata.engine.recognition import LIMITS
    from mnemata.pipeline.recognition import RecognitionOptions
    from mnemata.pipeline.sources import SourceOptions
    from mnemata.pipeline.streaming.job import Pace
    from mnemata.pipeline.streaming.preparing import Wanted, milliseconds
    from mnemata.pipeline.streaming.topics import is_topic, settings_from

    text = pattern_source(pattern, name, language)
    text.check_syntax()
    wanted = Wanted(
        text.text,
        text.name,
        text.meaning,
        source,
        SourceOptions(format, schema_from_file(schema), time, event_type, tuple(missing or ()), delimiter),
        files_per_batch,
        RecognitionOptions(events, limits=Limits(max_configurations or LIMITS.configurations)),
        checkpoint,
        sink,
        quarantine or f"{(checkpoint if is_topic(sink) else sink).rstrip('/')}.quarantine",
        sink_format,
        watermark,
        groups,
        Pace(once, None if interval is None else f"{milliseconds(interval)} milliseconds"),
        records_per_batch,
        {} if kafka_settings is None else settings_from(kafka_settings),
    )
    wanted.check()
    _run(wanted, master, conf or [], as_json=as_json, quiet=quiet)


def _run(wanted: Wanted, master: str | None, settings: list[str], *, as_json: bool, quiet: bool) -> None:
    from mnemata.pipeline.failures import translated
    from mnemata.pipeline.progress import Watch, reporter

    def told(report: Report) -> None:
        if as_json:
            typer.echo(json.dumps(report.to_json()))
        elif not quiet:
            typer.echo(report.line(), err=True)

    with ExitStack() as ending:
        with Watch(reporter(quiet=quiet)) as watch, watch.phase("Starting Spark"):
            spark = ending.enter_context(session(master, settings))
        with translated():
            wanted.prepared(spark).run(spark, told)
