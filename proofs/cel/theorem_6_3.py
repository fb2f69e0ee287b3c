"""CEL Theorem 6.3: every automaton has a unary formula."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.formulas import formula_of
from mnemata.proofs.cel.eliminating import (
    INSTANCES,
    SMALL,
    elimination_is_exact,
    marking_alone,
    proofs_of_elimination,
    published,
    published_elimination_keeps_what_is_not_empty,
    repaired,
)
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Theorem 6.3",
    title="automata have unary formulas",
    statement=(
        "For every CEA there is a unary formula with the same valuations, without ;, +, AND, ALL and UNLESS. "
        "Repaired: every event that is read is bound to one more variable until all is put together, so that "
        "what is read without being marked can be joined too."
    ),
    latex=r"\forall \mathcal{A}\, \exists \varphi\, \forall S, n:\ "
    r"\llbracket \mathcal{A} \rrbracket_n(S) = \llbracket \varphi \rrbracket_n(S)",
    expected=Standing.REPAIRED,
    constructions=(formula_of,),
    evidence=(
        Search(elimination_is_exact(published, SMALL, "as published"), breaks=(1, 1)),
        Search(published_elimination_keeps_what_is_not_empty(), breaks=(2, 2)),
        Search(
            elimination_is_exact(
                published, SMALL.map(marking_alone), "as published, all transitions marking"
            ),
            reading=Reading.REPAIRED,
        ),
        Search(elimination_is_exact(repaired, INSTANCES, "as repaired"), reading=Reading.REPAIRED),
        Bounded("automata of few transitions as formulas", proofs_of_elimination, reading=Reading.REPAIRED),
    ),
    errata=("B4",),
    remark=(
        "The theorem is true, the formula of its proof is not equivalent. Events need a type of the schema: "
        "a formula cannot read others."
    ),
)
