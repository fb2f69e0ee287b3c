"""CEL Corollary 9.3: any automaton can be evaluated."""

from __future__ import annotations

from typing import Final

from mnemata.automata.cea.evaluation import evaluate
from mnemata.automata.constructions.cea.normal_form import normal_form
from mnemata.proofs.cel.evaluating import any_automaton_can_be_evaluated, selections_can_be_evaluated
from mnemata.proofs.evidence import Search
from mnemata.proofs.induction.compact_sets import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Corollary 9.3",
    title="any automaton can be evaluated",
    statement=(
        "Every CEA can be evaluated with delays linear in the outputs, in time exponential in its size for "
        "each event; with selection strategies too."
    ),
    latex=r"\text{update time } O(2^{|\mathcal{A}|})",
    expected=Standing.HOLDS,
    constructions=(evaluate, normal_form),
    evidence=(
        Search(any_automaton_can_be_evaluated()),
        Search(selections_can_be_evaluated()),
        INDUCTION,
    ),
    errata=("B5", "B12"),
    remark=(
        "The bound printed with Prop. 5.5 would give the square. Since states, types and labels determine "
        "targets, 2^|Q| states with two transitions for each type are enough. Selection with the repairs of "
        "Thm 7.2."
    ),
)
