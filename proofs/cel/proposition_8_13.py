"""CEL Proposition 8.13: STRICT by contiguous operators."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.rewriting import fragment, keeps_valuations, of_cel_star_and, over, proofs_of_law
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.formulas import Contiguous, ContiguousIteration, Strict
from mnemata.theory.cel.rewriting import strict_to_contiguous, strict_to_contiguous_as_printed

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Proposition 8.13",
    title="STRICT by : and (+)",
    statement=(
        "Every formula of CEL* with STRICT has an equivalent one of CEL* with : and (+), whatever the "
        "predicates. Repaired: STRICT(a ; b) is STRICT(a) : STRICT(b), where App. C prints a semicolon."
    ),
    latex=r"\mathrm{STRICT}(\rho_1 ; \rho_2) \equiv \mathrm{STRICT}(\rho_1) : \mathrm{STRICT}(\rho_2),\quad "
    r"\mathrm{STRICT}(\rho{+}) \equiv \mathrm{STRICT}(\rho) \oplus",
    expected=Standing.REPAIRED,
    constructions=(strict_to_contiguous,),
    evidence=(
        Search(
            keeps_valuations(
                strict_to_contiguous_as_printed,
                over(fragment(Strict, depth=2)),
                "App. C as printed",
                "Prop. 8.13, App. C",
            ),
            breaks=(2, 3),
        ),
        Search(
            keeps_valuations(
                strict_to_contiguous,
                over(fragment(Strict)),
                "STRICT becomes : and (+)",
                "Prop. 8.13",
                form=of_cel_star_and(Contiguous, ContiguousIteration),
            ),
            reading=Reading.REPAIRED,
        ),
        Bounded(
            "all formulas of few operators",
            proofs_of_law(strict_to_contiguous, Strict),
            reading=Reading.REPAIRED,
        ),
    ),
    errata=("B11",),
    remark="Probably a slip of typesetting. That the inclusion can be strict is Thm 8.14.",
)
