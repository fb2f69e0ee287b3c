"""SRT Lemma 46: windowed expressions can be unrolled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemata.automata.constructions.unrolling import unroll
from mnemata.proofs.bounded import Proof
from mnemata.proofs.evidence import Adversary, Bounded, Effort, Reading, Search
from mnemata.proofs.induction.unrolling import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.adversaries import ONE_EVENT, against_unrolling, defeats
from mnemata.proofs.srt.candidates import loop_free_automata
from mnemata.proofs.srt.determinizing import (
    ALL_OF_WINDOW,
    no_state_is_visited_twice,
    recognises_windowed,
    unrolled,
    unrolling_is_exact,
)
from mnemata.proofs.srt.exhaustive import COVERED, proofs
from mnemata.proofs.srt.exhaustive import unrolled as window_by_window

NAME: Final = "an SRT without loops errs about an expression in a window of one event"


def _fragment(effort: Effort) -> Iterator[Proof]:
    return proofs(window_by_window, effort)


RESULT: Final = Result(
    paper=Paper.SRT,
    place="Lemma 46",
    title="unrolling",
    statement=(
        "For every windowed SREMO there is an equivalent SRT without loops. To the letter of Def. 39 that "
        "is false, as SRT without loops accept strings of bounded length only. Repaired: for windows on "
        "the length of the string, and then for matches, too."
    ),
    latex=(
        r"\mathit{Match}(\mathit{Unroll}(T, w), S) = \begin{cases} \mathit{Match}(T, S) & |S| \le w \\ "
        r"\emptyset & \text{otherwise} \end{cases}"
    ),
    expected=Standing.REPAIRED,
    constructions=(unroll,),
    evidence=(
        Search(
            recognises_windowed(
                unrolled, "what is unrolled accepts the strings of a windowed expression", "Lemma 46, Def. 39"
            ),
            breaks=(2, 2),
        ),
        Adversary(
            claim=defeats(against_unrolling, ONE_EVENT, loop_free_automata(), NAME, "Lemma 46, ERRATA A5"),
            reading=Reading.REPAIRED,
        ),
        Search(unrolling_is_exact(), reading=Reading.REPAIRED),
        Search(unrolling_is_exact(ALL_OF_WINDOW), reading=Reading.REPAIRED),
        Search(no_state_is_visited_twice(), reading=Reading.REPAIRED),
        Bounded("automata of all expressions of a fragment, unrolled", _fragment, reading=Reading.REPAIRED),
        INDUCTION,
    ),
    errata=("A5",),
    remark=COVERED,
)
