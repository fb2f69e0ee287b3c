"""SRT Algorithm 2: eliminating epsilon transitions."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.epsilon import eliminate_epsilon, eliminate_epsilon_as_published
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.epsilon import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.compiling import (
    JOINED,
    SMALL_EXPRESSIONS,
    epsilon_elimination_is_exact,
    literal_epsilon_elimination,
    merging_epsilon_elimination,
)

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Algorithm 2",
    title="elimination of epsilon transitions",
    statement=(
        "The SRT that Alg. 2 makes has the same matches. To the letter it never ends on a loop, because "
        "line 19 puts states back that are done; and it unites what transitions with equal conditions and "
        "outputs write, so that matches are lost and others made up. Repaired: each state keeps its "
        "identity and takes over the transitions of its closure."
    ),
    latex=r"\forall S:\ \mathit{Match}(\mathit{EliminateEpsilon}(T), S) = \mathit{Match}(T, S)",
    expected=Standing.REPAIRED,
    constructions=(eliminate_epsilon_as_published, eliminate_epsilon),
    evidence=(
        Search(epsilon_elimination_is_exact(literal_epsilon_elimination, SMALL_EXPRESSIONS), breaks=(1, 1)),
        Search(epsilon_elimination_is_exact(merging_epsilon_elimination, JOINED), breaks=(4, 3)),
        Search(epsilon_elimination_is_exact(), reading=Reading.REPAIRED),
        Search(epsilon_elimination_is_exact(instances=JOINED), reading=Reading.REPAIRED),
        INDUCTION,
    ),
    errata=("A1",),
    remark=(
        "It does not end on the star of a single event already. The repair is weighed further under Lemma 29."
    ),
)
