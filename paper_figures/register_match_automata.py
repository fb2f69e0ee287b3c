"""Figures 1 to 3 of the RMA paper, drawn from what the constructions make.

``python -m mnemata.paper_figures.register_match_automata FOLDER`` writes them as SVG.

Figure 3b is drawn for w = 2, where the published construction is right, and beside it for w = 3, where it is
not (ERRATA C2).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
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
from mnemata.theory.cepl.expressions import Expression
from mnemata.theory.schema import Category, Float64, Int64, Schema
from mnemata.theory.syntax import parse_cepl

SENSORS: Final = Schema.of(type=Category(("T", "H")), id=Int64(), value=Float64(), event_type="type")
"""Sensors that measure temperature and humidity, as in Table 1."""

EXPRESSION_1: Final = "T AS x; H AS y FILTER x.id = y.id"
EXPRESSION_4: Final = (
    "(T AS x FILTER x.value < -40.0 OR T AS x FILTER x.value > 50.0); T AS y FILTER y.id = x.id"
)
LONGEST_GUARD: Final = 12
"""Longer conditions are named on the arrows, with their arguments, and spelled out in a legend."""


def expression(text: str) -> Expression:
    """An expression of the paper, over the sensors."""
    return parse_cepl(text, schema=SENSORS, bounded=True).expression


def rma_of_expression_1() -> RMA:
    """The RMA of Figure 1: translated, without epsilon transitions, equal states merged."""
    srt = translate(expression(EXPRESSION_1), SENSORS).srt
    return with_start(merge_equivalent(eliminate_epsilon(srt)))


def figure_1() -> Drawing:
    """The RMA of expression (1)."""
    return draw(rma_of_expression_1().srt, title=EXPRESSION_1, longest=LONGEST_GUARD)


def figure_2() -> Drawing:
    """The RMA of expression (4) with its epsilon transitions; in blue what the filter over both changed."""
    rma = translate(expression(EXPRESSION_4), SENSORS)
    changed = [t for t in rma.transitions if _changed(t)]
    return draw(rma.srt, title=EXPRESSION_4, new=changed, longest=LONGEST_GUARD)


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
        [Stage(title, made.srt) for title, made in stages], title=EXPRESSION_1, longest=LONGEST_GUARD
    )


FIGURES: Final[Mapping[str, Callable[[], Drawing]]] = {
    "rma_figure_1": figure_1,
    "rma_figure_2": figure_2,
    "rma_figure_3": figure_3,
}
"""Each figure under the name of its file."""


def _changed(transition: Transition) -> bool:
    return bool(transition.writes or transition.reads)


def main() -> None:
    """Write all figures into the folder named on the command line, by default the present one."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in FIGURES.items():
        make().save(folder / f"{name}.svg")


if __name__ == "__main__":
    main()
