"""SRT Definition 24: which runs accept, and what they mark."""

from __future__ import annotations

from typing import Final

from mnemata.automata.srt.runs import Acceptance, Run, matches
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.compiling import (
    EXPRESSIONS,
    SMALL_EXPRESSIONS,
    compilation_is_exact,
    every_match_marks_the_last_event,
    marked_at_the_end,
    marks_are_those_of_transitions,
)

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Definition 24",
    title="accepting runs and their marks",
    statement=(
        "A run accepts if it ends in a final state and its last transition marks; its match are the "
        "indices of marking transitions. To the letter neither fits Def. 17, where matches need not mark "
        "the last event, and indices are those of events, while epsilon transitions count. Repaired: a "
        "run accepts where it ends in a final state, and marks events. Or the condition stays, and runs "
        "find the matches that mark the last event."
    ),
    latex=(
        r"\mathit{Match}(\varrho) = \{ j : \delta \text{ of } \varrho \text{ reads } t_j \text{ and } "
        r"\delta.o = \bullet \},\quad \varrho \text{ accepts} \iff q_{n+1} \in Q_f"
    ),
    expected=Standing.REPAIRED,
    constructions=(Run, Acceptance, matches),
    evidence=(
        Search(every_match_marks_the_last_event(SMALL_EXPRESSIONS), breaks=(1, 1)),
        Search(marks_are_those_of_transitions(), breaks=(2, 2)),
        Search(compilation_is_exact(Acceptance.FINAL_STATE), reading=Reading.REPAIRED),
        Search(marked_at_the_end(EXPRESSIONS), reading=Reading.REPAIRED),
    ),
    errata=("A2",),
    remark="The unbounded argument for the repair is that of Thm 27.",
)
