"""SRT Theorem 41: windowed expressions are determinizable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.proofs.bounded import Proof
from mnemata.proofs.evidence import Adversary, Bounded, Effort, Reading, Search
from mnemata.proofs.induction.ring_buffer import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.adversaries import ONE_MARK, against_determinism, defeats
from mnemata.proofs.srt.attempts import DETERMINISTIC
from mnemata.proofs.srt.candidates import deterministic_automata
from mnemata.proofs.srt.determinizing import (
    REMEMBERING,
    one_run,
    powerset,
    recognises_short,
    recognises_windowed,
    ring,
)
from mnemata.proofs.srt.exhaustive import COVERED, in_ring_buffer, proofs

NAME: Final = "a deterministic SRT errs about an expression in a window of one event"


def _fragment(effort: Effort) -> Iterator[Proof]:
    return proofs(in_ring_buffer, effort)


RESULT: Final = Result(
    paper=Paper.SRT,
    place="Theorem 41",
    title="determinization in windows",
    statement=(
        "For every windowed SREMO there is a deterministic SRT with the same language. To the letter of "
        "Def. 39 that is false: where a window on marks does not bound the string, it changes nothing "
        "about what has to be remembered, and a window of one event on the last mark of Fig. 4 leaves an "
        "expression that no deterministic SRT recognises. Repaired: windows on the length of the string, "
        "by a ring buffer of w - 1 events."
    ),
    latex=(r"\forall e, w\, \exists T_d:\ \mathit{Lang}(T_d) = \{ S \in \mathit{Lang}(e) : |S| \le w \}"),
    expected=Standing.REPAIRED,
    constructions=(determinize,),
    evidence=(
        Search(
            recognises_windowed(
                powerset, "Alg. 7 accepts the strings of a windowed expression", "Thm 41, Def. 39"
            ),
            breaks=(2, 2),
        ),
        Adversary(
            claim=defeats(against_determinism, ONE_MARK, deterministic_automata(), NAME, "Thm 41, ERRATA A5"),
            by_hand=DETERMINISTIC,
            reading=Reading.REPAIRED,
        ),
        Search(
            recognises_short(ring, "the ring buffer accepts short strings", "ERRATA A5"),
            reading=Reading.REPAIRED,
        ),
        Search(
            recognises_short(
                ring, "the ring buffer accepts short strings of few events", "ERRATA A5", REMEMBERING
            ),
            reading=Reading.REPAIRED,
        ),
        Search(one_run(ring, "the ring buffer"), reading=Reading.REPAIRED),
        Bounded("all expressions of a fragment, in a ring buffer", _fragment, reading=Reading.REPAIRED),
        INDUCTION,
    ),
    errata=("A5", "A8"),
    remark=COVERED,
)
