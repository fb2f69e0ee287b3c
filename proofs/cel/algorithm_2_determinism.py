"""CEL Algorithm 2 without I/O-determinism."""

from __future__ import annotations

from typing import Final

from mnemata.automata.cea.evaluation import Evaluation
from mnemata.proofs.cel.evaluating import determinism_is_not_needed
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Algorithm 2, without determinism",
    title="evaluation needs I/O-determinism",
    statement=(
        "Alg. 2 works for every CEA of one variable and one initial state. This the paper does not say: it "
        "says that I/O-determinism is needed, and it is."
    ),
    latex=r"|I| = 1 \not\Rightarrow \mathit{CE}(T_i[p]) = \lfloor \mathcal{A} \rfloor_i^p(S)",
    expected=Standing.REFUTED,
    constructions=(Evaluation,),
    evidence=(
        Search(determinism_is_not_needed(once=True), breaks=(2, 1)),
        Search(determinism_is_not_needed(once=False), breaks=(4, 3)),
    ),
    errata=("B12",),
    remark="Lists are joined twice: complex events come twice, are lost, or are found where no run has them.",
)
