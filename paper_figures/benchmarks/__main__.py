"""The command ``python -m mnemata.paper_figures.benchmarks``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from mnemata.paper_figures.benchmarks.figures import MODULE, Figure, Options

FIGURES: Final = ("throughput", "windows", "updates", "enumeration", "memory", "latency", "queries")
ON_REQUEST: Final = ("jobs", "soak", "faults")
"""These take long, and are made only by name."""
_KNOWN: Final = (*FIGURES, *ON_REQUEST)


def figure_named(name: str) -> Callable[[Options], Figure]:
    """The function that makes a figure."""
    made: Callable[[Options], Figure] = import_module(f"{MODULE}.{name}").figure
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Make figures, print them, and write them to files if asked to."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    for name in chosen.names:
        if name not in _KNOWN:
            parser.error(f"there is no figure '{name}'; there are {', '.join(_KNOWN)}")
    options = Options(chosen.events, chosen.repetitions)
    for name in chosen.names or FIGURES:
        page = figure_named(name)(options).markdown(options)
        sys.stdout.write(f"{page}\n")
        sys.stdout.flush()
        if chosen.output is not None:
            chosen.output.mkdir(parents=True, exist_ok=True)
            (chosen.output / f"{name}.md").write_text(page, encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {MODULE}", description="Measure recognition and print tables in Markdown."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which figures: {', '.join(_KNOWN)}")
    parser.add_argument("--events", type=_positive, help="the length of the longest stream")
    parser.add_argument("--repetitions", type=_positive, default=3, help="the least time of so many counts")
    parser.add_argument("--output", type=Path, metavar="DIR", help="where to write each figure as NAME.md")
    return parser


def _positive(text: str) -> int:
    number = int(text.replace("_", ""))
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


if __name__ == "__main__":
    main()
