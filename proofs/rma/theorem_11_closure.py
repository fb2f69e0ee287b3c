"""RMA Theorem 11: closure under union, concatenation and Kleene-plus."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.rma.closure import (
    concatenation,
    concatenation_as_published,
    plus,
    plus_as_published,
    union,
)
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.concatenation import INDUCTION as CONCATENATION
from mnemata.proofs.induction.star import INDUCTION as STAR
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.closing import concatenation_joins, plus_repeats, union_is_exact

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Theorem 11, closure",
    title="union, concatenation, Kleene-plus",
    statement=(
        "RMA are closed under union, concatenation and Kleene-plus, by the constructions of Theorem "
        "8. As published they are wrong: the first part of a concatenation may end without a bullet, "
        "and rounds of an iteration see what earlier ones left in registers. Repaired, and over "
        "consecutive pieces of the stream, they are right."
    ),
    latex=(
        r"[\![A]\!](S) = \bigcup_{S = S_1 \cdots S_n} \{M_1 \cup \cdots \cup M_n : M_i \in "
        r"[\![A_i]\!](S_i)\}"
    ),
    expected=Standing.REPAIRED,
    constructions=(union, concatenation, plus),
    evidence=(
        Search(
            concatenation_joins(concatenation_as_published, "concatenation as published", small=True),
            breaks=(1, 1),
        ),
        Search(plus_repeats(plus_as_published, "Kleene-plus as published", small=True), breaks=(1, 2)),
        Search(union_is_exact(), reading=Reading.REPAIRED),
        Search(concatenation_joins(concatenation, "concatenation"), reading=Reading.REPAIRED),
        Search(plus_repeats(plus, "Kleene-plus"), reading=Reading.REPAIRED),
        replace(CONCATENATION, reading=Reading.REPAIRED),
        STAR,
    ),
    errata=("C4", "A3"),
    remark=("What Def. 10 asks for to the letter is something else, see there."),
)
