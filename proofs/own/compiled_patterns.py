"""The compiler as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.compilation import compile_pattern
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.epsilon import INDUCTION as ELIMINATION
from mnemata.proofs.induction.merging import MERGING, TRIMMING
from mnemata.proofs.induction.thompson import INDUCTION as COMPILATION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.compiling import compiled_patterns_are_exact

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Compiled patterns",
    title="the compiler as a whole",
    statement=(
        "The automaton that a pattern is compiled to, with the outermost windows left to who runs it, "
        "has the matches of the pattern."
    ),
    latex=(r"\mathit{Match}(e, S) = \{M \in \mathit{Match}(T, S) : M \text{ fits all outermost windows}\}"),
    expected=Standing.HOLDS,
    constructions=(compile_pattern,),
    evidence=(
        Search(compiled_patterns_are_exact()),
        replace(COMPILATION, reading=Reading.STATED),
        replace(ELIMINATION, reading=Reading.STATED),
        TRIMMING,
        MERGING,
    ),
    remark=("One construction after the other; each has its induction."),
)
