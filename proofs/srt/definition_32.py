"""SRT Definition 32: streaming expressions and transducers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.streaming import streaming
from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.induction.streams import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.streaming import detected_where_a_suffix_is, streaming_is_exact

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Definition 32",
    title="streaming SREMO and SRT",
    statement=(
        "A prefix of a stream is in the language of T* . e exactly if one of its suffixes is in that of "
        "e. With suffixes that begin at one of the events, as stated, that fails where e accepts the "
        "empty string. Repaired: the empty suffix counts."
    ),
    latex=(
        r"S_{1..k} \in \mathit{Lang}(\top^* \cdot e) \iff \exists m,\ 1 \le m \le k + 1:\ S_{m..k} \in "
        r"\mathit{Lang}(e)"
    ),
    expected=Standing.REPAIRED,
    constructions=(streaming,),
    evidence=(
        Search(detected_where_a_suffix_is(empty=False), breaks=(1, 1)),
        Search(detected_where_a_suffix_is(empty=True), reading=Reading.REPAIRED),
        Search(streaming_is_exact(), reading=Reading.REPAIRED),
        replace(INDUCTION, reading=Reading.REPAIRED),
    ),
    remark=(
        "Harmless where what is reported has to mark the last event, and not among the errata found "
        "before. The events skipped by T* must not be marked, which Def. 32 leaves open."
    ),
)
