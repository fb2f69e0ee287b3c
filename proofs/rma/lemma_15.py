"""RMA Lemma 15: unrolled RMA."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.rma.determinization import unrolled
from mnemata.automata.constructions.rma.translation import translate
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.induction.unrolling import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.determining import unrolling_is_a_tree
from mnemata.proofs.rma.matching import SCHEMA, window_is_exact
from mnemata.proofs.rma.symbolic import windowed_proofs

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Lemma 15",
    title="windowed expressions have unrolled RMA",
    statement=(
        "Every bounded windowed expression has an RMA with the same matches that has no loop but one "
        "at its start state."
    ),
    latex=(r"\forall \varphi\ \exists A \text{ unrolled}\ \forall S:\ [\![A]\!](S) = [\![\varphi]\!](S)"),
    expected=Standing.HOLDS,
    constructions=(unrolled,),
    evidence=(
        Search(
            window_is_exact(lambda e, w: unrolled(translate(e, SCHEMA), w), "unrolled RMA", "RMA Lemma 15")
        ),
        Search(unrolling_is_a_tree()),
        Bounded(
            "all small expressions in windows of three events",
            windowed_proofs(lambda e, w: unrolled(translate(e, SCHEMA), w), 3),
        ),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    remark=(
        "The induction is over the layers of the tree; the loop at its root lets a run begin at any "
        "event (see SRT Definition 32)."
    ),
)
