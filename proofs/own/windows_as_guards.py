"""Windows inside an automaton are guards."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.windowing import windowed
from mnemata.proofs.evidence import Search
from mnemata.proofs.induction.windows import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.windowing import windowed_is_exact

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Windows as guards",
    title="windows inside an automaton",
    statement=(
        "Wherever a window stands in an expression, the automaton in which a register of its own "
        "keeps the event that opened it, and every later mark is compared to that, has the matches "
        "that fit."
    ),
    latex=(r"\mathit{Match}(T^{[1..w]}, S) = \{M \in \mathit{Match}(T, S) : M \text{ fits}\}"),
    expected=Standing.HOLDS,
    constructions=(windowed,),
    evidence=(
        Search(windowed_is_exact()),
        INDUCTION,
    ),
)
