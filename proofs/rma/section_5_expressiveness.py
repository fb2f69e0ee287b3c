"""RMA Section 5: RMA do more than bounded expressions."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.walking import more_than_bounded_expressions

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Section 5, expressiveness",
    title="more than bounded expressions",
    statement=(
        "There are expressions that are not bounded and have an RMA all the same: a T, then one or "
        "more H, each from the same sensor as the T."
    ),
    latex=(r"(T\ \mathsf{AS}\ x) ; (H\ \mathsf{AS}\ y\ \mathsf{FILTER}\ y.\mathit{id} = x.\mathit{id})^+"),
    expected=Standing.HOLDS,
    constructions=(),
    evidence=(Search(more_than_bounded_expressions()),),
    remark=(
        "The RMA is made by hand, with one register; that it is right is searched over streams. It "
        "needs no induction beyond that of Theorem 8."
    ),
)
