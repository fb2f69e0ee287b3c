"""Complex event logic as text: what is read, what is written, and what is said of mistakes."""

import time

import pytest

from mnemata.theory.cel.formulas import (
    All,
    And,
    Contiguous,
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Last,
    Max,
    Nxt,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Strict,
    Unless,
    Within,
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
)
from mnemata.theory.cel.query import Consumption, Query, Selection
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import Relation as DeclaredRelation
from mnemata.theory.conditions.terms import Constant, Duration
from mnemata.theory.errors import (
    ConditionTypeError,
    LimitError,
    MnemataError,
    PatternError,
    PatternSyntaxError,
    UnknownAttributeError,
    UnknownEventTypeError,
    UnknownRelationError,
    UnknownVariableError,
    UnsupportedError,
)
from mnemata.theory.schema import Category, Float64, Int64, Schema, Timestamp
from mnemata.theory.sremo.bounds import EventWindow, TimeWindow
from mnemata.theory.syntax import parse_cel, show_cel

A, B, C, D = (Relation(name) for name in "ABCD")
x, y = register("x"), register("y")
CHEAP, DEAR = for_all(x.price > 10), for_all(y.price > 10)
AX = In(A, "x")
max_plus = Relation("max").contiguous_plus()
SCHEMA = Schema.of(
    type=Category(("BUY", "SELL")),
    price=Float64(),
    volume=Int64(),
    at=Timestamp("ms"),
    event_type="type",
    time="at",
)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("A", A),
        ("((A))", A),
        ("A IN x", AX),
        ("A as x AS y", In(AX, "y")),
        ("A ; B ; C", Sequencing((A, B, C))),
        ("A : B : C", Contiguous((A, B, C))),
        ("A ; B : C ; D", Sequencing((A, Contiguous((B, C)), D))),
        ("A : B+", Contiguous((A, Iteration(B)))),
        ("A (+) ; B :+ ; C⊕", Sequencing(tuple(map(ContiguousIteration, (A, B, C))))),
        ("A+ (+)+", Iteration(ContiguousIteration(Iteration(A)))),
        ("A OR B AND C ALL D ; A", Or((A, And((B, All((C, D >> A))))))),
        ("A UNLESS B UNLESS C OR D", Unless(Unless(A, B), C | D)),
        ("PI_{x, y}(A)", Projection(A, ("x", "y"))),
        ("π_x(A) ; PI_{}(B)", Projection(A, ("x",)) >> Projection(B, ())),
        ("START(A) : strict (B)", Contiguous((Start(A), Strict(B)))),
        ("NXT(LAST(MAX(A OR B)))", Nxt(Last(Max(A | B)))),
        ("NEXT(A)", Nxt(A)),
        ("max (+)+ ; START (+)", max_plus.plus() >> Relation("START").contiguous_plus()),
        ("PI_x (+)", Relation("PI_x").contiguous_plus()),
        ("next ; START OR max+", (Relation("next") >> Relation("START")) | Iteration(Relation("max"))),
        ("A ; B WITHIN 100 EVENTS", Within(A >> B, EventWindow(100))),
        ("A WITHIN 1 event", Within(A, EventWindow(1))),
        ("A WITHIN 5 minutes", Within(A, TimeWindow(Duration(5, "min")))),
        ("A WITHIN 500 ms", Within(A, TimeWindow(Duration(500, "ms")))),
        ("A WITHIN 1 hour 30 Minutes", Within(A, TimeWindow(Duration(90, "min")))),
        ("(A WITHIN 5 s) ; B", Within(A, TimeWindow(Duration(5, "s"))) >> B),
        ("A IN x FILTER x.price > 10", Filter(AX, CHEAP)),
        ("A IN x FILTER x[price > 10]", Filter(AX, CHEAP)),
        ("A IN x FILTER x[~.price > 10]", Filter(AX, CHEAP)),
        ("B;A IN x FILTER x.price > 10 FILTER x.price > 10", Filter(Filter(B >> AX, CHEAP), CHEAP)),
    ],
)
def test_formulas_are_read(text, formula):
    assert parse_cel(text) == Query(formula)


def both(text, **known):
    return parse_cel(f"A IN x; B IN y FILTER {text}", **known).formula.predicate


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("x.price > 10 and y.price > 10", AllOf((CHEAP, DEAR))),
        ("x[price > 10] AND (y[price > 10] OR x.price > 10)", AllOf((CHEAP, AnyOf((DEAR, CHEAP))))),
        ("x.price < y.price", ForAll(x.price < y.price)),
        ("every(x.price > 10)", ForAll(x.price > 10)),
        ("every(x.price > 10 or x.price < y.price)", ForAll((x.price > 10) | (x.price < y.price))),
        ("some(x.price > 10 and y.price > 10)", ForSome((x.price > 10) & (y.price > 10))),
        ("not x.price > 10", Negated(CHEAP)),
        ("x[not price > 10]", Each("x", ~(head().price > 10))),
        ("x.id not in {1, 2}", Each("x", ~head().id.isin((1, 2)))),
        ("not x.id in {1}", Negated(for_all(x.id.isin((1,))))),
        ("¬ x.price ≠ 1 ∨ x.id ∈ {1}", AnyOf((Negated(for_all(x.price != 1)), for_all(x.id.isin((1,)))))),
        ("x.price <> 1", for_all(x.price != 1)),
        (
            "x[price > 1 and volume = 2] and y[price > 10]",
            AllOf((Each("x", (head().price > 1) & (head().volume == 2)), DEAR)),
        ),
        ("count(x) >= 3", Compared(">=", Measure("count", "x"), Constant(3))),
        ("3 < COUNT(x)", Compared("<", Constant(3), Measure("count", "x"))),
        (
            "first(x.price) < last(x.price)",
            Compared("<", Measure("first", "x", "price"), Measure("last", "x", "price")),
        ),
        ("avg(x.price) = -1.5", Compared("=", Measure("avg", "x", "price"), Constant(-1.5))),
        ("A.price > 10", for_all(register("A").price > 10)),
    ],
)
def test_filters_are_read(text, predicate):
    assert both(text) == predicate


def test_relations_are_applied_to_variables():
    rises = DeclaredRelation("Rises", 2, lambda a, b: a["price"] < b["price"], ("price",))
    wide = SetRelation("Wide", 1, lambda events: len(events) > 2)
    assert both("Rises(x, y)", relations=[rises]) == ForAll(rises("x", "y"))
    assert both("Wide(x) and not Wide(y)", relations=[wide]) == AllOf((wide("x"), Negated(wide("y"))))
    defined = parse_cel("let Up(a, b) := a.p < b.p and a.q = 1; A IN x; B FILTER Up(x, B)")
    assert show_cel(defined) == "let Up(a, b) := a.p < b.p and a.q = 1;\nA IN x; B FILTER Up(x, B)"
    own = SetRelation("count", 1, lambda events: True)
    assert both("`count`(x)", relations=[own]) == own("x")


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("SELECT * FROM S WHERE A", Query(A, streams=("S",))),
        ("select all * where A;B", Query(A >> B)),
        ("SELECT x FROM S, T WHERE A AS x", Query(AX, ("x",), streams=("S", "T"))),
        ("SELECT NEXT x, A WHERE A AS x", Query(AX, ("x", "A"), Selection.NEXT)),
        ("SELECT ANY * WHERE A", Query(A, selection=Selection.ANY)),
        ("SELECT max FROM S WHERE max", Query(Relation("max"), ("max",), streams=("S",))),
        ("SELECT strict strict WHERE strict", Query(Relation("strict"), ("strict",), Selection.STRICT)),
        (
            "SELECT LAST * FROM S WHERE A PARTITION BY [id], [name] WITHIN 10 seconds CONSUME BY partition",
            Query(
                A,
                None,
                Selection.LAST,
                ("S",),
                ("id", "name"),
                TimeWindow(Duration(10, "s")),
                Consumption.PARTITION,
            ),
        ),
        (
            "SELECT * FROM S WHERE (A WITHIN 5 EVENTS) WITHIN 9 EVENTS",
            Query(A.within(events=5), streams=("S",), within=EventWindow(9)),
        ),
        ("SELECT * FROM S WHERE S>A ; S>B", Query(A >> B, streams=("S",))),
        ("A PARTITION BY [id] CONSUME BY ANY", Query(A, partition_by=("id",), consume=Consumption.ANY)),
        ("-- a comment\nSELECT * /* all;\n of them */ WHERE A # done", Query(A)),
    ],
)
def test_queries_are_read(text, query):
    assert parse_cel(text) == query


def test_a_query_in_the_style_of_core():
    text = """SELECT * FROM Stock
        WHERE SELL as msft; BUY as oracle; BUY as csco; SELL as amat
        FILTER msft[volume = 1] AND msft[price > 26.0] AND oracle[volume = 2] AND oracle[price > 11.14]
            AND csco[volume = 3] AND amat[volume = 4] AND amat[price >= 18.92]
        WITHIN 30 seconds"""
    query = parse_cel(text, schema=SCHEMA)
    assert query.within == TimeWindow(Duration(30, "s"))
    assert isinstance(query.formula, Filter)
    assert len(query.formula.predicate.operands) == 7
    assert query.formula.body == Sequencing(
        tuple(
            In(Relation(t), v)
            for t, v in zip(("SELL", "BUY", "BUY", "SELL"), ("msft", "oracle", "csco", "amat"), strict=True)
        )
    )
    assert parse_cel(show_cel(query, notation="ceql"), schema=SCHEMA) == query


@pytest.mark.parametrize(
    ("text", "paper", "ceql"),
    [
        ("T;(H AS y)+ :+", "T; (H IN y)+ (+)", "SELECT * WHERE T; (H AS y)+ :+"),
        ("(A or B) and C", "(A OR B) AND C", "SELECT * WHERE (A OR B) AND C"),
        ("A : (B ; C)", "A : (B; C)", "SELECT * WHERE A : (B; C)"),
        (
            "SELECT MAX A WHERE A FILTER A[p = 'it\\'s'] WITHIN 3 s",
            "PI_{A}(MAX(A FILTER A.p = 'it\\'s' WITHIN 3 seconds))",
            "SELECT MAX A WHERE A FILTER A[p = 'it\\'s'] WITHIN 3 seconds",
        ),
        (
            "A FILTER A[p = 1 or q = 2]",
            "A FILTER A[p = 1 or q = 2]",
            "SELECT * WHERE A FILTER A[p = 1 or q = 2]",
        ),
    ],
)
def test_how_it_is_written(text, paper, ceql):
    query = parse_cel(text)
    assert show_cel(query) == paper
    assert show_cel(query, notation="ceql") == ceql


MISTAKES = [
    # What a formula lacks.
    ("A OR", PatternSyntaxError, "there is nothing after 'OR' at line 1 column 3; it joins at least two"),
    ("OR A", PatternSyntaxError, "there is nothing before 'OR' at line 1 column 1"),
    ("A ;; B", PatternSyntaxError, "there is nothing before ';' at line 1 column 4"),
    ("(A UNLESS )", PatternSyntaxError, "there is nothing after 'UNLESS' at line 1 column 4"),
    ("A OR ()", PatternSyntaxError, "these parentheses are empty at line 1 column 6"),
    ("", PatternSyntaxError, "the pattern is empty"),
    ("A ; (B", PatternSyntaxError, "')' is missing at line 1 column 7; the '(' of line 1 column 5"),
    (
        "A FILTER A[p > 1",
        PatternSyntaxError,
        "']' is missing at line 1 column 17; the '[' of line 1 column 11",
    ),
    ("A B", PatternSyntaxError, "unexpected 'B' at line 1 column 3; expected"),
    ("A -> B", PatternSyntaxError, "unexpected '->' at line 1 column 3; a sequence is written with ';'"),
    ("A FILTR A.p > 1", PatternSyntaxError, "Did you mean 'filter'?"),
    ("SELECT * FORM S WHERE A", PatternSyntaxError, "Did you mean 'from'?"),
    (
        "SELECT * FROM S",
        PatternSyntaxError,
        "unexpected end of the pattern at line 1 column 16; expected 'where'",
    ),
    ("A; where", PatternSyntaxError, "as a name it is written in backquotes: `where`"),
    ("A > 3", PatternSyntaxError, "unexpected '3' at line 1 column 5"),
    ("A = B", PatternSyntaxError, "unexpected '=' at line 1 column 3; conditions come after FILTER"),
    # What is filtered.
    (
        "A FILTER A.p > 1 ; B",
        PatternSyntaxError,
        "unexpected ';' after a filter at line 1 column 18; put parentheses",
    ),
    ("A FILTER A.p > 1 OR B", ConditionTypeError, "'B' is no condition at line 1 column 21"),
    (
        "A FILTER A.p > 1 UNLESS B",
        PatternSyntaxError,
        "unexpected 'UNLESS' after a filter at line 1 column 18",
    ),
    ("A FILTER p > 1", PatternSyntaxError, "'p' is a variable here, not a value at line 1 column 10"),
    ("A FILTER ~.p > 1", PatternSyntaxError, "~ has a meaning inside brackets only at line 1 column 10"),
    ("A FILTER 1 < 2", PatternError, "this condition reads no variable at line 1 column 10"),
    (
        "A FILTER true",
        PatternError,
        "a filter is about a variable at line 1 column 10; write x[true] or x[false]",
    ),
    ("A FILTER count(A)", ConditionTypeError, "this is a value, not a condition at line 1 column 10"),
    (
        "A FILTER count(A.p) > 1",
        PatternSyntaxError,
        "count() takes a variable, as in count(x) at line 1 column 10",
    ),
    (
        "A FILTER sum(A) > 1",
        PatternSyntaxError,
        "sum() takes one attribute: sum(x.price) at line 1 column 10",
    ),
    (
        "A FILTER sum(A.p) > A.p",
        ConditionTypeError,
        "is compared with a constant or another measure at line 1 column 21",
    ),
    ("A FILTER A.p + count(A) > 1", ConditionTypeError, "measures are compared with constants"),
    ("A FILTER A[count(A) > 1]", PatternSyntaxError, "cannot stand inside brackets at line 1 column 12"),
    ("A FILTER A[A[p > 1]]", PatternSyntaxError, "a predicate over a whole set cannot stand inside brackets"),
    ("A; B FILTER A[p > B.p]", PatternSyntaxError, "'B' inside A[...] at line 1 column 19"),
    ("A FILTER every(A.p > 1, A.q > 1)", PatternSyntaxError, "every() takes one condition, got 2"),
    ("A FILTER A.p LIKE 'x'", PatternSyntaxError, "there is no LIKE at line 1 column 14"),
    ("A FILTER A.p / 2 > 1", PatternSyntaxError, "there is no division"),
    # Names.
    (
        "A FILTER x.p > 1",
        UnknownVariableError,
        "at line 1 column 10; the filtered formula binds A. Events are bound to it by IN x (or AS x).",
    ),
    ("A IN price FILTER prize.p > 1", UnknownVariableError, "Did you mean 'price'?"),
    (
        "A IN x;\nB FILTER x[p > 1]\n and z[p > 1]",
        UnknownVariableError,
        "'z' that is read at line 3 column 6",
    ),
    ("(A IN x AND A) FILTER x.p > 1", UnknownVariableError, "nothing binds the variable 'x'"),
    ("(A UNLESS B) FILTER B.p > 1", UnknownVariableError, "nothing binds the variable 'B'"),
    ("PI_{}(A) FILTER A.p > 1", UnknownVariableError, "the filtered formula binds none"),
    (
        "A FILTER count(x) > 1",
        UnknownVariableError,
        "nothing binds the variable 'x' that is read at line 1 column 16",
    ),
    (
        "SELECT y WHERE A IN x",
        UnknownVariableError,
        "'y' that is selected at line 1 column 8; the formula binds A, x.",
    ),
    ("SELECT A, A WHERE A", PatternError, "'A' is selected twice at line 1 column 11"),
    ("A FILTER Up(A)", UnknownRelationError, "unknown relation 'Up' at line 1 column 10; none is declared"),
    (
        "let count(a) := a.p = 1; A",
        PatternSyntaxError,
        "'count' is already the name of a relation or function",
    ),
    ("A IN `~`", PatternSyntaxError, "line 1 column 6"),
    # Clauses.
    ("A WITHIN 5", PatternSyntaxError, "a window is a number of events or of ns, us, ms, s, min, h, d"),
    ("A WITHIN 5 secnds", PatternSyntaxError, "unknown unit 'secnds' at line 1 column 12"),
    ("A WITHIN 0 events", PatternError, "at least 1 and of 64 bits, got 0 at line 1 column 10"),
    ("A WITHIN 5 events 3 seconds", PatternError, "by events or by time, not by both at line 1 column 10"),
    (
        "A WITHIN 0.5 s",
        PatternSyntaxError,
        "unexpected '.' at line 1 column 11; a window is a number of events",
    ),
    (
        "SELECT * WHERE A PARTITION BY id",
        PatternSyntaxError,
        "unexpected 'id' at line 1 column 31; expected '['",
    ),
    ("SELECT * WHERE A PARTITION BY [a, b]", PatternSyntaxError, "write [a], [b] to split by both"),
    (
        "SELECT * WHERE A PARTITION BY [a], [a]",
        PatternError,
        "partition by names 'a' twice at line 1 column 37",
    ),
    (
        "SELECT * WHERE A CONSUME BY each",
        PatternSyntaxError,
        "unknown consumption 'each' at line 1 column 29; consume by NONE, PARTITION, ANY",
    ),
    ("SELECT * FROM S, T WHERE S>A", UnsupportedError, "'S>' cannot be told from the other streams"),
    ("SELECT * FROM S WHERE T>A", UnsupportedError, "'T>' cannot be told from the other streams"),
]


@pytest.mark.parametrize(("text", "error", "message"), MISTAKES)
def test_mistakes_are_told_with_their_place(text, error, message):
    with pytest.raises(error) as caught:
        parse_cel(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "BUY; SEL",
            UnknownEventTypeError,
            "type 'SEL' at line 1 column 6; the schema has BUY, SELL. Did you mean 'SELL'?",
        ),
        ("BUY FILTER BUY.prize > 1", UnknownAttributeError, "unknown attribute 'prize' at line 1 column 16"),
        ("BUY FILTER BUY[prize > 1]", UnknownAttributeError, "Did you mean 'price'?"),
        (
            "BUY FILTER BUY[price > 'a']",
            ConditionTypeError,
            "cannot compare float64 > string at line 1 column 16",
        ),
        (
            "BUY FILTER sum(BUY.type) > 1",
            ConditionTypeError,
            "sum() takes numbers, and 'type' is category[BUY, SELL] at line 1 column 12",
        ),
        ("BUY FILTER sum(BUY.prize) > 1", UnknownAttributeError, "Did you mean 'price'?"),
        (
            "BUY FILTER count(BUY) > 'a'",
            ConditionTypeError,
            "cannot compare int64 > string at line 1 column 12",
        ),
        ("BUY WITHIN 5 us", ConditionTypeError, "is not a whole number of ms"),
        ("BUY PARTITION BY [prize]", UnknownAttributeError, "unknown attribute 'prize' at line 1 column 19"),
    ],
)
def test_mistakes_are_told_by_the_schema(text, error, message):
    with pytest.raises(error) as caught:
        parse_cel(text, schema=SCHEMA)
    assert message in str(caught.value)


def test_an_event_type_needs_a_schema_that_has_one():
    with pytest.raises(UnknownEventTypeError, match="the schema names no event type at line 1 column 1"):
        parse_cel("A", schema=Schema.of(price=Float64()))


def test_relations_of_the_same_name_are_refused():
    wide, other = (SetRelation("Wide", n, len) for n in (1, 2))
    with pytest.raises(PatternError, match="two relations are called 'Wide'"):
        parse_cel("A", relations=[wide, other])
    formula = Filter(A, wide("A") & other("A", "A"))
    with pytest.raises(PatternError, match="two different relations are called 'Wide'"):
        show_cel(formula)


def test_notations_are_paper_and_ceql():
    with pytest.raises(PatternError, match="unknown notation 'readable'; use 'paper' or 'ceql'"):
        show_cel(A, notation="readable")


DEEP = 5_000


@pytest.mark.parametrize(
    "text",
    [
        "(" * DEEP + "A" + ")" * DEEP,
        "; ".join(["A"] * DEEP),
        "A" + "+" * DEEP,
        "START(" * DEEP + "A" + ")" * DEEP,
        "A" + " UNLESS B" * DEEP,
        "(" * DEEP + "A" + " FILTER A.p>1)" * DEEP,
        "(" * DEEP + "A" + " ;B)" * DEEP,
        "A FILTER " + " and ".join(["A.p > 1"] * DEEP),
        "A FILTER " + "not " * DEEP + "A.p > 1",
        "A FILTER A[" + "(" * DEEP + "p > 1" + ")" * DEEP + "]",
        "A FILTER " + " or ".join(["A[p > 1]"] * DEEP),
    ],
    ids=range(11),
)
def test_deep_and_long_formulas_are_read_and_written(text):
    started = time.perf_counter()
    query = parse_cel(text)
    for notation in ("paper", "ceql"):
        assert parse_cel(show_cel(query, notation=notation)) == query
    assert isinstance(query.formula, Formula)
    assert time.perf_counter() - started < 60


def test_texts_have_a_limit():
    with pytest.raises(LimitError, match="the limit is 262144 characters"):
        parse_cel("A" * 300_000)


@pytest.mark.parametrize(
    "text", ["\x00A", "A\ud800", "`A", "A FILTER A.p = 'x", "\\", "@", "A FILTER @", "SELECT", "PI_{"]
)
def test_any_text_is_read_or_refused(text):
    with pytest.raises(MnemataError):
        parse_cel(text)
