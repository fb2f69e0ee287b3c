"""SRT Appendix A.2: the constructions for Theorem 27."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.thompson import thompson
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.compiling import derivations_are_kept, nothing_matches_epsilon

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Appendix A.2, constructions",
    title="automata of expressions, from any register contents",
    statement=(
        "The automaton of an expression has the same matches, from any register contents to the same "
        "ones. Stated on the way: nothing matches the expression epsilon; by Def. 17 the empty match "
        "does. Repaired: that, and runs that accept in any final state."
    ),
    latex=r"\mathcal{M}(e, S, v, v') = \mathcal{M}(T, S, v, v')",
    expected=Standing.REPAIRED,
    constructions=(thompson,),
    evidence=(
        Search(nothing_matches_epsilon(), breaks=(0, 0)),
        Search(derivations_are_kept(), reading=Reading.REPAIRED),
    ),
    errata=("A2",),
    remark=(
        "Another slip in the proof: after the epsilon transition that joins two runs the index is the "
        "same, not one higher. That a writing terminal need not write one of the automaton's registers "
        "cannot happen, because these are all registers named."
    ),
)
