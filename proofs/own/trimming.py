"""Trimming: states that no accepting run visits."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.trimming import trim
from mnemata.proofs.evidence import Search
from mnemata.proofs.induction.merging import TRIMMING
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.compiling import REMEMBERING, keeps_matches

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Trimming",
    title="states that are of no use",
    statement=(
        "Leaving out the states that lie on no path from the start to a final state changes no match."
    ),
    latex=(r"\mathit{Match}(\mathit{trim}(T), S) = \mathit{Match}(T, S)"),
    expected=Standing.HOLDS,
    constructions=(trim,),
    evidence=(
        Search(keeps_matches("trimming", trim)),
        Search(keeps_matches("trimming", trim, REMEMBERING)),
        TRIMMING,
    ),
)
