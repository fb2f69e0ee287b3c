"""CEL and SREMO translated into each other: examples, and what is outside the fragments, with the reason."""

from __future__ import annotations

import pytest

from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import (
    Contiguous,
    ContiguousIteration,
    Iteration,
    Nxt,
    Relation,
    Sequencing,
    Start,
    Strict,
)
from mnemata.theory.cel.predicates import Compared, ForAll, ForSome, Measure, for_all
from mnemata.theory.conditions.building import head, position, register
from mnemata.theory.conditions.terms import Constant
from mnemata.theory.errors import LimitError, UnknownVariableError, UnsupportedError
from mnemata.theory.schema import Category, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Plus,
    Windowed,
    absent,
    mark,
    registers_of,
    skip,
    skip_till_any,
    skip_till_next,
    union,
)
from mnemata.theory.sremo.semantics import matches, matches_at, stream_matches
from mnemata.theory.translation import expression_of_formula, formula_of_expression

SCHEMA = Schema.of(
    type=Category(("R", "S", "T", "H")),
    id=Int64(),
    value=Int64(),
    at=Timestamp("ms"),
    event_type="type",
    time="at",
)
R, S, T, H = (Relation(name) for name in "RSTH")
u = head(SCHEMA)
is_r, is_s = mark(u.type == "R"), mark(u.type == "S")
x, y, z = (register(name) for name in "xyz")
X, Y = R.bound_to("x"), S.bound_to("y")


def word(letters, ids=None):
    given = ids or [0] * len(letters)
    return SCHEMA.stream([(a, b, 0, n) for n, (a, b) in enumerate(zip(letters, given, strict=True))])


def expression(formula):
    return expression_of_formula(formula, SCHEMA)


def formula(e, **how):
    return formula_of_expression(e, SCHEMA, **how)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (R, is_r),
        (R >> S, skip_till_any(is_r, is_s)),
        (Contiguous((R, S)), is_r >> is_s),
        (R.plus(), skip_till_any(Plus(is_r))),
        (R.contiguous_plus(), Plus(is_r)),
        (R | S, union(is_r, is_s)),
        ((R >> S).within(events=3), skip_till_any(is_r, is_s).within(events=3)),
    ],
)
def test_operators_have_counterparts(given, expected):
    assert expression(given) == expression_of_formula(formula(expected), SCHEMA)
    assert formula(expected) == given


def test_strict_leaves_no_gaps():
    assert expression(Strict(R >> S.plus())) == expression(Contiguous((R, S.contiguous_plus())))


def test_the_correlated_formula_of_section_3():
    """phi_5: all events of the same sensor, which every later event is compared with."""
    h1, h2, h, t = (register(name) for name in ("H1", "H2", "H", "T"))
    rise = H.bound_to("H1") >> T.plus() >> H.bound_to("H2")
    phi_5 = rise.filter(for_all(h1.value < 30) & for_all(h2.value > 60) & for_all(h.id == t.id))
    ids, values = [2, 0, 0, 1, 1, 0, 1, 1, 0], [25, 45, 20, 25, 40, 42, 25, 70, 18]
    rows = zip("HTHHTTTHH", ids, values, range(9), strict=True)
    found = stream_matches(expression(phi_5), SCHEMA.stream(list(rows)))
    assert sorted(map(sorted, found)) == [[4, 5, 7, 8], [4, 5, 8], [4, 7, 8]]  # 1-based
    assert registers_of(expression(phi_5)) == {"H"}


def test_a_variable_that_comes_last_may_be_iterated():
    later = expression((X >> Y.plus()).filter(ForAll(x.id < y.id)))
    found = matches_at(later, word("RSSS", [2, 3, 1, 4]), 4)
    assert sorted(map(sorted, found)) == [[1, 2, 4], [1, 4]]


def test_either_of_two_orders():
    any_order = expression(((X >> Y) | (Y >> X)).filter(ForAll(x.id < y.id)))
    assert matches_at(any_order, word("RS", [1, 2]), 2) == {frozenset({1, 2})}
    assert matches_at(any_order, word("SR", [2, 1]), 2) == {frozenset({1, 2})}
    assert not matches_at(any_order, word("SR", [1, 2]), 2)


def test_an_event_under_two_names_needs_one_register():
    both = (X >> Y >> S.bound_to("z")).filter(ForAll(x.id == y.id)).filter(ForAll(register("R").id < z.id))
    assert len(registers_of(expression(both))) == 1


def test_registers_of_different_filters_do_not_meet():
    pair = (X >> Y).filter(ForAll(x.id < y.id))
    twice = pair >> pair
    assert len(registers_of(expression(twice))) == 2
    stream = word("RSRS", [1, 2, 5, 6])
    expected = {frozenset(p + 1 for p in c) for c in semantics.complex_events(twice, stream, 0, 3)}
    assert matches_at(expression(twice), stream, 4) == expected


OUTSIDE = {
    (X.plus() >> Y).filter(ForAll(x.id < y.id)): "'x' is bound to any number of events",
    (X >> Y).plus().filter(ForAll(x.id < y.id)): "bound together in an iteration",
    ((X | S.bound_to("z")) >> Y).filter(ForAll(x.id < y.id)): "'x' may be bound to nothing",
    (X >> X >> Y).filter(ForAll(x.id < y.id)): "'x' may be bound by several parts",
    (X >> Y).filter(ForSome(x.id < y.id)): "asks for some events",
    (X >> Y).filter(~ForAll(x.id < y.id)): "negates a whole predicate",
    (X >> Y).filter(Compared(">", Measure("count", "x"), Constant(1))): "looks at a whole set",
    X.filter(for_all(position(x) > 2)): "the positions of events",
    Start(R): "START has no translation",
    R & R.bound_to("R"): "AND has no translation.*CEA",
    R.unless(S): "UNLESS has no translation",
    Nxt(R): "NXT has no translation.*select among the matches",
    (R >> S).project("S"): "leaves events of R out",
}


@pytest.mark.parametrize(("given", "reason"), OUTSIDE.items(), ids=OUTSIDE.values())
def test_formulas_outside_the_fragment(given, reason):
    with pytest.raises(UnsupportedError, match=reason):
        expression(given)


def test_events_saved_under_two_names():
    either = X | R.bound_to("x").bound_to("z")
    assert registers_of(expression((either >> Y).filter(ForAll(x.id < y.id)))) == {"x"}
    inner = (R.bound_to("x").bound_to("z") >> Y).filter(ForAll(z.id < y.id)) | (X >> Y)
    assert registers_of(expression(inner.filter(ForAll(x.id < y.id)))) == {"z"}


def test_events_saved_under_two_names_that_part():
    """The second R is saved as x, but not the one saved as z."""
    either = R.bound_to("x").bound_to("z") | (T.bound_to("z") >> X)
    pair = (either >> Y).filter(ForAll(x.id < y.id))
    with pytest.raises(UnsupportedError, match="'z' is compared later under two names"):
        expression((pair >> H).filter(ForAll(z.id < register("H").id)))


def test_an_equality_is_tested_against_the_first_event():
    around = (X >> Y.plus() >> R.bound_to("x")).filter(ForAll(x.id == y.id))
    found = matches_at(expression(around), word("RSSRR", [1, 1, 2, 2, 1]), 5)
    assert found == {frozenset({1, 2, 5})}
    with pytest.raises(UnsupportedError, match="'x' is bound to any number of events"):
        expression((X.plus() >> Y).filter(ForAll(x.id == y.id)))


def test_orders_are_limited():
    choice = R.bound_to("x")
    for _ in range(11):
        choice = (R | S) >> (choice | T.bound_to("x"))
    many = Iteration(S) >> choice
    assert expression((many >> Y).filter(ForAll(x.id < y.id)))
    parts = [R.bound_to(f"v{n}") | S.bound_to(f"v{n}") for n in range(11)]
    condition = register("v0").id < y.id
    for n in range(1, 11):
        condition = condition & (register(f"v{n}").id < y.id)
    with pytest.raises(LimitError, match="more than 1,000 orders"):
        expression(Sequencing((*parts, Y)).filter(ForAll(condition)))


def test_unknown_variables_are_refused():
    with pytest.raises(UnknownVariableError, match="'z'"):
        expression((X >> Y).filter(ForAll(x.id < z.id)))


def test_unmarked_events_are_read_by_formulas_too():
    gap = is_r >> skip(u.type == "S") >> is_r
    found = semantics.complex_events_along(formula(gap), word("RSRR"))
    assert found == [frozenset(), frozenset(), frozenset({frozenset({0, 2})}), frozenset()]


def test_absence_is_unless():
    between = is_r >> absent(skip(u.type == "T")) >> is_s
    for letters in ("RS", "RHS", "RTS", "RRS"):
        stream = word(letters)
        last = len(stream) - 1
        expected = matches(between, stream)
        found = semantics.complex_events(formula(between, anchored=True), stream, 0, last)
        assert {frozenset(p + 1 for p in c) for c in found} == expected


def test_what_may_be_empty_is_absent_from_nothing():
    between = is_r >> absent(skip(u.type == "T").star()) >> is_s
    assert not matches(between, word("RHS"))
    assert not semantics.complex_events(formula(between), word("RHS"), 0, 2)


def test_lengths_bound_what_is_read():
    short = (is_r >> skip().star() >> is_s).length(3)
    stream = word("RTTS")
    assert not semantics.complex_events(formula(short), stream, 0, 3)
    assert semantics.complex_events(formula(short), word("RTS"), 0, 2)


def test_conditions_that_ask_for_no_type():
    asked = formula(mark(u.id > 3))
    assert semantics.complex_events_along(asked, word("RS", [5, 1])) == [{frozenset({0})}, frozenset()]
    plain = Schema.of(kind=String(), event_type="kind")
    assert formula_of_expression(mark(head().kind == "a"), plain) == Relation("a")
    with pytest.raises(UnsupportedError, match="event type of any"):
        formula_of_expression(mark(head().kind != "a"), plain)


def test_what_matches_nothing_has_a_formula():
    for nothing in (EMPTY_SET, EPSILON, EMPTY_SET >> is_r):
        assert not any(semantics.complex_events_along(formula(nothing), word("RS")))


def test_expressions_outside_the_fragment():
    cases = {
        mark(u.type == "R", register("r1")) >> mark(u.id == register("r1").id): "the register 'r1'",
        mark(position(head()) > 2): "the positions of events",
        is_r >> skip(u.type == "S").negate() >> is_r: "Negation has no translation",
        skip_till_next(is_r, is_s >> is_s): "SkipTillNext has no translation",
        skip() >> Windowed(is_r >> skip() >> is_s, (is_r.within(events=2)).window): "must be outermost",
    }
    for given, reason in cases.items():
        with pytest.raises(UnsupportedError, match=reason):
            formula(given)


def test_deep_formulas_translate():
    deep = R
    for _ in range(400):
        deep = ContiguousIteration(deep.bound_to("q"))
    assert formula(expression(deep))
