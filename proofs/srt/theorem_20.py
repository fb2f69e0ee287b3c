"""SRT Theorem 20: matches determine the language."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Induction, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.denoting import equal_matches_are_equal_languages, theorem_20
from mnemata.theory.sremo.semantics import accepts, matches

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Theorem 20",
    title="equal matches, equal languages",
    statement="Expressions that have the same matches over every string accept the same strings.",
    latex=(
        r"(\forall S:\ \mathit{Match}(e, S) = \mathit{Match}(e', S)) \implies \mathit{Lang}(e) = "
        r"\mathit{Lang}(e')"
    ),
    expected=Standing.HOLDS,
    constructions=(matches, accepts),
    evidence=(
        Search(equal_matches_are_equal_languages()),
        Induction("for any relation of derivation, by Def. 18", theorem_20),
    ),
    remark=(
        "The proof is unbounded and needs no induction. The converse is false: a marked and a skipped "
        "event have one language. Nor do equal matches survive in a context: one of two such expressions "
        "may write a register that is read later."
    ),
)
