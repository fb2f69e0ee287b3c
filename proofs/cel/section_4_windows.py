"""CEL Section 4: windows, and whether unary formulas have them."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.windowing import within_events
from mnemata.proofs.cel.windowing import (
    BY_HAND,
    predicate_bounds_the_width,
    proofs_of_windows,
    windows_in_events_are_unary,
    windows_in_time_are_not_unary,
)
from mnemata.proofs.evidence import Adversary, Bounded, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Section 4, windows",
    title="windows as filters",
    statement=(
        "A filter whose predicate compares first and last event is a window; unary formulas cannot have "
        "windows in general. Repaired: the difference is last minus first; windows in events are unary after "
        "all, counted by states; windows in time are not."
    ),
    latex=r"Q = \{A : \max_{t \in A} t.ts - \min_{t \in A} t.ts < w\}",
    expected=Standing.REPAIRED,
    constructions=(within_events,),
    evidence=(
        Search(predicate_bounds_the_width(published=True), breaks=(1, 2)),
        Search(predicate_bounds_the_width(published=False), reading=Reading.REPAIRED),
        Search(windows_in_events_are_unary(), reading=Reading.REPAIRED),
        Bounded("formulas of few operators within two events", proofs_of_windows, reading=Reading.REPAIRED),
        Adversary(windows_in_time_are_not_unary(), by_hand=BY_HAND, reading=Reading.REPAIRED),
    ),
    errata=("B7",),
    remark="The window that the paper displays, over recorded positions, is one that unary formulas do have.",
)
