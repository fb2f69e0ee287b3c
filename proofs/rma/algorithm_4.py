"""RMA Algorithm 4: new registers."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.literal import ALGORITHM_4, REPAIRED, construct, made
from mnemata.proofs.rma.matching import CHOICES_OF_FILTERS, translation_is_exact

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Algorithm 4",
    title="registers for the variables of a filter",
    statement=(
        "Alg. 4 takes the register of a variable that has one, and makes a new one, written by all "
        "transitions that consume the variable, for one that has none. After an OR whose sides were "
        "filtered differently a variable may have two registers, or one that is empty on the other "
        "side, and filters are asked of the wrong events. Repaired: Property 3 is restored after an "
        "OR."
    ),
    latex=(r"\mathit{rs}_{new} = (r_1, \ldots, r_n),\quad rx(r_k) = x_k"),
    expected=Standing.REPAIRED,
    constructions=(construct,),
    evidence=(
        Search(
            translation_is_exact(made(ALGORITHM_4), "as published", "RMA Alg. 4", CHOICES_OF_FILTERS),
            breaks=(4, 2),
        ),
        Search(
            translation_is_exact(made(REPAIRED), "one register after OR", "RMA Alg. 4", CHOICES_OF_FILTERS),
            reading=Reading.REPAIRED,
        ),
        Search(
            translation_is_exact(made(REPAIRED), "one register after OR, any expression", "RMA Alg. 4"),
            reading=Reading.REPAIRED,
        ),
    ),
    remark=(
        "Not in the errata before: the construction for OR, which the paper leaves out, is taken to "
        "unite what it is given. The project names registers after variables instead, which comes to "
        "the repair."
    ),
)
