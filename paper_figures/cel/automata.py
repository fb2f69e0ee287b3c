"""Figures 4 and 5: complex event automata."""

from __future__ import annotations

from typing import Final

from mnemata.automata.cea.automaton import CEA, Transition
from mnemata.automata.constructions.cea.compilation import compile_cel
from mnemata.automata.drawing import Drawing, draw_cea
from mnemata.paper_figures.cel.sensors import SENSORS
from mnemata.paper_figures.reproductions import caption
from mnemata.theory.cel.formulas import Relation
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.formulas import TOP

_event: Final = head(SENSORS)
T, H = _event.type == "T", _event.type == "H"
_NONE: Final = frozenset[str]()

FIGURE_4: Final = CEA(
    3,
    (
        Transition(0, TOP, _NONE, 0),
        Transition(0, H, frozenset({"H1"}), 1),
        Transition(1, TOP, _NONE, 1),
        Transition(1, T, frozenset({"T"}), 1),
        Transition(1, H, frozenset({"H2"}), 2),
    ),
    frozenset({0}),
    frozenset({2}),
)
"""An H, any of the Ts that follow, and another H."""


def figure_4() -> Drawing:
    """The automaton of Example 5.3."""
    title = caption("From one H to another, with any of the Ts between: more and more complex events")
    return draw_cea(FIGURE_4, title=title, names={0: "q_1", 1: "q_2", 2: "q_3"})


def figure_5() -> Drawing:
    """What an event type is compiled to."""
    return draw_cea(compile_cel(Relation("T"), SENSORS).cea, title=caption("The automaton of the formula T"))
