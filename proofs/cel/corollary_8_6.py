"""CEL Corollary 8.6: what CEL* cannot say."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.cea.star_property import has_star_property
from mnemata.proofs.cel.starring import operators_are_not_in_cel_star, operators_break_the_star_property
from mnemata.proofs.evidence import Adversary, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Corollary 8.6",
    title="operators beyond CEL*",
    statement="None of :, (+), projection, START, UNLESS, NXT, STRICT, LAST and MAX is expressible in CEL*.",
    latex=r"\{:, \oplus, \pi_L, \mathrm{START}, \mathrm{UNLESS}, \mathrm{NXT}, \mathrm{STRICT}, "
    r"\mathrm{LAST}, \mathrm{MAX}\} \cap \mathrm{CEL}^* = \emptyset",
    expected=Standing.HOLDS,
    constructions=(has_star_property,),
    evidence=(Search(operators_break_the_star_property()), Adversary(operators_are_not_in_cel_star())),
    remark=(
        "For each operator the decision procedure finds two streams that break the *-property of a formula "
        "with it; by Prop. 8.5 every formula of CEL*, unary or not, errs on one of them."
    ),
)
