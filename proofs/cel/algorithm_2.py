"""CEL Algorithm 2: evaluation."""

from __future__ import annotations

from typing import Final

from mnemata.automata.cea.compact_sets import CompactSet
from mnemata.automata.cea.evaluation import Evaluation
from mnemata.proofs.cel.evaluating import any_order_is_right, compact_sets_stay_valid
from mnemata.proofs.evidence import Search
from mnemata.proofs.induction import compact_sets
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Algorithm 2",
    title="evaluation of automata in normal form",
    statement=(
        "Alg. 2 keeps for each active state the complex events of the runs that end there, in a compact set "
        "that satisfies restrictions (1) to (5) and never loses what it held, in any order of states and "
        "actions."
    ),
    latex=r"C \in \mathit{CE}(T_i[p]) \Leftrightarrow \exists \rho\text{ over } t_0 \dots t_{i-1}"
    r"\text{ to } p:\ \mathit{events}(\rho) = C",
    expected=Standing.HOLDS,
    constructions=(Evaluation, CompactSet),
    evidence=(
        Search(compact_sets_stay_valid()),
        Search(any_order_is_right()),
        compact_sets.INDUCTION,
    ),
    errata=("B12",),
    remark=(
        "As published, with OUTPUT inside of the loop. Equation (**) should read the event before, t_(i - "
        "1), and mark i - 1. That I/O-determinism is needed is an entry of its own."
    ),
)
