"""The laws of simplification."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.simplification import LAWS, simplify
from mnemata.proofs.evidence import Search
from mnemata.proofs.induction.liveness import INDUCTION as LIVENESS
from mnemata.proofs.induction.merging import MERGING, TRIMMING
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.simplifying import changes_no_match

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Simplification",
    title="laws of simplification",
    statement=(
        "Each law changes no match: guards may be simplified by what is known of register contents, "
        "states and writes of no use dropped, bisimilar states merged, parallel transitions joined. "
        "So do all of them together, until nothing changes."
    ),
    latex=(r"\mathit{Match}(\ell(T), S) = \mathit{Match}(T, S) \text{ for each law } \ell"),
    expected=Standing.HOLDS,
    constructions=(simplify,),
    evidence=(
        *(Search(changes_no_match(law)) for law in (*LAWS, simplify)),
        TRIMMING,
        MERGING,
        LIVENESS,
    ),
    remark=(
        "The inductions are about useless and merged states and about writes to registers that are "
        "not live. What is known of contents is a result of its own; joining transitions and "
        "simplifying guards changes no step of any run, and needs no induction."
    ),
)
