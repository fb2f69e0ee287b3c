"""The stateful operator: Spark calls it for each group that gets events or whose time has come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

from mnemata.pipeline.failures import packed, reported
from mnemata.pipeline.recognition import Task
from mnemata.pipeline.spark_schema import written_schema
from mnemata.pipeline.streaming.groups import QUARANTINE, Group, State, Step
from mnemata.pipeline.streaming.parcels import CLOCK, CONTENT, FAULTY, GROUP, Parcels

if TYPE_CHECKING:
    import pandas as pd

MATCH, BAD, STATUS = "match", "bad", "status"
KIND: Final = "kind"
MEASURES: Final = ("events", "matches", "bad", "live", "nodes", "bytes", "waiting")
"""What a batch changed; the last four may be negative."""

OBSERVED: Final = "mnemata"
"""What Spark calls them in the progress of a query."""

_OUTCOME: Final = f"{KIND} string, {', '.join(f'{name} bigint' for name in MEASURES)}, {CONTENT} binary"
_STATE: Final = (
    "snapshot binary, held binary, waiting binary, wakes bigint, live bigint, nodes bigint, lingering bigint"
)


def outcome(packed_rows: DataFrame, parcels: Parcels, task: Task, delay: str) -> DataFrame:
    """What comes of packed rows: rows of `KIND`, `MEASURES` and content, see `contents`.

    Parameters
    ----------
    packed_rows : DataFrame
        Of `Parcels.packed`.
    parcels : Parcels
        How rows were packed.
    task : Task
        What to find.
    delay : str
        By how much the watermark is behind the latest event, as an interval of Spark.

    Spark's progress of the query has the sums of `MEASURES` in a batch, as the observed metrics `OBSERVED`.
    """
    timed = parcels.schema.time is not None
    # Spark drops late rows before a stateful operator gets them, unless it has no column to tell them by.
    rows = packed_rows.withWatermark(CLOCK, delay) if timed else packed_rows
    groups = rows.select(GROUP, CONTENT).groupBy(GROUP)
    found: DataFrame = groups.transformWithStateInPandas(
        Recognition(task, parcels), _OUTCOME, "Append", "EventTime" if timed else "None"
    )
    return found.observe(OBSERVED, *(F.sum(found[name]).alias(name) for name in MEASURES))


def contents(rows: DataFrame, kind: str, columns: pa.Schema) -> DataFrame:
    """The rows of a kind, unpacked."""

    def unpack(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for content in batch.column(CONTENT):
                yield pa.ipc.open_stream(content.as_buffer()).read_next_batch()

    chosen = rows.where(rows[KIND] == kind).select(CONTENT)
    return chosen.mapInArrow(reported(unpack), written_schema(columns))


@lru_cache(maxsize=1)
def _group(task: Task, parcels: Parcels) -> Group:
    """One for each worker, however many tasks it works on."""
    return Group(task, parcels.schema)


class Recognition(StatefulProcessor):
    """Recognition in the groups of a partition."""

    def __init__(self, task: Task, parcels: Parcels) -> None:
        self._task, self._parcels = task, parcels

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._handle = handle
        self._state = handle.getValueState("state", _STATE)

    def handleInputRows(  # noqa: N802 - Spark's name
        self,
        key: Any,
        rows: Iterator[Any],
        timerValues: TimerValues,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        with packed():
            parcels = [bytes(content) for table in rows for content in table[CONTENT]]
            if key[0] == FAULTY:
                yield from _told(None, [pa.ipc.read_record_batch(p, QUARANTINE) for p in parcels])
                return
            yield from self._step(self._parcels.unpacked(parcels), timerValues, None)

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: TimerValues,  # noqa: N803
        expiredTimerInfo: ExpiredTimerInfo,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        with packed():
            yield from self._step(None, timerValues, expiredTimerInfo.getExpiryTimeInMs())

    def close(self) -> None:
        """Nothing is open."""

    def _step(
        self, arrived: pa.Table | None, times: TimerValues, expired: int | None
    ) -> Iterator[pd.DataFrame]:
        timed = self._parcels.schema.time is not None
        passed = times.getCurrentWatermarkInMs() if timed else 0
        before = self._before()
        step = _group(self._task, self._parcels).step(before, arrived, passed if passed > 0 else None)
        yield from _told((before, step), [step.late])
        self._keep(before, step.state, expired)

    def _before(self) -> State:
        found = self._state.get()
        if found is None:
            return State()
        snapshot, held, waiting, *numbers = found
        return State(bytes(snapshot), bytes(held), bytes(waiting), *numbers)

    def _keep(self, before: State, after: State | None, expired: int | None) -> None:
        if after is None:
            self._state.clear()
        else:
            self._state.update(tuple(after))
        wakes = None if after is None else after.wakes
        # Spark itself deletes a timer that expired, and loses others if that is done while it goes over them.
        if before.wakes is not None and before.wakes not in (wakes, expired):
            self._handle.deleteTimer(before.wakes)
        if wakes is not None and wakes != before.wakes:
            self._handle.registerTimer(wakes)


def _told(change: tuple[State, Step] | None, bad: list[pa.RecordBatch]) -> Iterator[pd.DataFrame]:
    import pandas as pd

    rows: list[dict[str, Any]] = []
    if change is not None:
        before, (state, events, matches, _) = change
        after = State() if state is None else state
        numbers = (after.live - before.live, after.nodes - before.nodes, after.size - before.size)
        waiting = after.lingering - before.lingering
        rows.append(_row(STATUS, (events, 0, 0, *numbers, waiting)))
        rows += [_row(MATCH, (0, batch.num_rows, 0, 0, 0, 0, 0), batch) for batch in matches]
    rows += [_row(BAD, (0, 0, batch.num_rows, 0, 0, 0, 0), batch) for batch in bad if batch.num_rows]
    yield pd.DataFrame(rows, columns=[KIND, *MEASURES, CONTENT])


def _row(kind: str, measures: tuple[int, ...], content: pa.RecordBatch | None = None) -> dict[str, Any]:
    numbers = dict(zip(MEASURES, measures, strict=True))
    return {KIND: kind, **numbers, CONTENT: None if content is None else _bytes(content)}


def _bytes(batch: pa.RecordBatch) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return bytes(sink.getvalue())
