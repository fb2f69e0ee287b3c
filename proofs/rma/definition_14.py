"""RMA Definition 14: windows."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.windowing import windows_are_filters, without_window

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Definition 14",
    title="windows add no expressive power",
    statement=(
        "WINDOW w can be written as filters on the indices of the first and last event. As remarked, "
        "their difference is to be no greater than w, which is one too many. Repaired: less than w; a "
        "match in a window has at most w events, so an expression unwinds to finitely many sequences "
        "in which the first and the last have names."
    ),
    latex=(r"M \in [\![\psi]\!](S, i, v) \wedge \max(M) - \min(M) < w"),
    expected=Standing.REPAIRED,
    constructions=(without_window,),
    evidence=(
        Search(windows_are_filters(strict=False), breaks=(1, 2)),
        Search(windows_are_filters(strict=True), reading=Reading.REPAIRED),
    ),
    errata=("A5",),
    remark=(
        "The remark does not say how a filter gets at the first and last event of an iteration, whose "
        "variables it cannot read; unwinding is the answer."
    ),
)
