"""Event classes: which guards an event can satisfy as far as the event alone decides it.

Every guard is a conjunction of a part that reads only the head and a rest that also reads registers. The
first parts are evaluated for whole columns; events on which all of them agree form a class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.columns import Columns, Truth
from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.scans import number_codes, set_bit
from mnemata.automata.engine.vectors import Masks
from mnemata.theory.conditions.formulas import And, Condition, Top, conjunction, registers

Codes: TypeAlias = npt.NDArray[np.int32]

_AT_ONCE: Final = 12
"""How many conditions divide the classes in one go."""

_LARGEST_TABLE: Final = 24
"""The logarithm of how many classes they may divide them into, possible or not."""


class Guard(NamedTuple):
    """A condition as the conjunction of `head`, which reads the head only, and `rest`.

    ``None`` stands for true.
    """

    head: Condition | None
    rest: Condition | None


def split(condition: Condition) -> Guard:
    """The two parts of a guard; their conjunction is equivalent to it.

    >>> from mnemata.theory.conditions.building import head, register
    >>> split((head().id == 1) & (head().id > register("r").id)).head
    Comparison('=', Attribute('~', 'id'), Constant(1))
    """
    parts = condition.operands if isinstance(condition, And) else (condition,)
    own = [part for part in parts if not registers(part)]
    joint = [part for part in parts if registers(part)]
    return Guard(_joined(own), _joined(joint))


def _joined(parts: Sequence[Condition]) -> Condition | None:
    whole = conjunction(*parts)
    return None if isinstance(whole, Top) else whole


@dataclass(frozen=True, slots=True)
class EventClasses:
    """The classes of the rows of a stream.

    Parameters
    ----------
    of_rows : int32 array of shape (n_rows,)
        The class of each row; classes are ``0 .. len(holds) - 1``.
    holds : bool array of shape (n_classes, n_conditions)
        Which of the conditions the events of a class satisfy.
    """

    of_rows: Codes
    holds: Truth


def classify(conditions: Sequence[Condition], columns: Columns) -> EventClasses:
    """The classes of all rows with regard to `conditions`, which read the head only."""
    of_rows: Codes = np.zeros(columns.size, np.int32)
    holds: Truth = np.zeros((1, 0), np.bool_)
    done = 0
    while done < len(conditions):
        more = max(1, min(_AT_ONCE, _LARGEST_TABLE - len(holds).bit_length()))
        holds = _refined(of_rows, holds, Masks(conditions[done : done + more], columns))
        done += more
    return EventClasses(of_rows, holds)


def _refined(of_rows: Codes, holds: Truth, masks: Masks) -> Truth:
    """Divide the classes by a few more conditions; `of_rows` is changed in place."""
    more = masks.size
    known = np.full(len(holds) << more, -1, np.int32)
    found: npt.NDArray[np.int64] = np.zeros(len(known), np.int64)
    size = 0
    for start in range(0, len(of_rows), masks.chunk):
        stop = min(start + masks.chunk, len(of_rows))
        codes = of_rows[start:stop]
        np.left_shift(codes, more, out=codes)
        for bit, mask in enumerate(masks.evaluate(start, stop)):
            set_bit(codes, frozen(mask), bit)
        size = number_codes(codes, known, found, size)
    bits = found[:size, None] >> np.arange(more) & 1
    return np.concatenate([holds[found[:size] >> more], bits.astype(np.bool_)], axis=1)
