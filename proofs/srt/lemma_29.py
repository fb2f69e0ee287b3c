"""SRT Lemma 29: epsilon transitions can be eliminated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.proofs.bounded import Proof
from mnemata.proofs.evidence import Bounded, Effort, Reading, Search
from mnemata.proofs.induction.epsilon import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.compiling import JOINED, epsilon_elimination_is_exact, keeps_matches
from mnemata.proofs.srt.exhaustive import COVERED, proofs, without_epsilon


def _fragment(effort: Effort) -> Iterator[Proof]:
    return proofs(without_epsilon, effort)


RESULT: Final = Result(
    paper=Paper.SRT,
    place="Lemma 29",
    title="elimination of epsilon transitions",
    statement=(
        "For every SRT there is one without epsilon transitions that has the same matches over every string."
    ),
    latex=(
        r"\forall T_\epsilon\, \exists T_{\not\epsilon}\, \forall S:\ \mathit{Match}(T_\epsilon, S) = "
        r"\mathit{Match}(T_{\not\epsilon}, S)"
    ),
    expected=Standing.HOLDS,
    constructions=(eliminate_epsilon,),
    evidence=(
        Search(epsilon_elimination_is_exact()),
        Search(epsilon_elimination_is_exact(instances=JOINED)),
        Search(keeps_matches("epsilon elimination", eliminate_epsilon)),
        Bounded("automata of all expressions of a fragment", _fragment),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    errata=("A1",),
    remark=(
        "True with the construction of ERRATA A1, which keeps states apart; Alg. 2, which is given as the "
        f"proof, is wrong. {COVERED}"
    ),
)
