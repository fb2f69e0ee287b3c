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
from mnemata.automata.engine.vectors import Masks
from mnemata.theory.conditions.formulas import And, Condition, Top, conjunction, registers

Codes: TypeAlias = npt.NDArray[np.int32]

_WORD: Final = 64


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
    masks = Masks(conditions, columns)
    known: dict[bytes, int] = {}
    of_rows: Codes = np.zeros(columns.size, np.int32)
    for start in range(0, columns.size if conditions else 0, masks.chunk):
        stop = min(start + masks.chunk, columns.size)
        patterns, places = np.unique(_packed(masks.evaluate(start, stop)), return_inverse=True)
        codes = [known.setdefault(pattern.tobytes(), len(known)) for pattern in patterns]
        of_rows[start:stop] = np.array(codes, np.int32)[places.reshape(-1)]
    return EventClasses(of_rows, _unpacked(known, len(conditions)))


def _packed(masks: Sequence[Truth]) -> npt.NDArray[np.void] | npt.NDArray[np.uint64]:
    """The bits of each row as one item: a 64-bit word where they fit, else several in a row of bytes."""
    words = -(-len(masks) // _WORD)
    bits: npt.NDArray[np.uint64] = np.zeros((len(masks[0]), words), np.uint64)
    for number, mask in enumerate(masks):
        word, bit = divmod(number, _WORD)
        bits[:, word] |= mask.astype(np.uint64) << np.uint64(bit)
    return bits[:, 0] if words == 1 else bits.view(f"V{8 * words}")[:, 0]


def _unpacked(known: dict[bytes, int], conditions: int) -> Truth:
    if not conditions:
        return np.zeros((1, 0), np.bool_)
    words = np.frombuffer(b"".join(known), np.uint64).reshape(len(known), -(-conditions // _WORD))
    columns = [words[:, n // _WORD] >> np.uint64(n % _WORD) & np.uint64(1) for n in range(conditions)]
    return np.stack(columns, axis=1).astype(np.bool_)
