"""Recognition in Python, for what the kernel cannot do: ambiguous automata, Python functions as relations.

A *future* is the set of all configurations that have one history of marks: two runs that mark the same rows
go on as one, so that no match is found twice however many runs have it. This is determinization with regard
to outputs, on the fly; histories with the same future share it, as in the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from mnemata.automata.compilation import Begins, CompiledPattern
from mnemata.automata.engine.blocks import Block
from mnemata.automata.engine.columns import Columns, Rows
from mnemata.automata.engine.compiled.enumeration import REPORT_COLUMNS
from mnemata.automata.engine.compiled.graph import (
    COLUMNS,
    EMPTY,
    LEAST_NODES,
    NEVER,
    collect,
    merge,
    new_nodes,
    put,
    room_to_merge,
)
from mnemata.automata.engine.compiled.plan import Mode
from mnemata.automata.engine.compiled.reports import enumerated
from mnemata.automata.engine.compiled.search import CONFIGURATIONS, NODES, Limits
from mnemata.automata.engine.dividing import Conditions, EventClasses
from mnemata.automata.engine.horizon import Horizon
from mnemata.automata.engine.moves import MoveTable, Registers
from mnemata.automata.engine.schedule import Schedule
from mnemata.automata.srt.marking import states_before_marks
from mnemata.automata.srt.transducer import State
from mnemata.theory.errors import LimitError
from mnemata.theory.sremo.expressions import LengthWindow

Place: TypeAlias = tuple[State, Registers]
Future: TypeAlias = frozenset[tuple[Place, int]]
"""The configurations of a history, each with the latest row at which a string that leads there began; 0 where
no window asks."""

Key: TypeAlias = tuple[Future, int, bool]
"""A future; when matches in a window are counted, the first mark, else 0; and whether what it has marked was
found, where that is to happen once."""


class _Value(NamedTuple):
    """What is known of the histories of a future: node, number and latest first mark."""

    node: int
    number: int
    start: int


BEGINNING: Final = _Value(EMPTY, 1, NEVER)
REPORTS_AT_ONCE: Final = 1 << 16


class Futures:
    """A pattern and the stream to search, by futures.

    The parameters are those of `mnemata.automata.engine.compiled.search.Search`; the automaton may be any.
    """

    def __init__(
        self,
        compiled: CompiledPattern,
        columns: Columns,
        bounds: Rows,
        limits: Limits,
        too_many: Callable[[int, int, str], LimitError],
        classes: Callable[[Conditions], EventClasses] | None = None,
    ) -> None:
        self._compiled, self._columns, self._bounds = compiled, columns, bounds
        self._limits, self._too_many = limits, too_many
        self._table = MoveTable(compiled, columns, classes)

    def matches(self, first: int | None = None) -> Iterator[Block]:
        """All matches by last row, or only so many for each."""
        run = self._run(Mode.ENUMERATE)
        for reports in _portions(run.reports()):
            yield from enumerated(run.nodes, reports, first)
            run.forget()

    def count(self) -> int:
        """How many matches there are, exactly."""
        return sum(number for _, number in self.counts())

    def counts(self) -> Iterator[tuple[int, int]]:
        """The rows at which matches end, each with their number, exactly."""
        for row, some in groupby(self._run(Mode.COUNT).reports(), key=lambda report: report.row):
            yield row, sum(report.number for report in some)

    def ends(self) -> Iterator[Rows]:
        """The rows at which matches end."""
        for reports in _portions(self._run(Mode.DETECT).reports()):
            yield np.unique(np.where(reports[:, 0] < 0, -1 - reports[:, 0], reports[:, 0]))

    def _run(self, mode: Mode) -> _Run:
        return _Run(self, mode)


class _Report(NamedTuple):
    row: int
    node: int
    number: int
    cutoff: int
    marks: bool
    """Whether the row is marked."""


class _Run:
    """One pass over the stream."""

    def __init__(self, search: Futures, mode: Mode) -> None:
        self._search, self._mode = search, mode
        self._table, self._bounds = search._table, search._bounds
        self._schedule = Schedule(self._table)
        self._once = search._compiled.shows_less
        self._horizon = Horizon(search._compiled.windows, search._columns, strings=self._once)
        self._ahead = states_before_marks(search._compiled.srt)
        self._by_key: dict[Key, _Value] = {}
        self._waiting: dict[Place, int] = {}
        self.nodes, self._size = new_nodes(), 1
        self._collect_at = LEAST_NODES
        windows = search._compiled.windows
        self._by_start = mode is Mode.COUNT and any(not isinstance(w, LengthWindow) for w in windows)

    def reports(self) -> Iterator[_Report]:
        for begin, end in pairwise(self._bounds.tolist()):
            self._horizon.enter(begin)
            self._by_key, self._waiting = {}, {}
            if self._search._compiled.begins is Begins.AT_FIRST:
                self._waiting[self._table.start, self._table.empty] = self._began(begin)
            row = self._schedule.next(begin, end, self._occupied())
            while row < end:
                found = self._read(row)
                self._check(row)
                yield from found
                row = self._schedule.next(row + 1, end, self._occupied())

    def _began(self, row: int) -> int:
        return row if self._horizon.bounds_length else 0

    def forget(self) -> None:
        """Collect the nodes that no future needs."""
        if self._size < self._collect_at:
            return
        keys = list(self._by_key)
        roots = np.array([self._by_key[key].node for key in keys], np.int64)
        alive, places = np.zeros(self._size, np.uint8), np.zeros(self._size, np.int64)
        alive[roots] = 1
        self._size = int(collect(self.nodes, self._size, alive, self._horizon.first_mark, places))
        for key, node in zip(keys, places[roots].tolist(), strict=True):
            self._by_key[key] = self._by_key[key]._replace(node=node)
        self._collect_at = max(LEAST_NODES, 2 * self._size)

    def _occupied(self) -> int:
        states = 0
        for future, *_ in self._by_key:
            for (state, _), _ in future:
                states |= 1 << state
        for state, _ in self._waiting:
            states |= 1 << state
        return states

    def _check(self, row: int) -> None:
        limits, found = self._search._limits, len(self._by_key)
        if found > limits.configurations:
            raise self._search._too_many(row, found, CONFIGURATIONS)
        if self._size > limits.nodes:
            raise self._search._too_many(row, self._size, NODES)

    def _read(self, row: int) -> list[_Report]:
        """Let every history take its steps, and the one that has marked nothing."""
        self._horizon.move(row)
        before, self._by_key = self._by_key, {}
        cutoff, found = self._horizon.first_mark, []
        for (future, _, told), value in before.items():
            if value.start >= cutoff:
                waiting, marked, accepting = self._steps(dict(future), row)
                for marks in sorted(accepting):
                    if marks or not told:
                        found.append(_Report(row, value.node, value.number, cutoff, marks))
                self._settle(waiting, value, told or (self._once and False in accepting))
                if marked:
                    self._settle(marked, self._extended(value, row), self._once and True in accepting)
        table = self._table
        begun = dict(self._waiting)
        begins = self._search._compiled.begins
        if begins is Begins.ANYWHERE or (begins is Begins.ALONE and not begun):
            begun[table.start, table.empty] = self._began(row)
        waiting, marked, accepting = self._steps(begun, row)
        if begins is not Begins.AT_FIRST:
            waiting.pop((table.start, table.empty), None)  # a run begins at every row anyway
        self._waiting = waiting
        if True in accepting:
            found.append(_Report(row, EMPTY, 1, cutoff, True))
        if marked:
            self._settle(marked, self._extended(BEGINNING, row), self._once and True in accepting)
        return found

    def _steps(
        self, places: dict[Place, int], row: int
    ) -> tuple[dict[Place, int], dict[Place, int], set[bool]]:
        """Where runs go without marking the event, where with marking it; and which of these find matches."""
        event_class = int(self._table.classes.of_rows[row])
        waiting: dict[Place, int] = {}
        marked: dict[Place, int] = {}
        accepting: set[bool] = set()
        for (state, registers), began in places.items():
            if began < self._horizon.first_row:
                continue
            moves = self._table.moves(state, event_class)
            if moves.stay:
                _latest(waiting, (state, registers), began)
            for test, carry, target, marks, reports, goes_on in moves.steps:
                if test is None or test(row, registers):
                    if reports:
                        accepting.add(marks)
                    if goes_on:
                        _latest(marked if marks else waiting, (target, carry(row, registers)), began)
        return waiting, marked, accepting

    def _extended(self, value: _Value, row: int) -> _Value:
        start = row if value.start == NEVER else value.start
        node = EMPTY
        if self._mode is Mode.ENUMERATE:
            self._reserve(1)
            node = self._size
            self._size = int(put(self.nodes, node, row, value.node, EMPTY, start))
        return _Value(node, value.number, start)

    def _settle(self, places: dict[Place, int], value: _Value, told: bool) -> None:
        if told:
            places = {place: began for place, began in places.items() if place[0] in self._ahead}
        if not places:
            return
        key = (frozenset(places.items()), value.start if self._by_start else 0, told)
        other = self._by_key.get(key)
        self._by_key[key] = value if other is None else self._merged(value, other)

    def _merged(self, one: _Value, other: _Value) -> _Value:
        node, start = EMPTY, max(one.start, other.start)
        if self._mode is Mode.ENUMERATE:
            self._reserve(int(room_to_merge(self.nodes, one.node, other.node)))
            node, self._size = map(int, merge(self.nodes, self._size, one.node, other.node))
        return _Value(node, one.number + other.number, start)

    def _reserve(self, room: int) -> None:
        if self._size + room > len(self.nodes):
            more = np.zeros((max(len(self.nodes), room), COLUMNS), np.int64)
            self.nodes = np.concatenate([self.nodes, more])


def _latest(places: dict[Place, int], place: Place, began: int) -> None:
    places[place] = max(began, places.get(place, began))


def _portions(reports: Iterator[_Report]) -> Iterator[Rows]:
    some: list[tuple[int, int, int]] = []
    for row, node, _, cutoff, marks in reports:
        some.append((row if marks else -1 - row, node, cutoff))
        if len(some) >= REPORTS_AT_ONCE:
            yield np.array(some, np.int64)
            some = []
    yield np.array(some, np.int64).reshape(-1, REPORT_COLUMNS)
