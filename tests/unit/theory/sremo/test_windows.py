"""Windows: what they measure, and whether a window on marks bounds the string (Def. 39, ERRATA A5)."""

from __future__ import annotations

import pytest
from hypothesis import given

from mnemata.proofs.generators import TICKS, Stream, expressions, streams, window_bounds
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.evaluation import Valuation, models
from mnemata.theory.conditions.terms import Duration
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import ConditionTypeError
from mnemata.theory.schema import Float64, Schema, Timestamp
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Absent,
    EventWindow,
    Expression,
    LengthWindow,
    Negation,
    Output,
    TimeWindow,
    Window,
    mark,
    skip,
    skip_till_any,
    skip_till_next,
)
from mnemata.theory.sremo.rewriting import bound_expression, core
from mnemata.theory.sremo.semantics import matches
from mnemata.theory.sremo.windows import (
    Ends,
    check_window,
    ends,
    fits,
    guard,
    longest,
    marks_both_ends,
    marks_last,
)

A, B = mark(head().type == "A"), mark(head().type == "B")
X, T = skip(head().type == "X"), skip().star()
MARK, SKIP = frozenset({Output.MARK}), frozenset({Output.SKIP})
EITHER = MARK | SKIP
STREAM = TICKS.stream([{"at": at} for at in (10, 10, 13, 15)])


@pytest.mark.parametrize(
    ("marks", "window", "expected"),
    [
        ({1, 4}, EventWindow(4), True),
        ({1, 4}, EventWindow(3), False),
        ({2, 3}, EventWindow(2), True),
        ({2}, EventWindow(1), True),
        (set(), EventWindow(1), True),
        ({1, 4}, LengthWindow(4), True),
        ({2}, LengthWindow(3), False),
        (set(), LengthWindow(3), False),
        ({1, 2}, TimeWindow(Duration(1, "ms")), True),
        ({1, 3}, TimeWindow(Duration(3, "ms")), False),
        ({1, 3}, TimeWindow(Duration(4, "ms")), True),
        ({1, 4}, TimeWindow(Duration(5_001, "us")), True),
        ({1, 4}, TimeWindow(Duration(5_000, "us")), False),
        (set(), TimeWindow(Duration(1, "ms")), True),
    ],
)
def test_fits(marks: set[int], window: Window, expected: bool) -> None:
    assert fits(frozenset(marks), window, STREAM) is expected


def test_positions_are_absolute() -> None:
    assert fits(frozenset({3, 4}), TimeWindow(Duration(3, "ms")), STREAM[2:])
    assert fits(frozenset({3, 4}), LengthWindow(2), STREAM[2:])


def test_windows_in_time_read_marked_events_only() -> None:
    holes = TICKS.stream([{"at": 1}, {}, {"at": 2}])
    window = TimeWindow(Duration(2, "ms"))
    assert fits(frozenset({1, 3}), window, holes)
    with pytest.raises(ConditionTypeError, match="needs events with a timestamp that is not missing"):
        fits(frozenset({1, 2}), window, holes)
    timeless = Schema.of(price=Float64()).stream([[1.0]])
    with pytest.raises(ConditionTypeError, match="needs events with a timestamp"):
        fits(frozenset({1}), window, timeless)


@pytest.mark.parametrize(
    ("window", "schema", "message"),
    [
        (TimeWindow(Duration(1, "s")), Schema.of(at=Timestamp()), "needs a schema with a time attribute"),
        (TimeWindow(Duration(2**63, "ms")), TICKS, "9223372036854775808 ms in ms, .* exceeds 64 bits"),
        (TimeWindow(Duration(1, "us")), TICKS, "a window of 1 us is not a whole number of ms, .* 'at'"),
    ],
)
def test_windows_that_cannot_be_measured(window: Window, schema: Schema, message: str) -> None:
    with pytest.raises(ConditionTypeError, match=message):
        check_window(window, schema)


def test_windows_that_can_be_measured() -> None:
    for window in (EventWindow(1), LengthWindow(1)):
        check_window(window, Schema.of(price=Float64()))
    check_window(TimeWindow(Duration(1, "s")), TICKS)
    check_window(TimeWindow(Duration(1_000, "us")), TICKS)
    check_window(TimeWindow(Duration(2**63 - 1, "ms")), TICKS)


@given(streams(min_size=2), window_bounds())
def test_the_guard_says_whether_a_match_still_fits(stream: Stream, window: Window) -> None:
    first = Valuation((("first", stream[0]),))
    condition = bind(guard(window, "first"), TICKS)
    for last in stream:
        marks = frozenset({stream[0].position, last.position})
        assert models(last, first, condition) == fits(marks, window, stream[: last.position])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (EPSILON, Ends(True)),
        (EMPTY_SET, Ends(False)),
        (A, Ends(False, MARK, MARK)),
        (X, Ends(False, SKIP, SKIP)),
        (A | X, Ends(False, EITHER, EITHER)),
        (A >> X, Ends(False, MARK, SKIP)),
        (X >> A, Ends(False, SKIP, MARK)),
        (X.optional() >> A, Ends(False, EITHER, MARK)),
        (A >> X.star(), Ends(False, MARK, EITHER)),
        (A.star(), Ends(True, MARK, MARK)),
        (A.plus(), Ends(False, MARK, MARK)),
        ((A >> T >> B).plus(), Ends(False, MARK, MARK)),
        (A.repeat(0, 0), Ends(True)),
        (A.repeat(0, 2), Ends(True, MARK, MARK)),
        (A.repeat(1, 2), Ends(False, MARK, MARK)),
        (A.optional().repeat(2, 2), Ends(True, MARK, MARK)),
        (skip_till_any(A, B), Ends(False, MARK, MARK)),
        (skip_till_any(A, B.star()), Ends(False, MARK, EITHER)),
        (skip_till_any(A.star(), B), Ends(False, EITHER, MARK)),
        (skip_till_any(A.plus()), Ends(False, MARK, MARK)),
        (skip_till_any(A.star()), Ends(True, MARK, MARK)),
        (skip_till_any(A.repeat(0, 2)), Ends(True, MARK, MARK)),
        (skip_till_any(A.repeat(0, 0)), Ends(True)),
        (skip_till_any(A.optional().plus()), Ends(True, EITHER, EITHER)),
        (skip_till_any(A.optional().repeat(1, 1)), Ends(True, MARK, MARK)),
        (skip_till_any(A | B), Ends(False, MARK, MARK)),
        (skip_till_next(A, B), Ends(False, MARK, MARK)),
        (skip_till_next(A.star()), Ends(True, MARK, MARK)),
        (A.within(events=1), Ends(False, MARK, MARK)),
        (A & (X | A), Ends(False, MARK, MARK)),
        (A.star() & A, Ends(False, MARK, MARK)),
        (Negation(X), Ends(True, SKIP, SKIP)),
        (Absent(X) >> A, Ends(False, EITHER, MARK)),
    ],
)
def test_ends(expression: Expression, expected: Ends) -> None:
    assert ends(expression) == expected


@pytest.mark.parametrize(
    ("expression", "both", "last"),
    [
        (A >> T >> B, True, True),
        (T >> A, False, True),
        (A >> T, False, False),
        (skip_till_any(A, skip_till_any(B.plus())), True, True),
        (skip_till_any(A.star()), True, True),
        (skip_till_any(A, skip_till_any(B.star())), False, False),
        (EPSILON, True, True),
    ],
)
def test_marks(expression: Expression, both: bool, last: bool) -> None:
    assert marks_both_ends(expression) is both
    assert marks_last(expression) is last


@given(streams(max_size=5), expressions(negations=True))
def test_ends_are_at_least_the_real_ones(stream: Stream, expression: Expression) -> None:
    found = ends(expression)
    for k in range(len(stream) + 1):
        for marks in matches(expression, stream[:k]):
            assert k or found.nullable
            assert not k or (Output.MARK if 1 in marks else Output.SKIP) in found.first
            assert not k or (Output.MARK if k in marks else Output.SKIP) in found.last


@given(expressions())
def test_ends_are_those_of_the_core(expression: Expression) -> None:
    assert ends(expression) == ends(core(expression))


@given(streams(max_size=5), expressions(), window_bounds(Schema.of()))
def test_where_both_ends_are_marked_events_and_length_measure_the_same(
    stream: Stream, expression: Expression, window: Window
) -> None:
    assert not isinstance(window, TimeWindow)
    if marks_both_ends(expression):
        by_events = matches(expression.within(events=window.size), stream)
        assert by_events == matches(expression.length(window.size), stream)


def test_where_an_end_may_be_skipped_they_differ() -> None:
    assert matches((X >> A).within(events=1), _word("XA")) == {frozenset({2})}
    assert matches((X >> A).length(1), _word("XA")) == frozenset()


def _word(letters: str) -> Stream:
    schema = Schema.from_json('{"attributes": [{"name": "type", "type": "string"}]}')
    return schema.stream([[letter] for letter in letters])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (EPSILON, 0),
        (EMPTY_SET, 0),
        (A, 1),
        (A >> B.optional(), 2),
        (A | (A >> B), 2),
        (A.star(), None),
        (EPSILON.star(), 0),
        (A.repeat(1, 3), 3),
        (A.repeat(1, None), None),
        (skip_till_any(A, B), None),
        (skip_till_any(A.repeat(0, 1)), 1),
        (skip_till_any(A.repeat(0, 2)), None),
        (A.star() & (A >> A), 2),
        (A.star().length(3), 3),
        (A.star().within(events=3), 3),
        ((T >> A).within(events=3), None),
        (A.star().within(ms=3), None),
        (Negation(X), None),
    ],
)
def test_longest(expression: Expression, expected: int | None) -> None:
    assert longest(expression) == expected


@given(streams(), expressions(negations=True))
def test_no_string_is_longer_than_the_longest(stream: Stream, expression: Expression) -> None:
    bound = longest(expression)
    if bound is not None and bound < len(stream):
        assert not matches(bound_expression(expression, TICKS), stream)
