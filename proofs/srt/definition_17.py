"""SRT Definition 17: what expressions match."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.denoting import (
    Parts,
    matches_are_marked_words,
    semantics_is_that_of_derivatives,
    semantics_is_that_of_marked_words,
)
from mnemata.theory.sremo.semantics import derivations, matches

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Definition 17",
    title="matches of expressions",
    statement=(
        "Without registers, the matches of an expression are the words of a regular expression over "
        "marked and skipped events. To the letter that fails twice: max(M1) < min(M2) is undefined where "
        "a part of a match is empty, and the last case says nothing of M over the empty string. Repaired: "
        "parts may be empty, and over no event a star marks nothing."
    ),
    latex=(
        r"(e_1 \cdot e_2, S, M, v) \vdash v' \iff \exists S = S_1 S_2,\ M = M_1 \uplus M_2,\ v'':\ "
        r"(e_1, S_1, M_1, v) \vdash v'' \wedge (e_2, S_2, M_2, v'') \vdash v'"
    ),
    expected=Standing.REPAIRED,
    constructions=(derivations, matches),
    evidence=(
        Search(matches_are_marked_words(Parts.NOT_EMPTY), breaks=(2, 2)),
        Search(matches_are_marked_words(Parts.FREE), breaks=(1, 1)),
        Search(matches_are_marked_words(Parts.MAY_BE_EMPTY), reading=Reading.REPAIRED),
        Search(semantics_is_that_of_marked_words(), reading=Reading.REPAIRED),
        Search(semantics_is_that_of_derivatives(), reading=Reading.REPAIRED),
    ),
    errata=("A12",),
    remark=(
        "Both are readings of an underspecified text, not what its examples mean: with the first one the "
        "match of Example 19 is none. With registers the semantics is compared with partial derivatives, "
        "which read event by event. The expression for nothing has no case in Def. 17; here it matches no "
        "string."
    ),
)
