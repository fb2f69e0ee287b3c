"""SRT Definition 39: windows."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.windowing import windowed
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.windows import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.nesting import bounds_reach_inside
from mnemata.proofs.srt.windowing import REMEMBERING, window_on_marks_bounds_the_string, windowed_is_exact
from mnemata.theory.sremo.windows import marks_both_ends

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Definition 39",
    title="windowed expressions",
    statement=(
        "A window of w events keeps the matches whose first and last mark are less than w apart. It is "
        "said to bound the strings that are accepted, too; it does not where unmarked events come first "
        "or last. Repaired: a window on the length of the string, which is the same where every match "
        "marks the first and the last event of its string."
    ),
    latex=(r"\mathit{Match}(e^{[1..w]}, S) = \{ M \in \mathit{Match}(e, S) : \max M - \min M + 1 \le w \}"),
    expected=Standing.REPAIRED,
    constructions=(windowed, marks_both_ends),
    evidence=(
        Search(window_on_marks_bounds_the_string(both_ends=False), breaks=(2, 2)),
        Search(window_on_marks_bounds_the_string(both_ends=True), reading=Reading.REPAIRED),
        Search(windowed_is_exact(), reading=Reading.REPAIRED),
        Search(windowed_is_exact(REMEMBERING), reading=Reading.REPAIRED),
        Search(bounds_reach_inside(), reading=Reading.REPAIRED),
        replace(INDUCTION, reading=Reading.REPAIRED),
    ),
    errata=("A5",),
    remark=(
        "The span of no marks is not defined; here it fits every window. Whether every match marks both "
        "ends is decided on the expression, so that windows of the first kind can be used wherever they "
        "are sound."
    ),
)
