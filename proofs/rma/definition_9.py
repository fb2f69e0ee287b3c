"""RMA Definition 9: deterministic RMA."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.rma import is_deterministic_per_output
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.determining import figure_1_is_deterministic, has_one_run_for_each_output

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Definition 9",
    title="deterministic RMA",
    statement=(
        "If transitions of one state with one output exclude each other, no two runs have the same "
        "outputs, though there may be several runs. To the letter nothing is asked of start states "
        "and epsilon transitions. Repaired: there is one start state, as the text before the "
        "definition says, and no transition reads no event."
    ),
    latex=(r"o_1 = o_2 \implies \neg(f_1 \wedge f_2)"),
    expected=Standing.REPAIRED,
    constructions=(is_deterministic_per_output,),
    evidence=(
        Search(has_one_run_for_each_output(literal=True), breaks=(0, 0)),
        Search(has_one_run_for_each_output(literal=False), reading=Reading.REPAIRED),
        Search(figure_1_is_deterministic(), reading=Reading.REPAIRED),
    ),
    remark=("Not in the errata before; it is the flaw of SRT Definition 36 (ERRATA A8)."),
)
