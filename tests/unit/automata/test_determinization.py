"""From patterns to deterministic automata and complements, within their own windows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.automata.determinization import complement, complementation, determinization, determinize
from mnemata.automata.srt.runs import accepts, runs
from mnemata.proofs.generators import TICKS, expressions, streams
from mnemata.theory.budget import Budget
from mnemata.theory.errors import LimitError, PatternError, UnsupportedError
from mnemata.theory.schema import Category, Event, Float64, Schema, Timestamp
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import Expression, LengthWindow, Windowed, mark
from mnemata.theory.sremo.rewriting import bound_expression
from mnemata.theory.sremo.windows import longest
from mnemata.theory.syntax import parse, parse_located

SCHEMA = Schema.of(
    type=Category(("BUY", "SELL")), price=Float64(), at=Timestamp("ms"), event_type="type", time="at"
)
RISE = "any(SELL as s, BUY where price > s.price)"
SMALL = expressions(TICKS, ("r1",), size=3)
STRINGS = streams(TICKS, max_size=4)


@settings(max_examples=50)
@given(SMALL, st.integers(1, 3), STRINGS, st.booleans())
def test_they_accept_what_the_pattern_matches(
    expression: Expression, window: int, string: tuple[Event, ...], published: bool
) -> None:
    checked = bound_expression(expression, TICKS)
    inside = len(string) <= window and semantics.accepts(checked, string)
    made = determinize(expression, TICKS, window=window, as_published=published)
    assert accepts(made, string) == inside
    other = complement(expression, TICKS, window=window, as_published=published)
    assert accepts(other, string) != inside
    assert len(list(runs(other, string))) == 1
    short = complement(expression, TICKS, window=window, within=True, as_published=published)
    assert accepts(short, string) == (len(string) <= window and not inside)


@settings(max_examples=40)
@given(SMALL, st.integers(1, 3), STRINGS)
def test_the_window_of_the_pattern_is_enough(
    expression: Expression, size: int, string: tuple[Event, ...]
) -> None:
    for windowed in (Windowed(expression, LengthWindow(size)), expression.within(events=size)):
        if longest(windowed) is not None:
            checked = bound_expression(windowed, TICKS)
            assert accepts(determinize(windowed, TICKS), string) == semantics.accepts(checked, string)


def test_streams_are_accepted_wherever_a_match_ends() -> None:
    made = determinize(parse(f"{RISE} within 3 events", schema=SCHEMA), SCHEMA, streaming=True)
    stream = [SCHEMA.event([kind, price, i], position=i + 1) for i, (kind, price) in enumerate(TRADES)]
    reported = [end for end in range(1, len(stream) + 1) if accepts(made, stream[:end])]
    assert reported == [3, 4, 7]


TRADES = (("BUY", 9.0), ("SELL", 1.0), ("BUY", 2.0), ("BUY", 3.0), ("BUY", 4.0), ("SELL", 5.0), ("BUY", 6.0))


@pytest.mark.parametrize("published", [False, True])
def test_the_stages_are_named_and_the_last_is_deterministic(published: bool) -> None:
    pattern = parse(f"{RISE} within 3 events", schema=SCHEMA)
    stages = determinization(pattern, SCHEMA, as_published=published)
    assert len(stages) == (3 if published else 2)
    assert "3 events" in stages[1].title
    assert is_deterministic(stages[-1].srt, SCHEMA).yes
    assert [len(s.srt.registers) for s in stages[:2]] == ([1, 1] if published else [1, 2])
    more = complementation(pattern, SCHEMA, as_published=published)
    assert [stage.srt for stage in more[: len(stages)]] == [stage.srt for stage in stages]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            RISE,
            [
                "the pattern cannot be determinized or complemented: it has no window, and nothing else "
                "bounds the number of events that it reads",
                "  1. SELL as s (line 1 column 5)",
                f"  2. an event skipped between the parts of {RISE} (line 1 column 1)  "
                "<- as often as one likes",
                "  3. BUY where price > s.price (line 1 column 16)",
                "give the greatest length in events, as in 'length 5'",
            ],
        ),
        (
            f"skip BUY; {RISE} within 9 events",
            [
                "the pattern cannot be determinized or complemented: its window of 9 events bounds the "
                "marked events, not all that is read: a match may begin with an event that is not marked",
                "  1. skip BUY (line 1 column 1)  <- not marked",
                "  2. SELL as s (line 1 column 15)",
                "  3. BUY where price > s.price (line 1 column 26)",
                "mark the first and the last event of every match, or give the greatest length in events, "
                "as in 'length 5'",
            ],
        ),
    ],
)
def test_the_error_shows_the_offending_path(text: str, said: list[str]) -> None:
    for make in (determinize, complement):
        with pytest.raises(UnsupportedError) as caught:
            make(parse_located(text, schema=SCHEMA), SCHEMA)
        assert str(caught.value).splitlines() == said


def test_a_window_in_time_bounds_nothing_but_stays_in_force() -> None:
    pattern = parse(f"{RISE} within 3 ms", schema=SCHEMA)
    with pytest.raises(UnsupportedError, match="its window is in time"):
        determinize(pattern, SCHEMA)
    made = determinize(pattern, SCHEMA, window=3)
    for gap, expected in ((2, True), (3, False)):
        pair = [SCHEMA.event(["SELL", 1.0, 0], position=1), SCHEMA.event(["BUY", 2.0, gap], position=2)]
        assert accepts(made, pair) == expected


def test_without_a_text_the_path_has_no_places() -> None:
    with pytest.raises(UnsupportedError, match=r"  1\. event\+  <- as often as one likes"):
        determinize(mark().plus(), SCHEMA)


def test_what_is_no_pattern_or_no_window_is_refused() -> None:
    with pytest.raises(PatternError, match="parse"):
        determinize("BUY", SCHEMA)  # type: ignore[arg-type]
    with pytest.raises(PatternError, match="at least one event"):
        determinize(mark(), SCHEMA, window=0)
    with pytest.raises(UnsupportedError, match="not for streams"):
        determinize(mark(), SCHEMA, streaming=True, as_published=True)


@pytest.mark.parametrize("published", [False, True])
def test_budgets_end_in_an_error_with_the_size(published: bool) -> None:
    pattern = parse("any(SELL as s, BUY, BUY where price > s.price) within 400 events", schema=SCHEMA)
    for budget in (Budget(states=50), Budget(seconds=0.2)):
        with pytest.raises(LimitError, match=r"limit of .* was reached \([\d,]+ states?"):
            complement(pattern, SCHEMA, as_published=published, budget=budget)


def test_of_two_windows_the_narrower_counts() -> None:
    pair = [SCHEMA.event(["SELL", 1.0, i], position=i + 1) for i in range(2)]
    for size, window in ((2, 1), (1, 2)):
        made = determinize(mark().plus().within(events=size), SCHEMA, window=window)
        assert [accepts(made, pair[:end]) for end in (1, 2)] == [True, False]
