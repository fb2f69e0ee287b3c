"""RMA Theorem 13: not determinizable regardless of output."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Adversary
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.adversaries import against_recogniser
from mnemata.proofs.rma.candidates import RECOGNISERS
from mnemata.proofs.rma.defeating import no_recogniser_has_one_run

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Theorem 13",
    title="not determinizable regardless of output",
    statement=(
        "No RMA with at most one run recognises what the RMA of Fig. 1 does: a T, and later an H from "
        "the same sensor."
    ),
    latex=(
        r"\neg \exists A^D\ \forall S:\ \mathit{Run}^f(A_1, S) \ne \emptyset \iff \mathit{Run}^f(A^D, "
        r"S) \ne \emptyset"
    ),
    expected=Standing.HOLDS,
    constructions=(against_recogniser,),
    evidence=(Adversary(claim=no_recogniser_has_one_run(), by_hand=RECOGNISERS),),
    errata=("C5",),
    remark=(
        "Whatever relations conditions are made of, positions included: configurations are too few to "
        "tell the sets of ids seen so far apart. The sketch of a proof in the paper uses a stream "
        "that one register can handle, see there."
    ),
)
