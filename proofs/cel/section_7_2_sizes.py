"""CEL Section 7.2: the sizes of automata that select."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.selection import next_, strict
from mnemata.proofs.cel.measuring import strict_is_linear, two_transitions_for_a_type
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Section 7.2, sizes",
    title="sizes of automata that select",
    statement=(
        "The automaton for STRICT is linear in an I/O-deterministic one; that for NXT has two transitions "
        "for each state and type. Repaired: the first if transitions keep their predicates instead of being "
        "cut into types; the second with one transition for each label set."
    ),
    latex=r"|\Delta_{STRICT}| \leq 3\,|\Delta|,\qquad |\Delta_{NXT}| \leq |Q_{NXT}| \cdot |\mathcal{L}| "
    r"\cdot 2^{|\Delta|}",
    expected=Standing.REPAIRED,
    constructions=(strict, next_),
    evidence=(
        Search(strict_is_linear(published=True), breaks=(2, 0)),
        Search(two_transitions_for_a_type(published=True), breaks=(2, 0)),
        Search(strict_is_linear(published=False), reading=Reading.REPAIRED),
        Search(two_transitions_for_a_type(published=False), reading=Reading.REPAIRED),
    ),
    remark=(
        "Not in the errata. k transitions with overlapping predicates and different labels are cut into k "
        "times 2^(k - 1), so the printed construction for STRICT is exponential. The bounds of the theorem "
        "itself hold."
    ),
)
