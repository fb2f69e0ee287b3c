"""Pictures of compact complex event sets (CEL Fig. 7 and 8)."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mnemata.automata.cea.automaton import CEA, Transition
from mnemata.automata.cea.compact_sets import BOTTOM, CompactSet
from mnemata.automata.drawing import draw_compact_set, draw_evaluation
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Schema, String

SCHEMA = Schema.of(type=String(), event_type="type")
NONE, MARK = frozenset[str](), frozenset({"•"})
U, V, W = (head(SCHEMA).type == letter for letter in "UVW")
FIGURE_8 = CEA(
    3,
    (
        Transition(0, TOP, NONE, 0),
        Transition(0, U, MARK, 1),
        Transition(1, TOP, NONE, 1),
        Transition(1, V, MARK, 1),
        Transition(1, W, MARK, 2),
    ),
    {0},
    {2},
)
"""``U ; [(V+ ; W) OR W]``."""


def figure_7() -> CompactSet:
    compact = CompactSet()
    one = compact.extend(1, (BOTTOM, BOTTOM))
    compact.append(one, BOTTOM)
    two, three = compact.extend(2, (one, one)), compact.extend(3, (one, BOTTOM))
    four = compact.extend(4, (BOTTOM, BOTTOM))
    compact.append(two, three)
    compact.append(three, four)
    compact.append(compact.extend(5, (two, three)), compact.extend(6, (two, four)))
    return compact


def test_figure_7() -> None:
    picture = draw_compact_set(figure_7(), title="Fig. 7")
    assert picture.description == "compact set of complex events with 7 nodes"
    lines = picture.dot.splitlines()
    dashed = [line for line in lines if "->" in line and "dashed" in line]
    solid = [line for line in lines if "->" in line and "dashed" not in line]
    assert len(dashed) == 4
    assert len(solid) == 9  # nodes 3, 5 and 6 have two ends, 1, 2 and 4 one
    assert "⊥" in picture.dot
    assert "⊥" not in draw_compact_set(figure_7(), ascii=True).dot


def test_figure_8_step_by_step() -> None:
    steps = draw_evaluation(FIGURE_8, SCHEMA.stream([[letter] for letter in "UVVW"]))
    assert [step.description for step in steps] == [
        "compact set of complex events with 2 nodes, 2 lists",
        "compact set of complex events with 3 nodes, 2 lists",
        "compact set of complex events with 4 nodes, 2 lists",
        "compact set of complex events with 5 nodes, 3 lists",
    ]
    assert steps[-1].svg().lstrip().startswith("<?xml")
    named = draw_evaluation(FIGURE_8, SCHEMA.stream([["U"]]), names={1: "waiting"})
    assert "waiting" in named[0].dot


def test_large_sets_are_refused() -> None:
    compact = CompactSet()
    for position in range(300):
        compact.extend(position, (BOTTOM, BOTTOM))
    with pytest.raises(LimitError, match="301 nodes"):
        draw_compact_set(compact)


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_same_bytes_whatever_the_hash_seed(seed: str) -> None:
    script = (
        "from test_match_graph import FIGURE_8, SCHEMA\n"
        "from mnemata.automata.drawing import draw_evaluation\n"
        "print(draw_evaluation(FIGURE_8, SCHEMA.stream([['U'], ['V'], ['W']]))[-1].dot)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=os.path.dirname(__file__),
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = draw_evaluation(FIGURE_8, SCHEMA.stream([["U"], ["V"], ["W"]]))[-1].dot
    assert run.stdout == f"{expected}\n"
