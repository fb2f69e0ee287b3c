"""SRT Algorithm 4: unrolling."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.unrolling import unroll
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.unrolling import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinizing import unrolled_runs_are_those_of_the_automaton, unrolling_is_exact

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Algorithm 4",
    title="unrolling",
    statement="What is unrolled has the runs of up to k transitions of the automaton, and no others.",
    latex=(
        r"\mathit{Run}(\mathit{Unroll}(A, k), S) \cong \{ \varrho \in \mathit{Run}(A, S) : |\varrho| "
        r"\le k \}"
    ),
    expected=Standing.HOLDS,
    constructions=(unroll,),
    evidence=(
        Search(unrolling_is_exact()),
        Search(unrolled_runs_are_those_of_the_automaton()),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    errata=("A6",),
    remark=(
        "A recursion over Alg. 5 and 6, done in a loop; what holds without bounds is the proposition in "
        "App. A.7."
    ),
)
