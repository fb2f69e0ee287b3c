"""SRT Algorithm 7: determinization."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemata.automata.constructions.powerset import determinize_as_published
from mnemata.proofs.bounded import Proof
from mnemata.proofs.evidence import Bounded, Effort, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinizing import (
    CHOICES,
    REMEMBERING,
    one_run,
    powerset,
    powerset_any_copy,
    recognises_short,
    recognises_windowed,
)
from mnemata.proofs.srt.exhaustive import in_power_set, proofs


def _fragment(effort: Effort) -> Iterator[Proof]:
    return proofs(in_power_set, effort, parts=effort.parts - 1)


RESULT: Final = Result(
    paper=Paper.SRT,
    place="Algorithm 7",
    title="determinization by the power set",
    statement=(
        "The power set over minterms of an unrolled automaton is deterministic and accepts what the "
        "windowed expression does. To the letter of Def. 39 it rejects long strings with marks close "
        "together; and where Alg. 6 reads another copy of a register that was not written, it rejects "
        "short ones, too. Repaired: for windows on the length of the string, with atoms over such "
        "registers false."
    ),
    latex=r"\mathit{Lang}(A_d) = \{ S \in \mathit{Lang}(e) : |S| \le w \}",
    expected=Standing.REPAIRED,
    constructions=(determinize_as_published,),
    evidence=(
        Search(
            recognises_windowed(
                powerset, "Alg. 7 accepts the strings of a windowed expression", "Alg. 7, Def. 39"
            ),
            breaks=(2, 2),
        ),
        Search(
            recognises_short(
                powerset_any_copy, "Alg. 7 accepts short strings, any copy read", "Alg. 6, Alg. 7", CHOICES
            ),
            breaks=(3, 2),
        ),
        Search(
            recognises_short(powerset, "Alg. 7 accepts short strings", "Alg. 7, ERRATA A6"),
            reading=Reading.REPAIRED,
        ),
        Search(
            recognises_short(powerset, "Alg. 7 accepts short strings of few events", "Alg. 7", REMEMBERING),
            reading=Reading.REPAIRED,
        ),
        Search(
            recognises_short(powerset, "Alg. 7 accepts short strings, after a choice", "Alg. 7", CHOICES),
            reading=Reading.REPAIRED,
        ),
        Search(one_run(powerset, "Alg. 7"), reading=Reading.REPAIRED),
        Bounded("automata of all terminals of a fragment", _fragment, reading=Reading.REPAIRED),
    ),
    errata=("A5", "A6"),
    remark=(
        "Minterms are made with Z3, so that fewer expressions are gone through exhaustively: the "
        "terminals, and with much effort all of two. The number of states is exponential in the window; "
        "the ring buffer of Thm 41 is what the project uses."
    ),
)
