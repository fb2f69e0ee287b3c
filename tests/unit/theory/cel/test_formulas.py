"""Formulas and predicates as trees: what they refuse, and what they say of themselves."""

import pickle

import pytest

from mnemata.theory.cel.binding import check_variables, is_unary, not_unary_parts, unbound_variables
from mnemata.theory.cel.formulas import (
    All,
    And,
    Contiguous,
    Filter,
    In,
    Or,
    Projection,
    Relation,
    Sequencing,
    Unless,
    Within,
    sequence,
    variables_of,
)
from mnemata.theory.cel.predicates import (
    AllOf,
    AnyOf,
    Compared,
    Each,
    ForAll,
    ForSome,
    Measure,
    Negated,
    SetRelation,
    for_all,
    variables_read,
)
from mnemata.theory.cel.query import Consumption, Query, Selection, formula_of, query_complex_events, query_of
from mnemata.theory.conditions.building import head, position, register
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.conditions.terms import Constant
from mnemata.theory.errors import PatternError, UnknownAttributeError, UnknownVariableError
from mnemata.theory.schema import Int64, Schema, String
from mnemata.theory.sremo.bounds import EventWindow, LengthWindow

A, B, C = (Relation(name) for name in "ABC")
x, y = register("x"), register("y")
COUNT = Compared(">", Measure("count", "A"), Constant(1))


def broken(relation):
    return len(relation) > 1


@pytest.mark.parametrize("kind", [Sequencing, Contiguous, Or, And, All])
def test_associative_operators_are_flattened(kind):
    assert kind((kind((A, B)), C)) == kind((A, kind((B, C)))) == kind((A, B, C))
    with pytest.raises(PatternError, match="joins at least two formulas, got 1"):
        kind((A,))
    with pytest.raises(PatternError, match="joins at least two formulas, got 0"):
        kind(())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: A >> "B", r"'B' is not a formula; name an event type with Relation\(...\)"),
        (lambda: Relation(""), "an event type is named by a non-empty string"),
        (lambda: In(A, "~"), "a variable is named by a non-empty string other than ~"),
        (lambda: Projection(A, "xy"), "a projection takes a tuple of variables, got 'xy'"),
        (lambda: Filter(A, x.price > 1), "is not a predicate over variables; wrap a condition in for_all"),
        (lambda: Within(A, LengthWindow(3)), "is not a window of CEL"),
        (lambda: A.within(), "within.. takes one bound"),
        (lambda: A.within(events=0), "a window needs a whole number of events"),
        (lambda: Each("x", x.price > 1), "reads 'x'; it may read ~ only"),
        (lambda: Each("~", TOP), "a variable is named by a non-empty string"),
        (lambda: ForAll(head().price > 1), "reads the head ~, which is no variable"),
        (lambda: ForSome(TOP), "reads no variable"),
        (lambda: Measure("sum", "x"), r"sum is of an attribute, as in sum\(A.price\)"),
        (lambda: Measure("count", "x", "price"), r"count is of a variable, as in count\(A\)"),
        (lambda: Measure("median", "x", "price"), "unknown function 'median'; use count, sum"),
        (lambda: Compared("=", Constant(1), Constant(1)), "reads no variable"),
        (lambda: Compared("=>", Measure("count", "x"), Constant(1)), "unknown comparison '=>'"),
        (lambda: AllOf((COUNT,)), "AllOf joins at least two predicates, got 1"),
        (lambda: COUNT & (x.price > 1), "wrap a condition in for_all"),
        (lambda: SetRelation("Wide", 1, broken)("x", "y"), "relation 'Wide' relates 1 sets, got 2"),
        (lambda: SetRelation("Wide", 0, broken), "relates at least one set"),
        (lambda: bool(COUNT), "a predicate has no truth value of its own"),
    ],
)
def test_what_is_malformed_is_refused(wrong, message):
    with pytest.raises(PatternError, match=message):
        wrong()


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (A, "A"),
        (A.bound_to("x", "y"), "Axy"),
        (A.bound_to("x") >> B, "ABx"),
        (Or((A, B.bound_to("x"))), "ABx"),
        (And((A.bound_to("x"), A.bound_to("y"))), "A"),
        (Unless(A, B), "A"),
        (All((A, B)), "AB"),
        (Projection(A.bound_to("x"), ("x", "z")), "x"),
        (A.plus().within(events=3).filter(COUNT), "A"),
    ],
)
def test_the_variables_of_a_formula(formula, expected):
    assert variables_of(formula) == set(expected)


def test_variables_that_predicates_read():
    predicate = (for_all(x.id == y.id) | COUNT) & Negated(SetRelation("Wide", 1, broken)("z"))
    assert variables_read(predicate) == {"x", "y", "A", "z"}


def test_a_condition_on_one_variable_is_about_each_of_its_events():
    assert for_all(x.price > 1) == Each("x", head().price > 1)
    assert for_all(x.price > y.price) == ForAll(x.price > y.price)


@pytest.mark.parametrize(
    ("predicate", "reason"),
    [
        (for_all(x.id == y.id), "it compares events of different variables: x, y"),
        (ForSome(x.id == 1), "it asks for some event of 'x', not for all of them"),
        (COUNT, "it looks at a whole set of events at once"),
        (SetRelation("Wide", 1, broken)("x"), "it looks at a whole set of events at once"),
        (
            Negated(for_all(x.id == 1)),
            "it negates a whole predicate; write A[not p] if every event of A violates p",
        ),
        (for_all(position(x) == 1), "it depends on the position of an event, not on its values"),
    ],
)
def test_why_a_filter_is_not_unary(predicate, reason):
    fine = for_all(x.id == 1)
    formula = Filter(Filter(A.bound_to("x"), fine), AllOf((fine, AnyOf((fine, predicate))))) >> B
    (found,) = not_unary_parts(formula)
    assert (found.part, found.reason) == (predicate, reason)
    assert not is_unary(formula)
    assert is_unary(Filter(A, AnyOf((fine, fine & fine))))


def test_variables_that_nothing_binds_are_told():
    formula = Filter(A.bound_to("price_x") >> B, for_all(register("pricex").id == 1))
    assert [found.variable for found in unbound_variables(formula)] == ["pricex"]
    with pytest.raises(UnknownVariableError, match=r"binds A, B, price_x. .* Did you mean 'price_x'\?"):
        check_variables(formula)
    check_variables(Filter(A, for_all(register("A").id == 1)))


def test_trees_survive_pickling():
    formula = Filter(
        sequence(A.bound_to("x"), B.plus()).within(s=5), for_all(x.id == register("A").id) & COUNT
    )
    assert pickle.loads(pickle.dumps(formula)) == formula
    query = Query(formula, ("x",), Selection.MAX, ("S",), ("id",), EventWindow(5), Consumption.ANY)
    assert pickle.loads(pickle.dumps(query)) == query


# Queries.

SCHEMA = Schema.of(type=String(), id=Int64(), event_type="type")


def stream(*rows):
    return SCHEMA.stream(rows)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: Query("A"), PatternError, "'A' is not a formula"),
        (
            lambda: Query(A, ("B",)),
            UnknownVariableError,
            "nothing binds the variable 'B' that is selected; .* A",
        ),
        (lambda: Query(A, ()), PatternError, "selects at least one variable"),
        (lambda: Query(A, "A"), PatternError, "variables is a tuple of names"),
        (lambda: Query(A, partition_by=("id", "id")), PatternError, "partition by names 'id' twice"),
        (lambda: Query(A, within=LengthWindow(2)), PatternError, "is not a window of CEL"),
    ],
)
def test_malformed_queries_are_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


def test_a_query_is_a_formula_and_back():
    query = Query(A >> B, ("A",), Selection.LAST, within=EventWindow(5))
    assert query_of(formula_of(query)) == query
    assert query_of(A) == Query(A)


def test_partitions_and_consumption():
    rows = stream(("A", 1), ("A", 2), ("B", 1), ("B", 2), ("B", 1), ("A", None))
    pair = A >> B

    def found(**clauses):
        return [sorted(map(sorted, at)) for at in query_complex_events(Query(pair, **clauses), rows)]

    assert found() == [[], [], [[0, 2], [1, 2]], [[0, 3], [1, 3]], [[0, 4], [1, 4]], []]
    split = {"partition_by": ("id",)}
    assert found(**split) == [[], [], [[0, 2]], [[1, 3]], [[0, 4]], []]
    assert found(**split, consume=Consumption.PARTITION) == [[], [], [[0, 2]], [[1, 3]], [], []]
    assert found(**split, consume=Consumption.ANY) == [[], [], [[0, 2]], [], [], []]
    assert found(**split, within=EventWindow(2)) == [[], [], [[0, 2]], [[1, 3]], [], []]
    assert found(selection=Selection.ANY) == [[], [], [[0, 2]], [[0, 3]], [[0, 4]], []]
    assert found(variables=("B",)) == [[], [], [[2]], [[3]], [[4]], []]
    assert query_complex_events(Query(pair), ()) == []


def test_partitions_are_by_attributes_of_the_schema():
    with pytest.raises(UnknownAttributeError, match="Did you mean 'id'"):
        query_complex_events(Query(A, partition_by=("idd",)), stream(("A", 1)))
