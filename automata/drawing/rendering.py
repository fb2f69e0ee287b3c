"""From DOT text to SVG, PNG and PDF, with or without a ``dot`` program on the machine.

The Graphviz inside the pygraphviz wheel comes first: it is the same version everywhere. Fonts are those that
come with matplotlib, so that the same drawing has the same bytes on every machine that has the same wheels.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias
from xml.sax.saxutils import escape

from mnemata.automata.drawing.errors import DrawingError
from mnemata.automata.drawing.measuring import with_lengths
from mnemata.theory.errors import EnvironmentProblem, LimitError

Format: TypeAlias = Literal["svg", "png", "pdf"]

SECONDS_TO_RENDER: Final = 60.0
"""A layout that takes longer is given up."""

_HIGHEST_DPI: Final = 2400
_FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{folder}</dir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""
_DATE_IN_PDF = re.compile(rb"/CreationDate \(D:[^)]*\)")
_SUBSCRIPT = re.compile(
    r'(?P<before><text [^>]*\by=")(?P<y>-?[\d.]+)(?P<between>"[^>]*?) baseline-shift="sub"'
    r'(?P<after>[^>]*? font-size=")(?P<size>[\d.]+)"'
)


def render(dot: str, picture_format: Format, *, dpi: int = 150, seconds: float = SECONDS_TO_RENDER) -> bytes:
    """The picture that a DOT text describes.

    Parameters
    ----------
    dot : str
        One graph. Its attribute ``layout`` chooses the layout program, ``dot`` if it has none.
    picture_format : {"svg", "png", "pdf"}
        The same text gives the same bytes.
    dpi : int
        Resolution of a PNG; a picture wider or higher than 32767 pixels is scaled down to fit.
    seconds : float
        How long it may take.

    Raises
    ------
    EnvironmentProblem
        Neither pygraphviz nor a ``dot`` program can be used; the message says how to install one.
    LimitError
        The layout was not finished in time.
    DrawingError
        The DOT text is not well-formed, or `dpi` is not a whole number from 1 to 2400.
    """
    if not isinstance(dpi, int) or not 1 <= dpi <= _HIGHEST_DPI:
        raise DrawingError(f"dpi is a whole number from 1 to {_HIGHEST_DPI}, got {dpi!r}")
    picture = _run(_command(picture_format, dpi), dot, seconds)
    if picture_format == "svg":
        return _fitted(with_plain_subscripts(picture.decode("utf-8"))).encode("utf-8")
    # The date would be the only difference between two renderings; its length must not change.
    return _DATE_IN_PDF.sub(_without_date, picture) if picture_format == "pdf" else picture


def _fitted(svg: str) -> str:
    folder = _font_folder()
    return svg if folder is None else with_lengths(svg, folder)


def with_plain_subscripts(svg: str) -> str:
    """`svg` with subscripts as smaller text set lower.

    Graphviz measures them so but writes ``baseline-shift`` at full size, which some browsers ignore and the
    others draw over the text that follows.

    >>> with_plain_subscripts('<text x="1" y="10" baseline-shift="sub" font-size="12.00">s</text>')
    '<text x="1" y="12.40" font-size="10.00">s</text>'
    """

    def plain(found: re.Match[str]) -> str:
        size = float(found["size"])
        lower = f"{float(found['y']) + 0.2 * size:.2f}"
        return f'{found["before"]}{lower}{found["between"]}{found["after"]}{size / 1.2:.2f}"'

    return _SUBSCRIPT.sub(plain, svg)


def _without_date(found: re.Match[bytes]) -> bytes:
    start, end = b"/CreationDate (D:", b")"
    return start + b"0" * (len(found[0]) - len(start) - len(end)) + end


def _command(picture_format: Format, dpi: int) -> list[str]:
    if importlib.util.find_spec("pygraphviz") is not None:
        # -P: the folder of the script must not become a place to import from.
        return [sys.executable, "-P", str(Path(__file__).with_name("bundled.py")), picture_format, str(dpi)]
    if program := shutil.which("dot"):
        resolution = [f"-Gdpi={dpi}"] if picture_format == "png" else []
        return [program, f"-T{picture_format}", *resolution]
    raise EnvironmentProblem(f"pictures need Graphviz and none was found. {_INSTALL}")


_INSTALL: Final = f"Install it with: {shlex.quote(sys.executable)} -m pip install 'pygraphviz>=2'"


def _run(command: list[str], dot: str, seconds: float) -> bytes:
    with _environment() as environment:
        try:
            done = subprocess.run(
                command, input=dot.encode("utf-8"), capture_output=True, env=environment, timeout=seconds
            )
        except subprocess.TimeoutExpired:
            raise LimitError(
                f"laying the drawing out takes longer than {seconds:g} s; draw fewer states (states=...), "
                "or take the DOT text to a layout program for large graphs"
            ) from None
        except OSError as error:
            raise EnvironmentProblem(f"{command[0]} does not start: {error.strerror}. {_INSTALL}") from None
    complaints = done.stderr.decode("utf-8", errors="replace").splitlines()
    _check(done.returncode, complaints, done.stdout)
    return done.stdout


def _check(status: int, complaints: list[str], picture: bytes) -> None:
    missing = [line for line in complaints if line.startswith(("ImportError", "ModuleNotFoundError"))]
    if missing:
        raise EnvironmentProblem(f"the pygraphviz found here does not load ({missing[-1]}). {_INSTALL}")
    # Graphviz goes on after an error, with a label or an edge left out.
    wrong = [line for line in complaints if line.startswith("Error")]
    if wrong:
        raise DrawingError(f"Graphviz cannot draw this DOT text: {wrong[0]}")
    if status != 0 or not picture:
        reason = complaints[-1] if complaints else f"status {status}"
        raise EnvironmentProblem(f"Graphviz failed ({reason}). {_INSTALL}")


@contextmanager
def _environment() -> Iterator[dict[str, str]]:
    """The environment of the program that renders: this one's imports, and fonts of known metrics."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    folder = _font_folder()
    if folder is None:
        yield environment
        return
    with tempfile.TemporaryDirectory(prefix="mnemata-") as scratch:
        configuration = Path(scratch) / "fonts.conf"
        configuration.write_text(_FONTS.format(folder=escape(str(folder))), encoding="utf-8")
        # Where Pango has a choice, only its fontconfig back end reads the file.
        yield environment | {"FONTCONFIG_FILE": str(configuration), "PANGOCAIRO_BACKEND": "fc"}


def _font_folder() -> Path | None:
    found = importlib.util.find_spec("matplotlib")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    return folder if folder.is_dir() else None
