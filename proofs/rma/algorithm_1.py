"""RMA Algorithm 1: filters, simplified."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.filters import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.literal import ALGORITHM_1, REPAIRED, construct, made
from mnemata.proofs.rma.matching import CHOICES_BEFORE, translation_is_exact

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Algorithm 1",
    title="filters, simplified",
    statement=(
        "Adding a filter at the transitions that consume the last of its variables, and registers for "
        "the others, gives an RMA for FILTER. To the letter only the first transition that consumes a "
        "variable writes its new register, so that the other branch of an OR writes none. Repaired: "
        "all of them write it."
    ),
    latex=(r"[\![A_{\varphi\,\mathsf{FILTER}\,f}]\!](S) = \{M \in [\![A_\varphi]\!](S) : v_S \models f\}"),
    expected=Standing.REPAIRED,
    constructions=(construct,),
    evidence=(
        Search(
            translation_is_exact(
                made(ALGORITHM_1),
                "only the first transition writes",
                "RMA Alg. 1, lines 7 to 11",
                CHOICES_BEFORE,
            ),
            breaks=(3, 2),
        ),
        Search(
            translation_is_exact(made(REPAIRED), "all transitions write", "RMA Alg. 1", CHOICES_BEFORE),
            reading=Reading.REPAIRED,
        ),
        INDUCTION,
    ),
    remark=(
        "Not in the errata before. Line 9 stands under the condition of line 7; in the paper's own "
        "example, expression (4), the second transition for x would not write r1, which Fig. 2 shows "
        "it doing."
    ),
)
