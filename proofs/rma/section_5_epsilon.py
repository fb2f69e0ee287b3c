"""RMA Section 5: epsilon transitions can be removed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.rma.translation import without_epsilon
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.epsilon import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.closing import epsilon_can_be_eliminated

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Section 5, epsilon",
    title="epsilon transitions can be removed",
    statement=("For every RMA there is one without epsilon transitions that has the same matches."),
    latex=(r"\forall A\ \exists A_{\not\epsilon}\ \forall S:\ [\![A]\!](S) = [\![A_{\not\epsilon}]\!](S)"),
    expected=Standing.HOLDS,
    constructions=(without_epsilon,),
    evidence=(
        Search(epsilon_can_be_eliminated()),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    remark=(
        "The paper omits algorithm and proof as standard; where the SRT paper gives an algorithm it "
        "is wrong (ERRATA A1)."
    ),
)
