"""Text in SVG as wide as it was laid out, whatever font a browser has for it.

Graphviz places each piece of text by the metrics of the fonts that come with matplotlib. A browser that has
others would draw wider symbols over the text that follows; told how long each piece is, it moves them closer.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from matplotlib.ft2font import FT2Font

FALLBACK: Final = "DejaVuSans"
"""The font for symbols that the others lack."""

_FACES: Final = {
    (False, False): "STIXGeneral",
    (False, True): "STIXGeneralItalic",
    (True, False): "STIXGeneralBol",
    (True, True): "STIXGeneralBolIta",
}
_SCALE: Final = 1000
_TEXT: Final = re.compile(
    r'<text (?P<attributes>[^>]*font-family="STIXGeneral,[^>]*font-size="(?P<size>[\d.]+)"[^>]*)>'
    r"(?P<content>[^<]+)</text>"
)


def with_lengths(svg: str, folder: Path) -> str:
    """`svg` with the length of each piece of text in `style.FONT`, but for symbols that no font has.

    Parameters
    ----------
    svg : str
        As Graphviz writes it.
    folder : Path
        The fonts, as TrueType files.
    """

    def measured(found: re.Match[str]) -> str:
        attributes, content = found["attributes"], unescape(found["content"])
        face = _FACES['font-weight="bold"' in attributes, 'font-style="italic"' in attributes]
        advances = [_advance(folder, face, symbol) for symbol in content]
        if None in advances:
            return found[0]
        width = sum(filter(None, advances)) * float(found["size"])
        return f'<text textLength="{width:.2f}" {attributes}>{found["content"]}</text>'

    return _TEXT.sub(measured, svg)


@cache
def _advance(folder: Path, face: str, symbol: str) -> float | None:
    """How far a symbol reaches, in units of the font size."""
    for name in (face, FALLBACK):
        font = _font(folder, name)
        if index := font.get_char_index(ord(symbol)):
            return font.load_glyph(index).linearHoriAdvance / 65536 / _SCALE
    return None


@cache
def _font(folder: Path, face: str) -> FT2Font:
    from matplotlib.ft2font import FT2Font  # loads slowly, and only pictures in SVG need it

    font = FT2Font(str(folder / f"{face}.ttf"))
    font.set_size(_SCALE, 72)
    return font
