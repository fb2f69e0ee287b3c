"""SRT Theorem 27: every expression has a transducer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.runs import Acceptance
from mnemata.proofs.bounded import Proof, compiled_exactly
from mnemata.proofs.evidence import Bounded, Effort, Reading, Search
from mnemata.proofs.generators import TICKS
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.compiling import SMALL_EXPRESSIONS, compilation_is_exact
from mnemata.proofs.srt.corpus import CORPUS


def _proofs(effort: Effort) -> Iterator[Proof]:
    for expression in CORPUS.values():
        yield compiled_exactly(expression, TICKS, up_to=effort.length)


RESULT: Final = Result(
    paper=Paper.SRT,
    place="Theorem 27",
    title="expressions have transducers",
    statement=(
        "For every SREMO there is an SRT with the same matches over every string. "
        "Repaired: a run is accepting when it ends in a final state, whatever its last output."
    ),
    latex=r"\forall e\, \exists T\, \forall S:\ \mathit{Match}(e, S) = \mathit{Match}(T, S)",
    expected=Standing.REPAIRED,
    constructions=(thompson,),
    evidence=(
        Search(compilation_is_exact(Acceptance.LAST_EVENT_MARKED, SMALL_EXPRESSIONS), breaks=(1, 1)),
        Search(compilation_is_exact(Acceptance.LAST_TRANSITION_MARKED, SMALL_EXPRESSIONS), breaks=(1, 1)),
        Search(compilation_is_exact(Acceptance.FINAL_STATE), reading=Reading.REPAIRED),
        Bounded("expressions of the corpus, compiled", _proofs, reading=Reading.REPAIRED),
    ),
    errata=("A2",),
)
