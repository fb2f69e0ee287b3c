"""SRT Section 6: universality."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.languages import universal
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.machines import not_halting, universality_is_not_halting

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 6, universality",
    title="whether everything is accepted",
    statement="It is undecidable whether an SRT accepts every string.",
    latex=r"\mathit{Lang}(T_{\overline{M}}) = \mathcal{U}^* \iff M \text{ does not halt}",
    expected=Standing.HOLDS,
    constructions=(not_halting, universal),
    evidence=(Search(universality_is_not_halting()),),
    remark=(
        "By a reduction of its own: an SRT of seven transitions and one register guesses what is wrong "
        "with a computation. That equality alone suffices is known from register automata, and is not "
        "checked here. Machines have up to two instructions and three steps; for others the reduction is "
        "the same."
    ),
)
