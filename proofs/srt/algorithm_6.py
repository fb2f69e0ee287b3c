"""SRT Algorithm 6: unrolling by one step."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.unrolling import unroll
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinizing import CHOICES, recognises_short, unrolled, unrolled_any_copy

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Algorithm 6",
    title="unrolling by one step",
    statement=(
        "Each transition of the frontier gets a copy, with a register of its own if it writes, and "
        "conditions read the latest copies on the walk. Where a register has no copy there, which is left "
        "open, the atom is false; here it makes no difference if any other copy is read, because no run "
        "has written it."
    ),
    latex=r"\mathit{Lang}(A_k) = \{ S \in \mathit{Lang}(A) : |S| \le k \}",
    expected=Standing.HOLDS,
    constructions=(unroll,),
    evidence=(
        Search(recognises_short(unrolled, "unrolling accepts short strings", "Alg. 6")),
        Search(
            recognises_short(unrolled_any_copy, "unrolling accepts short strings, any copy read", "Alg. 6")
        ),
        Search(
            recognises_short(
                unrolled_any_copy,
                "unrolling accepts short strings, any copy read, after a choice",
                "Alg. 6",
                CHOICES,
            )
        ),
    ),
    errata=("A6",),
    remark=(
        "What it leaves open does harm in Alg. 7, where one run stands for several. The step without "
        "bounds is that of Lemma 46."
    ),
)
