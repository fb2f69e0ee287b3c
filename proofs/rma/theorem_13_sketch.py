"""RMA Theorem 13, sketch of a proof: the stream it uses."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Adversary, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.adversaries import against_recogniser
from mnemata.proofs.rma.candidates import RECOGNISERS
from mnemata.proofs.rma.defeating import no_recogniser_has_one_run, one_id_is_not_handled

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Theorem 13, sketch",
    title="the stream of the sketch",
    statement=(
        "An RMA with at most one run and k registers cannot handle m > k events T followed by an H, "
        "all with one id. It can, with one register. Repaired: with ids that are pairwise different "
        "it cannot."
    ),
    latex=(r"m > k \implies T(i)^m H(i) \text{ is not handled with } k \text{ registers}"),
    expected=Standing.REPAIRED,
    constructions=(against_recogniser,),
    evidence=(
        Search(one_id_is_not_handled(), breaks=(2, 3)),
        Adversary(claim=no_recogniser_has_one_run(), by_hand=RECOGNISERS, reading=Reading.REPAIRED),
    ),
    errata=("C5",),
)
