"""SRT Algorithm 3: the automaton of a windowed expression."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.unrolling import unroll
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinizing import recognises_short, recognises_windowed, unrolled

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Algorithm 3",
    title="automata of windowed expressions",
    statement=(
        "The algorithm compiles, eliminates epsilon transitions and unrolls; the result accepts what the "
        "windowed expression does. To the letter of Def. 39 it rejects strings longer than the window "
        "whose marks are close together. Repaired: for windows on the length of the string."
    ),
    latex=r"\mathit{Lang}(A_{e'}) = \mathit{Lang}(e^{[1..w]})",
    expected=Standing.REPAIRED,
    constructions=(thompson, eliminate_epsilon, unroll),
    evidence=(
        Search(
            recognises_windowed(
                unrolled, "Alg. 3 accepts the strings of a windowed expression", "Alg. 3, Def. 39"
            ),
            breaks=(2, 2),
        ),
        Search(
            recognises_short(unrolled, "Alg. 3 accepts short strings", "Alg. 3, ERRATA A5"),
            reading=Reading.REPAIRED,
        ),
    ),
    errata=("A5",),
    remark=(
        "Line 3, which makes each transition write one register, is needed only because Alg. 2 unites "
        "what transitions write; with the repaired elimination nothing is left for it to do. What holds "
        "without bounds is Lemma 46."
    ),
)
