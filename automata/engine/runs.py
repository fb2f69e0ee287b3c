"""The runs of an SRT over one sub-stream: Algorithm 1, repaired, over columns.

Runs that agree on state, live registers and marks have the same future and are one. Accepting runs live on
(ERRATA A9). A run begins at every event, which replaces the loop of the streaming SRT (Def. 32).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from mnemata.automata.engine.horizon import Horizon
from mnemata.automata.engine.moves import MoveTable, Registers, Step
from mnemata.automata.engine.schedule import Schedule
from mnemata.automata.srt.transducer import State
from mnemata.theory.errors import LimitError


class Marks:
    """Marked rows as a chain, last first; runs share what they have in common.

    Within one recognition equal chains are identical objects, so they compare and hash by identity.
    """

    __slots__ = ("before", "first", "row", "size")

    def __init__(self, row: int, before: Marks | None) -> None:
        self.row, self.before = row, before
        self.first: int = row
        self.size: int = 1
        if before is not None and before.size:
            self.first, self.size = before.first, before.size + 1

    def rows(self) -> list[int]:
        """The rows in increasing order."""
        found = [0] * self.size
        marks: Marks | None = self
        for place in range(self.size - 1, -1, -1):
            if marks is not None:
                found[place], marks = marks.row, marks.before
        return found


NO_MARKS: Final = Marks(-1, None)
"""Of a run that has marked nothing yet: no window on marks can close on it."""
NO_MARKS.first, NO_MARKS.size = sys.maxsize, 0

Group: TypeAlias = dict[Marks, int]
"""Runs in the same state with the same registers. The value is the latest row at which one of the runs
that were merged began, which is the one that a window on length keeps longest; 0 without such a window."""

Arrival: TypeAlias = tuple[State, Registers, Group]
"""Runs that an event has moved to a state; nothing else refers to the group."""

FEWEST_TO_SWEEP: Final = 1024


class Runs:
    """The runs over one sub-stream, event by event.

    Parameters
    ----------
    table : MoveTable
        What runs do.
    schedule : Schedule
        Of the same table.
    horizon : Horizon
        The windows, for this sub-stream.
    limit : int
        The largest number of runs to hold at once, those that an event makes of others included.
    too_many : callable
        Takes the row and the number of runs where there are more; returns the error to raise.
    """

    def __init__(
        self,
        table: MoveTable,
        schedule: Schedule,
        horizon: Horizon,
        limit: int,
        too_many: Callable[[int, int], LimitError],
    ) -> None:
        self._table, self._schedule, self._horizon = table, schedule, horizon
        self._limit, self._too_many = limit, too_many
        self._of_state: dict[State, dict[Registers, Group]] = {}
        self._occupied = 0
        self._live = 0
        self._arriving = 0
        self._sweep_at = min(FEWEST_TO_SWEEP, limit // 2)
        self._arrivals: list[Arrival] = []
        self._found: Group = {}
        self._extended: dict[Marks, Marks] = {}

    def matches(self, begin: int, end: int) -> Iterator[tuple[int, list[Marks]]]:
        """The rows from `begin` to `end` at which matches end, in order, each with its matches.

        Raises `LimitError` when there are more runs than the limit.
        """
        row = self._schedule.next(begin, end, self._occupied)
        while row < end:
            self._read(row)
            if self._found:
                yield row, list(self._found)
            row = self._schedule.next(row + 1, end, self._occupied)

    def _read(self, row: int) -> None:
        """Move every run, and a new one, on the event of a row."""
        self._horizon.move(row)
        self._arrivals, self._found, self._extended = [], {}, {}
        self._arriving = 0
        event_class = int(self._table.classes.of_rows[row])
        for state in list(self._of_state):
            moves = self._table.moves(state, event_class)
            if moves.steps:
                self._advance(self._of_state[state], moves.steps, row)
            if not moves.stay or not self._of_state[state]:
                self._drop(state)
        steps = self._table.moves(self._table.start, event_class).steps
        if steps:
            began = row if self._horizon.bounds_length else 0
            self._advance({self._table.empty: {NO_MARKS: began}}, steps, row)
        for arrival in self._arrivals:
            self._settle(*arrival)
        if self._live > self._sweep_at:
            self._sweep()

    def _advance(self, runs: dict[Registers, Group], steps: tuple[Step, ...], row: int) -> None:
        """Take all steps that are open to the runs, and forget runs that a window has closed on."""
        for registers, group in list(runs.items()):
            self._expire(group)
            if not group:
                del runs[registers]
                continue
            marked: Group = {}
            for test, carry, target, marks, reports, goes_on in steps:
                if test is None or test(row, registers):
                    if marks and not marked:
                        marked = {self._extend(m, row): began for m, began in group.items()}
                    if reports:
                        self._found.update(marked)
                    if goes_on:
                        self._arrive(target, carry(row, registers), marked if marks else group, row)

    def _arrive(self, state: State, registers: Registers, group: Group, row: int) -> None:
        self._arrivals.append((state, registers, dict(group)))
        self._arriving += len(group)
        if self._live + self._arriving > self._limit:
            raise self._too_many(row, self._live + self._arriving)

    def _expire(self, group: Group) -> None:
        first_mark, first_row = self._horizon.first_mark, self._horizon.first_row
        expired = [m for m, began in group.items() if m.first < first_mark or began < first_row]
        for marks in expired:
            del group[marks]
        self._live -= len(expired)

    def _extend(self, marks: Marks, row: int) -> Marks:
        extended = self._extended.get(marks)
        if extended is None:
            extended = self._extended[marks] = Marks(row, marks)
        return extended

    def _settle(self, state: State, registers: Registers, arrived: Group) -> None:
        """Add runs to a state; those that are there already stay once."""
        entries = self._of_state.get(state)
        if entries is None:
            entries = self._of_state[state] = {}
            self._occupied |= 1 << state
        group = entries.get(registers)
        if group is None:
            entries[registers] = arrived
            self._live += len(arrived)
        else:
            self._live += _merge(group, arrived) if self._horizon.bounds_length else _add(group, arrived)

    def _drop(self, state: State) -> None:
        self._live -= sum(map(len, self._of_state.pop(state).values()))
        self._occupied &= ~(1 << state)

    def _sweep(self) -> None:
        """Forget the runs that a window has closed on, wherever they are."""
        for state, entries in list(self._of_state.items()):
            for registers, group in list(entries.items()):
                self._expire(group)
                if not group:
                    del entries[registers]
            if not entries:
                self._drop(state)
        self._sweep_at = min(max(FEWEST_TO_SWEEP, 2 * self._live), (self._live + self._limit) // 2)


def _add(group: Group, arrived: Group) -> int:
    before = len(group)
    group.update(arrived)
    return len(group) - before


def _merge(group: Group, arrived: Group) -> int:
    before = len(group)
    for marks, began in arrived.items():
        group[marks] = max(began, group.get(marks, began))
    return len(group) - before
