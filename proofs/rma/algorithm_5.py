"""RMA Algorithm 5: determinization."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.rma.determinization import (
    determinize,
    determinize_as_published,
    determinize_window,
)
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.histories import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.determining import (
    determinization_has_one_run_for_each_output,
    determinization_is_exact_where_it_ends,
)
from mnemata.proofs.rma.matching import CHOICES, SCHEMA, algorithm_5_is_exact, window_is_exact

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Algorithm 5",
    title="determinization per output",
    statement=(
        "The power set over marked minterms, with the registers of the automaton, is a deterministic "
        "RMA (Def. 9) with the same matches. It is not: two runs with the same outputs may hold "
        "different events in one register. Repaired: slots shared among configurations, where "
        "finitely many suffice, and within a window."
    ),
    latex=(r"M \in [\![A]\!](S) \iff M \in [\![A^D]\!](S)"),
    expected=Standing.REPAIRED,
    constructions=(determinize_as_published, determinize, determinize_window),
    evidence=(
        Search(algorithm_5_is_exact(), breaks=(6, 3)),
        Search(
            window_is_exact(
                lambda e, w: determinize_window(e, w, SCHEMA), "determinized in a window", "ERRATA C1"
            ),
            reading=Reading.REPAIRED,
        ),
        Search(
            window_is_exact(
                lambda e, w: determinize_window(e, w, SCHEMA), "the same, of choices", "ERRATA C1", CHOICES
            ),
            reading=Reading.REPAIRED,
        ),
        Search(determinization_has_one_run_for_each_output(), reading=Reading.REPAIRED),
        Search(determinization_is_exact_where_it_ends(), reading=Reading.REPAIRED),
        replace(INDUCTION, reading=Reading.REPAIRED),
    ),
    errata=("C1",),
    remark=(
        "It also loses what comes after epsilon transitions, which it does not eliminate; the search "
        "eliminates them first. See Theorem 11 for why no repair works for all RMA."
    ),
)
