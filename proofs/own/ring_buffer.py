"""The ring buffer: determinization by keeping the last events."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.ring_buffer import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.determinizing import (
    REMEMBERING_STREAMS,
    one_run,
    recognises_short,
    ring,
    streaming_ring_is_exact,
)

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Ring buffer",
    title="the last events are enough",
    statement=(
        "With w - 1 registers that hold the last events, and one condition and its negation on every "
        "step, an automaton has one run over any stream, and accepts where a string of up to w events "
        "that the given one accepts ends; or, bounded, accepts such strings as a whole."
    ),
    latex=(r"S \in \mathit{Lang}(T_w) \iff \exists m:\ |S| - m \le w \wedge S[m..] \in \mathit{Lang}(T)"),
    expected=Standing.HOLDS,
    constructions=(determinize,),
    evidence=(
        Search(streaming_ring_is_exact()),
        Search(streaming_ring_is_exact(REMEMBERING_STREAMS)),
        Search(recognises_short(ring, "the ring buffer accepts short strings", "ERRATA A5")),
        Search(one_run(ring, "the ring buffer")),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    errata=("A5",),
    remark=(
        "In place of SRT Theorem 41 and its unrolling, which is exponential; this is polynomial in "
        "the window."
    ),
)
