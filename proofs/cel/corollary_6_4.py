"""CEL Corollary 6.4: seven operators are enough."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.compilation import automaton
from mnemata.automata.constructions.cea.formulas import formula_of
from mnemata.proofs.cel.eliminating import few_operators_are_enough, proofs_of_few_operators
from mnemata.proofs.evidence import Bounded, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Corollary 6.4",
    title="seven operators are enough",
    statement=(
        "Every unary formula has a valuation-equivalent one made of event types, IN, FILTER, :, (+), "
        "projection, START and OR alone."
    ),
    latex=r"\{\mathrm{IN}, \mathrm{FILTER}, :, \oplus, \pi, \mathrm{START}, \mathrm{OR}\}"
    r"\text{ is complete for unary CEL}",
    expected=Standing.HOLDS,
    constructions=(automaton, formula_of),
    evidence=(
        Search(few_operators_are_enough()),
        Bounded("all formulas of few operators, there and back", proofs_of_few_operators),
    ),
    errata=("B1", "B2", "B3", "B4"),
    remark="By way of the automata of Thm 6.2 and the formulas of Thm 6.3, both as repaired.",
)
