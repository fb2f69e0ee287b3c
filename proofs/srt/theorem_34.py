"""SRT Theorem 34: closure under intersection."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.intersection import intersection
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.intersection import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.closure import ALIKE_BUT_FOR_MARKS, REMEMBERING_ALIKE, intersection_is_exact

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Theorem 34",
    title="closure under intersection",
    statement="For two SRT there is one whose matches are those that both have.",
    latex=r"\mathit{Match}(T_1 \cap T_2, S) = \mathit{Match}(T_1, S) \cap \mathit{Match}(T_2, S)",
    expected=Standing.HOLDS,
    constructions=(intersection,),
    evidence=(
        Search(intersection_is_exact()),
        Search(intersection_is_exact(instances=REMEMBERING_ALIKE)),
        Search(intersection_is_exact(instances=ALIKE_BUT_FOR_MARKS)),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    errata=("A4",),
    remark=(
        "True with the product of transitions that have equal outputs; that of the proof is in App. A.4. "
        "As an operator of expressions, said to cost nothing, intersection needs sides that do not write "
        "one another's registers: renaming them apart, as the proof does, would hide them from the rest "
        "of the expression."
    ),
)
