"""SRT Section 5.1.2: windows as conditions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.windowing import windowed
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.windows import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.windowing import windowed_is_exact, windows_are_conditions

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 5.1.2, windows as conditions",
    title="windows as conditions on positions",
    statement=(
        "A window can be expressed by a register for the first marked event and conditions on later ones, "
        "so that it adds nothing to what SRT recognise. As stated these ask that positions differ by no "
        "more than w, which lets w + 1 events through. Repaired: by less than w."
    ),
    latex=r"\max M - \min M \le w - 1",
    expected=Standing.REPAIRED,
    constructions=(windowed,),
    evidence=(
        Search(windows_are_conditions(largest=0), breaks=(2, 2)),
        Search(windows_are_conditions(largest=-1), reading=Reading.REPAIRED),
        Search(windowed_is_exact(), reading=Reading.REPAIRED),
        replace(INDUCTION, reading=Reading.REPAIRED),
    ),
    errata=("A5",),
    remark=(
        "Expressible in SRT, where a transition may write two registers; an expression writes one at each "
        "event. Windows in time are conditions on timestamps in the same way."
    ),
)
