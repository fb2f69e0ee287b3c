"""SRT Definition 36: determinism."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinism import (
    is_deterministic_as_published,
    one_run_as_published,
    one_run_repaired,
)

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Definition 36",
    title="deterministic SRT",
    statement=(
        "A deterministic SRT has at most one run over every string. To the letter transitions to the same "
        "state may be taken together, and nothing is asked of epsilon transitions, so that there may be "
        "many. Repaired: no two transitions of a state can be taken together, and none reads no event."
    ),
    latex=(
        r"\delta_1 \ne \delta_2,\ \delta_1.\mathit{source} = \delta_2.\mathit{source} \implies \neg "
        r"\exists u, v:\ (u, v) \models \delta_1.\phi \wedge \delta_2.\phi"
    ),
    expected=Standing.REPAIRED,
    constructions=(is_deterministic_as_published, is_deterministic),
    evidence=(
        Search(one_run_as_published(), breaks=(2, 1)),
        Search(one_run_repaired(), reading=Reading.REPAIRED),
    ),
    errata=("A8",),
    remark=(
        "The project asks it of register contents that some stream leads to, rather than of all; that "
        "only makes more automata deterministic. That one run follows is immediate."
    ),
)
