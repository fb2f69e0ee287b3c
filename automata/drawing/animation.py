"""Drawings shown one after the other, as one moving picture that needs no program to be shown."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image

from mnemata.automata.drawing.drawing import Drawing
from mnemata.automata.drawing.errors import DrawingError
from mnemata.automata.drawing.saving import write_picture

DPI: Final = 96
_WHITE: Final = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Animation:
    """Drawings, each shown for some time, again and again; shows itself in notebooks and saves itself.

    It is an animated PNG: a viewer that does not know these shows the first drawing.

    Parameters
    ----------
    frames : tuple of Drawing
        In order, at least one.
    seconds : float
        How long each of them is shown.

    Raises
    ------
    DrawingError
        There is no frame, or no time to see one.
    """

    frames: tuple[Drawing, ...]
    seconds: float = 1.0

    def __post_init__(self) -> None:
        if not self.frames or self.seconds <= 0:
            raise DrawingError("an animation needs at least one drawing, and more than 0 seconds for each")

    def __repr__(self) -> str:
        return f"<Animation of {len(self.frames)} drawing{'' if len(self.frames) == 1 else 's'}>"

    def png(self, dpi: int = DPI) -> bytes:
        """The animation as PNG, at `dpi` dots per inch."""
        return self._encoded("PNG", dpi)

    def gif(self, dpi: int = DPI) -> bytes:
        """The animation as GIF."""
        return self._encoded("GIF", dpi)

    def save(self, path: str | os.PathLike[str], *, dpi: int = DPI) -> Path:
        """Write the animation to a file whose suffix, .gif or .png, says in which format."""
        formats: dict[str, Callable[[], bytes]] = {
            ".gif": lambda: self.gif(dpi),
            ".png": lambda: self.png(dpi),
        }
        return write_picture(path, formats)

    def _encoded(self, picture_format: str, dpi: int) -> bytes:
        first, *others = _of_one_size([Image.open(io.BytesIO(frame.png(dpi))) for frame in self.frames])
        buffer = io.BytesIO()
        milliseconds = round(1000 * self.seconds)
        first.save(buffer, picture_format, save_all=True, append_images=others, duration=milliseconds, loop=0)
        return buffer.getvalue()

    def _repr_mimebundle_(self, **_wanted: object) -> dict[str, bytes | str]:
        return {"image/png": self.png(), "text/plain": repr(self)}


def animate(frames: Sequence[Drawing], *, seconds: float = 1.0) -> Animation:
    """Show drawings one after the other, such as the frames of a run.

    Examples
    --------
    >>> from mnemata.automata.drawing import draw
    >>> from mnemata.theory.sremo.expressions import mark
    >>> animate([draw(mark()), draw(mark() >> mark())])
    <Animation of 2 drawings>
    """
    return Animation(tuple(frames), seconds)


def _of_one_size(pictures: Sequence[Image.Image]) -> list[Image.Image]:
    """The pictures on white, each in the upper left corner of the smallest frame that holds all."""
    size = max(one.width for one in pictures), max(one.height for one in pictures)
    found = [Image.new("RGB", size, _WHITE) for _ in pictures]
    for empty, picture in zip(found, pictures, strict=True):
        shown = picture.convert("RGBA")
        empty.paste(shown, mask=shown)
    return found
