"""How far back matches depend on the stream. That it may be cut there is in `mnemata.proofs.own`."""

from __future__ import annotations

import numpy as np
import pytest

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine.queries import compile_for_engine
from mnemata.automata.engine.reach import Reach, reach
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Int64, Schema, String, Timestamp
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
        ("SELECT a WHERE A AS a; B AS b WITHIN 5 EVENTS", "found once, where it is found first"),
        (
            "SELECT b WHERE A AS a; B AS b FILTER b.n > a.n WITHIN 5 EVENTS",
            "found once, where it is found first",
        ),
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
