"""CEL Theorem 7.2: selection strategies as automata."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.selection import SELECTIONS, last, max_, next_, strict
from mnemata.proofs.cel.selecting import (
    ANY,
    ONE_LABEL,
    PUBLISHED,
    proofs_of_selection,
    selection_is_exact,
    selection_keeps_complex_events,
)
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.induction import selection
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.formulas import Strict

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Theorem 7.2",
    title="selection strategies have automata",
    statement=(
        "For every CEA and each of STRICT, NXT, LAST and MAX there is an I/O-deterministic CEA, at most "
        "exponentially large, with the valuations that the strategy keeps. Repaired: runs with the same "
        "support and other labels are followed too; STRICT needs no repair, nor do the others with one "
        "variable."
    ),
    latex=r"\forall \mathcal{A}\, \exists \mathcal{A}_{SEL}\, \forall S, n:\ "
    r"\llbracket \mathcal{A}_{SEL} \rrbracket_n(S) = \llbracket \mathrm{SEL}(\mathcal{A}) \rrbracket_n(S)",
    expected=Standing.REPAIRED,
    constructions=(strict, next_, last, max_),
    evidence=(
        *(Search(selection_keeps_complex_events(strategy), breaks=(3, 2)) for strategy in PUBLISHED),
        *(
            Search(
                selection_is_exact(strategy, ONE_LABEL, construction, "as published, of one variable"),
                reading=Reading.REPAIRED,
            )
            for strategy, construction in PUBLISHED.items()
        ),
        *(
            Search(
                selection_is_exact(
                    strategy, ANY, construction, "as published" if strategy is Strict else "repaired"
                ),
                reading=Reading.STATED if strategy is Strict else Reading.REPAIRED,
            )
            for strategy, construction in SELECTIONS.items()
        ),
        Bounded("automata of few transitions, selected from", proofs_of_selection, reading=Reading.REPAIRED),
        selection.INDUCTION,
        selection.SINGLE,
    ),
    errata=("B5",),
    remark="The constructions as published fail for complex events already, hence for valuations.",
)
