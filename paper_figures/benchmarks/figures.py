"""A figure as a page of Markdown: what was measured, tables, the command that made them, the machine."""

from __future__ import annotations

import math
import os
import platform
import textwrap
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

from mnemata.paper_figures.tables import Table

MODULE: Final = "mnemata.paper_figures.benchmarks"
LIBRARIES: Final = ("numba", "numpy", "pyarrow")


@dataclass(frozen=True, slots=True)
class Options:
    """How much to measure.

    Parameters
    ----------
    events : int or None
        The length of the longest stream; ``None`` leaves it to the figure.
    repetitions : int
        How often each measurement is made; the least time counts.
    """

    events: int | None = None
    repetitions: int = 3


class Figure(NamedTuple):
    """What a benchmark shows.

    Parameters
    ----------
    name : str
        By which it is asked for.
    title : str
        What it is about.
    text : str
        What was measured and how, in Markdown.
    tables : tuple of Table
        What came out.
    process : str
        Where it was measured.
    """

    name: str
    title: str
    text: str
    tables: tuple[Table, ...]
    process: str = "in one process on one core"

    def markdown(self, options: Options) -> str:
        """The page."""
        made = f"Made by `{command(self.name, options)}`, {self.process}.\n{machine()}"
        return (
            "\n\n".join((f"# {self.title}", _wrapped(self.text), made, *(t.markdown() for t in self.tables)))
            + "\n"
        )


def _wrapped(text: str) -> str:
    return "\n\n".join(textwrap.fill(part, 110, break_on_hyphens=False) for part in text.split("\n\n"))


def command(name: str, options: Options) -> str:
    """What to type to make a figure again."""
    parts = [f"python -m {MODULE} {name}"]
    if options.events is not None:
        parts.append(f"--events {options.events}")
    if options.repetitions != Options().repetitions:
        parts.append(f"--repetitions {options.repetitions}")
    return " ".join(parts)


def machine() -> str:
    """What the figures depend on besides the code."""
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return f"{os.cpu_count()} cores, {_processor()}; Python {platform.python_version()}, {libraries}."


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    if facts.is_file():
        for line in facts.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def nanoseconds(seconds: float, events: int) -> str:
    """Time for each event."""
    return f"{seconds / events * 1e9:,.2f}"


def millions(events: int, seconds: float) -> str:
    """Events a second, in millions."""
    return f"{events / seconds / 1e6:,.1f}"


def exactly(number: int) -> str:
    """A whole number; as a power of two when it is large.

    >>> exactly(1234), exactly(2**100)
    ('1,234', '2^100.00')
    """
    return f"{number:,}" if number < 10**15 else f"2^{math.log2(number):.2f}"
