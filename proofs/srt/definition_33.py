"""SRT Definition 33: closure under intersection and complement."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.complement import complement
from mnemata.proofs.evidence import Adversary, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.adversaries import nothing_marked_is_no_match
from mnemata.proofs.srt.determinizing import complement_by_matches, complement_is_exact

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Definition 33",
    title="what a complement is",
    statement=(
        "SRT are closed under complement if for each there is one with exactly the other sets of "
        "positions as matches. To the letter none has a complement: with runs that accept as in Def. 24 "
        "the empty set is never a match, neither of an SRT nor of its complement. Repaired: the "
        "complement of a language, which is what the proofs are about."
    ),
    latex=r"S \in \mathit{Lang}(T_c) \iff S \notin \mathit{Lang}(T)",
    expected=Standing.REPAIRED,
    constructions=(complement,),
    evidence=(
        Search(complement_by_matches(), breaks=(1, 1)),
        Adversary(claim=nothing_marked_is_no_match(), reading=Reading.REPAIRED),
        Search(complement_is_exact(), reading=Reading.REPAIRED),
    ),
    errata=("A7",),
    remark=(
        "The adversary needs no cunning. Complements exist in windows only, see Cor. 43; a definition has "
        "no proof of its own."
    ),
)
