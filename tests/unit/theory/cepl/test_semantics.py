"""Core-CEPL on examples small enough to say what comes out; the paper's among them."""

from __future__ import annotations

import pickle

import pytest

from mnemata.theory.cepl.expressions import Atom, Filter, Or, Sequence, Windowed, atom
from mnemata.theory.cepl.query import Query, query_matches
from mnemata.theory.cepl.semantics import matches, matches_under
from mnemata.theory.cepl.valuations import Valuation
from mnemata.theory.cepl.variables import bound, defined, occurring, read, rebound
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.errors import PatternError, UnknownAttributeError, UnknownEventTypeError
from mnemata.theory.schema import Category, Float64, Int64, Schema
from mnemata.theory.syntax import parse_cepl

SENSORS = Schema.of(type=Category(("T", "H")), id=Int64(), value=Float64(), event_type="type")
TABLE_1 = SENSORS.stream([("T", 1, 22), ("T", 1, 24), ("T", 2, 32), ("H", 1, 70), ("H", 1, 68), ("T", 2, 33)])
EXPRESSION_1 = "(T AS x); (H AS y) FILTER (x.id = y.id)"
EXPRESSION_2 = "(T AS x FILTER x.id=y.id)+; (H AS y)"
EXPRESSION_4 = """
(T AS x FILTER x.value < -40 OR T AS x FILTER x.value > 50) ;
(T AS y) FILTER y.id = x.id
"""
NESTED = """
((T AS x1 ; T AS x2 FILTER x1.value = x2.value);
 (H AS x3 ; H AS x4 FILTER x3.value = x4.value)+)+
"""
T, H = (lambda name: atom("T", name)), (lambda name: atom("H", name))
SAME = register("x").id == register("y").id


def sets(*found):
    return frozenset(map(frozenset, found))


def of(text, stream=TABLE_1):
    return matches(parse_cepl(text, schema=SENSORS).expression, stream)


def events(*rows):
    return SENSORS.stream([(kind, number, 0) for kind, number in rows])


def test_all_pairs_of_the_example():
    assert of("T AS x; H AS y") == sets({0, 3}, {0, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4})


def test_expression_1():
    # The text says that {2, 3} alone is lost to the filter; t2 has another sensor than t4, too.
    assert of(EXPRESSION_1) == sets({0, 3}, {0, 4}, {1, 3}, {1, 4})


def test_expression_2():
    assert {0, 1, 3} in of(EXPRESSION_2)
    assert {0, 2, 3} not in of(EXPRESSION_2)


def test_expression_4():
    stream = SENSORS.stream([("T", 1, -50), ("T", 2, 60), ("T", 1, 20), ("T", 2, 0), ("T", 3, 20)])
    assert of(EXPRESSION_4, stream) == sets({0, 2}, {1, 3})


def test_the_nested_iteration():
    rows = [("T", 1, 5), ("T", 2, 5), ("H", 1, 7), ("H", 1, 7), ("H", 1, 8), ("H", 1, 8)]
    found = of(NESTED, SENSORS.stream(rows))
    assert found == sets({0, 1, 2, 3}, {0, 1, 4, 5}, {0, 1, 2, 3, 4, 5})


def test_windows_count_from_the_first_event_to_the_last():
    assert of("T AS x; H AS y WINDOW 2") == sets({2, 3})
    assert of("T AS x; H AS y WINDOW 3") == sets({1, 3}, {2, 3}, {2, 4})
    assert of("(T AS x; H AS y WINDOW 2); H AS z") == sets({2, 3, 4})


def test_a_variable_is_one_event_everywhere():
    assert of("T AS x; H AS x") == of("T AS x; T AS x") == sets()
    assert of("T AS x OR T AS x") == sets({0}, {1}, {2}, {5})


def test_each_round_binds_its_variables_anew():
    stream = events(("T", 1), ("T", 2), ("T", 3))
    assert {0, 1, 2} in of("(T AS x)+", stream)
    assert of("(T AS x FILTER x.id < 3)+", stream) == sets({0}, {1}, {0, 1})


def test_a_filter_outside_of_an_iteration_reads_the_variable_outside():
    stream = events(("T", 1), ("H", 1), ("H", 2))
    inner = H("x").filter(register("x").id == 2).plus()
    assert matches((T("x") >> inner).filter(register("x").id == 1), stream) == sets({0, 2})
    assert matches((T("x") >> inner).filter(register("x").id == 2), stream) == sets()


def test_a_filter_in_an_iteration_may_read_one_outside_before_and_after():
    stream = events(("T", 1), ("H", 1), ("H", 2), ("H", 1), ("T", 2))
    same = register("y").id == register("x").id
    assert {0, 1, 3} in matches(T("x") >> H("y").filter(same).plus(), stream)
    assert {0, 1, 2} not in matches(T("x") >> H("y").filter(same).plus(), stream)
    assert matches(H("y").filter(same).plus() >> T("x"), stream) == sets({2, 4})


def test_variables_of_inner_iterations_are_those_of_their_own_rounds():
    inner = (T("x") >> H("y").plus()).filter(register("x").id == 1)
    assert rebound(inner.plus()) == frozenset()
    assert rebound(inner) == {"x"}
    assert matches(inner.plus(), events(("T", 1), ("H", 5), ("T", 1), ("H", 6))) == sets(
        {0, 1}, {0, 3}, {0, 1, 3}, {2, 3}, {0, 1, 2, 3}
    )


def test_a_variable_that_is_not_bound_may_be_any_event():
    stream = events(("T", 1), ("H", 7))
    choice = T("x") | H("y")
    assert matches(choice.filter(register("y").id == 7), stream) == sets({0}, {1})
    assert matches(choice.filter(register("y").id == 8), stream) == sets()
    assert matches(choice.filter(~(register("y").id == 7)), stream) == sets({0})


def test_matches_under_one_valuation():
    pair = T("x") >> H("y")
    assert matches_under(pair, TABLE_1, 0, Valuation((("x", 1), ("y", 3)))) == sets({1, 3})
    assert matches_under(pair, TABLE_1, 2, Valuation((("x", 1), ("y", 3)))) == sets()
    assert matches_under(pair, TABLE_1, 0, Valuation((("x", 1),))) == sets()
    assert matches_under(pair, TABLE_1, 0, Valuation((("x", 1), ("y", 99)))) == sets()


def test_missing_values_satisfy_no_atom():
    stream = SENSORS.stream([("T", None, 1), ("T", 1, 1)])
    assert of("T AS x FILTER x.id = 1", stream) == sets({1})
    assert of("T AS x FILTER not x.id = 1", stream) == sets({0})
    assert of("T AS x", SENSORS.stream([(None, 1, 1)])) == sets()


def test_nothing_is_found_in_nothing():
    assert of("(T AS x)+", ()) == sets()


def test_variables():
    expression = parse_cepl("(T AS x; (H AS y)+ OR T AS x; H AS z) FILTER x.id = 1").expression
    assert defined(expression) == occurring(expression) == {"x", "y", "z"}
    assert read(expression) == bound(expression) == {"x"}
    assert rebound(expression) == {"x", "z"}


def test_queries_split_the_stream():
    query = Query(T("x") >> H("y"), ("id",))
    assert query_matches(query, TABLE_1) == sets({0, 3}, {0, 4}, {1, 3}, {1, 4})
    windowed = Query((T("x") >> T("y")).window(2), ("id",))
    assert query_matches(windowed, TABLE_1) == sets({0, 1}, {2, 5})


def test_expressions_are_values():
    one, other = (parse_cepl(EXPRESSION_4).expression for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    assert (T("x") >> H("y")) >> T("z") == Sequence((T("x"), H("y"), T("z")))
    assert (T("x") | H("y")) | T("z") == Or((T("x"), H("y"), T("z")))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Atom("T", ""), "a variable is named by a non-empty string"),
        (lambda: Atom("", "x"), "an event type is named by a non-empty string"),
        (lambda: Atom("T", "~"), "other than ~"),
        (lambda: Sequence((T("x"),)), "Sequence joins at least two expressions, got 1"),
        (lambda: Or((T("x"), "H")), "'H' is not an expression; bind an event type"),
        (lambda: Filter(T("x"), "x"), "'x' is not a condition"),
        (lambda: Filter(T("x"), TOP), "this condition reads no variable"),
        (lambda: T("x").filter(head().id == 1), "~ is none; name the variable"),
        (lambda: Windowed(T("x"), 3), "3 is not a window of events"),
        (lambda: T("x").window(0), "at least 1"),
        (lambda: Query("T"), "'T' is not an expression"),
        (lambda: Query(T("x"), ("id", "id")), "names an attribute twice"),
    ],
)
def test_what_is_no_expression(make, message):
    with pytest.raises(PatternError, match=message):
        make()


def test_expressions_must_fit_the_schema():
    with pytest.raises(UnknownEventTypeError, match="unknown event type 'S'; the schema has H, T"):
        matches(atom("S", "x"), TABLE_1)
    with pytest.raises(UnknownAttributeError, match="unknown attribute 'sensor'"):
        matches(T("x").filter(register("x").sensor == 1), TABLE_1)
