"""SRT Theorem 38: not every SRT is determinizable."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Adversary, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.adversaries import FIGURE_4, against_determinism, defeats
from mnemata.proofs.srt.attempts import DETERMINISTIC
from mnemata.proofs.srt.candidates import deterministic_automata
from mnemata.proofs.srt.determinism import (
    figure_4_needs_more_than_def_36_allows,
    is_deterministic_as_published,
)

NAME: Final = "a deterministic SRT that should accept what Fig. 4 does errs"

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Theorem 38",
    title="no closure under determinization",
    statement=(
        "No deterministic SRT accepts what the SRT of Fig. 4 does: that an S comes last, and a B with its "
        "id before. To the letter of Def. 36 that is false: it lets an SRT guess, in two transitions to "
        "one state, whether to keep a B. Repaired: with determinism as in the repaired definition."
    ),
    latex=r"\neg \exists T_d \text{ deterministic}:\ \mathit{Lang}(T_d) = \mathit{Lang}(T_4)",
    expected=Standing.REPAIRED,
    constructions=(against_determinism, is_deterministic_as_published),
    evidence=(
        Search(figure_4_needs_more_than_def_36_allows(), breaks=(7, 0)),
        Adversary(
            claim=defeats(against_determinism, FIGURE_4, deterministic_automata(), NAME, "Thm 38"),
            by_hand=DETERMINISTIC,
            reading=Reading.REPAIRED,
        ),
    ),
    errata=("A8",),
    remark=(
        "The automaton found has seven transitions, one register, and is right about all strings of up to "
        "four events, as Z3 shows. The adversary works against any deterministic SRT over equalities of "
        "types and ids; it is tried on generated ones, on ring buffers and power sets in windows, and on "
        "others made by hand. Ids have to be infinitely many, see App. A.5."
    ),
)
