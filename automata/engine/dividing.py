"""Event classes divided by conditions that are evaluated on whole columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.columns import Columns, Truth
from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.scans import number_codes, set_bit
from mnemata.automata.engine.thresholds import threshold_of
from mnemata.automata.engine.vectors import Masks
from mnemata.theory.conditions.formulas import Condition

Conditions: TypeAlias = tuple[Condition, ...]
Classes: TypeAlias = npt.NDArray[np.uint8] | npt.NDArray[np.int32]

FEW_COMBINATIONS: Final = 128
"""With no more combinations of truth values than these, each is a class, whether it occurs or not."""

_MOST_BYTES: Final = 256
_AT_ONCE: Final = 12
"""How many conditions divide the classes in one go."""

_LARGEST_TABLE: Final = 24
"""The logarithm of how many classes they may divide them into, possible or not."""


@dataclass(frozen=True, slots=True)
class EventClasses:
    """The classes of the rows of a stream.

    Parameters
    ----------
    of_rows : uint8 or int32 array of shape (n_rows,)
        The class of each row; classes are ``0 .. len(holds) - 1``. Bytes where there are no more than 256.
    holds : bool array of shape (n_classes, n_conditions)
        Which of the conditions the events of a class satisfy.
    """

    of_rows: Classes
    holds: Truth


def one_class(columns: Columns) -> EventClasses:
    """All rows, of which nothing is known."""
    return EventClasses(np.zeros(columns.size, np.uint8), np.zeros((1, 0), np.bool_))


def divided_by(found: EventClasses, conditions: Conditions, columns: Columns) -> EventClasses:
    """Divide classes by evaluating conditions on columns."""
    if len(found.holds) << len(conditions) <= FEW_COMBINATIONS:
        return _combined(found, conditions, columns)
    return numbered(found, conditions, columns)


def numbered(found: EventClasses, conditions: Conditions, columns: Columns) -> EventClasses:
    """The same, and number those that occur."""
    done = 0
    while done < len(conditions):
        more = max(1, min(_AT_ONCE, _LARGEST_TABLE - len(found.holds).bit_length()))
        found = _refined(found, Masks(conditions[done : done + more], columns))
        done += more
    return found


def _refined(given: EventClasses, masks: Masks) -> EventClasses:
    """Divide classes by a few more conditions."""
    more, holds = masks.size, given.holds
    known = np.full(len(holds) << more, -1, np.int32)
    found: npt.NDArray[np.int64] = np.zeros(len(known), np.int64)
    of_rows: Classes = np.empty(len(given.of_rows), np.uint8)
    size = 0
    for start in range(0, len(of_rows), masks.chunk):
        stop = min(start + masks.chunk, len(of_rows))
        codes = given.of_rows[start:stop].astype(np.int32)
        np.left_shift(codes, more, out=codes)
        for bit, mask in enumerate(masks.evaluate(start, stop)):
            set_bit(codes, frozen(mask), bit)
        size = number_codes(codes, known, found, size)
        if size > _MOST_BYTES and of_rows.dtype == np.uint8:
            of_rows = of_rows.astype(np.int32)
        of_rows[start:stop] = codes
    return EventClasses(of_rows, _holding(holds, found[:size], more))


def _holding(holds: Truth, codes: npt.NDArray[np.int64], more: int) -> Truth:
    """What holds in classes whose codes are those of others, and a bit for each of some more conditions."""
    bits = codes[:, None] >> np.arange(more) & 1
    return np.concatenate([holds[codes >> more], bits.astype(np.bool_)], axis=1)


def _combined(given: EventClasses, conditions: Conditions, columns: Columns) -> EventClasses:
    """The same, into all combinations of their truth values, whether these occur or not."""
    more = len(conditions)
    of_rows = given.of_rows * np.uint8(1 << more)  # NumPy shifts bytes one by one
    thresholds = [threshold_of(condition, columns) for condition in conditions]
    for bit, threshold in enumerate(thresholds):
        if threshold is not None:
            threshold.set_bit(of_rows, bit)
    others = [bit for bit, threshold in enumerate(thresholds) if threshold is None]
    masks = Masks([conditions[bit] for bit in others], columns)
    for start in range(0, len(of_rows) if others else 0, masks.chunk):
        some = of_rows[start : start + masks.chunk]
        for bit, mask in zip(others, masks.evaluate(start, start + len(some)), strict=True):
            set_bit(some, frozen(mask), bit)
    holds = _holding(given.holds, np.arange(len(given.holds) << more), more)
    negated = [threshold is not None and threshold.negated for threshold in thresholds]
    holds[:, given.holds.shape[1] :] ^= np.array(negated, np.bool_)
    return EventClasses(of_rows, holds)
