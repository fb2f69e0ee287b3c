"""How far back matches depend on the stream, and that a stream may be cut there."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine.queries import compile_for_engine
from mnemata.automata.engine.reach import Reach, reach
from mnemata.proofs.generators import TICKS, Stream, expressions, streams, window_bounds
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import (
    Expression,
    LengthWindow,
    Pattern,
    Window,
    Windowed,
    mark,
    skip,
)
from mnemata.theory.sremo.semantics import pattern_matches
from mnemata.theory.syntax import parse, parse_cel

SCHEMA = Schema.of(kind=String(), n=Int64(), at=Timestamp("ms"), event_type="kind", time="at")


def reach_of(text: str) -> Reach:
    return reach(compile_pattern(parse(text, schema=SCHEMA), SCHEMA))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("any(A, B) within 5 events", Reach(5, None)),
        ("any(A, B) within 2 s", Reach(None, 2000)),
        ("(any(A, B) within 2 s) within 5 events", Reach(5, 2000)),
        ("(skip event; A) length 3", Reach(3, None)),
        ("((skip event; A) within 2 events) length 7", Reach(7, None)),
        ("((skip event)*; A; B) within 2 events", Reach(2, None)),
        ("any(A as a, B where position(~) - position(a) > 2) within 9 events", Reach(9, None)),
    ],
)
def test_what_windows_bound(text: str, expected: Reach) -> None:
    assert reach_of(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("any(A, B)", "no outermost window"),
        ("(skip event; A) within 2 events", "events before the first of them may matter"),
        ("((skip A)*; B) within 2 s", "events before the first of them may matter"),
        ("(A as a; B where position(~) > 2) within 9 events", "reads positions"),
        ("(A as a; B where position(~) + position(a) > 2) within 9 events", "reads positions"),
    ],
)
def test_what_needs_the_stream_from_its_beginning(text: str, reason: str) -> None:
    with pytest.raises(UnsupportedError, match=reason):
        reach_of(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT * WHERE A AS a; B AS b WITHIN 5 EVENTS CONSUME BY ANY", "uses up all events"),
        ("SELECT * WHERE START(A AS a) WITHIN 5 EVENTS", "begin with the stream"),
    ],
)
def test_queries_that_need_the_stream_from_its_beginning(text: str, reason: str) -> None:
    compiled = compile_for_engine(parse_cel(text, schema=SCHEMA), SCHEMA)
    with pytest.raises(UnsupportedError, match=reason):
        reach(compiled)


def test_the_first_row_to_read() -> None:
    times = np.array([0, 5, 5, 9, 30], np.int64)
    assert [Reach(2, None).first(row) for row in range(4)] == [0, 0, 1, 2]
    assert [Reach(None, 5).first(row, times) for row in range(5)] == [0, 1, 1, 1, 4]
    assert [Reach(3, 5).first(row, times) for row in range(5)] == [0, 1, 1, 1, 4]


def bounded(expression: Expression, window: Window) -> Expression:
    """The expression in a window that bounds its strings: the one given where it does."""
    windowed = Windowed(expression, window)
    try:
        reach(compile_pattern(windowed, TICKS))
    except UnsupportedError:
        return Windowed(expression, LengthWindow(3))
    return windowed


def reported(pattern: Expression, stream: Stream, cuts: Iterable[int], read_from: Reach) -> list[list[int]]:
    """The matches of each part that end in it."""
    bounds = [0, *sorted(cuts), len(stream)]
    times = np.array([event["at"] for event in stream], np.int64)
    found = []
    for begin, end in pairwise(bounds):
        first = read_from.first(begin, times)
        part = TICKS.stream([event.values for event in stream[first:end]])
        matched = (sorted(n + first for n in marks) for marks in pattern_matches(Pattern(pattern), part))
        found += [marks for marks in matched if marks[-1] > begin]
    return sorted(found)


@settings(max_examples=300)
@given(
    streams(TICKS, min_size=1, max_size=7),
    expressions(TICKS, size=4),
    window_bounds(TICKS),
    st.sets(st.integers(1, 6)),
)
def test_parts_of_a_stream_have_the_matches_that_end_in_them(
    stream: Stream, expression: Expression, window: Window, cuts: set[int]
) -> None:
    pattern = bounded(expression, window)
    try:
        found = reach(compile_pattern(pattern, TICKS))
    except UnsupportedError:  # a condition reads positions
        reject()
    whole = sorted(map(sorted, pattern_matches(Pattern(pattern), stream)))
    assert reported(pattern, stream, {cut for cut in cuts if cut < len(stream)}, found) == whole


def test_a_window_that_bounds_marks_only_does_not_tell_where_to_cut() -> None:
    pattern = (skip() >> mark()).within(events=1)
    stream = TICKS.stream([("A", 1, 1.0, 0), ("B", 1, 1.0, 1)])
    assert sorted(map(sorted, pattern_matches(Pattern(pattern), stream))) == [[2]]
    assert reported(pattern, stream, {1}, Reach(1, None)) == []
