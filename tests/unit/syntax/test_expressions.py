"""Each construct of each notation means the node that it should."""

from __future__ import annotations

import pytest

from mnemata.theory.conditions.building import defined, head, position, register, time
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    And,
    Comparison,
    Condition,
    Definition,
    Membership,
    Not,
    Or,
    Relation,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Instant,
    Term,
    Time,
)
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Float64, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Expression,
    Intersection,
    LengthWindow,
    Pattern,
    Windowed,
    absent,
    mark,
    skip,
    skip_till_any,
    skip_till_next,
)
from mnemata.theory.syntax import parse, show
from mnemata.theory.syntax.lexicon import notation_of

STOCKS = Schema.of(
    type=String(),
    name=String(),
    price=Float64(),
    id=Int64(),
    at=Timestamp("ms"),
    event_type="type",
    time="at",
)
EVENT, GAP = mark(), skip()
PRICY = mark(head().price > 1)
LATER = mark(head().price > register("r").price)

EXPRESSIONS: list[tuple[Expression, str, str, str]] = [
    (EVENT, "⊤ ↑ •", "true ^ o", "event"),
    (GAP, "⊤ ↑ ⊗", "true ^ x", "skip event"),
    (PRICY, "(~.price > 1) ↑ •", "(~.price > 1) ^ o", "event where price > 1"),
    (mark(write="r"), "⊤ ↑ • ↓ r", "true ^ o v r", "event as r"),
    (skip(write="v"), "⊤ ↑ ⊗ ↓ v", "true ^ x v v", "skip event as v"),
    (
        mark(write="r") >> LATER,
        "(⊤ ↑ • ↓ r) · ((~.price > r.price) ↑ •)",
        "(true ^ o v r) . ((~.price > r.price) ^ o)",
        "event as r; event where price > r.price",
    ),
    (EVENT | GAP, "(⊤ ↑ •) + (⊤ ↑ ⊗)", "(true ^ o) + (true ^ x)", "event | skip event"),
    (Intersection(EVENT, GAP), "(⊤ ↑ •) ∩ (⊤ ↑ ⊗)", "(true ^ o) & (true ^ x)", "event & skip event"),
    (EVENT.star(), "(⊤ ↑ •)*", "(true ^ o)*", "event*"),
    (PRICY.star(), "((~.price > 1) ↑ •)*", "((~.price > 1) ^ o)*", "(event where price > 1)*"),
    (EVENT.plus(), "(⊤ ↑ •)⁺", "(true ^ o)^+", "event+"),
    (EVENT.optional(), "(⊤ ↑ •)?", "(true ^ o)?", "event?"),
    (EVENT.repeat(2, 5), "(⊤ ↑ •){2,5}", "(true ^ o){2,5}", "event{2,5}"),
    (EVENT.repeat(2, None), "(⊤ ↑ •){2,}", "(true ^ o){2,}", "event{2,}"),
    (EVENT.star().plus().optional(), "(⊤ ↑ •)*⁺?", "(true ^ o)*^+?", "event*+?"),
    (EPSILON | EMPTY_SET, "ε + ∅", "eps + empty", "nothing | never"),
    (skip_till_any(EVENT, GAP), "↻(⊤ ↑ •, ⊤ ↑ ⊗)", "any(true ^ o, true ^ x)", "any(event, skip event)"),
    (skip_till_any(EVENT.plus()), "↻((⊤ ↑ •)⁺)", "any((true ^ o)^+)", "any(event+)"),
    (skip_till_next(EVENT, GAP), "@(⊤ ↑ •, ⊤ ↑ ⊗)", "@(true ^ o, true ^ x)", "next(event, skip event)"),
    (GAP.negate(), "!(⊤ ↑ ⊗)", "!(true ^ x)", "not (skip event)"),
    (GAP.star().negate(), "!(⊤ ↑ ⊗)*", "!(true ^ x)*", "not (skip event)*"),
    (GAP.negate().star(), "(!(⊤ ↑ ⊗))*", "(!(true ^ x))*", "(not (skip event))*"),
    (absent(GAP), "absent(⊤ ↑ ⊗)", "absent(true ^ x)", "absent(skip event)"),
    (EVENT.within(events=5), "(⊤ ↑ •)^[1..5]", "(true ^ o)^[1..5]", "event within 5 events"),
    (EVENT.within(ms=500), "(⊤ ↑ •)^[<500 ms]", "(true ^ o)^[<500 ms]", "event within 500 ms"),
    (EVENT.length(5), "(⊤ ↑ •)^[length 5]", "(true ^ o)^[length 5]", "event length 5"),
    (
        EVENT.within(events=5).length(7),
        "(⊤ ↑ •)^[1..5]^[length 7]",
        "(true ^ o)^[1..5]^[length 7]",
        "event within 5 events length 7",
    ),
    (
        (EVENT >> GAP).within(s=1) >> EVENT,
        "((⊤ ↑ •) · (⊤ ↑ ⊗))^[<1 s] · (⊤ ↑ •)",
        "((true ^ o) . (true ^ x))^[<1 s] . (true ^ o)",
        "(event; skip event within 1 s); event",
    ),
    (
        (EVENT | GAP) >> Intersection(EVENT, GAP | EPSILON),
        "((⊤ ↑ •) + (⊤ ↑ ⊗)) · ((⊤ ↑ •) ∩ ((⊤ ↑ ⊗) + ε))",
        "((true ^ o) + (true ^ x)) . ((true ^ o) & ((true ^ x) + eps))",
        "(event | skip event); (event & (skip event | nothing))",
    ),
    (
        Intersection(EVENT, Intersection(EVENT, GAP)),
        "(⊤ ↑ •) ∩ ((⊤ ↑ •) ∩ (⊤ ↑ ⊗))",
        "(true ^ o) & ((true ^ o) & (true ^ x))",
        "event & (event & skip event)",
    ),
]


@pytest.mark.parametrize(("expression", "paper", "ascii", "readable"), EXPRESSIONS, ids=lambda x: str(x)[:20])
def test_expressions(expression: Expression, paper: str, ascii: str, readable: str) -> None:
    assert show(expression, notation="paper") == paper
    assert show(expression, notation="paper", ascii=True) == ascii
    assert show(expression) == readable
    for text in (paper, ascii, readable):
        assert parse(text) == Pattern(expression), text


ALSO_READ = [
    ("true ^ o*", EVENT.star()),
    ("(true ^ o)^*", EVENT.star()),
    ("(true ^ o) ^ + ", EVENT.plus()),
    ("true ^ o . true ^ x", EVENT >> GAP),
    ("true ^ o v r . ~.price > r.price ^ o", mark(write="r") >> LATER),
    ("(true ^ o)⋅(true ^ x)", EVENT >> GAP),
    ("((true ^ o) . (true ^ x)) . (true ^ o)", EVENT >> GAP >> EVENT),
    ("↺(true ^ o)", skip_till_any(EVENT)),
    ("next(true ^ o)", skip_till_next(EVENT)),
    ("ϵ", EPSILON),
    ("((event))", EVENT),
    ("event{3}", EVENT.repeat(3, 3)),
    ("event within 1 event", EVENT.within(events=1)),
    ("event within 10 minutes", EVENT.within(min=10)),
    ("event within 1 Hour", EVENT.within(h=1)),
    ("event within 5 S", EVENT.within(s=5)),
    ("event within 250 milliseconds", EVENT.within(ms=250)),
    ("event where ((price) > (1))", PRICY),
    ("event where ~.price > 1", PRICY),
    ("\ufeffevent\r\n;\t\u00a0skip # gap\n event", EVENT >> GAP),
]


@pytest.mark.parametrize(("text", "expression"), ALSO_READ)
def test_other_spellings(text: str, expression: Expression) -> None:
    assert parse(text) == Pattern(expression)


NOW = head()
R1 = register("r1")
CONDITIONS: list[tuple[Condition, str, str]] = [
    (NOW.price == 1, "~.price = 1", "price = 1"),
    (NOW.price != 1, "~.price ≠ 1", "price != 1"),
    (NOW.price <= R1.price, "~.price ≤ r1.price", "price <= r1.price"),
    (NOW.price >= R1.price, "~.price ≥ r1.price", "price >= r1.price"),
    (NOW.price < -1.5, "~.price < -1.5", "price < -1.5"),
    (NOW.price - -1 > 0, "~.price - -1 > 0", "price - -1 > 0"),
    (NOW.price == float("-inf"), "~.price = -inf", "price = -inf"),
    (NOW.big == 1e300, "~.big = 1e+300", "big = 1e+300"),
    (NOW.name.isin(["a", "b"]), "~.name ∈ {'a', 'b'}", "name in {'a', 'b'}"),
    (NOW.name.isin([]), "~.name ∈ {}", "name in {}"),
    (NOW.flag == True, "~.flag = true", "flag = true"),  # noqa: E712
    (position("~") - position("r1") < 3, "position(~) - position(r1) < 3", "position(~) - position(r1) < 3"),
    (time("~") > time("r1"), "time(~) > time(r1)", "time(~) > time(r1)"),
    (abs(NOW.a - R1.a) > 2, "abs(~.a - r1.a) > 2", "abs(a - r1.a) > 2"),
    (defined("r1"), "defined(r1)", "defined(r1)"),
    (~defined("r1"), "¬defined(r1)", "not defined(r1)"),
    (~(NOW.a == 1), "¬~.a = 1", "not a = 1"),
    (~((NOW.a == 1) | (NOW.b == 1)), "¬(~.a = 1 ∨ ~.b = 1)", "not (a = 1 or b = 1)"),
    (
        (NOW.a == 1) & ((NOW.b == 1) | (NOW.c == 1)),
        "~.a = 1 ∧ (~.b = 1 ∨ ~.c = 1)",
        "a = 1 and (b = 1 or c = 1)",
    ),
    (
        (NOW.a == 1) & (NOW.b == 1) | (NOW.c == 1),
        "~.a = 1 ∧ ~.b = 1 ∨ ~.c = 1",
        "a = 1 and b = 1 or c = 1",
    ),
    ((NOW.a + 1) * 2 > 0, "(~.a + 1) * 2 > 0", "(a + 1) * 2 > 0"),
    (NOW.a + NOW.b * 2 > 0, "~.a + ~.b * 2 > 0", "a + b * 2 > 0"),
    (NOW.a - (NOW.b - 1) > 0, "~.a - (~.b - 1) > 0", "a - (b - 1) > 0"),
    (NOW.a - NOW.b - 1 > 0, "~.a - ~.b - 1 > 0", "a - b - 1 > 0"),
    (NOW["where"] == register("not")["or"], "~.where = `not`.or", "`where` = `not`.or"),
    (NOW["my price"] == R1["a`b"], "~.`my price` = r1.`a\\`b`", "`my price` = r1.`a\\`b`"),
    (NOW.name == "it's", "~.name = 'it\\'s'", "name = 'it\\'s'"),
    (NOW.name == "\n\\\x00\u2028é", "~.name = '\\n\\\\\\u0000\\u2028é'", "name = '\\n\\\\\\u0000\\u2028é'"),
    (
        Comparison("<", Arithmetic("-", Time(HEAD), Time("r1")), Duration(500, "ms")),
        "time(~) - time(r1) < 500 ms",
        "time(~) - time(r1) < 500 ms",
    ),
    (
        Comparison(">", Time(HEAD), Instant("2013-01-01T10:00")),
        "time(~) > @'2013-01-01T10:00'",
        "time(~) > @'2013-01-01T10:00'",
    ),
]


@pytest.mark.parametrize(("condition", "paper", "readable"), CONDITIONS, ids=lambda x: str(x)[:30])
def test_conditions(condition: Condition, paper: str, readable: str) -> None:
    whole = Pattern(skip(write="r1") >> skip(write="not") >> mark(condition))
    assert show(condition, notation="paper") == paper
    assert show(condition) == readable
    assert parse(f"(true ^ x v r1) . (true ^ x v `not`) . (({paper}) ^ o)") == whole
    assert parse(f"skip event as r1; skip event as `not`; event where {readable}") == whole


OTHER_CONDITIONS = [
    ("a == 1", NOW.a == 1),
    ("a ≠ 1 ∧ b ≤ 2 ∨ ¬c ≥ 3", (NOW.a != 1) & (NOW.b <= 2) | ~(NOW.c >= 3)),
    ("a ∈ {1}", NOW.a.isin([1])),
    ("a not in {1}", Not(NOW.a.isin([1]))),
    ("a ∉ {1}", Not(NOW.a.isin([1]))),
    (
        "a in {1, 1.0, true, '1', 1}",
        Membership(Attribute(HEAD, "a"), tuple(map(Constant, (1, 1.0, True, "1")))),
    ),
    ('a = "it\'s \\"so\\""', NOW.a == 'it\'s "so"'),
    (r"a = '\x41\u00e9\U0001f600\t\r'", NOW.a == "A\u00e9\U0001f600\t\r"),
    ("a = 007", NOW.a == 7),
    ("a = -∞", NOW.a == float("-inf")),
    ("a = 2.50E+1", NOW.a == 25.0),
    ("true and (⊥ or a = 1)", And((TOP, Or((BOTTOM, NOW.a == 1))))),
    ("(a = 1 and b = 2) and (c = 3 and d = 4)", (NOW.a == 1) & (NOW.b == 2) & (NOW.c == 3) & (NOW.d == 4)),
    (
        "a = 1 and b = 2 and (c = 3 and d = 4 and e = 5) and f = 6 and g = 7",
        And(tuple(NOW[name] == value for value, name in enumerate("abcdefg", start=1))),
    ),
    ("length > 1 length 3", NOW.length > 1),
    ("o = x and v = 1", (NOW.o == NOW.x) & (NOW.v == 1)),
    ("true = a", Comparison("=", Constant(True), Attribute(HEAD, "a"))),
]


@pytest.mark.parametrize(("text", "condition"), OTHER_CONDITIONS)
def test_other_spellings_of_conditions(text: str, condition: Condition) -> None:
    read = parse(f"event where {text}", notation="readable").expression
    assert (read.body if isinstance(read, Windowed) else read) == mark(condition)


def test_terms_are_shown_alone() -> None:
    term: Term = Absolute(Arithmetic("*", Attribute("r1", "a"), Constant(2)))
    assert show(term) == "abs(r1.a * 2)"


# The paper's own examples.

EXAMPLE_16 = """\
let TypeIsB(x) := x.type = 'B';
let TypeIsS(x) := x.type = 'S';
let EqualId(x, y) := x.id = y.id;
(TypeIsB(~) ↑ • ↓ r1) · (⊤ ↑ ⊗)* · ((TypeIsS(~) ∧ EqualId(~, r1)) ↑ •)"""

LET = """\
let φ1(x) := x.name = 'INTC';
let φ2(x) := x.name = 'RIMM';
let φ3(x, y) := x.name = 'QQQ' ∧ x.price > y.price;
"""
NESTED = """\
let φ1(x) := x.name = 'INTC';
let φ2(x) := x.name = 'RIMM';
let φ3(x) := x.name = 'QQQ';
let φ4(x, y) := x.name = 'MSFT' ∧ x.price < y.price;
"""
EQUATIONS = {
    "(4)": """\
let φ1(x) := x.type = 'B' ∧ x.price < 10;
let φ2(x) := x.type = 'B' ∧ x.price > 500;
let φ3(x, y) := x.type = 'S' ∧ x.id = y.id;
((φ1(~) ↑ • ↓ r1) + (φ2(~) ↑ • ↓ r1)) · (φ3(~, r1) ↑ •)""",
    "(5)": LET + "↻(φ1(~) ↑ • ↓ r1, φ2(~) ↑ •, φ3(~, r1) ↑ •)^[1..500]",
    "(6)": LET
    + "↻(φ1(~) ↑ • ↓ r1, φ2(~) ↑ •, φ3(~, r1) ↑ •, φ1(~) ↑ • ↓ r2, φ2(~) ↑ •, φ3(~, r2) ↑ •)^[1..500]",
    "(7)": LET + "↻(φ1(~) ↑ • ↓ r1, (φ2(~) ↑ •)⁺, φ3(~, r1) ↑ •)^[<500 ms]",
    "(8)": NESTED + "↻(φ1(~) ↑ • ↓ r1, ↻(↻(φ2(~) ↑ •, ↻((φ3(~) ↑ •)⁺))⁺), φ4(~, r1) ↑ •)^[1..500]",
    "Example 16": EXAMPLE_16,
}
READABLE = {
    "(4)": "(event as r1 where φ1(~) | event as r1 where φ2(~)); event where φ3(~, r1)",
    "(5)": "any(event as r1 where φ1(~), event where φ2(~), event where φ3(~, r1)) within 500 events",
    "(6)": "any(event as r1 where φ1(~), event where φ2(~), event where φ3(~, r1), event as r2 where φ1(~), "
    "event where φ2(~), event where φ3(~, r2)) within 500 events",
    "(7)": "any(event as r1 where φ1(~), (event where φ2(~))+, event where φ3(~, r1)) within 500 ms",
    "(8)": "any(event as r1 where φ1(~), any(any(event where φ2(~), any((event where φ3(~))+))+), "
    "event where φ4(~, r1)) within 500 events",
    "Example 16": "event as r1 where TypeIsB(~); (skip event)*; event where TypeIsS(~) and EqualId(~, r1)",
}


@pytest.mark.parametrize("name", EQUATIONS)
def test_equations_of_the_paper(name: str) -> None:
    text = EQUATIONS[name]
    pattern = parse(text)
    assert show(pattern, notation="paper") == text
    ascii = show(pattern, notation="paper", ascii=True)
    assert ascii.isascii()
    assert parse(ascii) == pattern
    readable = show(pattern)
    assert readable.splitlines()[-1] == READABLE[name]
    assert parse(readable) == pattern


def test_example_16_is_what_python_builds() -> None:
    buys = Definition("TypeIsB", ("x",), register("x").type == "B")
    sells = Definition("TypeIsS", ("x",), register("x").type == "S")
    same = Definition("EqualId", ("x", "y"), register("x").id == register("y").id)
    built = mark(buys("~"), write="r1") >> skip().star() >> mark(sells("~") & same("~", "r1"))
    assert parse(EXAMPLE_16) == Pattern(built)


# Definitions and relations.


def test_definitions_are_written_in_the_order_of_first_use_after_those_they_need() -> None:
    text = """\
let C(x) := x.a = 1;
let B(x) := C(x) or x.b = 1;
let A(x) := B(x) and C(x);
event where A(~); event where C(~)"""
    assert show(parse(text)) == text
    jumbled = (
        "let C(x) := x.a = 1; let U(x) := x.z = 0; let B(x) := C(x) or x.b = 1; let A(x) := B(x) and C(x);"
    )
    assert show(parse(jumbled + "event where A(~); event where C(~)")) == text


def test_an_expression_is_shown_with_its_definitions_and_a_condition_without() -> None:
    known = Definition("A", ("x",), register("x").a == 1)
    assert show(mark(known("~"))) == "let A(x) := x.a = 1;\nevent where A(~)"
    assert show(known("~")) == "A(~)"


def test_relations_of_python_are_passed() -> None:
    rises = Relation("Rises", 2, lambda x, y: x["price"] > y["price"], attributes=("price",))
    pattern = parse("event as r; event where Rises(~, r)", relations=[rises], schema=STOCKS)
    assert pattern.expression == mark(write="r") >> mark(rises("~", "r"))


def test_definitions_of_python_may_also_stand_in_the_text() -> None:
    known = Definition("A", ("x",), register("x").a == 1)
    pattern = Pattern(mark(known("~")))
    assert parse("event where A(~)", relations=[known]) == pattern
    assert parse(show(pattern), relations=[known]) == pattern


def test_relations_called_like_what_is_built_in_stand_in_backquotes() -> None:
    text = "let `time`(x) := time(x) = time(x);\nevent where `time`(~)"
    assert show(parse(text)) == text


def test_the_head_may_be_a_parameter() -> None:
    text = "let P(~, y) := price > y.price;\nevent as r; event where P(~, r)"
    assert show(parse(text)) == text


def test_two_relations_of_one_name_cannot_be_written() -> None:
    one = Definition("A", ("x",), register("x").a == 1)
    other = Definition("A", ("x",), register("x").a == 2)
    with pytest.raises(PatternError, match="two different relations are called 'A'"):
        show(mark(one("~")) >> mark(other("~")))


def test_an_empty_name_cannot_be_written() -> None:
    with pytest.raises(PatternError, match="empty name"):
        show(mark(Comparison("=", Attribute(HEAD, ""), Constant(1))))


# With a schema.


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("SELL", "event where type = 'SELL'"),
        ("SELL where price > 1", "event where type = 'SELL' and price > 1"),
        ("SELL where price > 1 and id = 2", "event where type = 'SELL' and price > 1 and id = 2"),
        ("SELL where price > 1 or id = 2", "event where type = 'SELL' and (price > 1 or id = 2)"),
        ("SELL where type = 'BUY'", "event where type = 'SELL' and type = 'BUY'"),
        ("SELL where true", "event where type = 'SELL' and true"),
        ("event where price > 1 and type = 'SELL'", "event where price > 1 and type = 'SELL'"),
        ("event where type != 'SELL'", "event where type != 'SELL'"),
        ("event where not type = 'SELL'", "event where not type = 'SELL'"),
        ("event where type = ''", "event where type = ''"),
        ("skip SELL as s where price > 1", "skip event as s where type = 'SELL' and price > 1"),
        ("SELL*", "(event where type = 'SELL')*"),
        ("`where`; `sell short`", "event where type = 'where'; event where type = 'sell short'"),
    ],
)
def test_event_types(text: str, without: str) -> None:
    pattern = parse(text, schema=STOCKS)
    assert show(pattern, schema=STOCKS) == text
    assert show(pattern) == without
    assert parse(without) == pattern


def test_partition_by() -> None:
    pattern = parse("SELL partition by name, type", schema=STOCKS)
    assert pattern.partition_by == ("name", "type")
    assert show(pattern, schema=STOCKS) == "SELL partition by name, type"
    odd = Pattern(EVENT, ("my key", "eps"))
    assert show(odd) == "event partition by `my key`, `eps`"
    assert parse(show(odd)) == odd


def test_windows_of_length_are_not_windows_on_marks() -> None:
    assert parse("event length 3").expression == Windowed(EVENT, LengthWindow(3))


# Which notation.


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("true ^ o", "paper"),
        ("eps", "paper"),
        ("any(empty, empty)", "paper"),
        ("↻(∅)", "paper"),
        ("ε", "paper"),
        ("event where name = '↑ ^ eps'", "readable"),
        ("event where `^` = 1 # ↑ •", "readable"),
        ("event where r.eps = 1", "readable"),
        ("event where r. # here\n eps = 1", "readable"),
        ("event where epsilon = 1", "readable"),
        ("any(nothing, never)", "readable"),
        ("event where name = 'unclosed ^", "readable"),
    ],
)
def test_the_notation_is_told_by_symbols(text: str, notation: str) -> None:
    assert notation_of(text) == notation


def test_a_named_notation_is_the_only_one_tried() -> None:
    assert parse("event", notation="readable") == Pattern(EVENT)
    with pytest.raises(PatternError):
        parse("event", notation="paper")
