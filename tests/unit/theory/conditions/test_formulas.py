"""Terms and conditions as values: what their constructors check and normalise."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.proofs.generators import REGISTERS, TICKS, Stream, conditions, streams
from mnemata.theory.conditions.evaluation import Valuation, models
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    DEEPEST_DEFINITION,
    TOP,
    And,
    Apply,
    Comparison,
    Condition,
    Defined,
    Definition,
    Membership,
    Not,
    Or,
    Relation,
    conjunction,
    disjunction,
    expand,
    registers,
    rename,
    variables,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Instant,
    Position,
    Term,
    Time,
)
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import ConditionTypeError, LimitError, MnemataError, PatternError
from mnemata.theory.schema import INT64_MAX
from mnemata.theory.trees import walk

PRICE, OTHER = Attribute(HEAD, "price"), Attribute("r1", "price")
A, B, C = Defined("a"), Defined("b"), Defined("c")
EQUAL = Relation("Equal", 2, lambda x, y: x == y)
SAME = Definition("Same", ("x", "y"), Comparison("=", Attribute("x", "id"), Attribute("y", "id")))


@pytest.mark.parametrize(
    ("build", "kind", "message"),
    [
        (lambda: Constant(math.nan), ConditionTypeError, "NaN means a missing value"),
        (lambda: Constant(2**63), ConditionTypeError, "9223372036854775808 does not fit 64 bits"),
        (lambda: Constant(10**5000), ConditionTypeError, "a whole number of 16610 bits does not fit"),
        (lambda: Constant(None), ConditionTypeError, "None is not a constant: use a number"),
        (lambda: Constant([1]), ConditionTypeError, r"\[1\] is not a constant"),
        (lambda: Duration(1, "week"), PatternError, "unknown unit of time 'week'; use ns, us, ms, s"),
        (lambda: Duration(-1, "s"), PatternError, "a duration is a whole number of s, got -1"),
        (lambda: Duration(1.5, "s"), PatternError, "a duration is a whole number of s, got 1.5"),
        (lambda: Duration(True, "s"), PatternError, "a duration is a whole number of s, got True"),
        (lambda: Instant("tomorrow"), PatternError, "'tomorrow' is not a date or time in ISO 8601"),
        (lambda: Instant("2020-01-01T00:00:00.0000000001"), PatternError, "finer than a nanosecond"),
        (lambda: Arithmetic("/", PRICE, OTHER), PatternError, r"unknown arithmetic operator '/'"),
        (lambda: Arithmetic("+", PRICE, 1), ConditionTypeError, r"1 is not a term; .*Constant"),
        (lambda: Absolute(TOP), ConditionTypeError, r"Top\(\) is not a term"),
        (lambda: Comparison("==", PRICE, OTHER), PatternError, "unknown comparison '=='; use = != < <= > >="),
        (lambda: Comparison("=", PRICE, 1), ConditionTypeError, "1 is not a term"),
        (lambda: Membership(PRICE, (1, 2)), ConditionTypeError, "1 is not a term"),
        (lambda: Not(PRICE), PatternError, "is not a condition; compare a term"),
        (lambda: And((A,)), PatternError, "And joins at least two conditions"),
        (lambda: Or(()), PatternError, "Or joins at least two conditions"),
        (lambda: And((A, True)), PatternError, "True is not a condition"),
        (lambda: A & True, PatternError, "True is not a condition"),
        (lambda: A | PRICE, PatternError, r"Attribute\('~', 'price'\) is not a condition"),
        (lambda: bool(A), PatternError, r"use &, \| and ~, not and, or, not"),
        (lambda: EQUAL("~"), PatternError, "relation 'Equal' relates 2 events, got 1"),
        (lambda: SAME("~", "r1", "r2"), PatternError, "relation 'Same' relates 2 events, got 3"),
        (lambda: Relation("None", 0, lambda: True), PatternError, "relates at least one event, got 0"),
        (lambda: Definition("D", (), TOP), PatternError, "needs parameters with different names"),
        (lambda: Definition("D", ("x", "x"), TOP), PatternError, "needs parameters with different names"),
        (lambda: Definition("D", ("x",), A), PatternError, "'a' in relation 'D' is not one of its param"),
    ],
)
def test_what_constructors_refuse(
    build: Callable[[], object], kind: type[MnemataError], message: str
) -> None:
    with pytest.raises(kind, match=message):
        build()


def test_subclasses_of_float_are_plain_constants() -> None:
    assert Constant(np.float64(1.5)) == Constant(1.5)
    assert type(Constant(np.float64(1.5)).value) is float


def test_the_bounds_of_int64_are_constants() -> None:
    assert Constant(INT64_MAX).value == INT64_MAX
    assert Constant(-(2**63)).value == -(2**63)


@pytest.mark.parametrize(
    ("amount", "unit", "nanoseconds"), [(3, "ns", 3), (2, "ms", 2_000_000), (1, "d", 86_400 * 10**9)]
)
def test_durations_in_nanoseconds(amount: int, unit: str, nanoseconds: int) -> None:
    assert Duration(amount, unit).nanoseconds == nanoseconds


def test_conjunctions_and_disjunctions_are_flat() -> None:
    assert And((A, And((B, C)))) == And((A, B, C)) == A & B & C == A & (B & C)
    assert Or((Or((A, B)), C)) == Or((A, B, C)) == A | B | C
    assert And((A, Or((B, C)))) != And((A, B, C))
    assert Not(A) == ~A


def test_neutral_conditions_disappear() -> None:
    assert conjunction() == TOP
    assert conjunction(TOP, A) == A
    assert conjunction(A, TOP, B) == And((A, B))
    assert (A & TOP) == A
    assert disjunction() == BOTTOM
    assert disjunction(BOTTOM, A, BOTTOM) == A
    assert A | BOTTOM == A
    assert conjunction(A, BOTTOM) == And((A, BOTTOM))


def test_memberships_name_each_value_once_in_order() -> None:
    values = tuple(map(Constant, (2, 1, 2, 1.0)))
    assert Membership(PRICE, values).values == tuple(map(Constant, (2, 1, 1.0)))


def test_variables_and_registers() -> None:
    condition = Comparison("<", Arithmetic("-", Time(HEAD), Time("r1")), Duration(1, "s"))
    condition2 = condition & EQUAL("r2", HEAD) & ~Defined("r3") & Comparison("=", Position("r4"), PRICE)
    assert variables(condition2) == {HEAD, "r1", "r2", "r3", "r4"}
    assert registers(condition2) == {"r1", "r2", "r3", "r4"}
    assert registers(TOP) == frozenset()


def test_no_time_at_all_is_a_duration() -> None:
    assert Duration(0, "s").nanoseconds == 0


def test_relations_are_equal_when_they_mean_and_run_the_same() -> None:
    assert Relation("Equal", 2, EQUAL.predicate, encode=lambda x, y: x == y) != EQUAL
    assert Relation("Equal", 2, EQUAL.predicate, compiled=EQUAL.predicate) != EQUAL
    assert Relation("Equal", 2, EQUAL.predicate) == EQUAL
    assert Relation("Equal", 2, lambda x, y: x == y) != EQUAL
    assert EQUAL(HEAD, "r1") == Apply(EQUAL, (HEAD, "r1"))
    assert repr(SAME(HEAD, "r1")) == "Apply(Same, ('~', 'r1'))"
    assert SAME.arity == 2
    assert pickle.loads(pickle.dumps(SAME(HEAD, "r1"))) == SAME(HEAD, "r1")


def test_rename_replaces_all_variables_at_once() -> None:
    swap = {"r1": "r2", "r2": "r1"}
    condition = Comparison("=", OTHER, Attribute("r2", "price")) & EQUAL("r1", "r2") & Defined("r3")
    swapped = Comparison("=", Attribute("r2", "price"), OTHER) & EQUAL("r2", "r1") & Defined("r3")
    assert rename(condition, swap) == swapped
    assert rename(rename(condition, swap), swap) == condition
    assert rename(condition, {}) == condition


def test_expand_guards_the_registers_of_a_definition() -> None:
    body = Comparison("=", Attribute(HEAD, "id"), Attribute("r1", "id"))
    assert expand(SAME(HEAD, "r1")) == Defined("r1") & body
    assert expand(SAME("r1", "r1")) == Defined("r1") & rename(body, {HEAD: "r1"})
    assert expand(EQUAL(HEAD, "r1")) == EQUAL(HEAD, "r1")


def test_definitions_may_use_definitions() -> None:
    swapped = Definition("Swapped", ("x", "y"), ~SAME("y", "x"))
    outer = Definition("Outer", ("y", "x"), swapped("y", "x") & Defined("x"))
    expanded = expand(outer(HEAD, "r1"))
    assert not any(isinstance(node, Apply) for node in walk(expanded))
    inner = Defined("r1") & Comparison("=", Attribute("r1", "id"), Attribute(HEAD, "id"))
    assert expanded == Defined("r1") & (Defined("r1") & ~inner) & Defined("r1")


@given(streams(min_size=3, max_size=3), conditions(), st.permutations(REGISTERS))
def test_renaming_registers_with_their_contents_changes_nothing(
    stream: Stream, condition: Condition, names: list[str]
) -> None:
    event, *held = stream
    bound = bind(condition, TICKS)
    valuation = Valuation(tuple(zip(REGISTERS, held, strict=False)))
    moved = Valuation(tuple(zip(names, held, strict=False)))
    renamed = rename(bound, dict(zip(REGISTERS, names, strict=True)))
    assert models(event, moved, renamed) == models(event, valuation, bound)


@given(conditions())
def test_conditions_read_what_their_nodes_read(condition: Condition) -> None:
    assert variables(expand(condition)) <= variables(condition)
    assert all(isinstance(node, Condition | Term) for node in walk(condition))


def test_definitions_may_not_rest_on_too_many_others() -> None:
    defined = SAME
    for number in range(2, DEEPEST_DEFINITION + 1):
        defined = Definition(f"D{number}", ("x", "y"), defined("x", "y"))
    assert (defined.depth, defined.size) == (100, 102)
    with pytest.raises(LimitError, match="'More' is too large; it is number 101 of a chain"):
        Definition("More", ("x", "y"), defined("y", "x"))


def test_definitions_may_not_stand_for_too_much() -> None:
    defined = SAME
    for number in range(1, 15):
        defined = Definition(f"D{number}", ("x", "y"), defined("x", "y") & defined("y", "x"))
    with pytest.raises(LimitError, match=r"'D15' is too large.* stands for 1\d{5} nodes"):
        Definition("D15", ("x", "y"), defined("x", "y") & defined("y", "x"))
