"""SRT Appendix A.7: the proposition on unrolling."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.unrolling import unroll
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.unrolling import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinizing import unrolled_runs_are_those_of_the_automaton

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Appendix A.7, proposition on unrolling",
    title="runs of the unrolled automaton",
    statement=(
        "The accepting runs of an SRT over strings of up to w events are those of the unrolled one, one "
        "for one: they are in copies of the same states, and the copy of a register that was written last "
        "holds what the register holds."
    ),
    latex=r"v_{e}(r) = v_{e_w}(\mathit{latest}(r))",
    expected=Standing.HOLDS,
    constructions=(unroll,),
    evidence=(
        Search(unrolled_runs_are_those_of_the_automaton()),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    errata=("A6",),
    remark=(
        "Compared as collections of marks and register contents, with their multiplicities. Of runs that "
        "cannot accept any more, which the construction may leave out, nothing is checked."
    ),
)
