"""Merging states that are alike."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.proofs.evidence import Search
from mnemata.proofs.induction.merging import MERGING
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.compiling import REMEMBERING, keeps_matches

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Merging",
    title="states that are alike",
    statement=(
        "States that are alike in finality and in their transitions, up to states already merged, can "
        "be merged: the automaton has the same matches."
    ),
    latex=(r"q \sim q' \implies \mathit{Match}_{q,v}(T, S) = \mathit{Match}_{q',v}(T, S)"),
    expected=Standing.HOLDS,
    constructions=(merge_equivalent,),
    evidence=(
        Search(keeps_matches("merging", merge_equivalent)),
        Search(keeps_matches("merging", merge_equivalent, REMEMBERING)),
        MERGING,
    ),
)
