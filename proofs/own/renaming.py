"""Renaming registers."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.registers import rename_registers
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.compiling import keeps_matches, renamed

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Renaming",
    title="registers by other names",
    statement=("Renaming the registers of an automaton one to one changes no match."),
    latex=(r"\mathit{Match}(T[\pi], S) = \mathit{Match}(T, S)"),
    expected=Standing.HOLDS,
    constructions=(rename_registers,),
    evidence=(Search(keeps_matches("renaming", renamed)),),
    remark=("An isomorphism of automata, for which no induction is needed: runs are the same up to names."),
)
