"""RMA Algorithm 3: filters."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.rma.translation import translate, translate_as_published
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.filters import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.literal import ALGORITHM_3, made
from mnemata.proofs.rma.matching import PAIRS, translation_is_exact

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Algorithm 3",
    title="filters",
    statement=(
        "Alg. 3 adds a filter to the transitions that consume one of its variables where all of its "
        "variables appear on every trail before, also the one that is consumed; that is never so, and "
        "filters are lost. Repaired: where all others do."
    ),
    latex=(
        r"\exists x_i:\ \delta x(\delta) = x_i \wedge \forall x_j \ne x_i:\ x_j \text{ appears in "
        r"every trail to } \delta.\mathit{source}"
    ),
    expected=Standing.REPAIRED,
    constructions=(translate_as_published, translate),
    evidence=(
        Search(
            translation_is_exact(translate_as_published, "RMA as published", "RMA Alg. 3", PAIRS),
            breaks=(2, 2),
        ),
        Search(
            translation_is_exact(made(ALGORITHM_3), "with the registers of Alg. 4", "RMA Alg. 3", PAIRS),
            breaks=(2, 2),
        ),
        Search(translation_is_exact(translate, "all others", "RMA Alg. 3", PAIRS), reading=Reading.REPAIRED),
        Search(
            translation_is_exact(translate, "all others, any expression", "RMA Alg. 3"),
            reading=Reading.REPAIRED,
        ),
        INDUCTION,
    ),
    errata=("C3",),
)
