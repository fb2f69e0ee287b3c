"""Plots in the one look of all drawings."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import matplotlib
from matplotlib.figure import Figure

from mnemata.automata.drawing import style
from mnemata.automata.drawing.drawing import DPI, fitted
from mnemata.automata.drawing.saving import write_picture

LOOK: Final[Any] = {
    "font.family": ["STIXGeneral", "DejaVu Sans"],
    "font.size": 11.5,
    "mathtext.fontset": "stix",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": style.LINE,
    "axes.linewidth": 0.8,
    "axes.unicode_minus": False,
    "svg.hashsalt": "mnemata",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}
"""What `matplotlib.rc_context` takes, while a plot is made and while it is saved."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot; shows itself in notebooks and saves itself, the same bytes for the same plot.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The plot, for those who want to add to it.
    description : str
        What it shows, in words.
    """

    figure: Figure = field(compare=False)
    description: str = "a plot"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.description}>"

    def svg(self) -> str:
        """The plot as SVG."""
        return self._bytes("svg", DPI, {"Date": None}).decode("utf-8")

    def png(self, dpi: int = DPI) -> bytes:
        """The plot as PNG, at `dpi` dots per inch."""
        return self._bytes("png", dpi, {"Software": None})

    def pdf(self) -> bytes:
        """The plot as PDF."""
        return self._bytes("pdf", DPI, {"CreationDate": None, "Producer": None})

    def save(self, path: str | os.PathLike[str], *, dpi: int = DPI) -> Path:
        """Write the plot to a file whose suffix, .pdf, .png or .svg, says in which format."""
        formats: dict[str, Callable[[], bytes]] = {
            ".pdf": self.pdf,
            ".png": lambda: self.png(dpi),
            ".svg": lambda: self.svg().encode("utf-8"),
        }
        return write_picture(path, formats)

    def _bytes(self, picture_format: str, dpi: int, metadata: dict[str, None]) -> bytes:
        buffer = io.BytesIO()
        with matplotlib.rc_context(LOOK):
            self.figure.savefig(buffer, format=picture_format, dpi=dpi, metadata=metadata)
        return buffer.getvalue()

    def _repr_mimebundle_(self, **_wanted: object) -> dict[str, str]:
        return {"image/svg+xml": fitted(self.svg()), "text/plain": repr(self)}
