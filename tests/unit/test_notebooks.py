"""The notebooks are their sources, executed; and each ends with something to change."""

from __future__ import annotations

import re
from pathlib import Path

import jupytext
import nbformat
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
SOURCES = sorted(FOLDER.glob("*.py"))
LAST_HEADING = "## Your turn"

a_notebook = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)


def executed(source: Path) -> nbformat.NotebookNode:
    return nbformat.read(source.with_suffix(".ipynb"), as_version=4)


def test_every_source_has_a_notebook_and_every_notebook_a_source() -> None:
    assert {path.stem for path in SOURCES} == {path.stem for path in FOLDER.glob("*.ipynb")} != set()


def test_every_notebook_is_listed() -> None:
    listed = re.findall(r"\]\((\w+)\.ipynb\)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == [path.stem for path in SOURCES]


@a_notebook
def test_its_cells_are_those_of_its_source(source: Path) -> None:
    cells = [[(cell.cell_type, cell.source) for cell in one.cells] for one in both(source)]
    assert cells[0] == cells[1], f"run: make notebooks ARGS='--write {source.stem}'"


def both(source: Path) -> tuple[nbformat.NotebookNode, nbformat.NotebookNode]:
    return jupytext.read(source), executed(source)


@a_notebook
def test_it_was_executed_from_top_to_bottom_and_nothing_went_wrong(source: Path) -> None:
    cells = [cell for cell in executed(source).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert not [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"]


@a_notebook
def test_it_says_nothing_of_the_machine_that_executed_it(source: Path) -> None:
    told = source.with_suffix(".ipynb").read_text(encoding="utf-8")
    assert re.findall(r"(?:/(?:home|root|tmp|Users|work)/[^\"' ]*|\bat 0x[0-9a-f]+)", told) == []


@a_notebook
def test_it_ends_with_something_to_change(source: Path) -> None:
    cells = jupytext.read(source).cells
    headings = [
        (number, line)
        for number, cell in enumerate(cells)
        if cell.cell_type == "markdown"
        for line in cell.source.splitlines()
        if re.match(r"##? ", line)
    ]
    number, last = headings[-1]
    assert last == LAST_HEADING
    assert any(cell.cell_type == "code" for cell in cells[number:])


@a_notebook
def test_what_it_links_to_is_there(source: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", source.read_text(encoding="utf-8"))
    assert [target for target in targets if not (FOLDER / target).exists()] == []
