"""Drawings in files and notebooks."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
from graphviz import Source

from mnemata.automata.drawing import Drawing, DrawingError, draw
from mnemata.automata.srt.transducer import SRT, epsilon
from mnemata.theory.errors import EnvironmentProblem, MnemataError, SourceError
from mnemata.theory.sremo.expressions import mark, sequence


@pytest.fixture
def picture(figure_1: SRT) -> Drawing:
    return draw(figure_1)


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        (".svg", b"<?xml"),
        (".png", b"\x89PNG\r\n\x1a\n"),
        (".pdf", b"%PDF-"),
        (".dot", b"digraph {"),
        (".gv", b"digraph {"),
        (".SVG", b"<?xml"),
    ],
)
def test_the_suffix_says_in_which_format(picture: Drawing, tmp_path: Path, suffix: str, start: bytes) -> None:
    path = picture.save(tmp_path / f"figure{suffix}")
    assert path == tmp_path / f"figure{suffix}"
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["figure.svgg", "figure", "figure.jpeg", ".png"])
def test_other_suffixes_are_refused_before_anything_is_drawn(
    picture: Drawing, tmp_path: Path, name: str
) -> None:
    with pytest.raises(DrawingError, match=r"use \.dot, \.gv, \.pdf, \.png, \.svg") as info:
        picture.save(tmp_path / name)
    assert not list(tmp_path.iterdir())
    assert ("Did you mean '.svg'?" in str(info.value)) == (name == "figure.svgg")
    assert isinstance(info.value, ValueError)


def test_a_folder_that_is_not_there(picture: Drawing, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cannot write .*No such file or directory"):
        picture.save(tmp_path / "missing" / "figure.dot")


def test_notebooks_show_svg(picture: Drawing, figure_1: SRT) -> None:
    bundle = picture._repr_mimebundle_(include=None, exclude=None)
    assert bundle["image/svg+xml"].startswith("<?xml")
    assert bundle["image/svg+xml"] == picture.svg()
    assert bundle["text/plain"] == "<Drawing: SRT with 3 states, 3 transitions, 1 register>"
    assert figure_1._repr_mimebundle_() == bundle


def test_wide_pictures_are_as_wide_as_the_page_in_notebooks() -> None:
    wide = draw(sequence(*(mark() for _ in range(20))))
    shown = wide._repr_mimebundle_()["image/svg+xml"]
    assert '<svg width="100%"' in shown
    assert float(re.search(r'width="([0-9.]+)pt"', wide.svg())[1]) > 640  # type: ignore[index]
    assert re.sub(r'<svg width="[^>]*>', "", wide.svg()) == re.sub(r'<svg width="[^>]*>', "", shown)


def test_notebooks_say_why_there_is_no_picture(
    picture: Drawing, figure_1: SRT, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_anything: object, **_options: object) -> bytes:
        raise EnvironmentProblem("no Graphviz")

    monkeypatch.setattr("mnemata.automata.drawing.drawing.render", fail)
    assert picture._repr_mimebundle_() == {"text/plain": f"{picture!r}\n(no picture: no Graphviz)"}
    pairs = [(i, j) for i in range(72) for j in range(72)]
    too_large = SRT(72, 0, frozenset(), tuple(epsilon(i, j) for i, j in pairs))
    assert list(too_large._repr_mimebundle_()) == ["text/plain"]


def test_drawings_are_values(picture: Drawing, figure_1: SRT) -> None:
    assert picture == draw(figure_1)
    assert hash(picture) == hash(draw(figure_1))
    assert picture != draw(figure_1, ascii=True)
    assert pickle.loads(pickle.dumps(picture)) == picture


def test_the_graphviz_library_takes_it_over(picture: Drawing) -> None:
    assert isinstance(picture.graph, Source)
    assert picture.graph.source == picture.dot


def test_errors_have_the_common_root() -> None:
    assert issubclass(DrawingError, MnemataError)
