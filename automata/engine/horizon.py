"""What the outermost windows of a pattern still allow (Def. 39): runs that began too early are dropped."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from mnemata.automata.engine.columns import Columns
from mnemata.theory.errors import ConditionTypeError
from mnemata.theory.schema import NANOSECONDS, Schema, Timestamp
from mnemata.theory.sremo.expressions import EventWindow, LengthWindow, TimeWindow, Window


class Horizon:
    """The earliest rows that a match may mark, or begin at, when it ends at the current row.

    Parameters
    ----------
    windows : sequence of Window
        All of them hold at once.
    columns : Columns
        With the time attribute, when a window is in time; within a sub-stream timestamps never decrease, and
        none is missing.
    strings : bool
        Whether all windows bound the string, and not only its marks.

    Attributes
    ----------
    first_mark : int
        The earliest row that a match ending at the current row may mark.
    first_row : int
        The earliest row at which its string may begin; -1 without a window that bounds it.
    """

    def __init__(self, windows: Sequence[Window], columns: Columns, *, strings: bool = False) -> None:
        self._strings = strings and bool(windows)
        self._events = min((w.size for w in windows if isinstance(w, EventWindow)), default=None)
        self._length = min((w.size for w in windows if isinstance(w, LengthWindow)), default=None)
        durations = [ticks(w, columns.schema) for w in windows if isinstance(w, TimeWindow)]
        self._ticks = min(durations, default=None)
        self._times: Sequence[int] = ()
        if self._ticks is not None:
            self._times = columns[columns.schema.time or ""].values.data
        self.first_mark, self.first_row = 0, -1

    @property
    def bounds_length(self) -> bool:
        """Whether it matters where the string of a run begins."""
        return self._strings or self._length is not None

    def enter(self, begin: int) -> None:
        """Make `begin` the current row, the first of a sub-stream."""
        self.first_mark = begin

    def move(self, row: int) -> None:
        """Make `row` the current one; rows never decrease within a sub-stream."""
        if self._ticks is not None:
            latest_too_old = self._times[row] - self._ticks
            self.first_mark = bisect_right(self._times, latest_too_old, self.first_mark, row)
        if self._events is not None:
            self.first_mark = max(self.first_mark, row - self._events + 1)
        if self._length is not None:
            self.first_row = row - self._length + 1
        if self._strings:
            self.first_row = max(self.first_row, self.first_mark)


def ticks(window: TimeWindow, schema: Schema) -> int:
    """The length of a window in the unit of the timestamps."""
    kind = None if schema.time is None else schema[schema.time]
    if not isinstance(kind, Timestamp):
        raise ConditionTypeError("a window in time needs a schema with a time attribute")
    return window.duration.nanoseconds // NANOSECONDS[kind.unit]
