"""SRT Definition 13: what conditions mean."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.denoting import one_minterm_holds
from mnemata.theory.conditions.evaluation import models
from mnemata.theory.satisfiability.minterms import minterms

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Definition 13",
    title="conditions are two-valued",
    statement=(
        "An atom that reads an empty register is false, and its negation is true. So of the minterms of "
        "any conditions exactly one is true of an event and register contents."
    ),
    latex=r"\forall u, v:\ \textstyle\sum_{m \in \mathit{Minterms}(\Phi)} [(u, v) \models m] = 1",
    expected=Standing.HOLDS,
    constructions=(models, minterms),
    evidence=(Search(one_minterm_holds()),),
    errata=("A6",),
    remark=(
        "Def. 12 calls a valuation compatible with a condition if no register in it is empty. If "
        "conditions had values only there, no minterm would be true otherwise, and Alg. 7 and 8 would "
        "lose strings; Def. 13 does not ask for it. As a definition it has no proof to be checked "
        "further."
    ),
)
