"""CEL Figure 6: how contiguous operators compare."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.pumping import (
    JOINED_BY_HAND,
    PAIRS_BY_HAND,
    joining_is_inexpressible,
    pairs_are_inexpressible,
)
from mnemata.proofs.evidence import Adversary
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.rewriting import strict_to_contiguous

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Section 8.2, Figure 6",
    title="STRICT and (+) are incomparable",
    statement=(
        "CEL* with STRICT is not contained in CEL* with (+), which has no formula for STRICT(R ; T), nor the "
        "other way around, if events can be compared; hence both are less than CEL* with : and (+)."
    ),
    latex=r"\mathrm{CEL}^* \cup \{\mathrm{STRICT}\} \not\subseteq \mathrm{CEL}^* \cup \{\oplus\},\quad "
    r"\mathrm{CEL}^* \cup \{\oplus\} \not\subseteq \mathrm{CEL}^* \cup \{\mathrm{STRICT}\}",
    expected=Standing.HOLDS,
    constructions=(strict_to_contiguous,),
    evidence=(
        Adversary(joining_is_inexpressible(), by_hand=JOINED_BY_HAND),
        Adversary(pairs_are_inexpressible(), by_hand=PAIRS_BY_HAND),
    ),
    remark=(
        "The inclusions of the figure are Prop. 8.12, 8.13 and 8.15. For any predicates about sets of events."
    ),
)
