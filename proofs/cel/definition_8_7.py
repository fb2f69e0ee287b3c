"""CEL Definition 8.7: the *-semantics of automata."""

from __future__ import annotations

from typing import Final

from mnemata.automata.cea.star_runs import star_valuations
from mnemata.automata.constructions.cea.star import star_automaton
from mnemata.proofs.cel.star_semantics import (
    runs_that_mark_everything_are_star_runs,
    star_runs_are_runs_between_any_events,
)
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Definition 8.7",
    title="the *-semantics of automata",
    statement=(
        "A *-run takes marking transitions over some of the events, the last one included. Repaired: the "
        "first event of a stream, which has position 0, may be one of them."
    ),
    latex=r"0 \leq i_1 < \dots < i_k = n",
    expected=Standing.REPAIRED,
    constructions=(star_valuations, star_automaton),
    evidence=(
        Search(runs_that_mark_everything_are_star_runs(published=True), breaks=(1, 1)),
        Search(runs_that_mark_everything_are_star_runs(published=False), reading=Reading.REPAIRED),
        Search(star_runs_are_runs_between_any_events(), reading=Reading.REPAIRED),
    ),
    errata=("B9",),
    remark="The definition counts its stream from 1, all others from 0.",
)
