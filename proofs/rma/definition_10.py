"""RMA Definition 10: what closure means."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.rma.closure import concatenation_as_published, plus_as_published
from mnemata.proofs.evidence import Adversary, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.candidates import ITERATIONS
from mnemata.proofs.rma.closing import (
    is_as_defined,
    of_core_cepl_both_agree,
    parallel,
    plus_is_as_defined,
    union_is_exact,
)
from mnemata.proofs.rma.defeating import iterations_as_defined_are_not_recognised

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Definition 10",
    title="what closure means",
    statement=(
        "RMA are closed under union, concatenation and Kleene-plus, where the parts of a match are "
        "matches over the same stream from its beginning. Union is, and concatenation too, but not by "
        "the construction of Theorem 8: both automata have to read along. Under Kleene-plus in this "
        "sense RMA are not closed. Repaired: parts are matches over consecutive pieces of the stream; "
        "for RMA of core-CEPL both say the same."
    ),
    latex=(r"[\![A^+]\!](S) = \{M_1 \cdots M_n : M_i \in [\![A]\!](S)\}"),
    expected=Standing.REPAIRED,
    constructions=(parallel, concatenation_as_published, plus_as_published),
    evidence=(
        Search(is_as_defined(concatenation_as_published, "as published", small=True), breaks=(1, 1)),
        Search(plus_is_as_defined(plus_as_published, "as published"), breaks=(1, 2)),
        Search(union_is_exact(), reading=Reading.REPAIRED),
        Search(is_as_defined(parallel, "side by side"), reading=Reading.REPAIRED),
        Adversary(
            claim=iterations_as_defined_are_not_recognised(), by_hand=ITERATIONS, reading=Reading.REPAIRED
        ),
        Search(of_core_cepl_both_agree(), reading=Reading.REPAIRED),
    ),
    errata=("C4",),
    remark=(
        "More than ERRATA C4 says: as defined, Kleene-plus is not only at odds with the construction. "
        "No RMA does it, since each part may need events of its own to be remembered from before the "
        "match."
    ),
)
