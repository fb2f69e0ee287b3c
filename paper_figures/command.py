"""``mnemata figures``: the figures and tables of the papers, made anew."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemata.pipeline.command import arguments as given

if TYPE_CHECKING:
    from mnemata.paper_figures.reproductions import Reproduction


class Format(StrEnum):
    """How pictures are written."""

    SVG = "svg"
    PDF = "pdf"
    PNG = "png"


def figures(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FIGURE]...",
            help="Figures and tables by name, or by the beginning of names: srt-figure-3, rma, cel-table. "
            "All by default.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write them to.")
    ] = Path("figures"),
    formats: Annotated[
        list[Format] | None,
        typer.Option("--format", help="How pictures are written; may be repeated.", show_default="svg"),
    ] = None,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure",
            help="Measure the experiments (srt-figure-6 to 10) on this machine, which takes about half an "
            "hour; by default the project's own measurements are drawn.",
        ),
    ] = False,
    listing: Annotated[
        bool, typer.Option("--list", help="Say what there is, and how it agrees with what was published.")
    ] = False,
    quiet: given.Quiet = False,
) -> None:
    """Make the figures and tables of the papers anew.

    Automata are made by the constructions, complex events found by the semantics, and tables written in
    Markdown and LaTeX. README.md in the folder lists all that was made, each with one line on how it agrees
    with what was published.

    **Examples**

    - `mnemata figures`

    - `mnemata figures srt-figure-5 cel --format pdf -o pictures`
    """
    from mnemata.paper_figures.catalogue import REPRODUCTIONS, chosen

    picked = chosen(names) if names else REPRODUCTIONS
    if listing:
        _list(picked)
        return
    chosen_formats = tuple(one.value for one in formats or (Format.SVG,))
    _make(picked, output, chosen_formats, measure=measure, quiet=quiet)


def _make(
    picked: Sequence[Reproduction], folder: Path, formats: Sequence[str], *, measure: bool, quiet: bool
) -> None:
    from mnemata.paper_figures.experiments.figures import Experiment
    from mnemata.paper_figures.index import write_index

    def say(text: str) -> None:
        if not quiet:
            typer.echo(text, err=True)

    made = {}
    for number, one in enumerate(picked, start=1):
        if measure and isinstance(one, Experiment):
            made[one.id] = one.measured(folder, formats, say)
        else:
            made[one.id] = one.save(folder, formats)
        files = ", ".join(path.name for path in made[one.id])
        say(f"[{number}/{len(picked)}] {one.heading}: {files}")
    typer.echo(f"wrote {write_index(folder, picked, made)}: {len(picked)} figures and tables")


def _list(picked: Sequence[Reproduction]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("name", "shows", "agreement", box=None, pad_edge=False)
    for one in picked:
        table.add_row(one.id, one.title, one.agreement)
    Console(highlight=False).print(table)
