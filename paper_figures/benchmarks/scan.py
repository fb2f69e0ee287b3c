"""The measure of all figures: one pass over the columns that a pattern reads, doing next to nothing.

For each row, the value of each column is compared with zero, and the values above it are counted. A loop over
the same columns that looks at every value can hardly do less. Columns are read as the Arrow table has
them: of text, which is in a dictionary, the places there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numba

from mnemata.automata.engine.columns import Columns

Pass: TypeAlias = Callable[..., Any]


def scan_of(columns: Columns) -> Callable[[], int]:
    """A scan of columns that are in memory; it returns how many values are above zero."""
    arrays = tuple(column.given for column in columns.by_name.values())
    scan = _scan(len(arrays))
    return lambda: int(scan(arrays))


@cache
def _scan(columns: int) -> Pass:
    """The pass over so many columns, compiled for their types when it first runs."""
    positive = _positive(columns)

    def scan(arrays: Any) -> Any:
        found = 0
        for row in range(len(arrays[0])):
            found += positive(arrays, row)
        return found

    return _jit(scan)


@cache
def _positive(columns: int) -> Pass:
    """How many of the first columns are above zero in a row."""
    if columns == 0:
        return _jit(lambda arrays, row: 0)
    before, last = _positive(columns - 1), columns - 1

    def positive(arrays: Any, row: Any) -> Any:
        return before(arrays, row) + (arrays[last][row] > 0)

    return _jit(positive)


def _jit(function: Pass) -> Pass:
    made: Pass = numba.njit(error_model="numpy")(function)
    return made
