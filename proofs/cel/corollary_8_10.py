"""CEL Corollary 8.10: what CEL* can say."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.formulas import star_formula_of
from mnemata.automata.decisions.cea.star_property import has_star_property
from mnemata.proofs.cel.star_semantics import (
    formulas_compile_to_the_property,
    proofs_of_the_characterization,
    the_property_decides,
)
from mnemata.proofs.evidence import Bounded, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Corollary 8.10",
    title="CEL* is CEA with the *-property",
    statement=(
        "A stream function of a CEA is one of a unary formula of CEL* exactly if it has the *-property."
    ),
    latex=r"f\text{ of a CEA and with the }*\text{-property} \Leftrightarrow "
    r"\exists \varphi \in \text{unary CEL}^*:\ f(S, n) = \lfloor \varphi \rfloor_n(S)",
    expected=Standing.HOLDS,
    constructions=(star_formula_of, has_star_property),
    evidence=(
        Search(the_property_decides()),
        Search(formulas_compile_to_the_property()),
        Bounded("automata of few transitions with the *-property", proofs_of_the_characterization),
    ),
    errata=("B9",),
    remark="With Def. 8.7 and the formulas of Thm 8.9 as repaired.",
)
