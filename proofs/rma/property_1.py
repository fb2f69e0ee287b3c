"""RMA Property 1, in the proof of Theorem 8: bound variables appear once."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.literal import construct
from mnemata.proofs.rma.walking import each_variable_appears_once

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Property 1",
    title="bound variables appear once",
    statement=(
        "On every accepting walk, and on some trail that it contains, each variable that the "
        "expression binds is consumed exactly once."
    ),
    latex=(r"\forall w\ \forall x \in \mathit{bound}(\varphi):\ x \text{ appears exactly once in } w"),
    expected=Standing.HOLDS,
    constructions=(construct,),
    evidence=(Search(each_variable_appears_once()),),
    remark=(
        "Structural, by induction on the expression, which is left to the search: a walk goes through "
        "one part of a choice and through all parts of a sequence, and iterations bind nothing. What "
        "follows from it for filters is proved without bounds, see Theorem 8."
    ),
)
