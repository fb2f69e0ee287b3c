"""CEL Lemma 8.3: where CEL* begins to look."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.starring import beginnings_do_not_matter, proofs_of_lemma_8_3
from mnemata.proofs.evidence import Bounded, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.semantics import valuations

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Lemma 8.3",
    title="where CEL* begins to look does not matter",
    statement=(
        "What a formula of CEL* finds over an interval it finds over that of its support, and over those "
        "that begin earlier."
    ),
    latex=r"\mu \in \llbracket \varphi \rrbracket(S, i, j) \Rightarrow "
    r"\mu \in \llbracket \varphi \rrbracket(S, \min \sup(\mu), \max \sup(\mu)) \cap "
    r"\llbracket \varphi \rrbracket(S, i', j),\ i' \leq i",
    expected=Standing.HOLDS,
    constructions=(valuations,),
    evidence=(
        Search(beginnings_do_not_matter()),
        Bounded("all formulas of CEL* of few operators", proofs_of_lemma_8_3),
    ),
    remark="Not only for unary formulas.",
)
