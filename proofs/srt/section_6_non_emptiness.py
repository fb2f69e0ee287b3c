"""SRT Section 6: non-emptiness."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.languages import empty
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.machines import (
    halting,
    non_emptiness_is_halting,
    short_strings_for_equality,
    short_strings_of_computations,
)

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 6, non-emptiness",
    title="whether anything is accepted",
    statement=(
        "Where relations are decided in constant time, non-emptiness is as hard as for register automata, "
        "which is decidable in polynomial space. To the letter that is false: if one event may be the "
        "successor configuration of another, an SRT of three transitions accepts something exactly if a "
        "counter machine halts, so non-emptiness is undecidable. Repaired: for equality."
    ),
    latex=r"\mathit{Lang}(T_M) \ne \emptyset \iff M \text{ halts}",
    expected=Standing.REPAIRED,
    constructions=(halting, empty),
    evidence=(
        Search(short_strings_of_computations(), breaks=(3, 7)),
        Search(non_emptiness_is_halting(), reading=Reading.REPAIRED),
        Search(short_strings_for_equality(), reading=Reading.REPAIRED),
    ),
    errata=("A13",),
    remark=(
        "Refuted is what decidability rests on: that one need not visit a state twice with registers "
        "alike by equality. That the reduction is right is checked with Z3 on machines of up to two "
        "instructions and three steps; for all machines it is immediate from the definition of their "
        "steps. For equality the bound is checked on automata of two states and one register."
    ),
)
