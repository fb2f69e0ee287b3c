"""SRT Section 6: membership."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.machines import membership, membership_is_satisfiability

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 6, membership",
    title="whether a string is accepted",
    statement=(
        "It is NP-hard to decide whether an SRT accepts a string, with equality as the only relation."
    ),
    latex=r"S_\phi \in \mathit{Lang}(e_\phi) \iff \phi \text{ is satisfiable}",
    expected=Standing.HOLDS,
    constructions=(membership,),
    evidence=(Search(membership_is_satisfiability()),),
    remark=(
        "By a reduction of satisfiability: registers guess the values of variables, and each clause is an "
        "event. That it is no harder than NP where relations are decided in polynomial time follows from "
        "guessing a run; a run without epsilon transitions is as long as the string. Tried on formulas "
        "over three variables."
    ),
)
