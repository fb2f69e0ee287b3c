"""SRT Appendix A.4: the constructions for Theorem 31."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.concatenation import concatenation
from mnemata.automata.constructions.kleene import star, star_as_published
from mnemata.automata.srt.runs import Acceptance
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.concatenation import INDUCTION as JOINING
from mnemata.proofs.induction.star import INDUCTION as REPEATING
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.closure import SMALL_ONE, SMALL_TWO, concatenation_is_exact, star_is_exact

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Appendix A.4, concatenation and Kleene-star",
    title="the automata of Fig. 11d and 11f for closure",
    statement=(
        "Fig. 11d joins the matches of two SRT, and Fig. 11f iterates those of one. To the letter of Def. "
        "24 the first fails, because a match of the first automaton that does not mark its last event is "
        "found, too; and the second keeps register contents from round to round. Repaired: runs accept in "
        "any final state, and in each round registers not yet written count as empty."
    ),
    latex=r"\mathit{Match}(T_1 \cdot T_2, S),\ \mathit{Match}(T^*, S) \text{ as in Def. 30}",
    expected=Standing.REPAIRED,
    constructions=(concatenation, star_as_published, star),
    evidence=(
        Search(concatenation_is_exact(Acceptance.LAST_EVENT_MARKED, SMALL_TWO), breaks=(1, 1)),
        Search(star_is_exact(star_as_published, SMALL_ONE), breaks=(1, 2)),
        Search(concatenation_is_exact(), reading=Reading.REPAIRED),
        Search(star_is_exact(), reading=Reading.REPAIRED),
        replace(JOINING, reading=Reading.REPAIRED),
        REPEATING,
    ),
    errata=("A2", "A3"),
    remark=(
        "One transition breaks each. Fig. 11f is right for expressions, where Def. 17 hands register "
        "contents on. The repairs are weighed further under Thm 31."
    ),
)
