"""One sub-stream whose events arrive little by little: what has to be kept from one batch to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.columns import Array, Columns
from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.joins import chains
from mnemata.automata.engine.compiled.machine import Memory
from mnemata.automata.engine.compiled.plan import Mode, Plan, Tables
from mnemata.automata.engine.compiled.reports import enumerated, totals
from mnemata.automata.engine.compiled.search import (
    Limits,
    memory_of,
    spans_of,
    stages,
    times_of,
    without_garbage,
)
from mnemata.automata.engine.compiled.store import (
    LIVE,
    N_NODES,
    N_OCCUPIED,
    N_REPORTS,
    NEXT_ROW,
    SUBSTREAM,
    TOP,
    Store,
    new_store,
)
from mnemata.automata.engine.compiled.stream import LEAST, Stream
from mnemata.automata.engine.dividing import Classes
from mnemata.theory.errors import LimitError

Ints = npt.NDArray[np.int64]


class Kept(NamedTuple):
    """Events that registers hold, and times that windows still need.

    Parameters
    ----------
    ints, floats : int64 and float64 arrays of shape (n_columns, n_events)
        What programs read of the events in registers.
    int_missing, float_missing : bool arrays of the same shapes
        Where there is no value.
    times : int64 array
        The timestamps of the last events, where windows in time and in events meet; else empty.
    """

    ints: Ints
    floats: npt.NDArray[np.float64]
    int_missing: npt.NDArray[np.bool_]
    float_missing: npt.NDArray[np.bool_]
    times: Ints


class Found(NamedTuple):
    """What a batch brought: matches and the row at which each is found, or such rows and how many matches."""

    positions: Ints
    ends: Ints
    rows: Ints
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Lane:
    """The state of recognition in one sub-stream. `read` makes a new one and leaves this one as it is.

    Parameters
    ----------
    plan : Plan
        Of the pattern.
    store : Store
        The entries, whose registers are places in `kept`.
    kept : Kept
        Of past events.
    events : int
        How many events were read.
    last : int
        The timestamp of the last of them; 0 without a time attribute.
    consumed : int
        The last event that a match used up, as it is called in matches; -1 before.
    """

    plan: Plan
    store: Store
    kept: Kept
    events: int = 0
    last: int = 0
    consumed: int = -1

    @classmethod
    def new(cls, plan: Plan) -> Lane:
        """Before the first event."""
        programs = plan.programs
        shapes = (len(programs.ints), 0), (len(programs.floats), 0)
        ints, floats = np.zeros(shapes[0], np.int64), np.zeros(shapes[1], np.float64)
        missing = np.zeros(shapes[0], np.bool_), np.zeros(shapes[1], np.bool_)
        kept = Kept(ints, floats, *missing, np.zeros(0, np.int64))
        return cls(plan, new_store(plan.size, plan.widest), kept)

    @property
    def live(self) -> int:
        """How many distinct futures are kept."""
        return int(self.store.numbers[LIVE])

    @property
    def nodes(self) -> int:
        """How many nodes the match graph has."""
        return int(self.store.numbers[N_NODES])

    def collected(self) -> Lane:
        """The same without what windows have closed on."""
        spans, cutoff = spans_of(self.plan.compiled.windows, self.plan.compiled.schema), LEAST
        if spans.events is not None:
            cutoff = self.events - spans.events
        elif spans.ticks is not None and self.last >= LEAST + spans.ticks:
            cutoff = self.last - spans.ticks + 1
        return replace(self, store=without_garbage(_copied(self.store), cutoff))

    def read(
        self,
        columns: Columns,
        classes: Classes,
        tables: Tables,
        labels: Ints,
        limits: Limits,
        too_many: Callable[[int, int, str], LimitError],
    ) -> tuple[Lane, Found]:
        """Read more events.

        Parameters
        ----------
        columns : Columns
            The events of this sub-stream.
        classes : uint8 or int32 array of shape (n_events,)
            Their classes, for which `tables` were made.
        labels : int64 array of shape (n_events,)
            What they are called in matches.
        limits, too_many
            As for `mnemata.automata.engine.compiled.search.Search`.
        """
        if not columns.size:
            return self, _Findings().all()
        before = self.kept.ints.shape[1] if len(self.kept.ints) else self.kept.floats.shape[1]
        memory = self._memory(columns)
        stream, times = self._stream(columns, classes, labels, before)
        store = _copied(self.store)
        store.numbers[NEXT_ROW], store.numbers[SUBSTREAM] = before, 0
        found = _Findings()
        for stage in stages(
            store, tables, self.plan.programs, memory, stream, self.plan.mode, limits, too_many
        ):
            store = stage
            found.add(stage, self.plan.mode)
        time = columns.schema.time
        last = self.last if time is None else int(columns[time].values[-1])
        lane = replace(self, store=store, events=self.events + columns.size, last=last)
        return lane._keeping(memory, times), found.all()

    def _memory(self, columns: Columns) -> Memory:
        memory = memory_of(self.plan.programs, columns)
        kept = self.kept
        missing = (
            _missing(kept.int_missing, memory.int_missing, memory.ints),
            _missing(kept.float_missing, memory.float_missing, memory.floats),
        )
        ints = np.concatenate([kept.ints, memory.ints], axis=1)
        numbers = [self.plan.programs.ints[name] for name in self.plan.joined]
        absent = [missing[0][number] if len(missing[0]) else None for number in numbers]
        return memory._replace(
            chains=frozen(chains([ints[number] for number in numbers], absent, None)),
            ints=frozen(ints),
            floats=frozen(np.concatenate([kept.floats, memory.floats], axis=1)),
            int_missing=missing[0],
            float_missing=missing[1],
        )

    def _stream(self, columns: Columns, classes: Classes, labels: Ints, before: int) -> tuple[Stream, Ints]:
        """The events as rows behind those that are kept; and the times to keep."""
        rows = np.concatenate([np.zeros(before, classes.dtype), classes])
        spans = spans_of(self.plan.compiled.windows, columns.schema)
        numbers = np.arange(self.events - before, self.events + columns.size, dtype=np.int64)
        clock, cutoffs, span, times = np.zeros(0, np.int64), np.zeros(0, np.int64), 0, np.zeros(0, np.int64)
        if spans.ticks is not None:
            ticks = times_of(columns)
            clock, span = np.concatenate([np.zeros(before, np.int64), ticks]), spans.ticks
            if spans.events is not None:
                times = np.concatenate([self.kept.times, ticks])
                first = (
                    np.searchsorted(times, ticks - span, side="right") + self.events - len(self.kept.times)
                )
                within = np.maximum(first, numbers[before:] - spans.events + 1)
                cutoffs = np.concatenate([np.zeros(before, np.int64), within])
                times = times[-min(spans.events, len(times)) :]
        if spans.events is not None:
            clock, span = numbers, 0 if spans.ticks is not None else spans.events
        called = np.concatenate([np.zeros(before, np.int64), labels])
        stream = Stream(
            frozen(rows),
            frozen(np.array([[before, len(rows)]], np.int64)),
            frozen(clock),
            frozen(cutoffs),
            span,
            spans.length,
            self.events - before,
            frozen(called),
        )
        return stream, times

    def _keeping(self, memory: Memory, times: Ints) -> Lane:
        """Forget the events that no register holds."""
        store = self.store
        places, columns = registers_in(store, self.plan)
        held = store.entries[places, columns]
        rows = np.unique(held[held >= 0])
        store.entries[places, columns] = np.where(held >= 0, np.searchsorted(rows, held), -1)
        kept = Kept(
            memory.ints[:, rows],
            memory.floats[:, rows],
            _taken(memory.int_missing, memory.ints, rows),
            _taken(memory.float_missing, memory.floats, rows),
            times,
        )
        return replace(self, kept=kept)


@dataclass
class _Findings:
    positions: list[Ints] = field(default_factory=lambda: [np.zeros(0, np.int64)])
    ends: list[Ints] = field(default_factory=lambda: [np.zeros(0, np.int64)])
    rows: list[Ints] = field(default_factory=lambda: [np.zeros(0, np.int64)])
    counts: list[int] = field(default_factory=list)
    size: int = 0

    def add(self, store: Store, mode: Mode) -> None:
        """Add what a store reports."""
        reports = store.reports[: store.numbers[N_REPORTS]]
        if mode is Mode.ENUMERATE:
            for block in enumerated(store.nodes, reports):
                self.positions.append(block.positions)
                self.ends.append(block.ends + self.size)
                self.rows.append(block.rows)
                self.size += len(block.positions)
        elif mode is Mode.COUNT:
            for row, number in totals(store):
                self.rows.append(np.array([row], np.int64))
                self.counts.append(number)
        else:
            self.rows.append(reports[:, 0].copy())

    def all(self) -> Found:
        positions, ends, rows = map(np.concatenate, (self.positions, self.ends, self.rows))
        return Found(positions, ends, rows, tuple(self.counts))


def _copied(store: Store) -> Store:
    """The parts of a store that recognition changes, copied; the graph only grows, so it is shared."""
    top = int(store.numbers[TOP])
    return store._replace(
        numbers=store.numbers.copy(),
        entries=store.entries.copy() if top else store.entries,
        counts=store.counts.copy() if top else store.counts,
        segments=store.segments.copy(),
        occupied=store.occupied.copy(),
    )


def registers_in(store: Store, plan: Plan) -> tuple[Ints, Ints]:
    """Where entries hold rows: the indices of the entries, and of the parts of their keys."""
    rows, columns = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for state in store.occupied[: store.numbers[N_OCCUPIED], 0]:
        begin, _, used, _ = store.segments[state]
        live = plan.held[state]
        rows.append(np.repeat(np.arange(begin, begin + used), live))
        columns.append(np.tile(np.arange(live), used))
    return np.concatenate(rows), np.concatenate(columns)


def _missing(kept: npt.NDArray[np.bool_], more: npt.NDArray[np.bool_], like: Array) -> npt.NDArray[np.bool_]:
    if not len(more) and not kept.any():
        return frozen(np.zeros((0, 0), np.bool_))
    rest = more if len(more) else np.zeros(like.shape, np.bool_)
    return frozen(np.concatenate([kept, rest], axis=1))


def _taken(missing: npt.NDArray[np.bool_], like: Array, rows: Ints) -> npt.NDArray[np.bool_]:
    return missing[:, rows] if len(missing) else np.zeros((len(like), len(rows)), np.bool_)
