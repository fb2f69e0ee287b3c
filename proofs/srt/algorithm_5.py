"""SRT Algorithm 5: unrolling, base case."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.unrolling import unroll
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinizing import nothing_is_unrolled

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Algorithm 5",
    title="unrolling to length 0",
    statement=("Unrolled to length 0 an automaton reads nothing, and accepts if its start state is final."),
    latex=r"\mathit{Lang}(A_0) = \mathit{Lang}(A) \cap \{\epsilon\}",
    expected=Standing.HOLDS,
    constructions=(unroll,),
    evidence=(Search(nothing_is_unrolled()),),
    remark="The base of an induction, with nothing further to prove.",
)
