"""What is wrong with rows: for each row the first fault that was found, if any."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mnemata.pipeline.sources.casting import Mask


class Faults:
    """The faults of the rows of one batch.

    A fault is a `reason`, of which there are few, so that rows can be counted by it, and a `detail` of
    the one row, such as the text that is not a number.
    """

    __slots__ = ("_codes", "_details", "_reasons")

    def __init__(self, size: int) -> None:
        self._codes: npt.NDArray[np.int32] = np.full(size, -1, dtype=np.int32)
        self._reasons: dict[str, int] = {}
        self._details: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._codes)

    def add(self, wrong: Mask, reason: str, detail: Callable[[int], str | None] | None = None) -> None:
        """Note a fault of the rows in `wrong`, other than those that have one already."""
        rows = np.flatnonzero(wrong & (self._codes < 0))
        if len(rows) == 0:
            return
        self._codes[rows] = self._reasons.setdefault(reason, len(self._reasons))
        if detail is not None:
            shown = ((int(row), detail(int(row))) for row in rows)
            self._details.update((row, text) for row, text in shown if text is not None)

    def add_one(self, row: int, reason: str, detail: str | None = None) -> None:
        """Note a fault of one row, unless it has one already."""
        if self._codes[row] < 0:
            self._codes[row] = self._reasons.setdefault(reason, len(self._reasons))
            if detail is not None:
                self._details[row] = detail

    @property
    def any(self) -> bool:
        """Whether some row is faulty."""
        return bool(self._reasons)

    @property
    def mask(self) -> Mask:
        """The faulty rows."""
        return self._codes >= 0

    def reasons(self) -> pa.StringArray:
        """The reason of each row, null where it is sound."""
        codes = pa.array(self._codes, pa.int32(), mask=self._codes < 0)
        return pa.array(list(self._reasons), pa.string()).take(codes)

    def details(self) -> pa.StringArray:
        """The detail of each row, null where there is none."""
        return pa.array([self._details.get(row) for row in range(len(self._codes))], pa.string())
