"""Determinization with regard to outputs."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.output_determinization import determinize_outputs
from mnemata.proofs.evidence import Search
from mnemata.proofs.induction.histories import INDUCTION
from mnemata.proofs.own.histories import OVERLAPPING, histories_have_one_run, over_streams_matches_are_kept
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Output determinization",
    title="one run for each history of marks",
    statement=(
        "Over sets of configurations that share slots, an automaton has the same matches, and one run "
        "for each history of marks, wherever finitely many slots suffice."
    ),
    latex=(
        r"\mathit{Match}(T^D, S) = \mathit{Match}(T, S), \qquad \mathit{Match}(\varrho) = "
        r"\mathit{Match}(\varrho') \implies \varrho = \varrho'"
    ),
    expected=Standing.HOLDS,
    constructions=(determinize_outputs,),
    evidence=(
        Search(histories_have_one_run()),
        Search(over_streams_matches_are_kept()),
        Search(over_streams_matches_are_kept(OVERLAPPING)),
        INDUCTION,
    ),
    errata=("C1",),
    remark=(
        "Without registers it is CEL Proposition 5.5, and always ends. With registers it need not "
        "(RMA Theorem 11): then the budget ends it, and the search passes over such automata."
    ),
)
