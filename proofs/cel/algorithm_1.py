"""CEL Algorithm 1: enumeration."""

from __future__ import annotations

from typing import Final

from mnemata.automata.cea.enumeration import enumerate_as_published, enumerate_set
from mnemata.proofs.cel.evaluating import enumeration_is_linear, enumerations_agree
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Algorithm 1",
    title="enumeration with output-linear delay",
    statement=(
        "Alg. 1 enumerates what a list of a compact set stands for, each complex event once, with delays "
        "linear in the outputs. Repaired: it goes along a list in a loop, not by recursion, which has to "
        "return first."
    ),
    latex=r"\mathrm{ENUMERATE}(\mathcal{D}, n_1, n_2, \emptyset) = \mathit{CE}(n_1, n_2)",
    expected=Standing.REPAIRED,
    constructions=(enumerate_set, enumerate_as_published),
    evidence=(
        Search(enumeration_is_linear(enumerate_as_published, "by recursion"), breaks=(3, 20)),
        Search(enumeration_is_linear(enumerate_set, "as a loop"), reading=Reading.REPAIRED),
        Search(enumerations_agree(), reading=Reading.REPAIRED),
    ),
    errata=("B12",),
    remark=(
        "What is enumerated is right either way. The counterexample is for six steps a position; with more, "
        "the stream is longer: the recursion returns through a list that grows with it."
    ),
)
