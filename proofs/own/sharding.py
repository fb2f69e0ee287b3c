"""Slices: cutting a stream for several machines."""

from __future__ import annotations

from typing import Final

from mnemata.automata.engine.reach import reach
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.slices import INDUCTION
from mnemata.proofs.own.slicing import any_window_of_events_will_do, slices_report_each_match_once
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Sharding",
    title="slices of a stream",
    statement=(
        "A stream may be cut into slices that overlap by a window, each slice reporting the matches "
        "that end in its own events. If the window bounds marks only, matches are lost whose strings "
        "begin before the first mark. Repaired: the window must bound the strings, by its length, or "
        "because they begin with a mark; then each match is reported by exactly one slice, and "
        "nothing else is."
    ),
    latex=(
        r"\mathit{Match}(S) = \biguplus_s \{M \in \mathit{Match}(S[c_s - (w - 1) .. c_{s+1})) : "
        r"\max(M) \in [c_s, c_{s+1})\}"
    ),
    expected=Standing.REPAIRED,
    constructions=(reach,),
    evidence=(
        Search(any_window_of_events_will_do(), breaks=(2, 2)),
        Search(slices_report_each_match_once(), reading=Reading.REPAIRED),
        INDUCTION,
    ),
    errata=("A5",),
    remark=(
        "Conditions that read absolute positions, and matches that use up events before them, are "
        "refused as well. Windows in events, on length and in time, and any cuts."
    ),
)
