"""SRT Section 4.3: the matches in a stream."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.streaming import (
    all_are_reported,
    reported_once_and_for_all,
    reports_are_those_of_the_streaming_expression,
    stream_matches_are_those_of_every_suffix,
)
from mnemata.theory.sremo.semantics import matches_at, stream_matches

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 4.3, matches in streams",
    title="the matches that a stream reports",
    statement=(
        "At event k a stream reports the matches of the suffixes of its prefix. Stated: the sets that are "
        "matches of all of them, which are hardly ever any. Repaired: of one of them, with indices of the "
        "stream, and event k marked; then they are the matches of the streaming expression, each is "
        "reported once, and later events change nothing."
    ),
    latex=(
        r"\mathit{Match}_{\mathit{stream}}(e, S)_k = \{ M : k \in M,\ \exists m \le k:\ M \in "
        r"\mathit{Match}(e, S_{m..k}) \}"
    ),
    expected=Standing.REPAIRED,
    constructions=(matches_at, stream_matches),
    evidence=(
        Search(stream_matches_are_those_of_every_suffix(), breaks=(1, 2)),
        Search(reports_are_those_of_the_streaming_expression(), reading=Reading.REPAIRED),
        Search(reported_once_and_for_all(), reading=Reading.REPAIRED),
        Search(all_are_reported(), reading=Reading.REPAIRED),
    ),
    errata=("A10",),
    remark="Definitions over finitely many suffixes; there is no step to induct on.",
)
