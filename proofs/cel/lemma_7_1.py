"""CEL Lemma 7.1: the order of NXT."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.selecting import is_total_order, order_obligations
from mnemata.proofs.evidence import Induction, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.semantics import last_before, next_before

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Lemma 7.1",
    title="the orders of NXT and LAST are total",
    statement=(
        "Complex events are totally ordered by which of two has the first position that the other lacks; and "
        "so by the last position, as LAST needs it."
    ),
    latex=r"C_1 \leq_{next} C_2 \Leftrightarrow C_1 = C_2 \lor \min(C_1 \triangle C_2) \in C_2",
    expected=Standing.HOLDS,
    constructions=(next_before, last_before),
    evidence=(
        Search(is_total_order("the order of NXT", next_before)),
        Search(is_total_order("the order of LAST", last_before)),
        Induction("the orders of sets of whole numbers are total", order_obligations),
    ),
    remark=(
        "Outside of the proofs without bounds: that finite sets that differ have a first and a last "
        "difference."
    ),
)
