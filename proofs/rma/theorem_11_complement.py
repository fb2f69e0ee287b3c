"""RMA Theorem 11: no closure under complement."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Adversary, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.adversaries import against_complement
from mnemata.proofs.rma.candidates import COMPLEMENTS
from mnemata.proofs.rma.defeating import complements_are_not_recognised, nothing_marked_is_no_match

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Theorem 11, complement",
    title="no closure under complement",
    statement=(
        "RMA are not closed under complement: to the letter because no RMA matches the empty set, so "
        "that none has a complement; and also among the sets that are not empty, no RMA has those "
        "that some RMA does not match."
    ),
    latex=(r"\neg \exists A^c\ \forall S:\ M \in [\![A]\!](S) \iff M \notin [\![A^c]\!](S)"),
    expected=Standing.HOLDS,
    constructions=(against_complement,),
    evidence=(
        Search(nothing_marked_is_no_match()),
        Adversary(claim=complements_are_not_recognised(), by_hand=COMPLEMENTS),
    ),
    errata=("A7",),
    remark=(
        "True for a trivial reason, as SRT Theorem 35 is. The second half is what the reference to "
        "register automata in the paper is about; the adversary is a fooling set, and works against "
        "any RMA, several runs and any relations included."
    ),
)
