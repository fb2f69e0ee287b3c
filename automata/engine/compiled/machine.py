"""The machine that runs `mnemata.automata.engine.compiled.programs`."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.compiled.jit import compiled, inlined
from mnemata.automata.engine.compiled.native import FAILED, call
from mnemata.automata.engine.compiled.programs import (
    ABSOLUTE_FLOAT,
    ABSOLUTE_INT,
    ADD_FLOAT,
    ADD_INT,
    AND,
    CALL,
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
    chains : int64 array of shape (n_joined_attributes, n_rows)
        The last row before with an equal value, see `mnemata.automata.engine.compiled.joins.chains`.
    int_slots, float_slots, unknown : int64, float64 and bool arrays of shape (n_slots,)
        Results; `unknown` marks a missing value. Truth values are the integers 0 and 1.
    relations : int64 array of shape (n_relations,)
        The addresses of the relations that programs call.
    failed : int64 array of shape (1 + n_slots,)
        One more than the number of the first relation that raised, 0 for none; then what it was given.
    failed_floats : float64 array of shape (n_slots,)
        The doubles among that.
    """

    code: Ints
    ints: Ints
    floats: Floats
    int_missing: Truth
    float_missing: Truth
    int_constants: Ints
    float_constants: Floats
    chains: Ints
    int_slots: Ints
    float_slots: Floats
    unknown: Truth
    relations: Ints
    failed: Ints
    failed_floats: Floats


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
    for place in range(begin, end):
        operation = memory.code[place, 0]
        if operation >= REQUIRE_INT:
            if not _plain(memory, operation, place, row, held):
                return False
        elif operation == REQUIRE:
            if memory.int_slots[memory.code[place, 2]] == 0:
                return False
        else:
            _operate(memory, operation, place, row, held)
    return True


@inlined
def _plain(memory: Memory, operation: int, place: int, row: int, held: Ints) -> bool:
    """Whether an attribute compares with another of its kind; not when an event or a value is missing."""
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


class Question(NamedTuple):
    """A comparison of the event that is read with one that an entry holds, as a program of one instruction.

    Parameters
    ----------
    kind : int
        `ALWAYS` or `NEVER`, whatever the entry holds; else `INTS` or `FLOATS` are compared.
    wanted : int
        Which outcomes, the event's value on the left: 1 less, 2 equal, 4 greater, or sums of these.
    int_value, float_value : int, float
        Of the event.
    column : int
        Of what is compared, among the columns of its kind.
    part : int
        Of the key of the entry: the row of the event that it holds.
    """

    kind: int
    wanted: int
    int_value: int
    float_value: float
    column: int
    part: int


ALWAYS, NEVER, INTS, FLOATS = 0, 1, 2, 3
# Bits for less, equal and greater; in the order ``= != < <= > >=``, and with the sides exchanged.
_WANTED: Final = (2, 5, 1, 3, 4, 6)
_EXCHANGED: Final = (2, 5, 4, 6, 1, 3)


@inlined
def question_of(memory: Memory, instruction: int, row: int) -> Question:
    """What an instruction asks of entries at a row; instruction -1 asks nothing."""
    if instruction < 0:
        return Question(ALWAYS, 0, 0, 0.0, 0, 0)
    code = memory.code
    operation, left, right = code[instruction, 0], code[instruction, 1], code[instruction, 3]
    exchanged = code[instruction, 2] >= 0
    own, other = (right, left) if exchanged else (left, right)
    part = code[instruction, 2] if exchanged else code[instruction, 4]
    if operation >= REQUIRE_FLOAT:
        which = operation - REQUIRE_FLOAT
        wanted = _EXCHANGED[which] if exchanged else _WANTED[which]
        if len(memory.float_missing) and memory.float_missing[own, row]:
            return Question(NEVER, 0, 0, 0.0, 0, 0)
        return Question(FLOATS, wanted, 0, memory.floats[own, row], other, part)
    which = operation - REQUIRE_INT
    wanted = _EXCHANGED[which] if exchanged else _WANTED[which]
    if len(memory.int_missing) and memory.int_missing[own, row]:
        return Question(NEVER, 0, 0, 0.0, 0, 0)
    return Question(INTS, wanted, memory.ints[own, row], 0.0, other, part)


@inlined
def answers(memory: Memory, question: Question, entries: Ints, entry: Any) -> bool:
    """Whether an entry, whose key begins its row, is what is asked for."""
    if question.kind <= NEVER:
        return question.kind == ALWAYS
    row = entries[np.uint64(entry), np.uint64(question.part)]
    if row < 0:
        return False
    if question.kind == FLOATS:
        if len(memory.float_missing) and memory.float_missing[question.column, row]:
            return False
        held = memory.floats[question.column, np.uint64(row)]
        return outcome(question.float_value, held) & question.wanted != 0
    if len(memory.int_missing) and memory.int_missing[question.column, row]:
        return False
    return outcome(question.int_value, memory.ints[question.column, np.uint64(row)]) & question.wanted != 0


@inlined
def outcome(left: Any, right: Any) -> int:
    """Less, equal or greater as a bit; no branch, as outcomes cannot be foreseen."""
    return 1 << (1 + int(left > right) - int(left < right))


@compiled
def _operate(memory: Memory, operation: int, place: int, row: int, held: Ints) -> None:
    """Carry out one instruction that fills a slot."""
    ints, floats, unknown = memory.int_slots, memory.float_slots, memory.unknown
    target, a, b = memory.code[place, 1], memory.code[place, 2], memory.code[place, 3]
    if operation <= FLOAT:
        _load(memory, operation, target, a, b, row, held)
    elif operation == TO_FLOAT:
        floats[target], unknown[target] = float(ints[a]), unknown[a]
    elif operation >= COMPARE_FLOAT:
        known = not (unknown[a] or unknown[b])
        ints[target] = int(known and compare(operation - COMPARE_FLOAT, floats[a], floats[b]))
    elif operation >= COMPARE_INT:
        known = not (unknown[a] or unknown[b])
        ints[target] = int(known and compare(operation - COMPARE_INT, ints[a], ints[b]))
    elif operation == CALL:
        ints[target] = _asked(memory, a, b, memory.code[place, 4])
    elif operation >= TRUE:
        ints[target] = _connected(operation, ints, a, b, held)
    elif operation == ABSOLUTE_INT:
        ints[target], unknown[target] = abs(ints[a]), unknown[a] or ints[a] == LEAST
    elif operation == ABSOLUTE_FLOAT:
        floats[target], unknown[target] = abs(floats[a]), unknown[a]
    else:
        _calculate(operation, ints, floats, unknown, target, a, b)


@compiled
def _load(memory: Memory, operation: int, target: int, a: int, b: int, row: int, held: Ints) -> None:
    memory.unknown[target] = False
    if operation == INT:
        memory.int_slots[target] = memory.int_constants[a]
        return
    if operation == FLOAT:
        memory.float_slots[target] = memory.float_constants[a]
        return
    where = row_of(b, row, held)
    if where < 0:
        memory.unknown[target] = True
    elif operation == LOAD_INT:
        memory.int_slots[target] = memory.ints[a, where]
        memory.unknown[target] = len(memory.int_missing) > 0 and memory.int_missing[a, where]
    else:
        memory.float_slots[target] = memory.floats[a, where]
        memory.unknown[target] = len(memory.float_missing) > 0 and memory.float_missing[a, where]


@compiled
def _calculate(
    operation: int, ints: Ints, floats: Floats, unknown: Truth, target: int, left: int, right: int
) -> None:
    """A sum, difference or product; missing where it is not representable."""
    missing = unknown[left] or unknown[right]
    if operation >= ADD_FLOAT:
        x, y = floats[left], floats[right]
        result = x + y if operation == ADD_FLOAT else x - y if operation == SUBTRACT_FLOAT else x * y
        floats[target], unknown[target] = result, missing or np.isnan(result)
        return
    if missing:
        unknown[target] = True
        return
    a, b = ints[left], ints[right]
    if operation == MULTIPLY_INT:
        value = a * b
        wrapped = (b == LEAST) if a == MINUS_ONE else a != 0 and value // a != b
    else:
        value = a + b if operation == ADD_INT else a - b
        wrapped = ((a ^ value) & (b ^ value)) < 0 if operation == ADD_INT else ((a ^ b) & (a ^ value)) < 0
    ints[target], unknown[target] = value, wrapped


@compiled
def _asked(memory: Memory, relation: int, first: int, number: int) -> int:
    """Whether a relation holds for scalars, none of which may be missing."""
    for slot in range(first, first + number):
        if memory.unknown[slot]:
            return 0
    answer = call(memory.relations[relation], memory.int_slots, memory.float_slots, first)
    if answer != FAILED:
        return int(answer)
    if memory.failed[0] == 0:
        memory.failed[0] = relation + 1
        for given in range(number):
            memory.failed[1 + given] = memory.int_slots[first + given]
            memory.failed_floats[given] = memory.float_slots[first + given]
    return 0


@compiled
def _connected(operation: int, ints: Ints, a: int, b: int, held: Ints) -> int:
    """The truth value of a connective over slots, or of whether a register is filled."""
    if operation == NOT:
        return int(1 - ints[a])
    if operation == AND:
        return int(ints[a] & ints[b])
    if operation == OR:
        return int(ints[a] | ints[b])
    if operation == DEFINED:
        return int(a < 0 or held[a] >= 0)
    return int(operation == TRUE)
