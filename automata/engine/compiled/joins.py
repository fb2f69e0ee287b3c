"""Equality joins: where every step asks that an attribute be what it is in a register, few entries are asked.

Rows that agree on the attribute are linked, each to the one before. The entries that an event can move are
those whose register holds a row on its chain; nothing has to be kept up to date when entries come and go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from mnemata.automata.engine.compiled.jit import compiled, frozen
from mnemata.automata.engine.compiled.machine import Ints, Truth
from mnemata.theory.conditions.formulas import And, Comparison, Condition
from mnemata.theory.conditions.terms import HEAD, Attribute, Register
from mnemata.theory.schema import Float64, Schema

SPREAD: Final = -7046029254386353131  # an odd number with scattered bits


class Join(NamedTuple):
    """The condition ``~.attribute = register.attribute``."""

    attribute: str
    register: Register


def joins_of(condition: Condition | None, schema: Schema) -> frozenset[Join]:
    """The equality joins that a condition implies; those of doubles are left to its program."""
    parts = condition.operands if isinstance(condition, And) else (condition,)
    return frozenset(found for part in parts for found in _join(part, schema))


def _join(part: Condition | None, schema: Schema) -> Iterator[Join]:
    if not isinstance(part, Comparison) or part.operator != "=":
        return
    for one, other in ((part.left, part.right), (part.right, part.left)):
        if isinstance(one, Attribute) and isinstance(other, Attribute) and one.name == other.name:
            kind = schema[one.name]
            if one.variable == HEAD != other.variable and not isinstance(kind, Float64):
                yield Join(one.name, other.variable)


def chains(columns: Sequence[Ints], missing: Sequence[Truth | None], begins: Ints | None) -> Ints:
    """For each column and row the last row before it with the same value; -1 where there is none.

    Parameters
    ----------
    columns : sequence of int64 array of shape (n_rows,)
        The values.
    missing : sequence of bool array, or None
        Rows without a value are linked to nothing.
    begins : int64 array of shape (n_rows,), optional
        The first row of the sub-stream of each row; links do not leave it.
    """
    size = len(columns[0]) if columns else 0
    found = np.full((len(columns), size), -1, np.int64)
    table = np.empty(1 << max(4, (2 * size).bit_length()), np.int64)
    for number, (values, absent) in enumerate(zip(columns, missing, strict=True)):
        table[:] = -1
        known = np.zeros(0, np.bool_) if absent is None else absent
        with np.errstate(all="ignore"):
            link(frozen(values), frozen(known), table, found[number])
        if begins is not None:
            found[number][found[number] < begins] = -1
    return found


@compiled
def link(values: Ints, missing: Truth, table: Ints, previous: Ints) -> None:
    """Fill `previous` by hashing; `table` has twice the room of `values`, a power of two, and holds -1."""
    mask = len(table) - 1
    for row in range(len(values)):
        if len(missing) and missing[row]:
            continue
        mixed = values[row] * SPREAD
        place = (mixed ^ (mixed >> 32)) & mask
        while table[place] >= 0 and values[table[place]] != values[row]:
            place = (place + 1) & mask
        previous[row] = table[place]
        table[place] = row
