"""RMA Algorithms 7 and 8: unrolling."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.unrolling import unroll
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.unrolling import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.determining import unrolling_is_a_tree, unrolling_keeps_short_runs

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Algorithm 7",
    title="unrolling",
    statement=(
        "Unrolling up to k events, from a single state for k = 0, gives a tree of the walks of the "
        "automaton, in which every transition that writes has registers of its own, with the same "
        "matches over strings of up to k events."
    ),
    latex=(r"\mathit{Run}_j(A) \leftrightarrow \mathit{Run}_j(A_k) \text{ for } j \le k"),
    expected=Standing.HOLDS,
    constructions=(unroll,),
    evidence=(
        Search(unrolling_keeps_short_runs()),
        Search(unrolling_is_a_tree()),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    remark=(
        "With Alg. 8, the case k = 0. Where a register was not written on the walk, which does not "
        "happen in RMA of core-CEPL, atoms that read it are false (ERRATA A6)."
    ),
)
