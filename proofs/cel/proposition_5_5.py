"""CEL Proposition 5.5: CEA can be I/O-determinized."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.determinization import determinize
from mnemata.proofs.cel.determinizing import (
    complete_determinization_is_exact,
    determinization_is_exact,
    proofs_of_determinization,
)
from mnemata.proofs.evidence import Bounded, Search
from mnemata.proofs.induction import subsets
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Proposition 5.5",
    title="CEA can be I/O-determinized",
    statement=(
        "Every CEA has a valuation-equivalent I/O-deterministic one, of at most exponentially many states "
        "and transitions."
    ),
    latex=r"\forall \mathcal{A}\, \exists \mathcal{A}'\text{ I/O-deterministic}:\ "
    r"\mathcal{A} \equiv_v \mathcal{A}',\ |\mathcal{A}'| \in 2^{O(|\mathcal{A}|)}",
    expected=Standing.HOLDS,
    constructions=(determinize,),
    evidence=(
        Search(determinization_is_exact()),
        Search(complete_determinization_is_exact()),
        Bounded("automata of few transitions, determinized", proofs_of_determinization),
        subsets.INDUCTION,
    ),
    remark=(
        "The printed bound counts the target of a transition freely, although state, type and labels "
        "determine it: there are at most 2^|Q| states and 2^|Q| types(P) |L| transitions, which the search "
        "checks."
    ),
)
