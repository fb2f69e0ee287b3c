"""SRT Appendix A.7: the proposition on determinization."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.powerset import powerset
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinizing import power_set_simulates

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Appendix A.7, proposition on determinization",
    title="the run of the power set",
    statement=(
        "The power set of an unrolled SRT has one run that goes with all of its runs: it accepts where "
        "one of them does, and registers that one of them has written hold the same."
    ),
    latex=(
        r"q_{n,i} \in q_{d,i},\quad v_{n,i}(r) = v_{d,i}(r) \text{ for } r \text{ written in } "
        r"\varrho_n"
    ),
    expected=Standing.HOLDS,
    constructions=(powerset,),
    evidence=(Search(power_set_simulates()),),
    errata=("A6",),
    remark=(
        "After every prefix. It says nothing of registers that a run has not written, and these are where "
        "Alg. 6 leaves open what is read, see Alg. 7."
    ),
)
