"""Determinism, decided."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.deciding import determinism_is_what_runs_show

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Determinism, decided",
    title="whether runs ever have a choice",
    statement=(
        "The decision says yes only where no stream offers any run two transitions at once, and no "
        "only with a shortest stream that does."
    ),
    latex=(
        r"\mathit{yes} \implies \neg \exists S\ \exists c \text{ reached over } S:\ c \to c', c \to "
        r"c'' \text{ by two transitions}"
    ),
    expected=Standing.HOLDS,
    constructions=(is_deterministic,),
    evidence=(Search(determinism_is_what_runs_show()),),
    errata=("A8",),
    remark=(
        "Of register contents only those count that some stream leads to, which the solver is asked "
        "about path by path up to a length, so the answer may also be unknown. A decision by search "
        "through paths has no induction of its own: a yes rests on facts about contents, see there."
    ),
)
