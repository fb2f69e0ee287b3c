"""The automata of Figures 1, 2, 4, 5 and 12 to 14, made by the constructions from the paper's expressions."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.constructions.powerset import Subset, powerset_with_subsets
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.trimming import trim
from mnemata.automata.constructions.unrolling import unroll
from mnemata.automata.drawing import Drawing, Stage, draw, draw_stages
from mnemata.automata.srt.runs import Run, accepting_runs
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.paper_figures.reproductions import caption
from mnemata.paper_figures.srt.streams import EXPRESSION_2, TABLE_1
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP, Relation
from mnemata.theory.schema import Bool, Int64, Schema, String
from mnemata.theory.sremo.expressions import Expression, Output, mark, skip

TAGGED: Final = Schema.of(type=String(), id=Int64())
"""Events with a type from any alphabet and an identifier, as in Figures 4, 12 and 13."""

_event, _held = head(TAGGED), register("r1", TAGGED)
FIGURE_4: Final[Expression] = (
    skip().star()
    >> mark(_event.type == "B", _held)
    >> skip().star()
    >> mark((_event.type == "S") & (_event.id == _held.id))
)
FIGURE_12: Final[Expression] = (
    skip().star() >> mark(write=_held) >> skip().star() >> mark(_event.type == _held.type) >> skip().star()
)
FIGURE_13: Final[Expression] = (
    skip().star()
    >> mark(_event.type == "a", _held)
    >> skip().star()
    >> mark((_event.type == "b") & (_event.id == _held.id))
)
SHORT: Final = 12
"""Longer conditions are named on the arrows and spelled out in a legend, as in the paper."""


def automaton(expression: Expression) -> SRT:
    """The SRT of an expression, without epsilon transitions and useless states, equal states merged."""
    return merge_equivalent(trim(thompson(expression).without_epsilon()))


def figure_1() -> Drawing:
    """The SRT of expression (2)."""
    return draw(automaton(EXPRESSION_2), title=caption("The SRT of expression (2)"), longest=SHORT)


def example_25() -> tuple[SRT, Run]:
    """That automaton with its accepting run over the first four events of Table 1."""
    srt = automaton(EXPRESSION_2)
    (run,) = accepting_runs(srt, TABLE_1[:4])
    return srt, run


def figure_2() -> Drawing:
    """That run, configuration by configuration."""
    srt, run = example_25()
    title = caption("A run of the SRT of expression (2) over the first four events of Table 1")
    return draw(run, srt=srt, title=title, longest=SHORT)


def figure_4() -> Drawing:
    """An SRT that is not deterministic, and cannot be made so."""
    title = caption("B, and at the end an S with the same id: not deterministic")
    return draw(automaton(FIGURE_4), title=title, longest=SHORT)


def figure_5() -> Drawing:
    """Its strings of up to two and three events: unrolled, deterministic as published, and by ring buffer."""
    srt = automaton(FIGURE_4)
    stages = (
        Stage("(a) unrolled, w = 2", unroll(srt, window=2)),
        Stage("(a) unrolled, w = 3", unroll(srt, window=3)),
        _power_set("(b) power set over minterms, w = 3", unroll(srt, window=3)),
        Stage("ring buffer, w = 3: the construction of this project", determinize(srt, window=3)),
    )
    title = caption("Deterministic automata for the SRT of Fig. 4 in a window, outputs left out")
    return draw_stages(stages, title=title, outputs=False, longest=SHORT)


def _power_set(title: str, unrolled: SRT) -> Stage:
    made, subsets = powerset_with_subsets(unrolled, TAGGED)
    shown = [state for state, subset in enumerate(subsets) if subset]
    return Stage(title, made, states=shown, names={state: named(subsets[state]) for state in shown})


def figure_12() -> Drawing:
    """Two events of one type: what it does not accept, no SRT accepts."""
    return draw(automaton(FIGURE_12), title=caption("Strings with two events of the same type"))


def figure_13() -> Drawing:
    """An a and then a b with the same identifier."""
    title = caption("An a, and at the end a b with the same id")
    return draw(automaton(FIGURE_13), title=title, longest=SHORT)


ANYTHING: Final = Schema.of(a=Bool())
_PHI: Final = tuple(Relation(f"φ{number}", 1, bool) for number in (1, 2, 3))
"""Any conditions: the solver knows nothing of them."""


def example_14() -> SRT:
    """Two states that are entered together, and left by three conditions."""
    both = (Transition(0, TOP, Output.SKIP, frozenset(), state) for state in (1, 4))
    ways = zip((1, 1, 4), _PHI, (2, 3, 5), strict=True)
    leaving = (Transition(a, phi("~"), Output.SKIP, frozenset(), b) for a, phi, b in ways)
    return SRT(6, 0, frozenset({2, 3, 5}), (*both, *leaving))


def figure_14() -> Drawing:
    """From sets of states and minterms to a deterministic automaton."""
    srt = example_14()
    made, subsets = powerset_with_subsets(srt, ANYTHING)
    shown = [state for state, subset in enumerate(subsets) if subset and state]
    stages = (
        Stage("(a) part of an automaton", srt, states=(1, 2, 3, 4, 5)),
        Stage(
            "(b) its states 1 and 4, reached together",
            made,
            states=shown,
            names={state: named(subsets[state]) for state in shown},
        ),
    )
    title = caption("Sets of states become states; the empty set is not drawn")
    return draw_stages(stages, title=title, outputs=False, longest=40)


def named(subset: Subset) -> str:
    """The name of a state that stands for a set of states.

    >>> named(frozenset({3, 0}))
    '{q_s, q_3}'
    """
    return f"{{{', '.join(f'q_{state}' if state else 'q_s' for state in sorted(subset))}}}"
