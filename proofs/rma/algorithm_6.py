"""RMA Algorithm 6: RMA of windowed expressions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.rma.determinization import unrolled
from mnemata.automata.constructions.rma.translation import translate
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.induction.unrolling import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.matching import SCHEMA, window_is_exact
from mnemata.proofs.rma.symbolic import windowed_proofs

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Algorithm 6",
    title="RMA of windowed expressions",
    statement=(
        "The unrolled automaton, with a loop at its start state, has the matches of the expression "
        "that lie among w consecutive events."
    ),
    latex=(r"[\![A_\varphi]\!](S) = \{M \in [\![\psi]\!](S) : \max(M) - \min(M) < w\}"),
    expected=Standing.HOLDS,
    constructions=(unrolled,),
    evidence=(
        Search(window_is_exact(lambda e, w: unrolled(translate(e, SCHEMA), w), "unrolled RMA", "RMA Alg. 6")),
        Bounded(
            "all small expressions in windows of two events",
            windowed_proofs(lambda e, w: unrolled(translate(e, SCHEMA), w), 2),
        ),
        replace(INDUCTION, reading=Reading.STATED),
    ),
)
