"""Comparisons of a number with a constant, for whole columns at the speed of memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.columns import Array, Columns
from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.scans import (
    set_bit_where_equal,
    set_bit_where_greater,
    set_bit_where_less,
)
from mnemata.theory.conditions.formulas import MIRRORED, Comparison, Condition
from mnemata.theory.conditions.terms import Attribute, Constant
from mnemata.theory.schema import Float64, Int64

Scan: TypeAlias = Callable[[npt.NDArray[np.integer[Any]], Array, "np.number[Any]", int], None]

_SCANS: Final[Mapping[str, tuple[Scan, bool]]] = {
    "<": (set_bit_where_less, False),
    ">=": (set_bit_where_less, True),
    ">": (set_bit_where_greater, False),
    "<=": (set_bit_where_greater, True),
    "=": (set_bit_where_equal, False),
    "!=": (set_bit_where_equal, True),
}
"""What sets a bit where a number compares so with a constant, or else where it does not."""


class Threshold(NamedTuple):
    """A comparison of the numbers of a column, none of which is missing, with a constant.

    Parameters
    ----------
    scan : callable
        Sets a bit of a code for each number that compares so, or does not when `negated`.
    values : int64 or float64 array of shape (n_rows,)
        The numbers.
    constant : int64 or float64
        The constant; int64 only where the numbers are too.
    negated : bool
        Whether the comparison is false where the bit is set.
    """

    scan: Scan
    values: Array
    constant: np.number[Any]
    negated: bool

    def set_bit(self, codes: npt.NDArray[np.integer[Any]], bit: int) -> None:
        """Set a bit of codes, one for each row, in place."""
        self.scan(codes, frozen(self.values), self.constant, bit)


def threshold_of(condition: Condition, columns: Columns) -> Threshold | None:
    """A condition that reads the head only as a threshold of a column; ``None`` where it is none.

    The result agrees with `mnemata.automata.engine.vectors.Masks`.
    """
    match condition:
        case Comparison(operator=operator, left=Attribute(name=name), right=Constant(value=constant)):
            scan, negated = _SCANS[operator]
        case Comparison(operator=operator, left=Constant(value=constant), right=Attribute(name=name)):
            scan, negated = _SCANS[MIRRORED[operator]]
        case _:
            return None
    kind, column = columns.schema[name], columns[name]
    if (
        not isinstance(kind, Int64 | Float64)
        or column.missing is not None
        or isinstance(constant, bool | str)
    ):
        return None
    exact = isinstance(kind, Int64) and isinstance(constant, int)
    return Threshold(scan, column.values, np.int64(constant) if exact else np.float64(constant), negated)
