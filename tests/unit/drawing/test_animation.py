"""Moving pictures."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from mnemata.automata.drawing import draw
from mnemata.automata.drawing.animation import animate
from mnemata.automata.drawing.errors import DrawingError
from mnemata.theory.sremo.expressions import mark

FRAMES = [draw(mark()), draw(mark() >> mark()), draw(mark() >> mark())]


def test_frames_have_one_size_and_their_time(tmp_path: Path) -> None:
    moving = animate(FRAMES[:2], seconds=0.5)
    for suffix in (".png", ".gif"):
        with Image.open(moving.save(tmp_path / f"moving{suffix}")) as found:
            assert found.n_frames == 2  # type: ignore[attr-defined]
            assert found.info["duration"] == 500
            assert found.info["loop"] == 0
            widths = [Image.open(io.BytesIO(frame.png(96))).width for frame in FRAMES[:2]]
            assert found.width == max(widths) > min(widths)


def test_notebooks_show_a_png() -> None:
    bundle = animate(FRAMES)._repr_mimebundle_()
    assert bundle["text/plain"] == "<Animation of 3 drawings>"
    assert isinstance(bundle["image/png"], bytes)
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert animate(FRAMES)._repr_mimebundle_() == bundle


@pytest.mark.parametrize(("frames", "seconds"), [([], 1.0), (FRAMES, 0.0)])
def test_nothing_to_see_is_refused(frames: list[object], seconds: float) -> None:
    with pytest.raises(DrawingError, match="at least one drawing, and more than 0 seconds for each"):
        animate(frames, seconds=seconds)  # type: ignore[arg-type]


def test_other_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DrawingError, match=r"use \.gif, \.png"):
        animate(FRAMES).save(tmp_path / "moving.svg")
