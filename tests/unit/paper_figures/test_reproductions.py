"""The figures and tables of the papers: what they show is what the texts say of them."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from mnemata.automata.cea.evaluation import evaluate
from mnemata.automata.constructions.powerset import powerset_with_subsets
from mnemata.automata.constructions.unrolling import unroll
from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.automata.drawing import Drawing
from mnemata.automata.srt.runs import matches
from mnemata.paper_figures.catalogue import REPRODUCTIONS, chosen
from mnemata.paper_figures.cel import operators
from mnemata.paper_figures.cel.compact_sets import FIGURE_8, STREAM, example_7
from mnemata.paper_figures.cel.sensors import SECTION_3, formula, found
from mnemata.paper_figures.index import index
from mnemata.paper_figures.reproductions import Reproduction
from mnemata.paper_figures.srt import automata, streams
from mnemata.paper_figures.srt.notation import NOTATION
from mnemata.theory.cel import formulas
from mnemata.theory.errors import UnknownFigureError
from mnemata.theory.trees import walk

GALLERY = Path(__file__).parents[3] / "paper_figures" / "gallery"
IDS = [one.id for one in REPRODUCTIONS]
DIGESTS = """
import hashlib
from mnemata.automata.drawing import Drawing
from mnemata.paper_figures.catalogue import REPRODUCTIONS
for one in REPRODUCTIONS:
    made = one.make()
    for part in made if isinstance(made, tuple) else (made,):
        if isinstance(part, Drawing):
            print(one.id, hashlib.sha256(part.dot.encode()).hexdigest())
"""


def drawings(one: Reproduction) -> list[Drawing]:
    made = one.make()
    return [part for part in (made if isinstance(made, tuple) else (made,)) if isinstance(part, Drawing)]


@pytest.mark.parametrize("one", REPRODUCTIONS, ids=IDS)
def test_the_gallery_has_it_as_it_is_made_today(one: Reproduction, tmp_path: Path) -> None:
    made = one.save(tmp_path)
    assert made
    for path in made:
        text, kept = path.read_text(encoding="utf-8"), GALLERY / path.name
        assert one.heading in text or "<svg" in text
        assert kept.is_file(), "write it with: mnemata figures -o paper_figures/gallery"
        if path.suffix != ".svg":  # the bytes of pictures depend on the version of Graphviz
            assert kept.read_text(encoding="utf-8") == text


def test_the_gallery_lists_what_there_is() -> None:
    made = {one.id: kept_files(one) for one in REPRODUCTIONS}
    assert (GALLERY / "README.md").read_text(encoding="utf-8") == index(REPRODUCTIONS, made)
    listed = {path for files in made.values() for path in files}
    assert listed == set(GALLERY.iterdir()) - {GALLERY / "README.md"}


def kept_files(one: Reproduction) -> list[Path]:
    """Pictures, then pages."""
    found = [*GALLERY.glob(f"{one.id}.*"), *GALLERY.glob(f"{one.id}-?.svg")]
    return sorted(found, key=lambda path: (path.suffix != ".svg", path.name))


def test_pictures_are_the_same_whatever_the_hash_seed() -> None:
    printed = set()
    for seed in ("1", "2"):
        environment = dict(os.environ, PYTHONHASHSEED=seed, PYTHONPATH=os.pathsep.join(sys.path))
        done = subprocess.run(
            [sys.executable, "-c", DIGESTS], env=environment, capture_output=True, text=True, check=True
        )
        printed.add(done.stdout)
    own = [
        f"{one.id} {hashlib.sha256(d.dot.encode()).hexdigest()}"
        for one in REPRODUCTIONS
        for d in drawings(one)
    ]
    (only,) = printed
    assert only.splitlines() == own
    assert len(own) > 10


def test_pictures_say_that_they_were_reconstructed() -> None:
    for one in REPRODUCTIONS:
        for first in drawings(one)[:1]:
            assert "reconstructed" in first.dot, one.id


def test_names_may_be_beginnings_and_others_are_refused() -> None:
    assert [one.id for one in chosen(["rma"])] == [
        "rma-table-1",
        "rma-figure-1",
        "rma-figure-2",
        "rma-figure-3",
    ]
    assert len(chosen(["srt-figure-1"])) == 1
    with pytest.raises(UnknownFigureError, match=r"no figure 'srt-figure-33'\. Did you mean 'srt-figure-"):
        chosen(["srt-figure-33"])


def test_expression_2_matches_what_examples_19_and_25_say() -> None:
    srt, run = automata.example_25()
    assert run.marks == {1, 4}
    assert matches(srt, streams.TABLE_1[:4]) == {frozenset({1, 4})}


def test_figure_5_the_window_of_two_is_deterministic_at_once() -> None:
    srt = automata.automaton(automata.FIGURE_4)
    assert (srt.size, len(srt.transitions), srt.registers) == (3, 4, {"r1"})
    assert is_deterministic(srt, automata.TAGGED).no
    assert is_deterministic(unroll(srt, window=2), automata.TAGGED).yes
    assert is_deterministic(unroll(srt, window=3), automata.TAGGED).no
    unrolled = powerset_with_subsets(unroll(srt, window=3), automata.TAGGED)[0]
    for made in (unrolled, srt.determinize(window=3)):
        assert is_deterministic(made, automata.TAGGED).yes


def test_figure_14_has_a_target_for_each_combination_of_conditions() -> None:
    srt = automata.example_14()
    leaving = {state: {t.target for t in srt.outgoing(state)} for state in (1, 4)}
    assert leaving == {1: {2, 3}, 4: {5}}
    made, subsets = powerset_with_subsets(srt, automata.ANYTHING)
    both = subsets.index(frozenset({1, 4}))
    targets = [subsets[t.target] for t in made.outgoing(both)]
    combinations = [frozenset(c) for n in range(4) for c in itertools.combinations((2, 3, 5), n)]
    assert sorted(targets, key=sorted) == sorted(combinations, key=sorted)


def test_figure_7_has_the_seven_complex_events_of_the_text() -> None:
    compact = example_7()
    five, six = (node for node in range(1, len(compact)) if compact.position(node) in (5, 6))
    expected = [{5, 2, 1}, {5, 3, 1}, {5, 3}, {6, 2, 1}, {6, 3, 1}, {6, 3}, {6, 4}]
    assert compact.complex_events((five, six)) == set(map(frozenset, expected))


def test_figure_8_finds_the_four_complex_events_of_the_text() -> None:
    *before, last = evaluate(FIGURE_8, STREAM)
    assert before == [[], [], []]
    assert sorted(map(sorted, last)) == [[0, 1, 2, 3], [0, 1, 3], [0, 2, 3], [0, 3]]


def test_table_1_of_cel_says_which_operators_unary_formulas_have() -> None:
    (table,) = operators.table_1().tables
    ticks = {row[0]: row[2:5] for row in table.rows}
    lacking = {name for name, (_, unary, automaton) in ticks.items() if "✗" in (unary, automaton)}
    assert lacking == {"correlation", "projection of attributes"}


def test_every_operator_of_cel_is_in_figure_2_and_is_needed_by_its_example() -> None:
    for operator in operators.OPERATORS:
        node = getattr(formulas, operator.node)
        assert any(isinstance(part, node) for part in walk(formula(operator.example))), operator.name


def test_the_complex_events_of_section_3() -> None:
    assert {name: found(text) for name, text in SECTION_3.items()} == {
        "φ1": "{1, 2} {1, 8} {5, 8}",
        "φ1'": "{1, 2}",
        "φ2": "{1, 2} {1, 8} {2, 5} {5, 8}",
        "φ2'": "{1, 2} {1, 8} {2, 5} {5, 8}",
        "φ3": "{3, 4, 6, 7} {3, 4, 7} {3, 6, 7}",
        "φ3'": "{3, 4, 7} {3, 6, 7}",
        "φ4": "{4} {4, 6} {6}",
        "φ5": "{3, 4, 6, 7} {3, 4, 7} {3, 6, 7}",
    }


@pytest.mark.parametrize("name", [name for _, _, name in NOTATION])
def test_the_names_of_the_notation_exist(name: str) -> None:
    module, member = f"mnemata.{name}".rsplit(".", 1)
    assert hasattr(import_module(module), member)
