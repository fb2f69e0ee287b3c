"""Tables and plain words in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in Markdown.

    >>> list(table(("a", "b"), [("1", "2")]))
    ['| a | b |', '|---|---|', '| 1 | 2 |']
    """
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    yield from (f"| {' | '.join(map(cell, row))} |" for row in rows)


def cell(text: str) -> str:
    """A text for a cell: on one line, and no bar ends it."""
    return re.sub(r"\s*\n\s*", " ", text).replace("|", "\\|")


def prose(text: str) -> str:
    """Words in which nothing is meant as Markdown, except what stands between backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if i % 2 else re.sub(r"([\\*_<\[])", r"\\\1", part) for i, part in enumerate(parts))
