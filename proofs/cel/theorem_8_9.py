"""CEL Theorem 8.9: CEL* and the *-semantics."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.formulas import star_formula_of
from mnemata.automata.constructions.cea.star import star_automaton
from mnemata.proofs.cel.eliminating import (
    INSTANCES,
    SMALL,
    proofs_of_star_elimination,
    published_star,
    repaired_star,
    star_compilation_is_exact,
    star_elimination_is_exact,
)
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Theorem 8.9",
    title="CEL* is CEA under the *-semantics",
    statement=(
        "Unary formulas of CEL* and CEA under the *-semantics define the same complex events. Repaired: in "
        "the recursion that makes formulas of automata a loop is iterated, not taken once; the filter of a "
        "single event names the variable that it asks."
    ),
    latex=r"\varphi_{ij}^k = \varphi_{ij}^{k-1} \lor (\varphi_{ik}^{k-1} ; \varphi_{kj}^{k-1}) \lor "
    r"(\varphi_{ik}^{k-1} ; \varphi_{kk}^{k-1}{+} ; \varphi_{kj}^{k-1})",
    expected=Standing.REPAIRED,
    constructions=(star_formula_of, star_automaton),
    evidence=(
        Search(star_elimination_is_exact(published_star, SMALL, "as printed"), breaks=(1, 4)),
        Search(star_elimination_is_exact(repaired_star, INSTANCES, "as repaired"), reading=Reading.REPAIRED),
        Search(star_compilation_is_exact(), reading=Reading.REPAIRED),
        Bounded(
            "automata of few transitions as formulas of CEL*",
            proofs_of_star_elimination,
            reading=Reading.REPAIRED,
        ),
    ),
    errata=("B9",),
    remark=(
        "The printed recursion may have lost its + in typesetting. With 0 < i_1 in Def. 8.7 the direction "
        "from formulas fails too, see there. It is about complex events only, see the end of Section 8.1."
    ),
)
