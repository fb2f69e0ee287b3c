"""RMA Algorithm 2: unrolling, simplified."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.rma.determinization import unrolled
from mnemata.automata.constructions.rma.translation import translate
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.determining import unrolling_is_a_tree, unrolling_is_deterministic
from mnemata.proofs.rma.matching import SCHEMA, window_is_exact

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Algorithm 2",
    title="unrolling, simplified",
    statement=(
        "From a windowed expression Alg. 2 makes an unrolled RMA. As it is headed, a deterministic "
        "one, which it is not: the loop at the start and a transition that skips may be taken "
        "together. Repaired: an unrolled RMA with the same matches."
    ),
    latex=(r"A_\varphi \text{ unrolled},\quad [\![A_\varphi]\!](S) = [\![\psi\ \mathsf{WINDOW}\ w]\!](S)"),
    expected=Standing.REPAIRED,
    constructions=(unrolled,),
    evidence=(
        Search(unrolling_is_deterministic(), breaks=(1, 1)),
        Search(unrolling_is_a_tree(), reading=Reading.REPAIRED),
        Search(
            window_is_exact(lambda e, w: unrolled(translate(e, SCHEMA), w), "unrolled RMA", "RMA Alg. 2"),
            reading=Reading.REPAIRED,
        ),
    ),
    remark=("A slip in the heading of the listing, not in the errata before."),
)
