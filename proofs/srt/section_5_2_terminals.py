"""SRT Section 5.2: skip-till-next-match over single events."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.negating import logical_negation_takes_the_next, negation_of_terminals_is_logical
from mnemata.theory.sremo.rewriting import earliest

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 5.2, terminals",
    title="negation of single events",
    statement=(
        "For single events the negation in skip-till-next-match can be replaced by a negated condition, "
        "and then no window is needed. It is not a replacement: matches change. Repaired: it is the right "
        "definition, and takes the next event that matches."
    ),
    latex=(
        r"@(\phi_1, \phi_2) = \phi_1 \cdot (\neg\phi_2 \uparrow \otimes)^* \cdot \phi_2 \ne \phi_1 "
        r"\cdot ({!}\phi_2)^* \cdot \phi_2"
    ),
    expected=Standing.REPAIRED,
    constructions=(earliest,),
    evidence=(
        Search(negation_of_terminals_is_logical(), breaks=(2, 4)),
        Search(logical_negation_takes_the_next(), reading=Reading.REPAIRED),
    ),
    errata=("A11",),
    remark=(
        "Without windows and without complements, so that no more is to be proved than for any "
        "expression, Thm 27."
    ),
)
