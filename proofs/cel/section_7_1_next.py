"""CEL Sections 7 and 7.1: NXT and what it is to be for."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.selecting import next_is_greedy, one_is_kept
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.formulas import Last, Nxt
from mnemata.theory.cel.semantics import select

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Section 7.1, NXT",
    title="NXT is not skip-till-next-match",
    statement=(
        "Selection is to drop {1, 8} where {1, 2} was already found, as skip-till-next-match does. Repaired: "
        "NXT keeps, of the complex events at one position, the greatest in its order; what was found at "
        "earlier positions plays no part, so {1, 8} is kept and {5, 8} is not. LAST likewise."
    ),
    latex=r"\mathrm{NXT}(\varphi)_n(S) = \max_{\leq_{next}} \varphi_n(S)",
    expected=Standing.REPAIRED,
    constructions=(select,),
    evidence=(
        Search(next_is_greedy(), breaks=(2, 3)),
        Search(one_is_kept(Nxt), reading=Reading.REPAIRED),
        Search(one_is_kept(Last), reading=Reading.REPAIRED),
    ),
    errata=("B8",),
)
