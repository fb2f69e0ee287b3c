"""RMA Definition 6: accepting runs and their matches."""

from __future__ import annotations

from typing import Final

from mnemata.automata.rma.runs import matches
from mnemata.automata.srt.runs import Acceptance
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.walking import literal_acceptance_is_exact, marks_are_indices_of_transitions

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Definition 6",
    title="accepting runs and their matches",
    statement=(
        "A run accepts if it ends in a final state with a bullet, and its match consists of the "
        "indices of the bullets. To the letter epsilon transitions have outputs and indices too: then "
        "no automaton with an OR accepts, and marks are shifted. Repaired: the last event read is "
        "marked, and indices are those of events."
    ),
    latex=(r"\mathit{match}(\varrho) = \{i \in [0, n] : o_i = \bullet\}"),
    expected=Standing.REPAIRED,
    constructions=(matches,),
    evidence=(
        Search(literal_acceptance_is_exact(Acceptance.LAST_TRANSITION_MARKED), breaks=(2, 1)),
        Search(marks_are_indices_of_transitions(), breaks=(2, 1)),
        Search(literal_acceptance_is_exact(Acceptance.LAST_EVENT_MARKED), reading=Reading.REPAIRED),
    ),
    errata=("C5",),
    remark="A definition; what it is good for is proved of the constructions.",
)
