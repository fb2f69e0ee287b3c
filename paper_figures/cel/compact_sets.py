"""Figures 7 and 8: compact sets of complex events, and how Algorithm 2 makes one."""

from __future__ import annotations

from typing import Final

from mnemata.automata.cea.automaton import CEA, Transition
from mnemata.automata.cea.compact_sets import BOTTOM, CompactSet
from mnemata.automata.drawing import Drawing, draw_cea, draw_compact_set, draw_evaluation
from mnemata.paper_figures.reproductions import caption
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.schema import Schema, String

LETTERS: Final = Schema.of(type=String(), event_type="type")
_NONE, _MARK = frozenset[str](), frozenset({"•"})
_U, _V, _W = (head(LETTERS).type == letter for letter in "UVW")
FIGURE_8: Final = CEA(
    3,
    (
        Transition(0, TOP, _NONE, 0),
        Transition(0, _U, _MARK, 1),
        Transition(1, TOP, _NONE, 1),
        Transition(1, _V, _MARK, 1),
        Transition(1, _W, _MARK, 2),
    ),
    frozenset({0}),
    frozenset({2}),
)
"""``U ; [(V+ ; W) OR W]``, in normal form."""

STREAM: Final = tuple(LETTERS.stream([(letter,) for letter in "UVVW"]))


def example_7() -> CompactSet:
    """``{5,2,1} {5,3,1} {5,3} {6,2,1} {6,3,1} {6,3} {6,4}`` as a compact set."""
    compact = CompactSet()
    one = compact.extend(1, (BOTTOM, BOTTOM))
    compact.append(one, BOTTOM)
    two, three = compact.extend(2, (one, one)), compact.extend(3, (one, BOTTOM))
    four = compact.extend(4, (BOTTOM, BOTTOM))
    compact.append(two, three)
    compact.append(three, four)
    compact.append(compact.extend(5, (two, three)), compact.extend(6, (two, four)))
    return compact


def figure_7() -> Drawing:
    """Seven complex events in seven nodes."""
    title = caption("Paths from 5 and 6 to ⊥ are complex events; dashed arrows link the children of a node")
    return draw_compact_set(example_7(), title=title)


def figure_8() -> tuple[Drawing, ...]:
    """An automaton, and the compact set with the lists of active states after each event."""
    names = {0: "q_1", 1: "q_2", 2: "q_3"}
    title = caption("U ; [(V+ ; W) OR W] in normal form, read over U V V W")
    return (draw_cea(FIGURE_8, title=title, names=names), *draw_evaluation(FIGURE_8, STREAM, names=names))
