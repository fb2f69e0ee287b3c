"""What a figure or table of a paper is here: a name, what it shows, how it agrees, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from mnemata.automata.drawing import Drawing
from mnemata.automata.drawing.plot import Plot
from mnemata.automata.drawing.saving import write_picture
from mnemata.paper_figures.tables import Table
from mnemata.proofs.results import Paper
from mnemata.theory.errors import SourceError


def caption(text: str) -> str:
    """What stands above a picture: its text, and that the paper's own picture was not at hand."""
    return f"{text} (reconstructed from the text of the paper)"


@dataclass(frozen=True, slots=True)
class Tables:
    """A page of tables.

    Parameters
    ----------
    tables : tuple of Table
        In order.
    text : str
        What stands above them, in Markdown.
    """

    tables: tuple[Table, ...]
    text: str = ""

    def markdown(self, heading: str) -> str:
        """The page in Markdown."""
        parts = (f"# {heading}", self.text, *(table.markdown() for table in self.tables))
        return "\n\n".join(part for part in parts if part) + "\n"

    def latex(self, heading: str) -> str:
        """The tables in LaTeX, to be put into a paper."""
        return "\n\n".join((f"% {heading}", *(table.latex() for table in self.tables))) + "\n"


Picture: TypeAlias = Drawing | Plot
Product: TypeAlias = Picture | Tables | tuple[Picture | Tables, ...]
"""A picture, a page of tables, or several of them in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """A figure or table of a paper, made by the project's own code.

    Parameters
    ----------
    paper : Paper
        Where it was published.
    number : str
        Its number there: ``"Figure 3"``, ``"Table 1"``.
    title : str
        What it shows, in our words.
    agreement : str
        In one line, how it agrees with what was published, or differs from it.
    make : callable
        Makes it.
    """

    paper: Paper
    number: str
    title: str
    agreement: str
    make: Callable[[], Product]

    @property
    def id(self) -> str:
        """Its name on the command line and that of its files, such as ``srt-figure-3``."""
        return f"{self.paper.value} {self.number}".lower().replace(" ", "-")

    @property
    def heading(self) -> str:
        """Its number and title."""
        return f"{self.paper.value} {self.number}: {self.title}"

    @property
    def maker(self) -> str:
        """The function that makes it, without ``mnemata.``."""
        return f"{self.make.__module__}.{self.make.__name__}".removeprefix("mnemata.")

    def save(self, folder: Path, formats: Sequence[str] = ("svg",)) -> list[Path]:
        """Make it and write its files: pictures in `formats`, tables in Markdown and LaTeX."""
        return saved(self, self.make(), folder, formats)


def saved(reproduction: Reproduction, product: Product, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write what was made into a folder: pictures in `formats`, tables in Markdown and LaTeX."""
    _prepare(folder)
    parts = product if isinstance(product, tuple) else (product,)
    return [*_pictures(reproduction, parts, folder, formats), *_pages(reproduction, parts, folder)]


def _pictures(
    reproduction: Reproduction, parts: Sequence[Picture | Tables], folder: Path, formats: Sequence[str]
) -> Iterator[Path]:
    pictures = [part for part in parts if not isinstance(part, Tables)]
    for number, picture in enumerate(pictures, start=1):
        name = reproduction.id if len(pictures) == 1 else f"{reproduction.id}-{number}"
        for chosen in formats:
            yield picture.save(folder / f"{name}.{chosen}")


def _pages(reproduction: Reproduction, parts: Sequence[Picture | Tables], folder: Path) -> Iterator[Path]:
    for part in parts:
        if isinstance(part, Tables):
            yield write_text(folder / f"{reproduction.id}.md", part.markdown(reproduction.heading))
            yield write_text(folder / f"{reproduction.id}.tex", part.latex(reproduction.heading))


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"cannot make the folder '{folder}': {error.strerror}") from None


def write_text(target: Path, text: str) -> Path:
    """Write a page; `SourceError` when that is impossible."""
    return write_picture(target, {target.suffix: partial(str.encode, text, "utf-8")})
