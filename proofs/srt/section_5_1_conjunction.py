"""SRT Section 5.1: conjunction of events in any order."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Bounded
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.remarks import either_order

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 5.1, conjunction",
    title="events in any order",
    statement="That two events happen, in whichever order, is a disjunction of the two sequences.",
    latex=r"{*}(\phi_1, \phi_2) := \phi_1 \cdot \phi_2 + \phi_2 \cdot \phi_1",
    expected=Standing.HOLDS,
    evidence=(Bounded("two events in either order, compared with a formula", either_order),),
    remark=(
        "For all attribute values; strings of other lengths do not match. It is said of two conditions. "
        "For more there are as many sequences as orders, and events that read registers which later "
        "events write have to be treated differently."
    ),
)
