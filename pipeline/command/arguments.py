"""What the commands' arguments and options are called, and what their help says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

_STREAM = "The stream"
_RECOGNITION = "Recognition"
_OUTPUT = "Output"
_BUDGET = "Limits"

PatternText: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="PATTERN",
        help="The pattern: its text, or a file that holds it (a path, or @path).",
        show_default=False,
    ),
]
PatternTexts: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="PATTERN",
        help="The pattern: its text, a file that holds it (a path, or @path), or a folder of such files, "
        "whose patterns are found in one pass and called by their files.",
        show_default=False,
    ),
]
AlsoPatterns: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--also",
        metavar="NAME=PATTERN",
        help="Another pattern, text or file, to be found in the same pass. May be repeated.",
        rich_help_panel=_RECOGNITION,
        show_default=False,
    ),
]
Language: TypeAlias = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        help="sremo (regular expressions with memory and output), cel (complex event logic, and queries in "
        "the style of CEQL) or cepl (core-CEPL); auto takes what begins with SELECT for cel, all else for "
        "sremo.",
        rich_help_panel=_RECOGNITION,
    ),
]
StreamPath: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="STREAM",
        help="A file, or a folder of files in one format, read in the order of their names: Parquet, CSV "
        "with a header, JSON lines, or the text form TYPE(name=value,...). Text may be compressed: .xz, "
        ".gz, .bz2.",
        show_default=False,
    ),
]
OptionalStreamPath: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="[STREAM]", help="A stream in which to find a match to explain.", show_default=False
    ),
]
SchemaFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--schema",
        metavar="FILE",
        help="The attributes of events and their types, as JSON. By default they are derived from the "
        "stream.",
        rich_help_panel=_STREAM,
        show_default=False,
    ),
]
TimeAttribute: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--time",
        metavar="ATTR[:UNIT]",
        help="The attribute that orders the stream; with the unit of its ticks (ns, us, ms, s) if it holds "
        "whole numbers. Windows in time need it.",
        rich_help_panel=_STREAM,
        show_default=False,
    ),
]
EventType: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--event-type",
        metavar="ATTR",
        help="The attribute that names the kind of an event, so that patterns can say BUY for type = 'BUY'. "
        "In the text form it is 'type'.",
        rich_help_panel=_STREAM,
        show_default=False,
    ),
]
StreamFormat: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="parquet, csv, json or stream, if the file's name does not say.",
        rich_help_panel=_STREAM,
        show_default=False,
    ),
]
MissingTexts: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="TEXT",
        help="A text that means a missing value, such as NA; an empty one always does. May be repeated.",
        rich_help_panel=_STREAM,
        show_default=False,
    ),
]
Delimiter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--delimiter",
        metavar="CHAR",
        help="What separates the cells of CSV: by default a comma, and a tab in .tsv files.",
        rich_help_panel=_STREAM,
        show_default=False,
    ),
]
PatternName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--name",
        metavar="NAME",
        help="How results call the pattern; by default the name of its file.",
        rich_help_panel=_OUTPUT,
        show_default=False,
    ),
]
Output: TypeAlias = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="Where matches go: a file that ends in .parquet, .csv, .json or .jsonl, or else a folder.",
        rich_help_panel=_OUTPUT,
        show_default=False,
    ),
]
OutputFormat: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--output-format",
        metavar="FORMAT",
        help="parquet, csv or json, if OUT's name does not say; folders are parquet by default.",
        rich_help_panel=_OUTPUT,
        show_default=False,
    ),
]
Overwrite: TypeAlias = Annotated[
    bool, typer.Option("--overwrite", help="Replace OUT if it is there.", rich_help_panel=_OUTPUT)
]
Quarantine: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--quarantine",
        metavar="PATH",
        help="Where rows go that are no events, with the reason; by default beside OUT.",
        rich_help_panel=_OUTPUT,
        show_default=False,
    ),
]
Events: TypeAlias = Annotated[
    bool,
    typer.Option("--events", help="Write the marked events of each match too.", rich_help_panel=_OUTPUT),
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON.", rich_help_panel=_OUTPUT)
]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show no progress.", rich_help_panel=_OUTPUT)
]
Sort: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--sort",
        help="Sort by time (and then by place in the stream) instead of refusing a stream that is out of "
        "order.",
        rich_help_panel=_RECOGNITION,
    ),
]
MaxConfigurations: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-configurations",
        metavar="N",
        min=1,
        help="How many distinct futures of the automaton a task may hold at once before it gives up.",
        rich_help_panel=_RECOGNITION,
        show_default="5,000,000",
    ),
]
Partitions: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--partitions",
        metavar="N",
        min=1,
        help="Into how many tasks the keys of 'partition by' are divided; a stream without keys is cut "
        "into so many overlapping slices where its windows allow it. The matches are the same for any.",
        rich_help_panel=_RECOGNITION,
        show_default="two for each core",
    ),
]
Master: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--master",
        metavar="URL",
        help="Where Spark runs: local[4], spark://host:7077, yarn.",
        rich_help_panel=_RECOGNITION,
        show_default="this machine, all cores",
    ),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--conf",
        metavar="KEY=VALUE",
        help="A setting of Spark. May be repeated.",
        rich_help_panel=_RECOGNITION,
        show_default=False,
    ),
]
SecondPattern: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="[PATTERN2]",
        help="The pattern to compare with: for equivalent, includes and disjoint.",
        show_default=False,
    ),
]
RequiredSchema: TypeAlias = Annotated[
    Path,
    typer.Option(
        "--schema",
        metavar="FILE",
        help="The attributes of events and their types, as JSON.",
        rich_help_panel=_STREAM,
        show_default=False,
    ),
]
WindowSize: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--window",
        metavar="N",
        min=1,
        help="Only strings of up to N events; by default all that the pattern's own windows allow.",
        show_default=False,
    ),
]
AsPublished: TypeAlias = Annotated[
    bool,
    typer.Option("--as-published", help="Unroll, then take the power set, instead of the ring buffer."),
]
Picture: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="A picture of all stages: .svg, .png, .pdf or .dot.",
        rich_help_panel=_OUTPUT,
        show_default=False,
    ),
]
Ascii: TypeAlias = Annotated[
    bool, typer.Option("--ascii", help="Spell the symbols in ASCII.", rich_help_panel=_OUTPUT)
]
MostStates: TypeAlias = Annotated[
    int,
    typer.Option(
        "--most-states",
        metavar="N",
        min=1,
        help="The most states of any automaton on the way; the most transitions are ten times as many.",
        rich_help_panel=_BUDGET,
    ),
]
Seconds: TypeAlias = Annotated[
    float,
    typer.Option(
        "--seconds",
        metavar="S",
        min=0.001,
        help="How long to think before giving up.",
        rich_help_panel=_BUDGET,
    ),
]
StreamSource: TypeAlias = Annotated[
    str,
    typer.Option(
        "--source",
        metavar="SOURCE",
        help="A folder into which files are put, each complete and under a new name: Parquet, CSV with a "
        "header, JSON lines, or the text form TYPE(name=value,...). Or kafka:HOST:PORT/TOPIC, whose records "
        "are JSON (--format stream: the text form); needs --schema. For trials rate:N, N rows a second with "
        "the attributes timestamp and value.",
        rich_help_panel=_STREAM,
        show_default=False,
    ),
]
FilesPerBatch: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--files-per-batch",
        metavar="N",
        min=1,
        help="How many files a micro-batch takes at most.",
        rich_help_panel=_STREAM,
        show_default="all that are there",
    ),
]
RecordsPerBatch: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--records-per-batch",
        metavar="N",
        min=1,
        help="How many records of Kafka a micro-batch takes at most.",
        rich_help_panel=_STREAM,
        show_default="all that are there",
    ),
]
ClientSettings: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--kafka-settings",
        metavar="FILE",
        help="Further settings of the client of Kafka, such as security.protocol, each as NAME=VALUE in a "
        "line of its own.",
        rich_help_panel=_STREAM,
        show_default=False,
    ),
]
Watermark: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--watermark",
        metavar="TIME",
        help="By how much an event may come too late, such as '10 s': events wait for so long and are then "
        "read in the order of time. What comes later goes to the quarantine. Needs --time.",
        rich_help_panel=_STREAM,
        show_default="0 s",
    ),
]
MatchSink: TypeAlias = Annotated[
    str,
    typer.Option(
        "--sink",
        metavar="SINK",
        help="Where matches go: a folder that gets one file for each micro-batch that has some; each match "
        "is there once. Or kafka:HOST:PORT/TOPIC, which gets each match as JSON under its identifier as key, "
        "at least once.",
        rich_help_panel=_OUTPUT,
        show_default=False,
    ),
]
SinkFormat: TypeAlias = Annotated[
    str,
    typer.Option("--sink-format", metavar="FORMAT", help="parquet, csv or json.", rich_help_panel=_OUTPUT),
]
LateSink: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--quarantine",
        metavar="FOLDER",
        help="Where rows go that are no events or come too late, with the reason; by default "
        "SINK.quarantine, and beside the checkpoint where SINK is a topic.",
        rich_help_panel=_OUTPUT,
        show_default=False,
    ),
]
CheckpointFolder: TypeAlias = Annotated[
    str,
    typer.Option(
        "--checkpoint",
        metavar="FOLDER",
        help="Where the stream keeps what it needs to go on after it was stopped, or killed.",
        rich_help_panel=_RECOGNITION,
        show_default=False,
    ),
]
Groups: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--groups",
        metavar="N",
        min=1,
        help="Into how many groups the keys of 'partition by' are divided; each has its state. Fixed when "
        "the stream begins.",
        rich_help_panel=_RECOGNITION,
        show_default="64",
    ),
]
Once: TypeAlias = Annotated[
    bool,
    typer.Option("--once", help="Stop when all is read that is there now.", rich_help_panel=_RECOGNITION),
]
Interval: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--interval",
        metavar="TIME",
        help="Begin a micro-batch so often, such as '10 s'; by default as soon as the one before is done.",
        rich_help_panel=_RECOGNITION,
        show_default=False,
    ),
]
