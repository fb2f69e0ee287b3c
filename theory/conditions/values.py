"""Arithmetic and comparison of attribute values, with missing values: the one place that says how.

Values are int64 and IEEE doubles. ``None`` is missing and contagious. An int64 result that leaves 64 bits
is missing rather than wrapped around; a double result that is NaN is missing. Where an int64
meets a double it is first rounded to the nearest double, as every columnar engine does.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from mnemata.theory.schema import INT64_MAX, INT64_MIN, Value

_ARITHMETIC: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_COMPARISON: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def calculate(symbol: str, left: Value, right: Value) -> Value:
    """``left symbol right`` for ``+``, ``-`` or ``*``; ``None`` when missing.

    >>> calculate("+", 2**63 - 1, 1) is None
    True
    """
    if left is None or right is None:
        return None
    return _representable(_ARITHMETIC[symbol](*alike(left, right)))


def absolute(value: Value) -> Value:
    """The absolute value of a number; ``None`` when missing or not representable."""
    return None if value is None else _representable(abs(value))  # type: ignore[arg-type]


def compare(symbol: str, left: Value, right: Value) -> bool:
    """Whether ``left symbol right`` holds; never when a side is missing."""
    if left is None or right is None:
        return False
    return _COMPARISON[symbol](*alike(left, right))


def alike(left: Any, right: Any) -> tuple[Any, Any]:
    """Both values as doubles when exactly one of them is a double, else unchanged."""
    if isinstance(left, float) == isinstance(right, float):
        return left, right
    return float(left), float(right)


def _representable(number: Any) -> Value:
    if isinstance(number, float):
        return None if math.isnan(number) else number
    return int(number) if INT64_MIN <= number <= INT64_MAX else None
