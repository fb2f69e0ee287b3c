"""SRT Example 42: unrolling and determinizing Fig. 4."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.powerset import powerset
from mnemata.automata.constructions.unrolling import unroll
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.remarks import figure_5_is_as_drawn

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Example 42",
    title="Fig. 4, unrolled and determinized",
    statement=(
        "Unrolled for two events the SRT of Fig. 4 is deterministic; for three events it is not, and Alg. "
        "7 makes it so. Unrolling for three events takes one register more."
    ),
    latex=r"|R_w| = w - 1,\ w \in \{2, 3\}",
    expected=Standing.HOLDS,
    constructions=(unroll, powerset),
    evidence=(Search(figure_5_is_as_drawn()),),
    errata=("A5",),
    remark=(
        "For streams of three events and more, both automata are dead: the loop on the start state counts "
        "among the events of the window."
    ),
)
