"""SRT Section 8.1: registers in iterations."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Bounded
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.remarks import all_are_compared, last_is_compared

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 8.1, registers in iterations",
    title="registers in iterations",
    statement=(
        "What an iteration writes to a register is overwritten in each round, so that a later event is "
        "compared with the last round alone. In a window it can be compared with all rounds, if the "
        "iteration is unrolled and each round has a register of its own."
    ),
    latex=(
        r"(B \downarrow r_1)^+ \cdot (S \wedge \mathit{id} = r_1.\mathit{id}):\ \mathit{id}_n = "
        r"\mathit{id}_{n-1}"
    ),
    expected=Standing.HOLDS,
    evidence=(
        Bounded("the last round is compared", last_is_compared),
        Bounded("all rounds are compared", all_are_compared),
    ),
    remark=("For all attribute values, up to a length. For iterations inside iterations nothing is claimed."),
)
