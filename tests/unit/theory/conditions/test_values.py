"""Arithmetic and comparison of values: 64-bit integers, doubles, and what is missing."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.theory.conditions.values import absolute, calculate, compare
from mnemata.theory.schema import INT64_MAX, INT64_MIN, Value

INTEGERS = st.integers(INT64_MIN, INT64_MAX) | st.sampled_from((INT64_MIN, INT64_MAX, 2**53 + 1, 0, -1))
DOUBLES = st.floats(allow_nan=False) | INTEGERS.map(float)
NUMBERS = INTEGERS | DOUBLES
BIG = 2**53

ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
COMPARISON: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@pytest.mark.parametrize(
    ("left", "symbol", "right", "expected"),
    [
        (1, "+", 2, 3),
        (INT64_MAX, "+", 1, None),
        (INT64_MIN, "-", 1, None),
        (INT64_MIN, "*", -1, None),
        (2**32, "*", 2**31, None),
        (2**32, "*", -(2**31), INT64_MIN),
        (INT64_MAX, "+", 1.0, float(2**63)),
        (BIG + 1, "+", 0.0, float(BIG)),
        (BIG + 1, "-", float(BIG), 0.0),
        (BIG + 1, "-", BIG, 1),
        (1e308, "*", 10.0, math.inf),
        (math.inf, "-", math.inf, None),
        (math.inf, "*", 0, None),
        (math.inf, "+", 1, math.inf),
        (None, "+", 1, None),
        (1, "*", None, None),
        (None, "-", None, None),
    ],
)
def test_calculate(left: Value, symbol: str, right: Value, expected: Value) -> None:
    found = calculate(symbol, left, right)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (-3, 3),
        (-2.5, 2.5),
        (INT64_MIN, None),
        (INT64_MIN + 1, INT64_MAX),
        (-math.inf, math.inf),
        (None, None),
    ],
)
def test_absolute(value: Value, expected: Value) -> None:
    assert absolute(value) == expected


@pytest.mark.parametrize(
    ("left", "symbol", "right", "expected"),
    [
        (BIG + 1, "=", float(BIG), True),
        (BIG + 1, ">", float(BIG), False),
        (BIG + 1, ">", BIG, True),
        (INT64_MAX, "=", float(2**63), True),
        (0.0, "=", -0.0, True),
        (math.inf, ">", INT64_MAX, True),
        (1, "=", 1.0, True),
        ("a", "=", "a", True),
        ("a", "!=", "b", True),
        (True, "=", True, True),
    ],
)
def test_compare(left: Value, symbol: str, right: Value, expected: bool) -> None:
    assert compare(symbol, left, right) is expected


@pytest.mark.parametrize("symbol", COMPARISON)
@pytest.mark.parametrize(("left", "right"), [(None, 1), (1.0, None), (None, None), ("a", None)])
def test_nothing_holds_of_what_is_missing(symbol: str, left: Value, right: Value) -> None:
    assert compare(symbol, left, right) is False


@given(st.sampled_from(sorted(ARITHMETIC)), NUMBERS, NUMBERS)
def test_arithmetic_is_that_of_numpy(symbol: str, left: float, right: float) -> None:
    found = calculate(symbol, left, right)
    exact = ARITHMETIC[symbol](left, right) if isinstance(left, int) and isinstance(right, int) else 0
    if not INT64_MIN <= exact <= INT64_MAX:
        assert found is None
        return
    with np.errstate(all="ignore"):
        expected = ARITHMETIC[symbol](np.array([left]), np.array([right]))[0].item()
    assert found == (None if math.isnan(expected) else expected)
    assert found is None or type(found) is type(expected)


@given(st.sampled_from(sorted(COMPARISON)), NUMBERS, NUMBERS)
def test_comparison_is_that_of_numpy(symbol: str, left: float, right: float) -> None:
    expected = COMPARISON[symbol](np.array([left]), np.array([right]))[0]
    assert compare(symbol, left, right) is bool(expected)


@given(NUMBERS)
def test_absolute_is_that_of_numpy(value: float) -> None:
    overflows = isinstance(value, int) and value == INT64_MIN
    assert absolute(value) == (None if overflows else np.abs(np.array([value]))[0].item())


@given(NUMBERS, NUMBERS)
def test_exactly_one_of_less_equal_greater_holds(left: float, right: float) -> None:
    assert [compare(symbol, left, right) for symbol in "<=>"].count(True) == 1
