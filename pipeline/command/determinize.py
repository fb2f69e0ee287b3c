"""``mnemata determinize`` and ``mnemata complement``: the constructions, stage by stage, with a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mnemata.pipeline.command import arguments as given
from mnemata.pipeline.command.inputs import declared_pattern
from mnemata.pipeline.command.thinking import MOST_STATES, SECONDS, thinking

if TYPE_CHECKING:
    from pathlib import Path

    from mnemata.automata.determinization import Stage
    from mnemata.theory.schema import Schema
    from mnemata.theory.syntax import Located


def determinize(
    pattern: given.PatternText,
    schema: given.RequiredSchema,
    output: given.Picture = None,
    window: given.WindowSize = None,
    as_published: given.AsPublished = False,
    stream: Annotated[
        bool,
        typer.Option(
            "--stream", help="Accept a stream wherever a match ends, instead of strings as a whole."
        ),
    ] = False,
    time: given.TimeAttribute = None,
    event_type: given.EventType = None,
    ascii: given.Ascii = False,
    most_states: given.MostStates = MOST_STATES,
    seconds: given.Seconds = SECONDS,
    quiet: given.Quiet = False,
) -> None:
    """Make the automaton of a pattern deterministic, and draw every stage.

    That needs a window that bounds all events that are read: one on length, or one on the marked events
    when every match marks its first and last event. Where there is none, the answer is a path through the
    pattern that shows why.

    **Example**

    - `mnemata determinize "any(SELL as s, BUY where price > s.price) within 3 events" --schema ticks.json
      -o stages.svg`
    """
    from mnemata.automata.determinization import determinization

    def make(located: Located, declared: Schema) -> Sequence[Stage]:
        return determinization(located, declared, window=window, streaming=stream, as_published=as_published)

    _check_picture(output)
    with thinking("Determinizing", most_states, seconds, quiet=quiet):
        stages = _stages(pattern, schema, time, event_type, make)
    _show(stages, output, ascii=ascii)


def complement(
    pattern: given.PatternText,
    schema: given.RequiredSchema,
    output: given.Picture = None,
    window: given.WindowSize = None,
    as_published: given.AsPublished = False,
    within: Annotated[
        bool,
        typer.Option("--within", help="Leave out strings longer than the window, instead of accepting them."),
    ] = False,
    time: given.TimeAttribute = None,
    event_type: given.EventType = None,
    ascii: given.Ascii = False,
    most_states: given.MostStates = MOST_STATES,
    seconds: given.Seconds = SECONDS,
    quiet: given.Quiet = False,
) -> None:
    """Make an automaton for all strings that a pattern does not match, and draw every stage.

    It needs a window, as for `mnemata determinize`.

    **Example**

    - `mnemata complement "SELL; BUY" --schema ticks.json -o stages.svg`
    """
    from mnemata.automata.determinization import complementation

    def make(located: Located, declared: Schema) -> Sequence[Stage]:
        return complementation(located, declared, window=window, within=within, as_published=as_published)

    _check_picture(output)
    with thinking("Complementing", most_states, seconds, quiet=quiet):
        stages = _stages(pattern, schema, time, event_type, make)
    _show(stages, output, ascii=ascii)


def _check_picture(output: str | None) -> None:
    """Raise `DrawingError` before any work is done for a picture that cannot be written."""
    from mnemata.automata.drawing.drawing import SUFFIXES
    from mnemata.automata.drawing.saving import checked_suffix

    if output is not None:
        checked_suffix(output, SUFFIXES)


def _stages(
    pattern: str,
    path: Path,
    time: str | None,
    event_type: str | None,
    make: Callable[[Located, Schema], Sequence[Stage]],
) -> Sequence[Stage]:
    located, declared = declared_pattern(pattern, path, time, event_type)
    if declared is None:
        raise typer.BadParameter("an automaton for all values needs --schema")
    return make(located, declared)


def _show(stages: Sequence[Stage], output: str | None, *, ascii: bool) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, highlight=False)
    table.add_column("stage", overflow="fold")
    for name in ("states", "transitions", "registers"):
        table.add_column(name, justify="right")
    for title, srt in stages:
        numbers = (srt.size, len(srt.transitions), len(srt.registers))
        table.add_row(title, *(f"{number:,}" for number in numbers))
    Console(highlight=False, soft_wrap=True, markup=False).print(table)
    if output is not None:
        _draw(stages, output, ascii=ascii)


def _draw(stages: Sequence[Stage], output: str, *, ascii: bool) -> None:
    from mnemata.automata.drawing import draw, draw_stages
    from mnemata.theory.errors import LimitError

    try:
        picture = draw_stages([(stage.title, stage.srt) for stage in stages], ascii=ascii)
    except LimitError as error:
        typer.echo(f"{error}; drawn is the last stage alone", err=True)
        picture = draw(stages[-1].srt, title=stages[-1].title, ascii=ascii)
    path = picture.save(output)
    typer.echo(f"wrote {path}: {picture.description}")
