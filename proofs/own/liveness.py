"""Live registers: configurations may be merged that agree on them."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.registers import live_registers
from mnemata.proofs.evidence import Search
from mnemata.proofs.induction.liveness import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.closure import (
    REMEMBERING_CONTENTS,
    live_are_the_registers_read_before_written,
    liveness_is_sound,
)

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Live registers",
    title="dead registers do not matter",
    statement=(
        "Two configurations with one state that hold the same in all registers that some run from "
        "there reads before it writes them accept the same continuations with the same marks. These "
        "registers are computed, and no others."
    ),
    latex=(
        r"v|_{\mathit{live}(q)} = v'|_{\mathit{live}(q)} \implies \forall S:\ \mathit{Match}_{q,v}(T, "
        r"S) = \mathit{Match}_{q,v'}(T, S)"
    ),
    expected=Standing.HOLDS,
    constructions=(live_registers,),
    evidence=(
        Search(liveness_is_sound()),
        Search(liveness_is_sound(REMEMBERING_CONTENTS)),
        Search(live_are_the_registers_read_before_written()),
        INDUCTION,
    ),
)
