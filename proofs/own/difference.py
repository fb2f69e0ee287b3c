"""Differences of automata."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.complement import difference, symmetric_difference
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.merging import COMPLEMENT
from mnemata.proofs.induction.ring_buffer import INDUCTION as RING
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinizing import REMEMBERING_PAIRS, differences_are_exact

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Difference",
    title="matches of one over strings that another does not accept",
    statement=(
        "The difference has the matches of one automaton over the strings that another does not "
        "accept within a window; the symmetric difference, of each over the strings that the other "
        "does not."
    ),
    latex=(
        r"\mathit{Match}(T_1 - T_2, S) = \{M \in \mathit{Match}(T_1, S) : |S| > w \vee S \notin "
        r"\mathit{Lang}(T_2)\}"
    ),
    expected=Standing.HOLDS,
    constructions=(difference, symmetric_difference),
    evidence=(
        Search(differences_are_exact()),
        Search(differences_are_exact(REMEMBERING_PAIRS)),
        replace(COMPLEMENT, reading=Reading.STATED),
        replace(RING, reading=Reading.STATED),
    ),
    errata=("A7",),
)
