"""CEL Theorem 8.14: (+) beyond STRICT."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.pumping import PAIRS_BY_HAND, pairs_are_inexpressible, separated
from mnemata.proofs.evidence import Adversary
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Theorem 8.14",
    title="(+) is not in CEL* with STRICT",
    statement=(
        "With a predicate that compares two events, ((A ; E) FILTER A.a = E.a)(+) has no equivalent formula "
        "of CEL* with STRICT, whatever predicates about sets of events that may use."
    ),
    latex=r"((A ; E)\ \mathrm{FILTER}\ A.a = E.a) \oplus \notin "
    r"\mathrm{CEL}^* \cup \{\mathrm{STRICT}\}(\mathcal{P})",
    expected=Standing.HOLDS,
    constructions=(separated,),
    evidence=(Adversary(pairs_are_inexpressible(), by_hand=PAIRS_BY_HAND),),
    remark=(
        "App. D, checked again: the argument is right. Its slips: positions counted from 1, P_2 left "
        "unnamed, S[j + 2] for the E after the repeated A, and equivalence is about complex events, so the "
        "valuation is any of that support. The order in which the adversary tries fragments is its own."
    ),
)
