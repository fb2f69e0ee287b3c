"""SRT Algorithm 1: recognition with all runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.engine.algorithm_1 import algorithm_1, algorithm_1_as_published
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.streams import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.streaming import algorithm_1_as_published_is_exact, algorithm_1_is_exact

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Algorithm 1",
    title="recognition with all runs",
    statement=(
        "At each event the algorithm reports the matches that end there. To the letter a run that accepts "
        "is killed, and the matches that it would have gone on to are lost. Repaired: it lives on."
    ),
    latex=(
        r"\forall k:\ \{ \mathit{Match}(\varrho) : \varrho \in \mathit{Run}_f(T_s, S_{..k}) \} = "
        r"\mathit{Match}_{\mathit{stream}}(e, S)_k"
    ),
    expected=Standing.REPAIRED,
    constructions=(algorithm_1_as_published, algorithm_1),
    evidence=(
        Search(algorithm_1_as_published_is_exact(), breaks=(1, 2)),
        Search(algorithm_1_is_exact(), reading=Reading.REPAIRED),
        replace(INDUCTION, reading=Reading.REPAIRED),
    ),
    errata=("A9",),
    remark=(
        "An iteration at the end of a pattern is enough to break it. The algorithm follows Def. 23 event "
        "by event; the induction is that of Def. 32, and fails if accepting runs end. What makes up for "
        "its cost is the project's engine, compared with it in the tests."
    ),
)
