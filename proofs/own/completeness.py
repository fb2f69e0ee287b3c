"""Completeness, decided."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.determinism import is_complete
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.deciding import completeness_is_what_runs_show

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Completeness, decided",
    title="whether runs ever stand still",
    statement=(
        "The decision says yes only where on no stream any run comes to a state in which it can take "
        "no transition, and no only with a shortest stream on which one does."
    ),
    latex=(
        r"\mathit{yes} \implies \forall S\ \forall c \text{ reached over } S[..k],\ k < |S|:\ \exists "
        r"c':\ c \to c'"
    ),
    expected=Standing.HOLDS,
    constructions=(is_complete,),
    evidence=(Search(completeness_is_what_runs_show()),),
    errata=("A7",),
    remark=("As for determinism."),
)
