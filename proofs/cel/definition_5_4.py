"""CEL Definition 5.4: I/O-determinism."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.cea.determinism import is_io_deterministic
from mnemata.proofs.cel.determinizing import a_valuation_has_one_run
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Definition 5.4",
    title="input and output determine the run",
    statement=(
        "In a CEA with one initial state, in which transitions of a state with equal labels exclude one "
        "another, at most one run over a stream puts out a given valuation."
    ),
    latex=r"|I| = 1,\ (P_1 \cap P_2 = \emptyset \lor L_1 \neq L_2)\ \Rightarrow\ "
    r"|\{\rho : \mu_\rho = \mu\}| \leq 1",
    expected=Standing.HOLDS,
    constructions=(is_io_deterministic,),
    evidence=(Search(a_valuation_has_one_run()),),
    remark="What determinization makes of generated automata; runs are enumerated one by one.",
)
