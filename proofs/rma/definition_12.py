"""RMA Definition 12: determinism regardless of output."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.rma import is_output_agnostic_deterministic
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.determining import determinism_is_decided, has_one_run

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Definition 12",
    title="determinism regardless of output",
    statement=(
        "If all transitions of one state exclude each other, there is at most one run over every "
        "stream. To the letter nothing is asked of start states and epsilon transitions. Repaired: "
        "there is one start state, and no transition reads no event."
    ),
    latex=(r"\neg(f_1 \wedge f_2) \implies |\mathit{Run}_n(A, S)| \le 1"),
    expected=Standing.REPAIRED,
    constructions=(is_output_agnostic_deterministic,),
    evidence=(
        Search(has_one_run(literal=True), breaks=(0, 0)),
        Search(has_one_run(literal=False), reading=Reading.REPAIRED),
        Search(determinism_is_decided(), reading=Reading.REPAIRED),
    ),
    remark=("Not in the errata before; it is the flaw of SRT Definition 36 (ERRATA A8)."),
)
