"""CEL Corollary 8.11: AND and ALL are in CEL*."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.formulas import star_formula_of
from mnemata.proofs.cel.star_semantics import conjunctions_are_in_cel_star, proofs_of_conjunctions
from mnemata.proofs.evidence import Bounded, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.formulas import All, And

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Corollary 8.11",
    title="AND and ALL are in CEL*",
    statement="AND and ALL of two unary formulas of CEL* have an equivalent unary formula of CEL*.",
    latex=r"\forall \varphi_1, \varphi_2\, \exists \varphi' \in \text{unary CEL}^*:\ "
    r"\lfloor \varphi_1\ \mathrm{OP}\ \varphi_2 \rfloor_n(S) = \lfloor \varphi' \rfloor_n(S)",
    expected=Standing.HOLDS,
    constructions=(star_formula_of,),
    evidence=(
        Search(conjunctions_are_in_cel_star(And)),
        Search(conjunctions_are_in_cel_star(All)),
        Bounded("AND and ALL of all formulas of few operators", proofs_of_conjunctions),
    ),
    errata=("B2", "B9"),
    remark="Made by way of automata, with the repairs of Thm 6.2 and 8.9.",
)
