"""Figures 1 to 3 of the RMA paper, drawn from what the constructions make.

Figure 3b is drawn for w = 2, where the published construction is right, and beside it for w = 3, where it is
not (ERRATA C2).
"""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.constructions.rma.determinization import (
    determinize_recogniser,
    determinize_recogniser_as_published,
    unrolled,
)
from mnemata.automata.constructions.rma.translation import translate
from mnemata.automata.drawing import draw, draw_stages
from mnemata.automata.drawing.draw import Stage
from mnemata.automata.drawing.drawing import Drawing
from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.srt.transducer import Transition
from mnemata.paper_figures.reproductions import caption
from mnemata.paper_figures.rma.sensors import EXPRESSION_1, SENSORS, expression

EXPRESSION_4: Final = (
    "(T AS x FILTER x.value < -40.0 OR T AS x FILTER x.value > 50.0); T AS y FILTER y.id = x.id"
)
LONGEST_GUARD: Final = 12
"""Longer conditions are named on the arrows, with their arguments, and spelled out in a legend."""


def rma_of_expression_1() -> RMA:
    """The RMA of Figure 1: translated, without epsilon transitions, equal states merged."""
    srt = translate(expression(EXPRESSION_1), SENSORS).srt
    return with_start(merge_equivalent(eliminate_epsilon(srt)))


def figure_1() -> Drawing:
    """The RMA of expression (1)."""
    return draw(rma_of_expression_1().srt, title=caption(EXPRESSION_1), longest=LONGEST_GUARD)


def figure_2() -> Drawing:
    """The RMA of expression (4) with its epsilon transitions; in blue what the filter over both changed."""
    rma = translate(expression(EXPRESSION_4), SENSORS)
    changed = [t for t in rma.transitions if _changed(t)]
    return draw(rma.srt, title=caption(EXPRESSION_4), new=changed, longest=LONGEST_GUARD)


def figure_3() -> Drawing:
    """Unrolling and determinization of expression (1) in a window, as published and as repaired."""
    rma = rma_of_expression_1()
    wrong = determinize_recogniser_as_published(rma, 3, SENSORS)
    stages = (
        ("unrolled, w = 2", unrolled(rma, 2)),
        ("unrolled, w = 3 (Fig. 3a)", unrolled(rma, 3)),
        ("power set, w = 2 (Fig. 3b)", determinize_recogniser_as_published(rma, 2, SENSORS)),
        ("power set, w = 3: accepts nothing on T1 T2 H1", wrong),
        ("ring buffer, w = 3", determinize_recogniser(rma, 3)),
    )
    return draw_stages(
        [Stage(title, made.srt) for title, made in stages], title=caption(EXPRESSION_1), longest=LONGEST_GUARD
    )


def _changed(transition: Transition) -> bool:
    return bool(transition.writes or transition.reads)
