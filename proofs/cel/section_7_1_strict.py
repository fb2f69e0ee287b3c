"""CEL Section 7.1: the definition of STRICT."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.selecting import strict_keeps_intervals, strict_semantics
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.semantics import select

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Section 7.1, STRICT",
    title="STRICT keeps intervals",
    statement=(
        "STRICT keeps the valuations whose support is an interval. As printed it asks that no position "
        "between two of the support is in the support; repaired, that all of them are."
    ),
    latex=r"\forall k_1, k_2 \in \sup(\mu)\, \forall k:\ k_1 < k < k_2 \Rightarrow k \in \sup(\mu)",
    expected=Standing.REPAIRED,
    constructions=(select,),
    evidence=(
        Search(strict_keeps_intervals(published=True), breaks=(1, 3)),
        Search(strict_keeps_intervals(published=False), reading=Reading.REPAIRED),
        Search(strict_semantics(), reading=Reading.REPAIRED),
    ),
    errata=("B6",),
    remark="The construction of Thm 7.2 is for the definition as meant.",
)
