"""Passes over whole columns at the speed of memory, where numpy would take several."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.compiled.jit import compiled

Codes: TypeAlias = npt.NDArray[np.int32]
Truth: TypeAlias = npt.NDArray[np.bool_]

BLOCK: Final = 4096


@compiled
def set_bit(codes: Any, mask: Truth, bit: int) -> None:
    """Add a bit to codes where a mask is true."""
    for row in range(len(codes)):
        codes[row] |= np.int32(mask[row]) << np.int32(bit)


@compiled
def set_bit_where_less(codes: Any, values: Any, constant: Any, bit: int) -> None:
    """Add a bit to codes where a value is less than a constant."""
    for row in range(len(codes)):
        codes[row] |= np.uint8(values[row] < constant) << np.uint8(bit)


@compiled
def set_bit_where_greater(codes: Any, values: Any, constant: Any, bit: int) -> None:
    """Add a bit to codes where a value is greater than a constant."""
    for row in range(len(codes)):
        codes[row] |= np.uint8(values[row] > constant) << np.uint8(bit)


@compiled
def set_bit_where_equal(codes: Any, values: Any, constant: Any, bit: int) -> None:
    """Add a bit to codes where a value is equal to a constant."""
    for row in range(len(codes)):
        codes[row] |= np.uint8(values[row] == constant) << np.uint8(bit)


@compiled
def add_digit(keys: Codes, base: int, least: int, values: Any, missing: Truth) -> None:
    """Append a digit to mixed-radix numbers: a value less the least one; ``base - 1`` where it is missing."""
    if len(missing):
        for row in range(len(keys)):
            digit = base - 1 if missing[row] else np.int64(values[row]) - least
            keys[row] = np.int32(keys[row] * base + digit)
    else:
        for row in range(len(keys)):
            keys[row] = np.int32(keys[row] * base + np.int64(values[row]) - least)


@compiled
def number_codes(codes: Codes, known: Codes, found: npt.NDArray[np.int64], size: int) -> int:
    """Replace codes by ``0, 1, ...`` in the order in which they first appear; returns how many there are.

    `known` maps codes to numbers, -1 where there is none yet; `found` lists the codes.
    """
    for row in range(len(codes)):
        code = codes[row]
        if known[code] < 0:
            known[code], found[size] = size, code
            size += 1
        codes[row] = known[code]
    return size


@compiled
def first_decrease(values: Any) -> int:
    """The first row whose value is less than the one before; the number of rows when there is none."""
    for begin in range(1, len(values), BLOCK):
        end = min(begin + BLOCK, len(values))
        # Without an exit, and with plain indices, so that it becomes vector instructions.
        here, before, decreases = values[begin:end], values[begin - 1 : end - 1], 0
        for place in range(len(here)):
            decreases += here[place] < before[place]
        if decreases:
            row = begin
            while values[row] >= values[row - 1]:
                row += 1
            return row
    return len(values)


@compiled
def has_nan(values: Any) -> bool:
    """Whether some value is not a number."""
    found = False
    for row in range(len(values)):
        found |= values[row] != values[row]
    return found


@compiled
def translate(codes: Any, table: Any, translated: Any) -> None:
    """Look all codes up in a table."""
    for row in range(len(codes)):
        translated[row] = table[codes[row]]


@compiled
def look_up(values: Any, least: int, table: Any, found: Any) -> None:
    """Look all values up, none of which is less than `least`, in a table that begins there."""
    # Places without a sign, here and below, spare a test for negative ones.
    for row in range(len(values)):
        found[row] = table[np.uint64(np.int64(values[row]) - least)]


@compiled
def look_up_pairs(
    values: Any, others: Any, least: int, other_least: int, base: int, table: Any, found: Any
) -> None:
    """The same for pairs of values less their least ones, as numbers in base `base`."""
    if least == other_least == 0:  # as for texts
        for row in range(len(values)):
            found[row] = table[np.uint64(values[row]) * np.uint64(base) + np.uint64(others[row])]
        return
    for row in range(len(values)):
        pair = (np.int64(values[row]) - least) * base + np.int64(others[row]) - other_least
        found[row] = table[np.uint64(pair)]


@compiled
def extremes(values: Any) -> tuple[int, int]:
    """The least and the greatest value; there is one."""
    least = most = values[0]
    for row in range(len(values)):
        least, most = min(least, values[row]), max(most, values[row])
    return least, most


@compiled
def mark_present(codes: Codes, present: Truth) -> None:
    """Set `present` at each code."""
    for row in range(len(codes)):
        present[codes[row]] = True


@compiled
def count_codes(codes: Any, counts: npt.NDArray[np.int64]) -> None:
    """Count how often each code occurs; codes below 0 are passed over."""
    for row in range(len(codes)):
        if codes[row] >= 0:
            counts[codes[row]] += 1


@compiled
def place_by_code(codes: Any, places: npt.NDArray[np.int64], order: npt.NDArray[np.int64]) -> None:
    """Put rows in the order of their codes, rows of one code in their own order.

    `places` has where the first row of each code comes in `order`, and then where one more would.
    """
    for row in range(len(codes)):
        code = codes[row]
        if code >= 0:
            order[places[code]] = row
            places[code] += 1
