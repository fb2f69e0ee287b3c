"""Claims about cutting a stream into slices that overlap (DESIGN 2.5, `automata.engine.reach`)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine.reach import Reach, reach
from mnemata.proofs.claims import Claim, Exhibit
from mnemata.proofs.generators import TICKS, Stream, expressions, streams, window_bounds
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.sremo.expressions import (
    EventWindow,
    Expression,
    LengthWindow,
    Pattern,
    Window,
    Windowed,
)
from mnemata.theory.sremo.semantics import pattern_matches

Instance: TypeAlias = tuple[Stream, Expression, Window, frozenset[int]]
Reported: TypeAlias = list[list[int]]

_CUTS = st.frozensets(st.integers(1, 6))
INSTANCES: st.SearchStrategy[Instance] = st.tuples(
    streams(TICKS, min_size=1, max_size=7), expressions(TICKS, size=4), window_bounds(TICKS), _CUTS
)
ANY_WINDOW: st.SearchStrategy[Instance] = st.tuples(
    streams(TICKS, min_size=2, max_size=3),
    expressions(TICKS, ("r1",), size=2, core_only=True, windows=False, intersections=False),
    st.integers(1, 2).map(EventWindow),
    _CUTS,
)


def reported(pattern: Expression, stream: Stream, cuts: Iterable[int], read_from: Reach) -> Reported:
    """The matches of each slice that end in its own events, over what it reads."""
    bounds = [0, *sorted(cut for cut in cuts if cut < len(stream)), len(stream)]
    times = np.array([event["at"] for event in stream], np.int64)
    found: Reported = []
    for begin, end in pairwise(bounds):
        first = read_from.first(begin, times)
        part = TICKS.stream([event.values for event in stream[first:end]])
        matched = (sorted(n + first for n in marks) for marks in pattern_matches(Pattern(pattern), part))
        found += [marks for marks in matched if marks[-1] > begin]
    return sorted(found)


def whole(pattern: Expression, stream: Stream) -> Reported:
    """The matches of the stream as it is."""
    return sorted(map(sorted, pattern_matches(Pattern(pattern), stream)))


def bounded(expression: Expression, window: Window) -> Expression:
    """The expression in a window that bounds its strings: the one given where it does."""
    windowed = Windowed(expression, window)
    try:
        reach(compile_pattern(windowed, TICKS))
    except UnsupportedError:
        return Windowed(expression, LengthWindow(3))
    return windowed


def slices_report_each_match_once() -> Claim[Instance]:
    """Where `reach` says how far back matches go, all slices together have the matches, each once."""

    def holds(instance: Instance) -> bool:
        stream, expression, window, cuts = instance
        pattern = bounded(expression, window)
        try:
            found = reach(compile_pattern(pattern, TICKS))
        except UnsupportedError:  # a condition reads positions
            return True
        return reported(pattern, stream, cuts, found) == whole(pattern, stream)

    return Claim("slices report each match once", "DESIGN 2.5, ERRATA A5", INSTANCES, holds)


def any_window_of_events_will_do() -> Claim[Instance]:
    """That slices may overlap by the window whatever it bounds; it may bound the marks only (ERRATA A5)."""

    def parts(instance: Instance) -> tuple[Reported, Reported]:
        stream, expression, window, cuts = instance
        size = window.size if isinstance(window, EventWindow) else len(stream)
        pattern = Windowed(expression, window)
        return whole(pattern, stream), reported(pattern, stream, cuts, Reach(size, None))

    def holds(instance: Instance) -> bool:
        wanted, found = parts(instance)
        return wanted == found

    return Claim(
        "slices that overlap by a window on marks report each match once",
        "ERRATA A5",
        ANY_WINDOW,
        holds,
        lambda instance: Exhibit(instance[0], *parts(instance)),
    )
