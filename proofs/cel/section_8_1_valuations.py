"""CEL Section 8.1: valuations and CEL*."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.formulas import star_formula_of
from mnemata.proofs.cel.star_semantics import some_event_type_is_bound
from mnemata.proofs.evidence import Adversary
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.formulas import Relation

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Section 8.1, valuations",
    title="CEL* cannot rename",
    statement=(
        "Thm 8.9 is not about valuations: the CEA that marks an event with X alone has a formula of CEL* "
        "with its complex events, none with its valuations."
    ),
    latex=r"\nexists \varphi \in \text{CEL}^*:\ "
    r"\llbracket \varphi \rrbracket_n(S) = \{X \mapsto \{n\} : S[n] \in R\}",
    expected=Standing.HOLDS,
    constructions=(star_formula_of,),
    evidence=(Adversary(some_event_type_is_bound(), by_hand=((Relation("A").bound_to("X"),),)),),
    remark="Every event that CEL* finds is bound to an event type too. One event of type A tells.",
)
