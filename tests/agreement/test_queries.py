"""Queries of complex event logic on the engine find the complex events of their definition."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from itertools import groupby, pairwise
from unittest import mock

import pyarrow as pa
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from mnemata.automata.compilation import CompiledPattern, compile_pattern
from mnemata.automata.engine import recognition
from mnemata.automata.engine.compiled.plan import Mode
from mnemata.automata.engine.compiled.search import Limits
from mnemata.automata.engine.incremental import Batch, Recogniser
from mnemata.automata.engine.preparation import Prepared, prepared
from mnemata.automata.engine.queries import compile_query, keeping
from mnemata.automata.engine.recognition import recognise
from mnemata.proofs.generators import TICKS, patterns, streams
from mnemata.proofs.generators.cel import cel_formulas
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.cel.formulas import (
    Iteration,
    Last,
    Max,
    Nxt,
    Or,
    Relation,
    Strategy,
    Strict,
    Within,
    variables_of,
)
from mnemata.theory.cel.predicates import ForAll
from mnemata.theory.cel.query import Consumption, Query, Selection, query_complex_events
from mnemata.theory.cel.semantics import select
from mnemata.theory.cel.valuations import ComplexEvent
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.terms import Duration
from mnemata.theory.errors import LimitError, SlowRecognitionWarning, UnsupportedError
from mnemata.theory.schema import Event, Float64, Schema, String, Timestamp
from mnemata.theory.sremo.bounds import EventWindow, TimeWindow
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.sremo.semantics import pattern_matches
from mnemata.theory.syntax import parse_cel

WINDOWS = (
    st.none()
    | st.integers(1, 5).map(EventWindow)
    | st.integers(1, 4).map(lambda n: TimeWindow(Duration(n, "ms")))
)


@st.composite
def queries(draw: st.DrawFn, *, unary: bool = True, shown: bool = False) -> Query:
    formula = draw(cel_formulas(unary=unary))
    names = sorted(variables_of(formula))
    some = (
        st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True).map(tuple)
        if names
        else st.none()
    )
    return Query(
        formula,
        draw(some) if shown else None,
        draw(st.sampled_from(Selection)),
        (),
        draw(st.sampled_from(((), ("id",)))),
        draw(WINDOWS),
        draw(st.sampled_from(Consumption)),
    )


@st.composite
def comparing(draw: st.DrawFn) -> Query:
    """Queries that compare events, and do not show all of them."""
    a, b, c = (Relation(draw(st.sampled_from("ABC"))).bound_to(name) for name in "abc")
    several = Iteration(b) if draw(st.booleans()) else b
    sequence = draw(
        st.sampled_from(
            (a >> several, a >> several >> c, c >> a >> several, c.plus() >> a >> several, a >> b >> b)
        )
    )
    prices = [register(name).price for name in "ab"]
    formula = sequence.filter(ForAll(draw(st.sampled_from((prices[0] < prices[1], prices[0] == prices[1])))))
    if draw(st.booleans()):
        formula = draw(
            st.sampled_from((Or((formula, c)), Iteration(formula), Within(formula, EventWindow(3))))
        )
    return Query(
        formula,
        tuple(
            draw(
                st.lists(
                    st.sampled_from(sorted(variables_of(formula) - {"A", "B", "C"})), min_size=1, unique=True
                )
            )
        ),
        draw(st.sampled_from((Selection.ALL, Selection.ALL, Selection.MAX))),
        (),
        draw(st.sampled_from(((), ("id",)))),
        draw(WINDOWS),
        draw(st.sampled_from((Consumption.NONE, *Consumption))),
    )


def first_found(here: list[frozenset[ComplexEvent]]) -> dict[int, set[tuple[int, ...]]]:
    """The complex events that show something, by the first position at which each is found."""
    found: dict[int, set[tuple[int, ...]]] = {}
    known: set[ComplexEvent] = set()
    for n, events in enumerate(here):
        fresh = {event for event in events if event} - known
        known |= fresh
        if fresh:
            found[n] = {tuple(sorted(event)) for event in fresh}
    return found


def check(query: Query, stream: tuple[Event, ...]) -> CompiledPattern:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = compile_query(query, TICKS)
    except UnsupportedError as error:
        event(str(error)[:60])
        assume(False)
    expected = first_found(query_complex_events(query, stream))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowRecognitionWarning)
        matches = recognise(compiled, stream_to_arrow(stream, TICKS), schema=TICKS)
        found = [match.positions for match in matches]
    assert len(set(found)) == len(found)
    assert set(found) == {marks for some in expected.values() for marks in some}
    assert matches.count() == len(found)
    assert sorted(matches.ends().tolist()) == sorted(expected)
    assert sorted(matches.counts()) == sorted((n, len(some)) for n, some in expected.items())
    if not (compiled.told_apart or compiled.shows_less):
        assert all(marks[-1] == n for n, some in expected.items() for marks in some)
    return compiled


@given(queries(), streams())
def test_the_engine_finds_what_a_query_means(query: Query, stream: tuple[Event, ...]) -> None:
    check(query, stream)


@given(queries(shown=True), streams())
def test_the_engine_finds_what_a_query_shows(query: Query, stream: tuple[Event, ...]) -> None:
    check(query, stream)


@given(queries(shown=True), streams())
def test_python_finds_what_a_query_shows(query: Query, stream: tuple[Event, ...]) -> None:
    with mock.patch.object(recognition, "prepared", lambda compiled: Prepared(compiled, "asked for")):
        check(query, stream)


@given(queries(unary=False), streams())
def test_the_engine_finds_what_a_query_that_compares_events_means(
    query: Query, stream: tuple[Event, ...]
) -> None:
    check(query, stream)


@given(comparing(), streams())
def test_the_engine_finds_what_a_query_that_compares_events_shows(
    query: Query, stream: tuple[Event, ...]
) -> None:
    check(query, stream)


@given(
    queries() | queries(shown=True) | comparing(),
    streams(),
    st.lists(st.integers(1, 5), max_size=2, unique=True),
)
def test_queries_in_any_division_into_batches(
    query: Query, stream: tuple[Event, ...], cuts: list[int]
) -> None:
    compiled = check(query, stream)
    if prepared(compiled).obstacle is not None:
        with pytest.raises(UnsupportedError, match="cannot be recognised batch by batch"):
            Recogniser(compiled, TICKS)
        return
    table = stream_to_arrow(stream, TICKS)
    bounds = [0, *(min(cut, len(stream)) for cut in sorted(cuts)), len(stream)]
    whole = recognise(compiled, table, schema=TICKS)
    for mode in Mode:
        batches = in_batches(compiled, table, bounds, mode)
        ends = [row for batch in batches for row in batch.ends.tolist()]
        assert ends == sorted(whole.ends().tolist())
        if mode is not Mode.DETECT:
            counts = (number for batch in batches for number in batch.counts)
            assert list(zip(ends, counts, strict=True)) == sorted(whole.counts())
        if mode is Mode.ENUMERATE:
            brought = sorted(match.positions for batch in batches for match in batch.matches)
            assert brought == sorted(match.positions for match in whole)


def in_batches(compiled: CompiledPattern, table: pa.Table, bounds: list[int], mode: Mode) -> list[Batch]:
    """What the parts of a stream bring, with a snapshot before each of them."""
    recogniser, found = Recogniser(compiled, TICKS, mode=mode), []
    for begin, end in pairwise(bounds):
        snapshot, recogniser = recogniser.snapshot(), Recogniser(compiled, TICKS, mode=mode)
        recogniser.restore(snapshot)
        found.append(recogniser.push(table.slice(begin, end - begin)))
    return found


SELLS = Schema.of(
    type=String(), key=String(), price=Float64(), at=Timestamp("ms"), event_type="type", time="at"
)


def stream_of(word: str, keys: str = "") -> pa.Table:
    """Events of types A, B, ... with prices 0, 1, ..., one in a millisecond."""
    rows = range(len(word))
    times = pa.array([int(row) for row in rows], pa.int64()).cast(pa.timestamp("ms"))
    prices = pa.array([float(row) for row in rows])
    return pa.table({"type": list(word), "key": list(keys or "k" * len(word)), "price": prices, "at": times})


def found(text: str, word: str, keys: str = "") -> list[tuple[int, ...]]:
    query = parse_cel(text, schema=SELLS)
    return sorted(match.positions for match in recognise(query, stream_of(word, keys), schema=SELLS))


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("SELECT * WHERE A; B", "AAB", [(0, 2), (1, 2)]),
        ("SELECT NEXT * WHERE A; B", "AAB", [(0, 2)]),
        ("SELECT LAST * WHERE A; B", "AAB", [(1, 2)]),
        ("SELECT MAX * WHERE A+; B", "AAB", [(0, 1, 2)]),
        ("SELECT STRICT * WHERE A+; B", "AAB", [(0, 1, 2), (1, 2)]),
        ("SELECT MAX * WHERE A+; B WITHIN 2 ms", "AAB", [(1, 2)]),
        ("SELECT NEXT * WHERE A; B WITHIN 2 ms", "AAB", [(1, 2)]),
        ("SELECT * WHERE START(A; B)", "ABAB", [(0, 1), (0, 3)]),
        ("SELECT * WHERE A UNLESS B", "ABA", [(0,)]),
        ("SELECT * WHERE A ALL B", "BACB", [(0, 1), (1, 3)]),
        ("SELECT * WHERE A:B", "ACBAB", [(3, 4)]),
        ("SELECT * WHERE A AS x; B AS y FILTER y.price > x.price + 1", "AAB", [(0, 2)]),
        ("SELECT LAST * WHERE A AS x; B AS y FILTER y.price > x.price + 1 WITHIN 9 ms", "AAAB", [(1, 3)]),
        ("SELECT * WHERE A; B CONSUME BY ANY", "AABBAB", [(0, 2), (1, 2), (4, 5)]),
        ("SELECT MAX * WHERE A+; B CONSUME BY ANY", "AABAB", [(0, 1, 2), (3, 4)]),
        ("SELECT b WHERE A AS a; B AS b", "AAB", [(2,)]),
        ("SELECT b WHERE A AS a; B AS b WITHIN 3 ms", "AACBBAB", [(3,), (6,)]),
        ("SELECT b WHERE A AS a; B AS b WITHIN 60 EVENTS", "A" + "C" * 57 + "BBBB", [(58,), (59,)]),
        ("SELECT a WHERE A AS a; B WITHIN 3 ms", "AACBB", [(1,)]),
        ("SELECT a, c WHERE A AS a; B; C AS c WITHIN 4 ms", "AABCCXABC", [(0, 3), (1, 3), (1, 4), (6, 8)]),
        ("SELECT a WHERE A AS a; B CONSUME BY ANY", "AABBAB", [(0,), (1,), (4,)]),
        ("SELECT b WHERE A AS a; B AS b FILTER b.price > a.price + 1 WITHIN 4 ms", "ABBAXXBB", [(2,), (6,)]),
        ("SELECT a WHERE A AS a; B AS b FILTER b.price > a.price + 1 WITHIN 4 ms", "ABBAXXXBB", [(0,)]),
        ("SELECT MAX a, b WHERE A+ AS a; B AS b FILTER b.price > 2 WITHIN 4 ms", "ABAB", [(0, 2, 3)]),
        (
            "SELECT MAX a, b WHERE A AS a; B+ AS b FILTER b.price > a.price WITHIN 4 ms",
            "ABB",
            [(0, 1), (0, 1, 2)],
        ),
        ("SELECT MAX b WHERE A; B+ AS b WITHIN 3 EVENTS", "ABBB", [(1,), (1, 2)]),
    ],
)
def test_queries_on_the_engine(text: str, word: str, expected: list[tuple[int, ...]]) -> None:
    assert found(text, word) == expected


def test_a_partition_consumes_for_itself() -> None:
    text = "SELECT * WHERE A; B PARTITION BY [key] CONSUME BY PARTITION"
    assert found(text, "AABBBB", "xyxyxy") == [(0, 2), (1, 3)]
    whole = "SELECT * WHERE A; B PARTITION BY [key]"
    assert found(whole, "AABBBB", "xyxyxy") == [(0, 2), (0, 4), (1, 3), (1, 5)]
    every = "SELECT * WHERE A; B PARTITION BY [key] CONSUME BY ANY"
    assert found(every, "AABBAABBB", "xyxyyxxxy") == [(0, 2), (5, 6)]


def test_matches_that_wait_for_other_partitions_are_limited() -> None:
    query = parse_cel("SELECT * WHERE A; B PARTITION BY [key] CONSUME BY ANY", schema=SELLS)
    stream = stream_of("A" * 40 + "B" * 40)
    found = recognise(query, stream, schema=SELLS, limits=Limits(nodes=2000))
    with pytest.raises(
        LimitError, match="3,200 marks in matches that wait for those of other sub-streams at"
    ):
        found.count()


def test_a_complex_event_is_found_once() -> None:
    """At the first position at which the formula has it, which it may not show."""
    query = parse_cel("SELECT a WHERE A AS a; B PARTITION BY [key]", schema=SELLS)
    matches = recognise(query, stream_of("AABCBAB", "xxyyxxx"), schema=SELLS)
    assert [match.positions for match in matches] == [(0,), (1,), (5,)]
    assert (list(matches.counts()), matches.ends().tolist(), matches.count()) == ([(4, 2), (6, 1)], [4, 6], 3)
    assert [match.positions for match in matches.first(1)] == [(0,), (5,)]
    assert matches.to_arrow().column("end").to_pylist() == [0, 1, 5]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT * WHERE START(A) CONSUME BY ANY", "START looks back"),
        ("SELECT MAX a WHERE A AS a; B WITHIN 5 ms", "does not show all events that MAX chooses by"),
        ("SELECT MAX b WHERE A AS a; B AS b FILTER b.price > a.price", "does not show all events that MAX"),
        ("SELECT b WHERE A AS a; B AS b FILTER b.price > a.price CONSUME BY ANY", "does not always show"),
        ("SELECT b WHERE A AS a; B AS b CONSUME BY ANY", "does not always show the first event"),
        ("SELECT a WHERE (A AS a; B) OR C CONSUME BY ANY", "does not always show the first event"),
        ("SELECT * WHERE A AS a ALL B AS b FILTER a.price > b.price", "ALL|All"),
    ],
)
def test_what_the_engine_does_not_do_is_said(text: str, reason: str) -> None:
    with pytest.raises(UnsupportedError, match=reason):
        found(text, "AB")


def test_queries_batch_by_batch() -> None:
    """The run begins with the stream, not with each batch."""
    query = parse_cel("SELECT * WHERE START(A; B)", schema=SELLS)
    recogniser, word = Recogniser(query, SELLS), stream_of("ABAB")
    brought = [m.positions for begin in range(4) for m in recogniser.push(word.slice(begin, 1)).matches]
    assert brought == [(0, 1), (0, 3)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * WHERE A; B PARTITION BY [key] CONSUME BY ANY", [[], [], [(0, 2)], [], []]),
        ("SELECT a WHERE A AS a; B CONSUME BY ANY", [[], [], [(0,), (1,)], [], [(3,)]]),
        ("SELECT b WHERE A; B AS b WITHIN 3 ms", [[], [], [(2,)], [], [(4,)]]),
        ("SELECT MAX * WHERE A+; B WITHIN 4 ms", [[], [], [(0, 1, 2)], [], [(1, 3, 4)]]),
        ("SELECT * WHERE A; B CONSUME BY ANY", [[], [], [(0, 2), (1, 2)], [], [(3, 4)]]),
    ],
)
def test_what_is_kept_batch_by_batch(text: str, expected: list[list[tuple[int, ...]]]) -> None:
    query, stream = parse_cel(text, schema=SELLS), stream_of("AABAB", "xyxyx")
    recogniser, brought = Recogniser(query, SELLS), []
    for row in range(5):
        snapshot, recogniser = recogniser.snapshot(), Recogniser(query, SELLS)
        recogniser.restore(snapshot)
        brought.append([match.positions for match in recogniser.push(stream.slice(row, 1)).matches])
    assert brought == expected


def kept_by_hand(
    matches: Iterable[frozenset[int]], strategy: type[Strategy] | None, consume: bool
) -> set[frozenset[int]]:
    """What is kept of the matches of a stream, last event by last event."""
    found: set[frozenset[int]] = set()
    consumed = 0
    ending = sorted(matches, key=max)
    for last, some in groupby(ending, key=max):
        fresh = [marks for marks in some if min(marks) > consumed]
        kept = fresh if strategy is None else select(strategy(Relation("R")), fresh)
        if kept and consume:
            consumed = last
        found |= set(kept)
    return found


@given(patterns(), streams(), st.sampled_from((None, Strict, Nxt, Last, Max)), st.booleans())
def test_strategies_and_consumption_for_patterns_with_registers(
    pattern: Pattern, stream: tuple[Event, ...], strategy: type[Strategy] | None, consume: bool
) -> None:
    whole = Pattern(pattern.expression)
    compiled = keeping(compile_pattern(whole, TICKS), *([strategy] if strategy else []), consume=consume)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowRecognitionWarning)
        matches = recognise(compiled, stream_to_arrow(stream, TICKS), schema=TICKS)
        found_here = {frozenset(p + 1 for p in match.positions) for match in matches}
    assert found_here == kept_by_hand(pattern_matches(whole, stream), strategy, consume)
