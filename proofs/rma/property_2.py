"""RMA Property 2, in the proof of Theorem 8: registers hold their variables."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.filters import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.literal import construct
from mnemata.proofs.rma.walking import registers_hold_their_variables

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Property 2",
    title="registers hold the events of their variables",
    statement=(
        "On every accepting run the register of a variable that the expression binds is empty until "
        "the event of the variable is consumed, and holds it from then on."
    ),
    latex=(r"\gamma_j(r_x) = \sharp \text{ for } j \le i, \qquad \gamma_j(r_x) = t_i \text{ for } j > i"),
    expected=Standing.HOLDS,
    constructions=(construct,),
    evidence=(
        Search(registers_hold_their_variables()),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    remark=(
        "Of the automaton of the whole expression: inside an iteration registers keep what the round "
        "before wrote. That a register keeps its event is a step of the induction for filters."
    ),
)
