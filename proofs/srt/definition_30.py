"""SRT Definition 30: closure under union, concatenation and Kleene-star."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.concatenation import concatenation
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.closure import concatenation_is_exact, fixed_split_is_exact

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Definition 30",
    title="what closure means",
    statement=(
        "The matches of a concatenation over a string are those of both automata over its parts, joined. "
        "To the letter one split is given and the second string counts its events from 1; then the "
        "automaton of Fig. 11d does not have the matches that are asked for. Repaired: all splits, and "
        "indices of the whole string."
    ),
    latex=(
        r"\mathit{Match}(T, S) = \bigcup_{S = S_1 S_2} \{ M_1 \cup M_2 : M_i \in \mathit{Match}(T_i, "
        r"S_i) \}"
    ),
    expected=Standing.REPAIRED,
    constructions=(concatenation,),
    evidence=(
        Search(fixed_split_is_exact(shifted=False), breaks=(1, 1)),
        Search(fixed_split_is_exact(shifted=True), breaks=(1, 1)),
        Search(concatenation_is_exact(), reading=Reading.REPAIRED),
    ),
    errata=("A3",),
    remark=(
        "As quantified, the SRT for a concatenation or a star may depend on the strings, so that closure "
        "would say nothing; it is read with one SRT for all strings. A definition is not proved; closure "
        "itself is Thm 31."
    ),
)
