"""SRT Section 5.1.2: negation inside a sequence."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.complement import complement
from mnemata.automata.constructions.negation import negated, without
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.negating import (
    ABSENT,
    absence_is_a_negation,
    absence_means_absence,
    complement_stands_alone,
    monitors_are_exact,
    negation_means_absence,
)

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 5.1.2, negation",
    title="negation inside a sequence",
    statement=(
        "In phi1 . !phi2 . phi3 the negation says that no phi2 happens in between, and its automaton can "
        "be made on its own. Neither is so: what is between may be longer than one event, all of which "
        "are phi2, and a complement made from empty registers forgets what phi1 wrote. Repaired: the "
        "absence of T* . phi2 . T*, from the registers as they are."
    ),
    latex=r"\mathit{absent}(e) = {!}(\top^* \cdot e \cdot \top^*)",
    expected=Standing.REPAIRED,
    constructions=(without, negated, complement),
    evidence=(
        Search(negation_means_absence(), breaks=(3, 4)),
        Search(complement_stands_alone(), breaks=(3, 3)),
        Search(absence_means_absence(), reading=Reading.REPAIRED),
        Search(absence_is_a_negation(), reading=Reading.REPAIRED),
        Search(monitors_are_exact(), reading=Reading.REPAIRED),
        Search(monitors_are_exact(ABSENT), reading=Reading.REPAIRED),
    ),
    errata=("A11",),
    remark=(
        "As an operation on languages ! is right. What can be negated has to be of bounded length, because "
        "a ring buffer watches for it; what that buffer holds is proved without bounds under Thm 41."
    ),
)
