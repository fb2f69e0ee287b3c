"""RMA Property 3, in the proof of Theorem 8: one register for each variable."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.literal import ALGORITHM_4, REPAIRED, construct
from mnemata.proofs.rma.walking import variables_have_one_register

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Property 3",
    title="one register for each variable",
    statement=(
        "All transitions that consume a variable write one and the same register, or none of them "
        "writes any. As published this fails where an OR joins automata in which filters gave a "
        "variable registers of their own. Repaired: after an OR registers of one variable become one, "
        "and all transitions that consume the variable write it."
    ),
    latex=(r"\delta x(\delta_i) = \delta x(\delta_j) \implies \delta_i.R = \delta_j.R"),
    expected=Standing.REPAIRED,
    constructions=(construct,),
    evidence=(
        Search(variables_have_one_register(ALGORITHM_4), breaks=(4, 0)),
        Search(variables_have_one_register(REPAIRED), reading=Reading.REPAIRED),
    ),
    remark=(
        "Not in the errata before; the proof leaves the case of OR out. What it does to matches is "
        "shown with Alg. 4."
    ),
)
