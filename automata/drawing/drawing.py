"""A drawing: DOT text that shows itself in notebooks and saves itself as SVG, PNG or PDF."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from graphviz import Source

from mnemata.automata.drawing.rendering import Format, render
from mnemata.automata.drawing.saving import write_picture
from mnemata.theory.errors import LimitError, MnemataError

DPI: Final = 150
SUFFIXES: Final = (".dot", ".gv", ".pdf", ".png", ".svg")

_PAGE: Final = 640.0
"""Points; about the width of a notebook's output."""

_SIZE: Final = re.compile(r'(<svg [^>]*?)width="([0-9.]+)pt"\s+height="[0-9.]+pt"')
_PATIENCE: Final = 20.0
"""Seconds after which a large automaton gets its simplified layout instead."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of automata.

    Parameters
    ----------
    dot : str
        The picture in Graphviz' language; the same bytes for the same input.
    description : str
        What it shows, in words.
    simplified : str or None
        DOT text of a plainer picture, for when the layout of `dot` would take too long.
    """

    dot: str
    description: str = field(default="a drawing", compare=False)
    simplified: str | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Drawing: {self.description}>"

    @property
    def graph(self) -> Source:
        """The picture as an object of the `graphviz` library."""
        return Source(self.dot)

    def svg(self) -> str:
        """The picture as SVG."""
        return self._render("svg").decode("utf-8")

    def png(self, dpi: int = DPI) -> bytes:
        """The picture as PNG, at `dpi` dots per inch."""
        return self._render("png", dpi)

    def pdf(self) -> bytes:
        """The picture as PDF, on one page of its size, with its fonts embedded."""
        return self._render("pdf")

    def save(self, path: str | os.PathLike[str], *, dpi: int = DPI) -> Path:
        """Write the picture to a file whose suffix says in which format.

        Raises
        ------
        DrawingError
            The suffix is not one of .dot, .gv, .pdf, .png and .svg.
        SourceError
            The file cannot be written.
        """
        dot = self.dot.encode("utf-8")
        formats: dict[str, Callable[[], bytes]] = {
            ".dot": lambda: dot,
            ".gv": lambda: dot,
            ".pdf": self.pdf,
            ".png": lambda: self.png(dpi),
            ".svg": lambda: self.svg().encode("utf-8"),
        }
        return write_picture(path, formats)

    def _render(self, picture_format: Format, dpi: int = DPI) -> bytes:
        if self.simplified is None:
            return render(self.dot, picture_format, dpi=dpi)
        try:
            return render(self.dot, picture_format, dpi=dpi, seconds=_PATIENCE)
        except LimitError:
            return render(self.simplified, picture_format, dpi=dpi)

    def _repr_mimebundle_(self, **_wanted: object) -> dict[str, str]:
        try:
            return {"image/svg+xml": fitted(self.svg()), "text/plain": repr(self)}
        except MnemataError as error:
            return {"text/plain": f"{self!r}\n(no picture: {error})"}


def fitted(svg: str) -> str:
    """`svg` for a notebook: what is wider than a page gets the width of the page.

    >>> fitted('<svg width="900pt" height="90pt" viewBox="0 0 900 90">')
    '<svg width="100%" viewBox="0 0 900 90">'
    """

    def scaled(size: re.Match[str]) -> str:
        return size[0] if float(size[2]) <= _PAGE else f'{size[1]}width="100%"'

    return _SIZE.sub(scaled, svg, count=1)
