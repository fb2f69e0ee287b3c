"""The stack machine that runs `mnemata.automata.engine.compiled.programs`."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.compiled.jit import compiled, inlined
from mnemata.automata.engine.compiled.programs import (
    ABSOLUTE_FLOAT,
    ABSOLUTE_INT,
    ADD_FLOAT,
    ADD_INT,
    AND,
    COMPARE_FLOAT,
    COMPARE_INT,
    DEFINED,
    FLOAT,
    INT,
    LOAD_INT,
    MULTIPLY_INT,
    NOT,
    OR,
    REQUIRE,
    REQUIRE_FLOAT,
    REQUIRE_INT,
    SUBTRACT_FLOAT,
    TO_FLOAT,
    TRUE,
)

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Truth: TypeAlias = npt.NDArray[np.bool_]

LEAST: Final = np.iinfo(np.int64).min
MINUS_ONE: Final = np.int64(-1)


class Memory(NamedTuple):
    """What programs read, and where they compute.

    Parameters
    ----------
    code : int64 array of shape (n_instructions, 5)
        All programs.
    ints : int64 array of shape (n_int_columns, n_rows)
        Columns of numbers, truth values, timestamps and codes of text.
    floats : float64 array of shape (n_float_columns, n_rows)
        Columns of doubles.
    int_missing, float_missing : bool arrays of shapes (n_int_columns or 0, n_rows) and likewise
        Where there is no value; of length 0 when nothing is missing.
    int_constants, float_constants : int64 and float64 arrays
        The constants.
    int_stack, float_stack, unknown : int64, float64 and bool arrays of shape (deepest,)
        The stack; `unknown` marks a missing value. Truth values are the integers 0 and 1.
    """

    code: Ints
    ints: Ints
    floats: Floats
    int_missing: Truth
    float_missing: Truth
    int_constants: Ints
    float_constants: Floats
    int_stack: Ints
    float_stack: Floats
    unknown: Truth


@inlined
def row_of(place: int, row: int, held: Ints) -> Any:
    """The row of the event that an instruction reads; -1 for an empty register."""
    return row if place < 0 else held[place]


@inlined
def compare(which: int, left: Any, right: Any) -> bool:
    """``left`` and ``right`` under the comparison of this number, in the order ``= != < <= > >=``."""
    if which == 0:
        return bool(left == right)
    if which == 1:
        return bool(left != right)
    if which == 2:
        return bool(left < right)
    if which == 3:
        return bool(left <= right)
    if which == 4:
        return bool(left > right)
    return bool(left >= right)


@inlined
def holds(memory: Memory, begin: int, end: int, row: int, held: Ints) -> bool:
    """Whether the program from `begin` to `end` holds for the event of `row` and the registers `held`."""
    top = -1
    for place in range(begin, end):
        operation = memory.code[place, 0]
        if operation >= REQUIRE_INT:
            if not _plain(memory, operation, place, row, held):
                return False
        elif operation == REQUIRE:
            if memory.int_stack[top] == 0:
                return False
            top -= 1
        else:
            top = _operate(memory, operation, place, top, row, held)
    return True


@inlined
def _plain(memory: Memory, operation: int, place: int, row: int, held: Ints) -> bool:
    code = memory.code
    one, other = row_of(code[place, 2], row, held), row_of(code[place, 4], row, held)
    if one < 0 or other < 0:
        return False
    a, c = code[place, 1], code[place, 3]
    if operation >= REQUIRE_FLOAT:
        if len(memory.float_missing) and (memory.float_missing[a, one] or memory.float_missing[c, other]):
            return False
        return compare(operation - REQUIRE_FLOAT, memory.floats[a, one], memory.floats[c, other])
    if len(memory.int_missing) and (memory.int_missing[a, one] or memory.int_missing[c, other]):
        return False
    return compare(operation - REQUIRE_INT, memory.ints[a, one], memory.ints[c, other])


@compiled
def _operate(memory: Memory, operation: int, place: int, top: int, row: int, held: Ints) -> int:
    """Carry out one instruction; returns the new top of the stack."""
    ints, floats, unknown = memory.int_stack, memory.float_stack, memory.unknown
    a, b = memory.code[place, 1], memory.code[place, 2]
    if operation <= FLOAT:
        _load(memory, operation, a, b, top + 1, row, held)
        return top + 1
    if operation == TO_FLOAT:
        floats[top - b] = float(ints[top - b])
        return top
    if operation >= COMPARE_INT:
        known = not (unknown[top - 1] or unknown[top])
        if operation >= COMPARE_FLOAT:
            truth = known and compare(operation - COMPARE_FLOAT, floats[top - 1], floats[top])
        else:
            truth = known and compare(operation - COMPARE_INT, ints[top - 1], ints[top])
        ints[top - 1], unknown[top - 1] = int(truth), False
        return top - 1
    if operation < ABSOLUTE_INT:
        _calculate(operation, ints, floats, unknown, top - 1)
        return top - 1
    if operation == ABSOLUTE_INT:
        unknown[top] = unknown[top] or ints[top] == LEAST
        ints[top] = abs(ints[top])
        return top
    if operation == ABSOLUTE_FLOAT:
        floats[top] = abs(floats[top])
        return top
    return _connect(operation, ints, unknown, a, top, held)


@compiled
def _load(memory: Memory, operation: int, a: int, b: int, top: int, row: int, held: Ints) -> None:
    memory.unknown[top] = False
    if operation == INT:
        memory.int_stack[top] = memory.int_constants[a]
    elif operation == FLOAT:
        memory.float_stack[top] = memory.float_constants[a]
    else:
        where = row_of(b, row, held)
        if where < 0:
            memory.unknown[top] = True
        elif operation == LOAD_INT:
            memory.int_stack[top] = memory.ints[a, where]
            memory.unknown[top] = len(memory.int_missing) > 0 and memory.int_missing[a, where]
        else:
            memory.float_stack[top] = memory.floats[a, where]
            memory.unknown[top] = len(memory.float_missing) > 0 and memory.float_missing[a, where]


@compiled
def _calculate(operation: int, ints: Ints, floats: Floats, unknown: Truth, left: int) -> None:
    """Replace two values by their sum, difference or product; missing where it is not representable."""
    missing = unknown[left] or unknown[left + 1]
    if operation >= ADD_FLOAT:
        x, y = floats[left], floats[left + 1]
        result = x + y if operation == ADD_FLOAT else x - y if operation == SUBTRACT_FLOAT else x * y
        floats[left], unknown[left] = result, missing or np.isnan(result)
        return
    if missing:
        unknown[left] = True
        return
    a, b = ints[left], ints[left + 1]
    if operation == MULTIPLY_INT:
        value = a * b
        wrapped = (b == LEAST) if a == MINUS_ONE else a != 0 and value // a != b
    else:
        value = a + b if operation == ADD_INT else a - b
        wrapped = ((a ^ value) & (b ^ value)) < 0 if operation == ADD_INT else ((a ^ b) & (a ^ value)) < 0
    ints[left], unknown[left] = value, wrapped


@compiled
def _connect(operation: int, ints: Ints, unknown: Truth, a: int, top: int, held: Ints) -> int:
    if operation == NOT:
        ints[top] = 1 - ints[top]
        return top
    if operation == AND:
        ints[top - 1] &= ints[top]
        return top - 1
    if operation == OR:
        ints[top - 1] |= ints[top]
        return top - 1
    top += 1
    unknown[top] = False
    if operation == DEFINED:
        ints[top] = int(a < 0 or held[a] >= 0)
    else:
        ints[top] = int(operation == TRUE)
    return top
