"""SRT Theorem 35: no closure under complement."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Adversary
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.adversaries import FIGURE_12, against_complement, defeats
from mnemata.proofs.srt.attempts import COMPLEMENTS
from mnemata.proofs.srt.candidates import automata

NAME: Final = "an SRT that should accept what Fig. 12 does not errs"

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Theorem 35",
    title="no closure under complement",
    statement=(
        "The strings in which no two events have one type, the complement of what the SRT of Fig. 12 "
        "accepts, are accepted by no SRT."
    ),
    latex=(r"\neg \exists T_c\, \forall S:\ S \in \mathit{Lang}(T_c) \iff S \notin \mathit{Lang}(T_{12})"),
    expected=Standing.HOLDS,
    constructions=(against_complement,),
    evidence=(
        Adversary(
            claim=defeats(against_complement, FIGURE_12, automata(), NAME, "Thm 35", complement=True),
            by_hand=COMPLEMENTS,
        ),
    ),
    errata=("A7",),
    remark=(
        "About languages, as the proof is; to the letter of Def. 33 it is trivial. The adversary works "
        "against any SRT whose conditions compare types and ids for equality, with registers and "
        "constants; it is tried on generated ones with up to three registers, and on complements within "
        "windows and others made by hand. Types have to be infinitely many, see App. A.5."
    ),
)
