"""SRT Definition 45: skip-till-next-match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemata.automata.constructions.negation import earliest
from mnemata.proofs.bounded import Proof, compiled_exactly
from mnemata.proofs.evidence import Bounded, Effort, Reading, Search
from mnemata.proofs.generators import TICKS
from mnemata.proofs.induction.completion import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.proofs.srt.negating import (
    monitors_are_exact,
    next_as_published_is_earliest_completion,
    next_takes_one_completion,
    rewriting_next_is_exact,
)
from mnemata.proofs.srt.nesting import compiled_strategies_are_exact
from mnemata.theory.sremo.rewriting import skip_till_next


def _corpus(effort: Effort) -> Iterator[Proof]:
    for name, expression in CORPUS.items():
        if "next" in name:
            yield compiled_exactly(expression, TICKS, up_to=effort.length)


RESULT: Final = Result(
    paper=Paper.SRT,
    place="Definition 45",
    title="skip-till-next-match",
    statement=(
        "Between two parts no other match of the second may lie. To the letter !e2 also accepts strings "
        "of several events that all match e2, so that the next one can be skipped. Repaired: each part is "
        "taken at its earliest completion, from the registers as they were when the skipping began."
    ),
    latex=r"@(e_1, \ldots, e_n) := e_1 \cdot \mathit{first}(e_2) \cdots \mathit{first}(e_n)",
    expected=Standing.REPAIRED,
    constructions=(skip_till_next, earliest),
    evidence=(
        Search(next_as_published_is_earliest_completion(), breaks=(2, 4)),
        Search(monitors_are_exact(), reading=Reading.REPAIRED),
        Search(rewriting_next_is_exact(), reading=Reading.REPAIRED),
        Search(next_takes_one_completion(), reading=Reading.REPAIRED),
        Search(compiled_strategies_are_exact(), reading=Reading.REPAIRED),
        Bounded("expressions of the corpus with the strategy", _corpus, reading=Reading.REPAIRED),
        INDUCTION,
    ),
    errata=("A11",),
    remark=(
        "One event type, four times, is enough to break it. What is taken has to be of bounded length, as "
        "the monitor is a ring buffer; see the project's own result on earliest completion."
    ),
)
