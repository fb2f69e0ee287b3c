"""SRT Appendix A.4: the construction for Theorem 34."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.intersection import intersection, intersection_as_published
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.intersection import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.closure import SMALL_TWO, WITHOUT_EPSILON, intersection_is_exact

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Appendix A.4, intersection",
    title="the product for intersection",
    statement=(
        "The product of two SRT has the matches that both have. To the letter any two transitions are "
        "paired, and an event is marked if both mark it, so that runs with different marks meet; and "
        "epsilon transitions of one side wait for the other. Repaired: transitions with equal outputs, of "
        "automata without epsilon transitions."
    ),
    latex=r"\delta = \delta_1 \times \delta_2 \text{ if } \delta_1.o = \delta_2.o",
    expected=Standing.REPAIRED,
    constructions=(intersection_as_published, intersection),
    evidence=(
        Search(intersection_is_exact(intersection_as_published, WITHOUT_EPSILON), breaks=(2, 1)),
        Search(intersection_is_exact(intersection_as_published, SMALL_TWO), breaks=(1, 0)),
        Search(intersection_is_exact(), reading=Reading.REPAIRED),
        INDUCTION,
    ),
    errata=("A4",),
    remark=("Two automata of one transition each, one of which marks, break it over a single event."),
)
