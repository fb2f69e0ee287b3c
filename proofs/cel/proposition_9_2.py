"""CEL Proposition 9.2: one variable is enough for complex events."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.normal_form import collapse, normal_form
from mnemata.proofs.cel.determinizing import collapsing_is_exact, normal_form_is_exact, proofs_of_collapsing
from mnemata.proofs.evidence import Bounded, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Proposition 9.2",
    title="one variable is enough",
    statement=(
        "Every CEA has one with a single variable, no larger, that recognises the same complex events; "
        "I/O-determinizing that gives a normal form."
    ),
    latex=r"\forall \mathcal{A}\, \exists \mathcal{A}'\text{ single-variable}:\ "
    r"\mathcal{A} \equiv_c \mathcal{A}',\ |\mathcal{A}'| \leq |\mathcal{A}|",
    expected=Standing.HOLDS,
    constructions=(collapse, normal_form),
    evidence=(
        Search(collapsing_is_exact()),
        Search(normal_form_is_exact()),
        Bounded("automata of few transitions, collapsed", proofs_of_collapsing),
    ),
)
