"""SRT Section 6: the cost of an event."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.counting import one_run_at_a_time, work, work_per_run

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 6, cost of an event",
    title="the work of Algorithm 1 at an event",
    statement=(
        "At an event a deterministic SRT evaluates at most the conditions of one state and updates one "
        "run; any other evaluates, clones and updates at most as often as there are active runs times "
        "terminals, less one for clones."
    ),
    latex=r"O(c + r),\qquad |\mathit{Run}| \cdot (n_p (c_p + c_c + c_u) - c_c)",
    expected=Standing.HOLDS,
    constructions=(work,),
    evidence=(
        Search(one_run_at_a_time()),
        Search(work_per_run()),
    ),
    remark=(
        "Counted, in units of conditions, clones and updates. Terminals are those of the streaming "
        "expression with strategies written out, each occurrence counted: of T there may be several. How "
        "large conditions are after determinization is not counted, in the paper either."
    ),
)
