"""From DOT to pictures: formats, bytes, engines, limits."""

from __future__ import annotations

import re
import shutil
import stat
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from matplotlib.ft2font import FT2Font

from mnemata.automata.drawing import DrawingError, draw, rendering
from mnemata.automata.drawing.measuring import with_lengths
from mnemata.automata.drawing.rendering import Format, render, with_plain_subscripts
from mnemata.automata.srt.transducer import SRT, epsilon
from mnemata.theory.errors import EnvironmentProblem, LimitError
from mnemata.theory.sremo.expressions import mark

DOT = "digraph { a [label=<φ<sub>1</sub>(∼) ↑ • ⊗ ⊤ ¬ ∧ ∨>]; a -> b }"
FIRST_BYTES = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}


@pytest.fixture
def no_dot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without a ``dot`` program; programs put into the folder returned are found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("dot") is None
    return tmp_path


@pytest.mark.parametrize("picture_format", ["svg", "png", "pdf"])
def test_every_format_without_a_dot_program(no_dot: Path, picture_format: Format) -> None:
    picture = render(DOT, picture_format)
    assert picture.startswith(FIRST_BYTES[picture_format])
    assert picture == render(DOT, picture_format)


def test_the_paper_s_symbols_are_in_the_fonts() -> None:
    folder = rendering._font_folder()
    assert folder is not None
    known = {c for f in ("STIXGeneral", "DejaVuSans") for c in FT2Font(folder / f"{f}.ttf").get_charmap()}
    assert not [symbol for symbol in "↑↓•⊗⊤⊥¬∧∨ε≠≤≥∈∅·∼φ…⁺↻∩#" if ord(symbol) not in known]


def test_resolution_of_a_png() -> None:
    def width(dpi: int) -> int:
        return int.from_bytes(render(DOT, "png", dpi=dpi)[16:20], "big")

    assert 3.8 < width(288) / width(72) < 4.2


@pytest.mark.parametrize("dpi", [0, -1, 10_000, 1.5, "96"])
def test_resolutions_that_are_refused(dpi: int) -> None:
    with pytest.raises(DrawingError, match="dpi is a whole number from 1 to 2400"):
        render(DOT, "png", dpi=dpi)


def test_pdf_embeds_its_fonts_and_no_date() -> None:
    pdf = render(DOT, "pdf")
    assert b"STIXGeneral" in render(draw(SRT(1, 0, frozenset(), ())).dot, "pdf")
    assert re.search(rb"/CreationDate \(D:0+\)", pdf)


def test_subscripts_are_smaller_text_in_svg() -> None:
    svg = render(DOT, "svg").decode()
    assert "baseline-shift" not in svg
    sizes = re.findall(r'font-size="([\d.]+)">([^<]*)<', svg)
    assert ("11.67", "1") in sizes
    assert with_plain_subscripts("<text>baseline-shift</text>") == "<text>baseline-shift</text>"


def test_text_is_as_long_as_it_was_laid_out() -> None:
    svg = render(draw(mark(write="r1"), title="a title").dot, "svg").decode()
    texts = re.findall(r"<text (.*?)>(.*?)</text>", svg)
    assert texts
    assert all("textLength" in attributes for attributes, _ in texts)
    # Pieces of text in a row: each ends about where the next one begins.
    rows = re.findall(r'textLength="([\d.]+)".*? x="([-\d.]+)" y="([-\d.]+)"', svg)
    places = [tuple(map(float, row)) for row in rows]
    for (length, x, y), (_, following, same) in pairwise(places):
        if y == same and following > x:
            assert x + length == pytest.approx(following, abs=1.5)


@pytest.mark.parametrize(("symbol", "face"), [("⊤", "STIXGeneral"), ("⁺", "DejaVuSans")])
def test_symbols_are_as_wide_as_in_their_fonts(symbol: str, face: str) -> None:
    folder = rendering._font_folder()
    assert folder is not None
    font = FT2Font(folder / f"{face}.ttf")
    font.set_size(100, 72)
    font.load_char(ord(symbol))
    (width,) = re.findall(
        r'textLength="([\d.]+)"',
        with_lengths(f'<text font-family="STIXGeneral,serif" font-size="100">{symbol}</text>', folder),
    )
    assert float(width) == pytest.approx(font.load_char(ord(symbol)).linearHoriAdvance / 65536, abs=0.01)


def test_text_in_other_fonts_stays() -> None:
    other = '<text font-family="Courier" font-size="10">x</text>'
    assert with_lengths(other, Path()) == other


def test_text_with_symbols_that_no_font_has_stays() -> None:
    folder = rendering._font_folder()
    assert folder is not None
    unknown = '<text font-family="STIXGeneral,serif" font-size="10">a\u2400</text>'
    assert with_lengths(unknown, folder) == unknown


@pytest.mark.parametrize("dot", ["digraph {", "no graph", "digraph { a [label=<<b>x</i>>] }"])
def test_dot_that_is_not_well_formed(dot: str) -> None:
    with pytest.raises(DrawingError, match="Graphviz cannot draw this DOT text"):
        render(dot, "svg")


def test_a_layout_that_takes_too_long_is_given_up() -> None:
    dot = "digraph {" + "".join(f"{i} -> {i * 7 % 200};{i} -> {i * 11 % 199};" for i in range(200)) + "}"
    with pytest.raises(LimitError, match=r"takes longer than 0\.05 s"):
        render(dot, "svg", seconds=0.05)


def test_a_large_automaton_whose_layout_takes_too_long_is_drawn_plainly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def impatient(dot: str, picture_format: Format, **options: float) -> bytes:
        asked.append(dot)
        if len(asked) == 1:
            raise LimitError("too long")
        return b"plain"

    monkeypatch.setattr("mnemata.automata.drawing.drawing.render", impatient)
    srt = SRT(300, 0, frozenset({1}), tuple(epsilon(i, i + 1) for i in range(299)))
    assert draw(srt).svg() == "plain"
    assert "too many to write out the guards" not in asked[0]
    assert "too many to write out the guards" in asked[1]


def test_threads_may_draw_at_the_same_time() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(lambda _: render(DOT, "svg"), range(8)))) == 1


@pytest.fixture
def no_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python without pygraphviz."""
    monkeypatch.setitem(sys.modules, "pygraphviz", None)


@pytest.mark.usefixtures("no_wheel", "no_dot")
def test_without_any_graphviz_the_remedy_is_named() -> None:
    with pytest.raises(
        EnvironmentProblem, match=r"none was found\. Install it with: .* -m pip install"
    ) as info:
        render(DOT, "svg")
    assert "\n" not in str(info.value)


@pytest.fixture
def fake_dot(no_dot: Path, no_wheel: None) -> Callable[[str], None]:
    """Put a ``dot`` program that runs a shell script on the PATH."""

    def write(script: str) -> None:
        program = no_dot / "dot"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    return write


def test_the_dot_program_serves_where_the_wheel_is_missing(fake_dot: Callable[[str], None]) -> None:
    fake_dot('echo "$@"')
    assert render(DOT, "svg") == b"-Tsvg\n"
    assert render(DOT, "png", dpi=96) == b"-Tpng -Gdpi=96\n"


def test_a_dot_program_that_fails(fake_dot: Callable[[str], None]) -> None:
    fake_dot("echo 'There is no layout engine support for dot' >&2; exit 1")
    with pytest.raises(EnvironmentProblem, match="no layout engine support"):
        render(DOT, "svg")
    fake_dot("exit 3")
    with pytest.raises(EnvironmentProblem, match="status 3"):
        render(DOT, "svg")


def test_a_wheel_that_does_not_load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pygraphviz.py").write_text("raise ImportError('libgvc.so.7: cannot open')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(EnvironmentProblem, match=r"does not load \(ImportError: libgvc"):
        render(DOT, "svg")


def test_a_python_that_does_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    with pytest.raises(EnvironmentProblem, match="does not start: No such file"):
        render(DOT, "svg")


def test_without_known_fonts_the_machine_s_own_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "_font_folder", lambda: None)
    assert render(DOT, "svg").startswith(b"<?xml")
