"""Each operator of CEL on small streams, worked out by hand from Fig. 3 and Section 7.1."""

import sys

import pytest

from mnemata.theory.cel.formulas import (
    All,
    And,
    Contiguous,
    ContiguousIteration,
    Filter,
    In,
    Iteration,
    Last,
    Max,
    Nxt,
    Projection,
    Relation,
    Start,
    Strict,
    Unless,
    sequence,
)
from mnemata.theory.cel.predicates import Compared, ForSome, Measure, for_all
from mnemata.theory.cel.semantics import (
    complex_events,
    complex_events_along,
    last_before,
    next_before,
    valuations,
    valuations_along,
)
from mnemata.theory.cel.valuations import Valuation
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.terms import Constant
from mnemata.theory.errors import ConditionTypeError, StreamError, UnknownEventTypeError
from mnemata.theory.schema import Category, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.bounds import EventWindow

LETTERS = Schema.of(type=String(), event_type="type")
R, S, T, U = (Relation(name) for name in "RSTU")


def word(letters):
    return LETTERS.stream([(letter,) for letter in letters])


def found(formula, letters, i=0, j=None):
    j = len(letters) - 1 if j is None else j
    return sorted(map(sorted, complex_events(formula, word(letters), i, j)))


@pytest.mark.parametrize(
    ("formula", "letters", "expected"),
    [
        (R, "R", [[0]]),
        (R, "TTR", [[2]]),
        (R, "RT", []),
        (R >> S, "RS", [[0, 1]]),
        (R >> S, "RTRS", [[0, 3], [2, 3]]),
        (R >> S, "SR", []),
        (R >> R, "R", []),
        (Contiguous((R, S)), "RTRS", [[2, 3]]),
        (Contiguous((R >> S, T)), "RUST", [[0, 2, 3]]),
        (Contiguous((R, S >> T)), "URSUT", [[1, 2, 4]]),
        (Contiguous((R, S >> T)), "RUST", []),
        (Iteration(R), "RTR", [[0, 2], [2]]),
        (ContiguousIteration(R), "RTR", [[2]]),
        (ContiguousIteration(R), "RRR", [[0, 1, 2], [1, 2], [2]]),  # a middle round of one event: ERRATA B1
        (ContiguousIteration(R >> S), "RTSRUS", [[0, 2, 3, 5], [0, 5], [3, 5]]),
        (ContiguousIteration(R >> S), "RSTRS", [[0, 4], [3, 4]]),
        (R | S, "RS", [[1]]),
        (R & R, "R", [[0]]),
        (R & S, "R", []),
        ((R >> S) & In(R, "X"), "RS", []),
        (All((R, S)), "SR", [[0, 1]]),
        (All((R, S)), "RTS", [[0, 2]]),
        (All((Start(R), Start(S))), "RTS", [[0, 2]]),  # a gap between the sub-intervals: ERRATA B2
        (All((R, R)), "R", [[0]]),
        (All((R >> T, S)), "RST", [[0, 1, 2]]),
        (Unless(R, T), "SR", [[1]]),
        (Unless(R, T), "TR", []),  # inside the interval, not over it: ERRATA B3
        (Unless(R, R), "R", []),
        (Start(R), "R", [[0]]),
        (Start(R), "TR", []),
        (Start(R >> S), "RTS", [[0, 2]]),
        (Projection(R >> S, ("R",)), "RS", [[0]]),
        (Projection(R >> S, ()), "RS", [[]]),
        (Contiguous((Projection(R, ()), S)), "RS", []),
        (Start(Projection(R, ())), "R", []),
        (Strict(R >> S), "RTRS", [[2, 3]]),
        (Strict(Iteration(R)), "RRR", [[0, 1, 2], [1, 2], [2]]),  # the published test refutes it: ERRATA B6
        (Strict(Projection(R, ())), "R", [[]]),
        (Nxt(R >> S), "RRS", [[0, 2]]),
        (Last(R >> S), "RRS", [[1, 2]]),
        (Max(R >> S), "RRS", [[0, 2], [1, 2]]),
        (Max(Iteration(R)), "RRR", [[0, 1, 2]]),
        (Nxt((R >> S) | Iteration(T)), "RTST", [[1, 3]]),
        (Nxt(Projection(R, ())), "R", [[]]),
        ((R >> S).within(events=2), "RTRS", [[2, 3]]),
        ((R >> S).within(events=4), "RTRS", [[0, 3], [2, 3]]),
        (R.within(events=1), "R", [[0]]),
        (Projection(R, ()).within(events=1), "R", [[]]),
    ],
)
def test_complex_events(formula, letters, expected):
    assert found(formula, letters) == expected


def test_an_event_is_read_at_the_end_of_the_interval():
    assert [found(R, "RRR", i, 2) for i in range(3)] == [[[2]]] * 3
    assert found(Start(R), "RRR", 1, 2) == []
    assert found(Unless(R, T), "TR", 1, 1) == [[1]]


def test_valuations_know_variables():
    stream = word("RTS")
    formula = In(In(R, "X") >> S, "Y")
    assert valuations(formula, stream, 0, 2) == {Valuation({"R": [0], "X": [0], "S": [2], "Y": [0, 2]})}
    assert valuations(In(In(R, "X") >> S, "X"), stream, 0, 2) == {
        Valuation({"R": [0], "S": [2], "X": [0, 2]})
    }
    assert valuations(Projection(formula, ("Y", "S")), stream, 0, 2) == {Valuation({"S": [2], "Y": [0, 2]})}
    assert valuations(In(R, "X") | R, word("R"), 0, 0) == {
        Valuation({"R": [0], "X": [0]}),
        Valuation({"R": [0]}),
    }


def test_strategies_keep_all_valuations_of_the_best_complex_event():
    formula = (In(R, "X") | R | In(R, "Y")) >> S
    assert len(valuations(Nxt(formula), word("RRS"), 0, 2)) == 3


def test_along_a_stream():
    assert complex_events_along(R >> S, word("RSS")) == [
        frozenset(),
        {frozenset({0, 1})},
        {frozenset({0, 2})},
    ]
    assert valuations_along(R, ()) == []


PRICES = Schema.of(type=Category(("R", "S")), id=Int64(), at=Timestamp("ms"), event_type="type", time="at")
x, y = register("X"), register("Y")


def ticks(*rows):
    return PRICES.stream(rows)


def test_an_extension_asks_every_event():
    plus = In(Iteration(R), "X")
    stream = ticks(("R", 1, 0), ("R", 5, 1), ("R", 1, 2))
    every = Filter(plus, for_all(x.id == 1))
    some = Filter(plus, ForSome(x.id == 5))
    assert complex_events(every, stream, 0, 2) == {frozenset({2}), frozenset({0, 2})}
    assert complex_events(some, stream, 0, 2) == {frozenset({1, 2}), frozenset({0, 1, 2})}


def test_of_an_empty_variable_everything_and_nothing_holds():
    stream = ticks(("R", 1, 0))
    either = R | In(R, "X")
    assert len(valuations(Filter(either, for_all(x.id == 2)), stream, 0, 0)) == 1
    assert valuations(Filter(either, ForSome(x.id == 1)), stream, 0, 0) == {Valuation({"R": [0], "X": [0]})}


def test_correlation_takes_one_event_of_each():
    plus = sequence(In(Iteration(R), "X"), In(S, "Y"))
    stream = ticks(("R", 1, 0), ("R", 2, 1), ("S", 1, 2))
    assert complex_events(Filter(plus, for_all(x.id == y.id)), stream, 0, 2) == {frozenset({0, 2})}
    some = complex_events(Filter(plus, ForSome(x.id == y.id)), stream, 0, 2)
    assert some == {frozenset({0, 2}), frozenset({0, 1, 2})}


def measure(function, operator, number, attribute="id"):
    field = None if function == "count" else attribute
    return Compared(operator, Measure(function, "X", field), Constant(number))


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (measure("count", "=", 1), [[2]]),
        (measure("count", ">", 2), [[0, 1, 2]]),
        (measure("sum", "=", 3), [[2]]),
        (measure("sum", "=", 9), [[0, 1, 2]]),
        (measure("min", "=", 1), [[0, 1, 2], [0, 2]]),
        (measure("max", ">", 3), [[0, 1, 2], [1, 2]]),
        (measure("avg", "=", 2), [[0, 2]]),
        (measure("first", "=", 5), [[1, 2]]),
        (measure("last", "=", 3), [[0, 1, 2], [0, 2], [1, 2], [2]]),
        (Compared("<", Measure("first", "X", "id"), Measure("last", "X", "id")), [[0, 1, 2], [0, 2]]),
    ],
)
def test_measures_of_whole_sets(predicate, expected):
    stream = ticks(("R", 1, 0), ("R", 5, 1), ("R", 3, 2))
    filtered = Filter(In(Iteration(R), "X"), predicate)
    assert sorted(map(sorted, complex_events(filtered, stream, 0, 2))) == expected


def test_measures_of_missing_values_are_missing():
    stream = ticks(("R", None, 0), ("R", 1, 1))
    plus = In(Iteration(R), "X")
    for function in ("sum", "min", "max", "avg", "first"):
        holds = complex_events(Filter(plus, measure(function, ">", 0)), stream, 0, 1)
        assert holds == {frozenset({1})}
    assert len(complex_events(Filter(plus, measure("last", ">", 0)), stream, 0, 1)) == 2


def test_windows_in_time_are_strict():
    pair = R >> S
    stream = ticks(("R", 1, 0), ("S", 1, 5), ("S", 1, 6))
    at = complex_events_along(pair.within(ms=6), stream)
    assert at == [frozenset(), {frozenset({0, 1})}, frozenset()]
    assert complex_events(pair.within(ms=7), stream, 0, 2) == {frozenset({0, 2})}


def test_positions_are_those_of_the_sequence():
    """Whatever the events say of themselves, as in a piece of a stream."""
    piece = word("TTTRTS")[3:]
    assert complex_events((R >> S).within(events=3), piece, 0, 2) == {frozenset({0, 2})}


def test_orders():
    assert next_before(frozenset({5, 8}), frozenset({1, 8}))
    assert not next_before(frozenset({1, 8}), frozenset({5, 8}))
    assert last_before(frozenset({1, 8}), frozenset({5, 8}))
    assert not last_before(frozenset({5, 8}), frozenset({1, 8}))
    assert next_before(frozenset({1}), frozenset({1, 2}))
    assert last_before(frozenset({2}), frozenset({1, 2}))


def test_deep_formulas_need_no_stack():
    formula = R
    for _ in range(3 * sys.getrecursionlimit()):
        formula = Start(formula)
    assert complex_events(formula, word("R"), 0, 0) == {frozenset({0})}


@pytest.mark.parametrize(("i", "j"), [(-1, 0), (1, 0), (0, 2)])
def test_intervals_lie_in_the_stream(i, j):
    with pytest.raises(StreamError, match="in a stream of 2 events, counted from 0"):
        valuations(R, word("RR"), i, j)


def test_event_types_must_be_known():
    with pytest.raises(
        UnknownEventTypeError, match=r"unknown event type 'RR'; the schema has R, S. Did you mean 'R'\?"
    ):
        valuations(Relation("RR"), ticks(("R", 1, 0)), 0, 0)
    untyped = Schema.of(id=Int64()).stream([(1,)])
    with pytest.raises(UnknownEventTypeError, match="the schema names no event type"):
        valuations(R, untyped, 0, 0)


def test_windows_in_time_need_a_clock():
    with pytest.raises(ConditionTypeError, match="needs a schema with a time attribute"):
        valuations(R.within(s=1), word("R"), 0, 0)


def test_measures_are_of_numbers():
    formula = Filter(In(R, "X"), measure("sum", ">", 1, "type"))
    with pytest.raises(ConditionTypeError, match=r"sum\(\) takes numbers, and 'type' is category"):
        valuations(formula, ticks(("R", 1, 0)), 0, 0)


def test_windows_of_conjunctions():
    assert found(And((R, R)).within(events=1), "R") == [[0]]
    assert (R >> S).within(events=3).window == EventWindow(3)
