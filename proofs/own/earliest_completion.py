"""Earliest completion: skip till next match."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.negation import earliest
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.completion import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.negating import (
    monitors_are_exact,
    next_takes_one_completion,
    overwriting,
    proved_for_all_values,
)

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Earliest completion",
    title="skip till the next match",
    statement=(
        "The product of an automaton with the deterministic monitor of what it waits for takes each "
        "part where it can first be completed, and nothing else: events are skipped, and at no event "
        "before the last could the part have been completed, with registers as they were when "
        "skipping began."
    ),
    latex=(
        r"(\mathit{next}(e), S, M, v) \models v' \iff (e, S[s..], M, v) \models v' \wedge \forall k < "
        r"|S|\ \forall s':\ S[s'..k] \text{ does not match } e"
    ),
    expected=Standing.HOLDS,
    constructions=(earliest,),
    evidence=(
        Search(monitors_are_exact()),
        Search(next_takes_one_completion()),
        Search(proved_for_all_values(overwriting(1), "registers that are written again", up_to=5)),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    errata=("A11",),
    remark=(
        "In place of SRT Definition 45. That the monitor reads registers as they were, although they "
        "are written again meanwhile, is left to the search."
    ),
)
