"""CEL Section 8.2: examples of contiguity by STRICT."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.rewriting import examples_are_equivalent, proofs_of_examples
from mnemata.proofs.evidence import Bounded, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.rewriting import contiguous_to_strict, strict_iteration

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Section 8.2, examples",
    title="contiguity by STRICT",
    statement=(
        "R : S is STRICT(R ; S), R (+) is STRICT(R+), and R ; T+ : U is R ; (STRICT(T ; U) OR T+ ; STRICT(T "
        "; U)), valuations included."
    ),
    latex=r"R ; T{+} : U \equiv R ; (\mathrm{STRICT}(T ; U) \lor T{+} ; \mathrm{STRICT}(T ; U))",
    expected=Standing.HOLDS,
    constructions=(contiguous_to_strict, strict_iteration),
    evidence=(
        Search(examples_are_equivalent()),
        Bounded("the examples over all streams up to a length", proofs_of_examples),
    ),
    remark="A semicolon of the last formula is lost in print.",
)
