"""CEL Theorem 6.2: every unary formula has an automaton."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.compilation import automaton
from mnemata.automata.constructions.cea.products import interleaving, unless
from mnemata.automata.constructions.cea.sequencing import contiguous_iteration
from mnemata.proofs.cel.compiling import (
    CONTIGUOUS_ITERATIONS,
    GUARDED,
    INTERLEAVINGS,
    MATCHING,
    NESTED,
    SINGLE,
    compilation_is_exact,
    completely_guarded,
    proofs_of_compilation,
    published,
)
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.induction.rounds import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Theorem 6.2",
    title="unary formulas have automata",
    statement=(
        "For every unary formula there is a CEA with the same valuations, over every interval of every "
        "stream. Repaired: rounds of a contiguous iteration may be single events; events between the two "
        "parts of ALL are read; the guard of UNLESS is looked for everywhere, by an automaton that can read "
        "every event."
    ),
    latex=r"\forall \varphi\, \exists \mathcal{A}\, \forall S\, \forall i \leq j:\ "
    r"\llbracket \varphi \rrbracket(S, i, j) = \llbracket \mathcal{A} \rrbracket(S, i, j)",
    expected=Standing.REPAIRED,
    constructions=(automaton, contiguous_iteration, interleaving, unless),
    evidence=(
        Search(
            compilation_is_exact(CONTIGUOUS_ITERATIONS, "contiguous iteration as published", published),
            breaks=(1, 3),
        ),
        Search(compilation_is_exact(INTERLEAVINGS, "ALL as published", published), breaks=(2, 3)),
        Search(compilation_is_exact(GUARDED, "UNLESS as published", published), breaks=(2, 1)),
        Search(
            compilation_is_exact(GUARDED, "UNLESS as published, made complete", completely_guarded),
            breaks=(2, 2),
        ),
        *(
            Search(compilation_is_exact(instances, what), reading=Reading.REPAIRED)
            for instances, what in (
                (SINGLE, "single operators"),
                (NESTED, "nested operators"),
                (MATCHING, "nested operators that match often"),
                (CONTIGUOUS_ITERATIONS, "contiguous iteration"),
                (INTERLEAVINGS, "ALL"),
                (GUARDED, "UNLESS"),
            )
        ),
        Bounded("all formulas of few operators", proofs_of_compilation, reading=Reading.REPAIRED),
        INDUCTION,
    ),
    errata=("B1", "B2", "B3"),
    remark=(
        "The theorem is true; three of the constructions in its proof are not. The bounded proofs are for "
        "all values, and for every formula of up to two operators. The induction is for contiguous iteration."
    ),
)
