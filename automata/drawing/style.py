"""The one look of all drawings: colours, fonts and sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FONT: Final = "STIXGeneral,Times New Roman,Times,serif"

RED: Final = "#c1121f"
"""Chosen transitions, such as those that a run takes (SRT Fig. 2)."""

BLUE: Final = "#1d4ed8"
"""What a step of a construction adds (SRT Fig. 3)."""

DARK_GRAY: Final = "#4a4a4a"
"""The current state of a run (SRT Fig. 2)."""

BLACK: Final = "#000000"
FAINT: Final = "#9a9a9a"
LINE: Final = "#777777"
PALE: Final = "#cfcfcf"
MARKED: Final = "#fde8e8"
SHADE: Final = "#f4f4f4"

GRAPH: Final[Mapping[str, str]] = {
    "rankdir": "LR",
    "fontname": FONT,
    "fontsize": "13",
    "nodesep": "0.3",
    "ranksep": "0.35",
    "pad": "0.1",
    "labelloc": "t",
    "labeljust": "l",
}
NODE: Final[Mapping[str, str]] = {
    "shape": "circle",
    "fontname": FONT,
    "fontsize": "15",
    "width": "0.48",
    "height": "0.48",
    "margin": "0.02",
    "penwidth": "0.9",
}
EDGE: Final[Mapping[str, str]] = {
    "fontname": FONT,
    "fontsize": "13",
    "arrowsize": "0.7",
    "penwidth": "0.9",
    # Straight arrows matter more than low boxes.
    "weight": "1000",
}
CLUSTER: Final[Mapping[str, str]] = {
    "peripheries": "1",
    "style": "rounded,filled",
    "color": LINE,
    "fillcolor": SHADE,
    "penwidth": "0.6",
    "margin": "8",
}
PANEL: Final[Mapping[str, str]] = {
    "peripheries": "1",
    "style": "dotted",
    "color": LINE,
    "penwidth": "1",
    "margin": "6",
    "fontsize": "14",
}
HURRIED: Final[Mapping[str, str]] = {"nslimit": "2", "nslimit1": "2", "mclimit": "0.3", "splines": "line"}
"""For large automata: a layout that is found sooner, and is less tidy."""
