"""Recognition in one group of sub-streams, from one micro-batch to the next.

The keys of ``partition by`` are divided into groups by a hash. Spark keeps the state of each group: the
snapshot of the engine, in which each key that is alive has its part; the events that matches to come may
mark, as the matches will tell of them; and the events that wait for the watermark.

Events wait until the watermark has passed them. Then no event before them comes any more, and the engine
reads them in the order of the stream, by time and then by number. An event that comes when the watermark has
passed its time is late: it is not read, and it is told of. So what is found does not depend on the order in
which events come, as long as none is late; nor does it depend on the division into micro-batches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.automata.engine.blocks import Block
from mnemata.automata.engine.incremental import Recogniser
from mnemata.automata.engine.matches import MARKS_PER_ROW, Match
from mnemata.automata.engine.results import event_lists, result_batch
from mnemata.pipeline.recognition import MATCHES_AT_ONCE, Task, written
from mnemata.pipeline.sources.formats import ROW, stored_type
from mnemata.pipeline.streaming.clock import Clock
from mnemata.pipeline.streaming.files import as_text
from mnemata.pipeline.substreams import in_stream_order, shown
from mnemata.theory.schema import Schema

LATE: Final = "late: the watermark has passed its time"
EVENT: Final = "#event"
_TOLD: Final[list[pa.Field[Any]]] = [
    pa.field("row", pa.int64()),
    pa.field("reason", pa.string()),
    pa.field("detail", pa.string()),
    pa.field("raw", pa.string()),
]
QUARANTINE: Final = pa.schema(_TOLD)
"""The columns of rows that are no events, or came too late; see `mnemata.pipeline.quarantine`."""


class State(NamedTuple):
    """What is kept of a group.

    Parameters
    ----------
    snapshot : bytes
        Of the engine; empty when nothing that was read matters any more.
    held : bytes
        The events that matches to come may mark.
    waiting : bytes
        The events that wait for the watermark.
    wakes : int or None
        The watermark from which on there is something to do even if no event comes.
    live, nodes, lingering : int
        Configurations and nodes of match graphs in the snapshot; how many events wait.
    """

    snapshot: bytes = b""
    held: bytes = b""
    waiting: bytes = b""
    wakes: int | None = None
    live: int = 0
    nodes: int = 0
    lingering: int = 0

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return len(self.snapshot) + len(self.held) + len(self.waiting)


class Step(NamedTuple):
    """What came of some events, or of time that passed.

    Parameters
    ----------
    state : State or None
        What is kept from now on; ``None`` when nothing is.
    events : int
        How many events the engine read.
    matches : list of pyarrow.RecordBatch
        Matches in the columns of the task's result.
    late : pyarrow.RecordBatch
        Events that came too late, in the columns of `QUARANTINE`.
    """

    state: State | None
    events: int
    matches: list[pa.RecordBatch]
    late: pa.RecordBatch


class Group:
    """Takes groups from state to state, one at a time.

    Parameters
    ----------
    task : Task
        What to find. Raises `UnsupportedError` for patterns that cannot be recognised batch by batch.
    schema : Schema
        Of the events that arrive, which may have more attributes than the task reads.
    """

    def __init__(self, task: Task, schema: Schema) -> None:
        self._task, self._schema = task, schema
        self._clock = Clock.of(schema)
        self._recogniser = Recogniser(task.compiled, task.compiled.schema, limits=task.options.limits)
        self._empty = self._recogniser.snapshot()
        stored: list[pa.Field[Any]] = [
            pa.field(name, stored_type(task.compiled.schema[name])) for name in task.columns
        ]
        self._events = pa.schema([pa.field(ROW, pa.int64()), *stored])
        self._held = self._events.append(pa.field(EVENT, pa.int64()))

    def step(self, state: State, arrived: pa.Table | None, watermark: int | None) -> Step:
        """Read what has come.

        Parameters
        ----------
        state : State
            What was kept.
        arrived : pyarrow.Table or None
            New events: `ROW`, and the attributes as the pipeline stores them.
        watermark : int or None
            In milliseconds; ``None`` before there is one, and in streams without time.

        Raises
        ------
        LimitError, SnapshotError, RelationError
            What recognition raises; then nothing has changed.
        """
        waiting = _read(state.waiting, self._events)
        late = arrived.slice(0, 0) if arrived is not None else None
        if arrived is not None:
            late, arrived = self._by_lateness(arrived, watermark)
            waiting = pa.concat_tables([waiting, arrived.select(self._events.names)])
        ready, waiting = self._by_readiness(waiting, watermark)
        self._recogniser.restore(state.snapshot or self._empty)
        held = _read(state.held, self._held)
        matches = list(self._push(held, ready))
        if self._clock is not None and watermark is not None:
            self._recogniser.advance(self._clock.first_after(watermark))
        known = pa.concat_tables([held, self._labelled(ready)]) if ready.num_rows else held
        after = self._state(known, waiting)
        return Step(after, ready.num_rows, matches, self._quarantined(late, watermark))

    def _by_lateness(self, arrived: pa.Table, watermark: int | None) -> tuple[pa.Table, pa.Table]:
        if self._clock is None or watermark is None:
            return arrived.slice(0, 0), arrived
        return _divided(arrived, self._schema.time or "", self._clock.first_after(watermark))

    def _by_readiness(self, waiting: pa.Table, watermark: int | None) -> tuple[pa.Table, pa.Table]:
        schema = self._task.compiled.schema
        if self._clock is None:
            return in_stream_order(waiting, schema), waiting.slice(0, 0)
        if watermark is None:
            return waiting.slice(0, 0), waiting
        ready, rest = _divided(waiting, schema.time or "", self._clock.first_after(watermark))
        return in_stream_order(ready, schema), rest

    def _labelled(self, ready: pa.Table) -> pa.Table:
        end = self._recogniser.events
        labels = np.arange(end - ready.num_rows, end, dtype=np.int64)
        return ready.append_column(EVENT, pa.array(labels))

    def _push(self, held: pa.Table, ready: pa.Table) -> Iterator[pa.RecordBatch]:
        if not ready.num_rows:
            return
        found = self._recogniser.push(ready).matches
        if not found:
            return
        known = pa.concat_tables([held, self._labelled(ready)]).combine_chunks()
        labels = known.column(EVENT).to_numpy()
        rows = known.column(ROW).combine_chunks()
        task, schema = self._task, self._task.compiled.schema
        times = None if schema.time is None else known.column(schema.time).to_numpy()
        for some in _block(found, labels).portions(MATCHES_AT_ONCE, MARKS_PER_ROW * MATCHES_AT_ONCE):
            batch = result_batch(task.compiled.pattern, schema, known, some, times)
            if task.options.events:
                batch = batch.append_column("events", event_lists(known, schema, some))
            yield written(batch, rows)

    def _state(self, known: pa.Table, waiting: pa.Table) -> State | None:
        recogniser = self._recogniser
        if recogniser.idle and not waiting.num_rows:
            return None
        marked = recogniser.marked()
        held = known.filter(pa.array(np.isin(known.column(EVENT).to_numpy(), marked)))
        return State(
            b"" if recogniser.idle else recogniser.snapshot(),
            _written(held),
            _written(waiting),
            self._wakes(waiting),
            recogniser.live,
            recogniser.nodes,
            waiting.num_rows,
        )

    def _wakes(self, waiting: pa.Table) -> int | None:
        if self._clock is None:
            return None
        times = []
        if waiting.num_rows:
            times.append(pc.min(waiting.column(self._schema.time or "")).as_py())
        if self._recogniser.closes is not None:
            times.append(self._recogniser.closes - 1)
        return self._clock.passed(min(times)) if times else None

    def _quarantined(self, late: pa.Table | None, watermark: int | None) -> pa.RecordBatch:
        if late is None or not late.num_rows or self._clock is None or watermark is None:
            return pa.RecordBatch.from_pylist([], QUARANTINE)
        passed = str(np.datetime64(watermark, "ms"))
        time, names = self._schema.time or "", self._schema.names
        rows = late.to_pylist()
        details = [f"{shown(row[time], self._schema)}; the watermark is {passed}" for row in rows]
        raw = [as_text({name: row[name] for name in names}) for row in rows]
        numbers = late.column(ROW).combine_chunks()
        return pa.record_batch(
            [numbers, pa.repeat(LATE, len(rows)), pa.array(details), pa.array(raw)], schema=QUARANTINE
        )


def _divided(events: pa.Table, time: str, tick: int) -> tuple[pa.Table, pa.Table]:
    """The events before a tick, and the others."""
    before = pc.less(events.column(time), pa.scalar(tick, pa.int64()))
    return events.filter(before), events.filter(pc.invert(before))


def _block(found: tuple[Match, ...], labels: np.ndarray[Any, np.dtype[np.int64]]) -> Block:
    """Matches as rows of a table whose events have these labels, which increase."""
    marked = [label for match in found for label in match.positions]
    positions = np.searchsorted(labels, np.array(marked, np.int64))
    return Block(positions, np.cumsum([len(match) for match in found], dtype=np.int64))


def _written(table: pa.Table) -> bytes:
    if not table.num_rows:
        return b""
    return bytes(table.combine_chunks().to_batches()[0].serialize())


def _read(content: bytes, schema: pa.Schema) -> pa.Table:
    if not content:
        return schema.empty_table()
    return pa.Table.from_batches([pa.ipc.read_record_batch(pa.py_buffer(content), schema)])
