"""Which rows to look at: those where an event begins a run or changes one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

import numpy as np

from mnemata.automata.engine.columns import Truth
from mnemata.automata.engine.moves import MoveTable
from mnemata.automata.srt.transducer import State

CHUNK: Final = 1 << 14
MOST_SETS: Final = 64


class Schedule:
    """Finds the next row that matters to the states that currently have runs.

    Rows that do not matter are passed over in numpy, a chunk at a time. For each set of states that occurs
    in a chunk the rows that matter to it are listed once; past `MOST_SETS` such sets every row is said to
    matter, which is slower and just as right.

    States are given as the set bits of an integer.
    """

    def __init__(self, table: MoveTable) -> None:
        self._table = table
        self._starting = table.starting()
        self._moving: dict[State, Truth] = {}
        self._chunk = -1
        self._rows: dict[int, Sequence[int]] = {}

    def next(self, row: int, stop: int, states: int) -> int:
        """The first row from `row` on that matters to runs in `states`, or to new ones.

        A row from `stop` on when there is none before.
        """
        while row < stop:
            chunk = row // CHUNK
            rows = self._rows_of(chunk, states)
            place = bisect_left(rows, row)
            if place < len(rows):
                return rows[place]
            row = (chunk + 1) * CHUNK
        return stop

    def _rows_of(self, chunk: int, states: int) -> Sequence[int]:
        if chunk != self._chunk:
            self._chunk = chunk
            self._rows.clear()
        if states not in self._rows:
            self._rows[states] = self._list(chunk, states)
        return self._rows[states]

    def _list(self, chunk: int, states: int) -> Sequence[int]:
        begin = chunk * CHUNK
        classes = self._table.classes.of_rows[begin : begin + CHUNK]
        if len(self._rows) >= MOST_SETS:
            return range(begin, begin + len(classes))
        matters = self._starting.copy()
        for state in bits(states):
            matters |= self._moving_of(state)
        rows: list[int] = (np.flatnonzero(matters[classes]) + begin).tolist()
        return rows

    def _moving_of(self, state: State) -> Truth:
        if state not in self._moving:
            self._moving[state] = self._table.moving(state)
        return self._moving[state]


def bits(states: int) -> list[State]:
    """The states in a set given as an integer.

    >>> bits(0b1101)
    [0, 2, 3]
    """
    found = []
    while states:
        lowest = states & -states
        found.append(lowest.bit_length() - 1)
        states ^= lowest
    return found
