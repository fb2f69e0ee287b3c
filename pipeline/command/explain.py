"""``mnemata explain``: what a pattern becomes, and why a match is one."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from mnemata.pipeline.command import arguments as given
from mnemata.pipeline.command.inputs import (
    PatternSource,
    declared_pattern,
    pattern_source,
    schema_from_file,
    session,
)
from mnemata.theory.errors import StreamError

if TYPE_CHECKING:
    from rich.console import Console

    from mnemata.pipeline.inspection import Inspection
    from mnemata.pipeline.sources import SourceOptions
    from mnemata.theory.schema import Schema
    from mnemata.theory.syntax import Located


def explain(
    pattern: given.PatternText,
    stream: given.OptionalStreamPath = None,
    match: Annotated[
        int,
        typer.Option(
            "--match", metavar="N", min=1, help="Which match to explain, in the order of their ends."
        ),
    ] = 1,
    all_events: Annotated[
        bool,
        typer.Option("--all-events", help="Show every skipped event, not only the first and last of many."),
    ] = False,
    schema: given.SchemaFile = None,
    time: given.TimeAttribute = None,
    event_type: given.EventType = None,
    format: given.StreamFormat = None,
    missing: given.MissingTexts = None,
    delimiter: given.Delimiter = None,
    sort: given.Sort = False,
    master: given.Master = None,
    conf: given.Settings = None,
    quiet: given.Quiet = False,
) -> None:
    """Explain a pattern; with a stream, why one of its matches is a match, event by event.

    Shown are the pattern in both notations and in its normal form, its registers, what its windows bound,
    and the size of its automaton.

    **Example**

    - `mnemata explain "any(SELL as s, BUY where price > s.price) within 500 ms" ticks.stream.xz --time
      stock_time:ms`
    """
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True, markup=False)
    if stream is None:
        _show_pattern(*declared_pattern(pattern, schema, time, event_type), console)
        return
    from mnemata.pipeline.command.telling import run_lines
    from mnemata.pipeline.sources import SourceOptions

    declared = schema_from_file(schema)
    options = SourceOptions(format, declared, time, event_type, tuple(missing or ()), delimiter)
    search = _Search(pattern_source(pattern), stream, options, match, sort)
    located, found_schema, found = search.run(master, conf or [], quiet=quiet)
    _show_pattern(located, found_schema, console)
    if found is None:
        raise StreamError(_too_few(stream, match))
    for line in run_lines(found, found_schema, number=match, all_events=all_events):
        console.print(line)


def _too_few(stream: str, number: int) -> str:
    return f"'{stream}' has no match" if number == 1 else f"'{stream}' has fewer than {number:,} matches"


class _Search:
    """The search for the match that is to be explained."""

    def __init__(
        self, source: PatternSource, stream: str, options: SourceOptions, number: int, sort: bool
    ) -> None:
        self._source, self._stream, self._options = source, stream, options
        self._number, self._sort = number, sort

    def run(
        self, master: str | None, settings: list[str], *, quiet: bool
    ) -> tuple[Located, Schema, Inspection | None]:
        from mnemata.pipeline.inspection import inspect
        from mnemata.pipeline.progress import Watch, reporter
        from mnemata.pipeline.sources import open_stream
        from mnemata.pipeline.sources.location import locate

        self._source.check_syntax()
        locate(self._stream, self._options.format)
        with Watch(reporter(quiet=quiet)) as watch, ExitStack() as ending:
            with watch.phase("Starting Spark"):
                spark = ending.enter_context(session(master, settings))
            with watch.phase("Opening the stream", spark):
                stream = open_stream(spark, self._stream, self._options)
            located = self._source.located(stream.schema)
            with watch.phase("Looking for the match", spark):
                found = inspect(stream, located.pattern, self._number, sort=self._sort)
        return located, stream.schema, found


def _show_pattern(located: Located, schema: Schema | None, console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    from mnemata.pipeline.command.telling import pattern_lines

    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for label, value in pattern_lines(located, schema):
        table.add_row(Text(label, style="bold"), Text(value))
    console.print(table)
