"""SRT Definition 44: skip-till-any-match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemata.proofs.bounded import Proof, compiled_exactly
from mnemata.proofs.evidence import Bounded, Effort, Search
from mnemata.proofs.generators import TICKS
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.proofs.srt.nesting import (
    any_finds_all_subsequences,
    any_is_a_sequence_with_gaps,
    strategies_with_windows_as_guards_are_exact,
)
from mnemata.theory.sremo.rewriting import skip_till_any


def _corpus(effort: Effort) -> Iterator[Proof]:
    for name, expression in CORPUS.items():
        if "any" in name:
            yield compiled_exactly(expression, TICKS, up_to=effort.length)


RESULT: Final = Result(
    paper=Paper.SRT,
    place="Definition 44",
    title="skip-till-any-match",
    statement=(
        "Any events may lie between the parts: the strategy is an expression with gaps, so that it can be "
        "nested and put in windows. Of single events it finds every subsequence that matches; of a "
        "disjunction it changes nothing."
    ),
    latex=(
        r"\circlearrowleft(e_1, \ldots, e_n) := e_1 \cdot (\top{\uparrow}\otimes)^* \cdot e_2 \cdots "
        r"(\top{\uparrow}\otimes)^* \cdot e_n"
    ),
    expected=Standing.HOLDS,
    constructions=(skip_till_any,),
    evidence=(
        Search(any_is_a_sequence_with_gaps()),
        Search(any_finds_all_subsequences()),
        Search(strategies_with_windows_as_guards_are_exact()),
        Bounded("expressions of the corpus with the strategy", _corpus),
    ),
    remark=(
        "A definition: what holds of its automata without bounds is Thm 27. In it parts that iterate stay "
        "contiguous, which the experiments of the paper do not mean; gaps between their rounds have to be "
        "asked for."
    ),
)
