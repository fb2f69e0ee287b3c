"""SRT Section 6: the number of runs."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.counting import (
    contiguous_runs,
    counted_is_made,
    iterations_as_published,
    iterations_repaired,
    runs_made,
    runs_of_any,
)

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Section 6, number of runs",
    title="the runs of a window",
    statement=(
        "In a window in which R w events satisfy each condition, a contiguous sequence makes R w clones, "
        "and one of i events under skip-till-any-match no more runs than a geometric series to the power "
        "i. With j iterations, as printed, 2 ** j * R w times the series to i - j; there are more. "
        "Repaired: 2 ** (j R w) times."
    ),
    latex=r"\frac{(Rw)^{i-j+1} - 1}{Rw - 1} \cdot 2^{j R w}",
    expected=Standing.REPAIRED,
    constructions=(runs_made,),
    evidence=(
        Search(iterations_as_published(), breaks=(2, 6)),
        Search(iterations_repaired(), reading=Reading.REPAIRED),
        Search(contiguous_runs(), reading=Reading.REPAIRED),
        Search(runs_of_any(), reading=Reading.REPAIRED),
        Search(counted_is_made(), reading=Reading.REPAIRED),
    ),
    errata=("A13",),
    remark=(
        "Upper bounds, although the paper says how many runs there are: of three events in a window of 16 "
        "the series is 4,369, and 697 are made. With an iteration among them 8,736 are printed and "
        "130,935 made, the first run included. The repair agrees with the conclusion that costs are "
        "exponential in the window."
    ),
)
