"""SRT Algorithm 8: complement."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.complement import complement, complement_as_published
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.merging import COMPLEMENT
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinizing import (
    complement_as_published_is_exact,
    complement_is_exact,
    complement_of_power_set_is_exact,
)

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Algorithm 8",
    title="complement of a determinized automaton",
    statement=(
        "What the algorithm makes accepts the other strings. To the letter its states are those of the "
        "automaton as it was before it was determinized, and the dead state is not final, so that some "
        "strings are accepted by both or by neither. Repaired: the states of the determinized automaton, "
        "and the dead state, except those that were final."
    ),
    latex=r"Q_f' = (A_d.Q \cup \{q_{\mathit{dead}}\}) \setminus A_d.Q_f",
    expected=Standing.REPAIRED,
    constructions=(complement_as_published, complement),
    evidence=(
        Search(complement_as_published_is_exact(), breaks=(1, 2)),
        Search(complement_of_power_set_is_exact(), reading=Reading.REPAIRED),
        Search(complement_is_exact(), reading=Reading.REPAIRED),
        COMPLEMENT,
    ),
    errata=("A7",),
    remark=(
        "A single event breaks it. Complements are weighed for all values under Cor. 43; that flipping "
        "the final states of an automaton with exactly one run gives the complement is immediate."
    ),
)
