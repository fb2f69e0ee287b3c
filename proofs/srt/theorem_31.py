"""SRT Theorem 31: closure under union, concatenation and Kleene-star."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.concatenation import concatenation
from mnemata.automata.constructions.kleene import star
from mnemata.automata.constructions.union import union
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.concatenation import INDUCTION as JOINING
from mnemata.proofs.induction.star import INDUCTION as REPEATING
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.closure import (
    LONG_ROUNDS,
    REMEMBERING_TWO,
    ROUNDS,
    concatenation_is_exact,
    concatenation_under_def_24_is_exact,
    star_is_exact,
    union_is_exact,
)

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Theorem 31",
    title="closure under union, concatenation and Kleene-star",
    statement=(
        "For SRT there are SRT that have the union of their matches, the concatenations of their matches, "
        "and the iterated ones, each round of which begins with empty registers."
    ),
    latex=(
        r"\mathit{Match}(T_1 + T_2, S) = \mathit{Match}(T_1, S) \cup \mathit{Match}(T_2, S),\quad "
        r"\mathit{Match}(T^*, S) = \bigcup_{S = S_1 \cdots S_n} \{ \textstyle\bigcup_i M_i : M_i \in "
        r"\mathit{Match}(T, S_i) \}"
    ),
    expected=Standing.HOLDS,
    constructions=(union, concatenation, star),
    evidence=(
        Search(union_is_exact()),
        Search(concatenation_is_exact()),
        Search(concatenation_is_exact(instances=REMEMBERING_TWO)),
        Search(concatenation_under_def_24_is_exact()),
        Search(star_is_exact()),
        Search(star_is_exact(instances=ROUNDS)),
        Search(star_is_exact(instances=LONG_ROUNDS)),
        JOINING,
        replace(REPEATING, reading=Reading.STATED),
    ),
    errata=("A2", "A3"),
    remark=(
        "Read with Def. 30 as repaired. True with the repaired constructions; those of the proof are in "
        "App. A.4. Closure does not depend on whether runs accept as in Def. 24: the operands can "
        "remember whether the last event was marked."
    ),
)
