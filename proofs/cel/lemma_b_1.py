"""CEL Lemma B.1: strict-bounded formulas."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.bounding import (
    formulas_are_strict_bounded,
    proofs_of_lemma_b_1,
    separating,
    strict_iteration_is_unbounded,
)
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Lemma B.1",
    title="formulas of CEL* and : are strict-bounded",
    statement=(
        "If a formula of CEL* and : finds enough events, another event may be inserted among them; "
        "STRICT(R+) allows none. Repaired: not before the first of them, which moves all and is always "
        "allowed; enough is more than event types are written in the formula."
    ),
    latex=r"\min \sup(\mu) < i \leq \max \sup(\mu)",
    expected=Standing.REPAIRED,
    constructions=(separating,),
    evidence=(
        Search(strict_iteration_is_unbounded(published=True), breaks=(1, 2)),
        Search(strict_iteration_is_unbounded(published=False), reading=Reading.REPAIRED),
        Search(formulas_are_strict_bounded(), reading=Reading.REPAIRED),
        Bounded("all formulas of few operators", proofs_of_lemma_b_1, reading=Reading.REPAIRED),
    ),
    errata=("B10",),
    remark=(
        "As published STRICT(R+) is strict-bounded too, so the lemma tells nothing apart. That a formula "
        "checks no more strict joins than it has colons is false of iterations; it is event types that have "
        "to be counted."
    ),
)
