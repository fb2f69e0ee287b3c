"""Conditions written with Python's operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mnemata.proofs.generators import TICKS
from mnemata.theory.conditions.building import (
    as_term,
    defined,
    head,
    position,
    register,
    time,
    variable_of,
)
from mnemata.theory.conditions.formulas import Comparison, Condition, Defined, Membership
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Position,
    Time,
)
from mnemata.theory.errors import (
    ConditionTypeError,
    MnemataError,
    PatternError,
    UnknownAttributeError,
)

STOCK, R1 = head(), register("r1")
PRICE, OLD = Attribute(HEAD, "price"), Attribute("r1", "price")


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (STOCK.price == R1.price, Comparison("=", PRICE, OLD)),
        (STOCK.price != 3, Comparison("!=", PRICE, Constant(3))),
        (STOCK.price < 3.0, Comparison("<", PRICE, Constant(3.0))),
        (STOCK.price <= R1.price, Comparison("<=", PRICE, OLD)),
        (STOCK.price > R1.price, Comparison(">", PRICE, OLD)),
        (STOCK.price >= R1.price, Comparison(">=", PRICE, OLD)),
        (3 < STOCK.price, Comparison(">", PRICE, Constant(3))),  # noqa: SIM300
        (STOCK.price + 1 == 2, Comparison("=", Arithmetic("+", PRICE, Constant(1)), Constant(2))),
        (1 + STOCK.price == 2, Comparison("=", Arithmetic("+", Constant(1), PRICE), Constant(2))),
        (STOCK.price - 1 == 2, Comparison("=", Arithmetic("-", PRICE, Constant(1)), Constant(2))),
        (1 - STOCK.price == 2, Comparison("=", Arithmetic("-", Constant(1), PRICE), Constant(2))),
        (STOCK.price * 2 > R1.price, Comparison(">", Arithmetic("*", PRICE, Constant(2)), OLD)),
        (2 * STOCK.price > R1.price, Comparison(">", Arithmetic("*", Constant(2), PRICE), OLD)),
        (abs(STOCK.price) > 1, Comparison(">", Absolute(PRICE), Constant(1))),
        (STOCK["my price"] > 1, Comparison(">", Attribute(HEAD, "my price"), Constant(1))),
        (STOCK.price.isin([1, 2]), Membership(PRICE, (Constant(1), Constant(2)))),
        (STOCK.name == "x", Comparison("=", Attribute(HEAD, "name"), Constant("x"))),
        (position(STOCK) - position("r1") < 3,
         Comparison("<", Arithmetic("-", Position(HEAD), Position("r1")), Constant(3))),
        (time(STOCK) - time(R1) < Duration(1, "s"),
         Comparison("<", Arithmetic("-", Time(HEAD), Time("r1")), Duration(1, "s"))),
        (defined(R1), Defined("r1")),
        (defined("r1"), Defined("r1")),
    ],
)  # fmt: skip
def test_operators_build_terms_and_conditions(built: Condition, expected: Condition) -> None:
    assert built == expected


def test_with_a_schema_attributes_are_checked_where_they_are_written() -> None:
    assert (head(TICKS).price > 1) == (head().price > 1)
    with pytest.raises(UnknownAttributeError, match=r"unknown attribute 'prize'.*Did you mean 'price'\?"):
        head(TICKS)["prize"]
    with pytest.raises(UnknownAttributeError, match="Did you mean 'price'"):
        register("r1", TICKS).prize  # noqa: B018
    with pytest.raises(AttributeError):
        head(TICKS).prize  # noqa: B018
    assert not hasattr(head(TICKS), "prize")
    assert not hasattr(head(), "__len__")


@pytest.mark.parametrize(
    ("write", "kind", "message"),
    [
        (lambda: 1 < STOCK.price < 3, PatternError, "a condition has no truth value of its own"),
        (lambda: (STOCK.price > 1) and (STOCK.price < 3), PatternError, r"use &, \| and ~"),
        (lambda: not (STOCK.price > 1), PatternError, r"use &, \| and ~"),
        (lambda: bool(STOCK.price), ConditionTypeError, "a term has no truth value; compare it"),
        (lambda: STOCK.price == None, ConditionTypeError, "None is not a constant"),  # noqa: E711
        (lambda: STOCK.price > R1, ConditionTypeError, r"Holder\('r1'\) is not a constant"),
        (lambda: STOCK.price * {}, ConditionTypeError, r"\{\} is not a constant"),
        (lambda: STOCK.price.isin([None]), ConditionTypeError, "None is not a constant"),
        (lambda: register(""), ConditionTypeError, "a register is named by a non-empty string, got ''"),
        (lambda: register(1), ConditionTypeError, "a register is named by a non-empty string, got 1"),  # type: ignore[arg-type]
        (lambda: defined(None), ConditionTypeError, "non-empty string, got None"),  # type: ignore[arg-type]
    ],
)
def test_mistakes_are_named(write: Callable[[], Any], kind: type[MnemataError], message: str) -> None:
    with pytest.raises(kind, match=message):
        write()


def test_stand_ins_name_their_variable() -> None:
    assert variable_of(STOCK) == HEAD
    assert variable_of(R1) == "r1"
    assert variable_of("r2") == "r2"
    assert repr(R1) == "Holder('r1')"
    assert repr(R1.price) == "Quantity(Attribute('r1', 'price'))"
    assert as_term(R1.price) == OLD
    assert as_term(OLD) is OLD
    assert as_term(True) == Constant(True)


def test_terms_under_construction_are_not_hashable() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(STOCK.price)
