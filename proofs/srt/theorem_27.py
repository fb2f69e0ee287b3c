"""SRT Theorem 27: every expression has a transducer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.runs import Acceptance
from mnemata.proofs.bounded import Proof, compiled_exactly
from mnemata.proofs.evidence import Bounded, Effort, Reading, Search
from mnemata.proofs.generators import TICKS
from mnemata.proofs.induction.thompson import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.compiling import (
    SMALL_EXPRESSIONS,
    compilation_is_exact,
    every_match_marks_the_last_event,
)
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.proofs.srt.exhaustive import COVERED, compiled, proofs


def _corpus(effort: Effort) -> Iterator[Proof]:
    for expression in CORPUS.values():
        yield compiled_exactly(expression, TICKS, up_to=effort.length)


def _fragment(effort: Effort) -> Iterator[Proof]:
    return proofs(compiled, effort)


RESULT: Final = Result(
    paper=Paper.SRT,
    place="Theorem 27",
    title="expressions have transducers",
    statement=(
        "For every SREMO there is an SRT with the same matches over every string. To the letter of Def. "
        "24 that fails for every expression with a match that does not mark the last event, whatever the "
        "SRT. Repaired: a run accepts when it ends in a final state, whatever its last output."
    ),
    latex=r"\forall e\, \exists T\, \forall S:\ \mathit{Match}(e, S) = \mathit{Match}(T, S)",
    expected=Standing.REPAIRED,
    constructions=(thompson,),
    evidence=(
        Search(compilation_is_exact(Acceptance.LAST_EVENT_MARKED, SMALL_EXPRESSIONS), breaks=(1, 1)),
        Search(compilation_is_exact(Acceptance.LAST_TRANSITION_MARKED, SMALL_EXPRESSIONS), breaks=(1, 1)),
        Search(every_match_marks_the_last_event(SMALL_EXPRESSIONS), breaks=(1, 1)),
        Search(compilation_is_exact(Acceptance.FINAL_STATE), reading=Reading.REPAIRED),
        Bounded("expressions of the corpus, compiled", _corpus, reading=Reading.REPAIRED),
        Bounded("all expressions of a fragment, compiled", _fragment, reading=Reading.REPAIRED),
        INDUCTION,
    ),
    errata=("A2",),
    remark=COVERED,
)
