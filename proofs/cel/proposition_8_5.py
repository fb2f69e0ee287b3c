"""CEL Proposition 8.5: CEL* has the *-property."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.cea.star_property import has_star_property
from mnemata.proofs.cel.starring import formulas_have_the_star_property, proofs_of_the_star_property
from mnemata.proofs.evidence import Bounded, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Proposition 8.5",
    title="CEL* has the *-property",
    statement=(
        "What a formula of CEL* finds ends at the last position, and is found in every stream in which its "
        "events occur in the same order, whatever other events there are (Def. 8.4). Not only for unary "
        "formulas."
    ),
    latex=r"C \in \varphi_n(S) \Rightarrow n \in C \land "
    r"\forall S', C':\ S[C] = S'[C'] \Rightarrow C' \in \varphi_{\max C'}(S')",
    expected=Standing.HOLDS,
    constructions=(has_star_property,),
    evidence=(
        Search(formulas_have_the_star_property()),
        Bounded("all formulas of CEL* of few operators", proofs_of_the_star_property),
    ),
    remark=(
        "Predicates must not depend on where events are, which values could tell; the search is over events "
        "without times. The bounded proofs compare each stream with the stream of what was found alone."
    ),
)
