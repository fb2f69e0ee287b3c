"""CEL Theorem 9.1: evaluation in constant time for each event, and enumeration."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.cea.evaluation import Evaluation, evaluate
from mnemata.proofs.cel.evaluating import (
    delays_are_linear,
    evaluation_is_exact,
    proofs_of_evaluation,
    updates_are_linear,
)
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.induction.compact_sets import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Theorem 9.1",
    title="linear updates and output-linear delay",
    statement=(
        "A CEA in normal form can be evaluated in time linear in its size for each event, with delays linear "
        "in the outputs. Repaired: linear in the output and its end mark, since the empty complex event "
        "takes time too."
    ),
    latex=r"\mathit{delay}_i \leq k\,(|C_i| + 1)",
    expected=Standing.REPAIRED,
    constructions=(Evaluation, evaluate),
    evidence=(
        Search(delays_are_linear(published=True), breaks=(1, 1)),
        Search(delays_are_linear(published=False), reading=Reading.REPAIRED),
        Search(updates_are_linear(), reading=Reading.REPAIRED),
        Search(evaluation_is_exact(), reading=Reading.REPAIRED),
        Bounded(
            "automata of few transitions over all streams", proofs_of_evaluation, reading=Reading.REPAIRED
        ),
        replace(INDUCTION, reading=Reading.REPAIRED),
    ),
    errata=("B12",),
    remark=(
        "Steps are counted, not measured. The bounded evidence runs one event of each type, which the solver "
        "finds; an automaton cannot tell others apart."
    ),
)
