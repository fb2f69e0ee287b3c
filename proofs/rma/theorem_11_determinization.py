"""RMA Theorem 11: determinization."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.rma.determinization import determinize_window
from mnemata.proofs.evidence import Adversary, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.adversaries import against_determinization
from mnemata.proofs.rma.candidates import DETERMINIZED
from mnemata.proofs.rma.defeating import any_contents_are_too_few, not_determinizable_per_output
from mnemata.proofs.rma.determining import determinization_has_one_run_for_each_output
from mnemata.proofs.rma.matching import SCHEMA, algorithm_5_is_exact, window_is_exact

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Theorem 11, determinization",
    title="determinization per output",
    statement=(
        "For every RMA there is a deterministic one (Def. 9) with the same matches. There is none for "
        "an expression in which many runs share their outputs and each needs an event of its own. "
        "Repaired: within a window there is, and where finitely many registers suffice."
    ),
    latex=(r"\forall A\ \exists A^D:\ M \in [\![A]\!](S) \iff M \in [\![A^D]\!](S)"),
    expected=Standing.REPAIRED,
    constructions=(against_determinization, determinize_window),
    evidence=(
        Search(algorithm_5_is_exact(), breaks=(6, 3)),
        Adversary(claim=not_determinizable_per_output(), by_hand=DETERMINIZED, reading=Reading.REPAIRED),
        Search(any_contents_are_too_few(), reading=Reading.REPAIRED),
        Search(
            window_is_exact(
                lambda e, w: determinize_window(e, w, SCHEMA), "determinized in a window", "ERRATA C1"
            ),
            reading=Reading.REPAIRED,
        ),
        Search(determinization_has_one_run_for_each_output(), reading=Reading.REPAIRED),
    ),
    errata=("C1",),
    remark=(
        "The adversary works against any RMA as in Def. 9, whatever relations its conditions are made "
        "of: configurations are too few to tell the ids of all candidates apart, and there is one run "
        "for all of them."
    ),
)
