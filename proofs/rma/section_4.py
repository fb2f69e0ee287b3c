"""RMA Section 4: registers are not empty when they are read."""

from __future__ import annotations

from typing import Final

from mnemata.automata.rma.selections import writes_before_reading
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.walking import registers_are_full_when_read

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Section 4, trails",
    title="registers are not empty when read",
    statement=(
        "If each register that a transition reads is written on every trail to its source, no "
        "transition reads an empty register on any run."
    ),
    latex=(
        r"\forall \delta\ \forall r \in \delta.\mathit{rs}:\ r \text{ appears in every trail to } "
        r"\delta.\mathit{source} \implies \gamma(r) \ne \sharp"
    ),
    expected=Standing.HOLDS,
    constructions=(writes_before_reading,),
    evidence=(Search(registers_are_full_when_read()),),
    remark=(
        "Every walk contains a trail with the same end and writes all that the trail does, and "
        "registers are never emptied; so no induction is needed."
    ),
)
