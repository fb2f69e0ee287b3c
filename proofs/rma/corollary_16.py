"""RMA Corollary 16: windowed expressions are determinizable regardless of output."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.rma.determinization import (
    determinize_recogniser,
    determinize_recogniser_as_published,
)
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.ring_buffer import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.determining import recogniser_has_one_run
from mnemata.proofs.rma.matching import PAIRS, corollary_16_is_exact, recogniser_is_exact

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Corollary 16",
    title="determinizable within a window",
    statement=(
        "Every unrolled RMA of a bounded windowed expression has an RMA with at most one run that "
        "recognises the same. As constructed, by the power set, it does not: the loop at the start "
        "lets registers be written again while they are needed. Repaired: a ring buffer of the last w "
        "- 1 events."
    ),
    latex=(r"\mathit{Run}^f(A_\varphi, S) \ne \emptyset \iff \mathit{Run}^f(A^D, S) \ne \emptyset"),
    expected=Standing.REPAIRED,
    constructions=(determinize_recogniser_as_published, determinize_recogniser),
    evidence=(
        Search(corollary_16_is_exact(), breaks=(2, 3)),
        Search(corollary_16_is_exact(window=2), reading=Reading.REPAIRED),
        Search(
            recogniser_is_exact(determinize_recogniser, "recogniser by the ring buffer", "ERRATA C2"),
            reading=Reading.REPAIRED,
        ),
        Search(
            recogniser_is_exact(determinize_recogniser, "the same, of pairs", "ERRATA C2", PAIRS),
            reading=Reading.REPAIRED,
        ),
        Search(recogniser_has_one_run(), reading=Reading.REPAIRED),
        INDUCTION,
    ),
    errata=("C2",),
    remark=("The power set is right in windows of up to two events, as in Fig. 3."),
)
