"""Bridges between the languages and machines."""

from __future__ import annotations

from typing import Final

from mnemata.automata.rma.bridges import rma_of, srt_of
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.closing import bridges_are_exact
from mnemata.proofs.rma.matching import bridge_is_exact
from mnemata.theory.translation.sremo_of_cepl import expression_of_cepl

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Bridges",
    title="from one language or machine to another",
    statement=(
        "The SREMO of a core-CEPL expression reports its matches; an RMA and its SRT have the same "
        "matches, and back."
    ),
    latex=(
        r"[\![\varphi]\!](S) = \mathit{Match}_{\mathit{stream}}(e_\varphi, S), \qquad [\![A]\!]_n(S) = "
        r"\mathit{Match}(T_A, S)"
    ),
    expected=Standing.HOLDS,
    constructions=(expression_of_cepl, srt_of, rma_of),
    evidence=(
        Search(bridge_is_exact()),
        Search(bridges_are_exact()),
    ),
    remark=(
        "Translations of syntax and of one kind of automaton into another; the induction would be "
        "that of SRT Theorem 27 twice. Bridges of CEL are with the results of that paper."
    ),
)
