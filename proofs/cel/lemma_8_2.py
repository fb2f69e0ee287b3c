"""CEL Lemma 8.2: supports of CEL*."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.starring import proofs_of_lemma_8_2, supports_end_with_the_interval
from mnemata.proofs.evidence import Bounded, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.theory.cel.semantics import valuations

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Lemma 8.2",
    title="supports of CEL*",
    statement="What a formula of CEL* finds over an interval contains its last position, and lies in it.",
    latex=r"\mu \in \llbracket \varphi \rrbracket(S, i, j) \Rightarrow "
    r"j \in \sup(\mu) \subseteq \{i, \dots, j\}",
    expected=Standing.HOLDS,
    constructions=(valuations,),
    evidence=(
        Search(supports_end_with_the_interval()),
        Bounded("all formulas of CEL* of few operators", proofs_of_lemma_8_2),
    ),
    remark="Not only for unary formulas.",
)
