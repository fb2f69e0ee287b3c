"""The page that lists figures and tables, with how they agree with what was published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from mnemata.paper_figures.reproductions import Reproduction, write_text
from mnemata.proofs.results import Paper

NAMES: Final = {
    Paper.SRT: "Complex event recognition with symbolic register transducers (SRT)",
    Paper.CEL: "A formal framework for complex event recognition (CEL)",
    Paper.RMA: "Symbolic automata with memory (RMA)",
}
INTRODUCTION: Final = """\
# The figures and tables of the papers

Made by `mnemata figures`. Automata come from the constructions, complex events from the semantics; nothing is
drawn by hand. The papers' own pictures were not at hand: all were reconstructed from captions and text.
"""


def write_index(folder: Path, picked: Sequence[Reproduction], made: Mapping[str, Sequence[Path]]) -> Path:
    """Write README.md into the folder; `made` are the files of each figure."""
    return write_text(folder / "README.md", index(picked, made))


def index(picked: Sequence[Reproduction], made: Mapping[str, Sequence[Path]]) -> str:
    """The page: for each figure its files, where it is made, and one line on agreement."""
    return "\n".join((INTRODUCTION, *_sections(picked, made)))


def _sections(picked: Sequence[Reproduction], made: Mapping[str, Sequence[Path]]) -> Iterator[str]:
    for paper, name in NAMES.items():
        of_paper = [one for one in picked if one.paper is paper]
        if of_paper:
            yield f"## {name}\n\n| | shows | files | made by | agreement |\n|---|---|---|---|---|"
            yield from (_row(one, made[one.id]) for one in of_paper)
            yield ""


def _row(one: Reproduction, files: Sequence[Path]) -> str:
    links = ", ".join(f"[{path.name}]({path.name})" for path in files)
    return f"| {one.number} | {one.title} | {links} | `{one.maker}` | {one.agreement} |"
