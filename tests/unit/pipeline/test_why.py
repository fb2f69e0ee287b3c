"""Why rows are a match, and why others are none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import pyarrow as pa
import pytest

from mnemata.automata.engine.recognition import recognise
from mnemata.pipeline.why import why
from mnemata.theory.errors import StreamError, UnsupportedError

TICKS = pa.table(
    {
        "type": ["SELL", "BUY", "BUY", "SELL", "BUY"],
        "name": ["INTC", "RIMM", "QQQ", "RIMM", "QQQ"],
        "price": [27.8, 117.5, 36.2, 55.9, 27.1],
        "at": pa.array([0, 1, 1, 2, 5], pa.timestamp("s")),
    }
)
PATTERNS = (
    "any(SELL as s, BUY where price > s.price)",
    "any(SELL as s, any((BUY where price > s.price)+), BUY)",
    "next(SELL as s, BUY where price < 100)",
    "any(SELL, BUY) within 2 events",
    "any(SELL, BUY) within 3 s",
    "any(BUY as b, event where price < b.price) partition by name",
    "skip SELL; BUY; absent(skip SELL); BUY",
    "(skip event; BUY) length 2",
)


def subsets(size: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(size), n) for n in range(1, size + 1))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_it_says_of_all_rows_whether_they_are_a_match(pattern: str) -> None:
    found = recognise(pattern, TICKS, event_type="type", time="at")
    matches = {match.positions for match in found}
    assert matches
    for rows in subsets(TICKS.num_rows):
        first = why(found, rows).splitlines()[0]
        assert first.endswith(" a match") == (rows in matches), first
        assert (" no match: " in first) == (rows not in matches), first


def test_a_match_is_told_event_by_event() -> None:
    found = recognise(PATTERNS[0], TICKS.select(["type", "price"]), event_type="type")
    assert why(found, [0, 2]).splitlines() == [
        "rows 0, 2 are a match",
        "row 0      SELL(price=27.8)",
        "           marked, written to s; state 0 -> 1: type = 'SELL'",
        "row 1      BUY(price=117.5)",
        "           skipped; state 1 -> 1: any event",
        "row 2      BUY(price=36.2)",
        "           marked; state 1 -> 2: type = 'BUY' and price > s.price",
        "           price > s.price, because 36.2 > 27.8",
    ]


@pytest.mark.parametrize(
    ("pattern", "rows", "said"),
    [
        (PATTERNS[0], [0], "row 0 is no match: after row 0 the pattern is not complete"),
        (PATTERNS[0], [0, 4], "price > s.price fails, as 27.1 > 27.8"),
        (
            PATTERNS[2],
            [0, 4],
            "not (type = 'BUY' and price < 100) fails, as not ('BUY' = 'BUY' and 36.2 < 100)",
        ),
        (PATTERNS[0], [0, 3], "cannot be marked; state 1 -> 2: type = 'BUY' and price > s.price"),
        ("SELL; BUY; SELL", [0, 1, 3], "cannot be skipped: nothing in the pattern does that here"),
        (PATTERNS[3], [0, 2], "By the window the marked events lie among 2 consecutive events"),
        (PATTERNS[5], [1, 4], "rows 1, 4 are no match: they are not of one sub-stream"),
    ],
)
def test_what_is_no_match_is_told_with_the_reason(pattern: str, rows: list[int], said: str) -> None:
    assert said in why(recognise(pattern, TICKS, event_type="type", time="at"), rows)


def test_events_without_a_key_are_of_no_sub_stream() -> None:
    found = recognise("event partition by name", pa.table({"name": ["INTC", None]}))
    assert [why(found, [row]) for row in (0, 1)][1] == "row 1 is no match: they are not of one sub-stream"
    assert why(found, [0]).startswith("row 0 is a match")


@pytest.mark.parametrize("rows", [[], [-1], [0, 5]])
def test_rows_that_the_table_lacks_are_refused(rows: list[int]) -> None:
    with pytest.raises(StreamError, match="name rows from 0 to 4, at least one"):
        why(recognise("event", TICKS), rows)


def test_queries_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="queries of complex event logic are not explained"):
        why(recognise("SELECT * WHERE SELL; BUY", TICKS, event_type="type"), [0, 1])
