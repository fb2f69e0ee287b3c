"""CEL Proposition 8.8: the *-property and the *-semantics."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.star import star_automaton
from mnemata.automata.decisions.cea.star_property import has_star_property
from mnemata.proofs.cel.star_semantics import (
    proofs_of_the_characterization,
    star_semantics_is_exact,
    star_semantics_keeps_valuations,
)
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Proposition 8.8",
    title="the *-property makes both semantics agree",
    statement=(
        "A CEA with the *-property has the same output under the *-semantics. Repaired: with Def. 8.7 as "
        "repaired, and for complex events; valuations may differ."
    ),
    latex=r"\mathcal{A}\text{ has the }*\text{-property} \Rightarrow "
    r"\lfloor \mathcal{A} \rfloor_n(S) = \lfloor \mathcal{A} \rfloor_n^*(S)",
    expected=Standing.REPAIRED,
    constructions=(star_automaton, has_star_property),
    evidence=(
        Search(star_semantics_is_exact(published=True), breaks=(2, 1)),
        Search(star_semantics_keeps_valuations(), breaks=(7, 2)),
        Search(star_semantics_is_exact(published=False), reading=Reading.REPAIRED),
        Bounded(
            "automata of few transitions with the *-property",
            proofs_of_the_characterization,
            reading=Reading.REPAIRED,
        ),
    ),
    errata=("B9",),
    remark=(
        "That it fails for valuations is not in the errata; the paper means complex events, as its proof "
        "says."
    ),
)
