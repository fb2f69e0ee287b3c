"""The command line: ``mnemata`` with ``run``, ``explain``, ``check``, ``draw``, ``decide`` and others.

Commands import what they need when they run, so that ``mnemata --help`` is quick.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Annotated, Final, NoReturn

import typer

from mnemata.pipeline.command.check import check
from mnemata.pipeline.command.convert import convert
from mnemata.pipeline.command.decide import decide
from mnemata.pipeline.command.determinize import complement, determinize
from mnemata.pipeline.command.draw import draw
from mnemata.pipeline.command.explain import explain
from mnemata.pipeline.command.generate import generate
from mnemata.pipeline.command.problems import stated
from mnemata.pipeline.command.prove import prove
from mnemata.pipeline.command.run import run
from mnemata.pipeline.command.stream import stream

_EPILOG = (
    "Exit codes: 0 done, 1 failure (check: warnings, decide: no, prove: not as known), 2 command line, "
    "3 pattern, 4 schema, 5 stream, 6 files, 7 limit reached, 8 unsupported, 9 environment."
)

app = typer.Typer(
    name="mnemata",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
    epilog=_EPILOG,
)
OWN: Final = (run, stream, explain, check, draw, decide, determinize, complement, prove, generate, convert)
COMMANDS: Final = "mnemata.commands"
"""The group of entry points from which packages above this one add commands, such as ``figures``."""

for command in OWN:
    app.command(epilog=_EPILOG)(command)
for added in sorted(entry_points(group=COMMANDS), key=lambda entry: entry.name):
    app.command(added.name, epilog=_EPILOG)(added.load())


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"mnemata {version('mnemata')}")
        except PackageNotFoundError:
            typer.echo("mnemata (not installed)")
        raise typer.Exit


@app.callback()
def mnemata(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show where in the program an error arose.")
    ] = False,
) -> None:
    """Find patterns in streams of events: automata with memory, on Spark.

    A pattern says which events belong together, what it remembers of them in registers, and what may lie
    between:

        any(SELL as s, BUY where price > s.price) within 500 ms
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the process.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    with stated(traceback="--traceback" in given):
        app(given, prog_name="mnemata")
    raise SystemExit(0)
