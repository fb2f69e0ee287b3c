"""Rows on their way to the state of their group and back, as Arrow batches in binary columns.

Spark hands rows to stateful operators as pandas tables, in which whole numbers beside missing ones become
floats. Inside a binary column they stay what they are, and there is one such row for each group in a batch
rather than one for each event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from mnemata.pipeline.failures import reported
from mnemata.pipeline.recognition import has_key
from mnemata.pipeline.sources.formats import DETAIL, RAW, REASON, ROW, VERDICT, row_schema
from mnemata.pipeline.sources.frames import quoted
from mnemata.pipeline.streaming.clock import Clock
from mnemata.pipeline.streaming.groups import QUARANTINE
from mnemata.theory.schema import Float64, Schema

GROUP: Final = "group"
CLOCK: Final = "clock"
CONTENT: Final = "content"
FAULTY: Final = -1
"""The group of rows that are no events."""

BEFORE_1970: Final = "a time before 1970, where watermarks begin"
_GROUPED: Final = "#group"


@dataclass(frozen=True, slots=True)
class Parcels:
    """How rows are divided.

    Parameters
    ----------
    schema : Schema
        Of the stream.
    keys : tuple of str
        The attributes that make up the key.
    groups : int
        Into how many groups keys are divided.
    """

    schema: Schema
    keys: tuple[str, ...]
    groups: int

    @property
    def events(self) -> pa.Schema:
        """The columns of events in a parcel."""
        whole = row_schema(self.schema, self.schema.names)
        kept: list[pa.Field[Any]] = [field for field in whole if field.name not in VERDICT]
        return pa.schema(kept)

    def packed(self, rows: DataFrame) -> DataFrame:
        """Parcels of typed rows: `GROUP`, `CLOCK` (the latest time in it), `CONTENT`."""
        judged = self._judged(rows).withColumn(_GROUPED, self._group())
        kind = f"{GROUP} int, {CLOCK} timestamp, {CONTENT} binary"
        return judged.mapInArrow(reported(self.pack), kind)

    def pack(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Parcels of the rows of some batches."""
        for batch in batches:
            groups = np.asarray(batch.column(_GROUPED).to_numpy(), np.int64)
            order = np.argsort(groups, kind="stable")
            ordered = batch.take(order)
            cuts = np.flatnonzero(np.diff(groups[order], prepend=groups[order][:1] - 1)).tolist()
            made = [
                self._parcel(int(groups[order[begin]]), ordered.slice(begin, end - begin))
                for begin, end in zip(cuts, [*cuts[1:], len(order)], strict=True)
            ]
            if made:
                yield pa.RecordBatch.from_pylist(made, _PARCEL)

    def unpacked(self, parcels: Iterable[bytes]) -> pa.Table:
        """The events of some parcels of one group."""
        batches = [pa.ipc.read_record_batch(pa.py_buffer(parcel), self.events) for parcel in parcels]
        return pa.Table.from_batches(batches, self.events)

    def _parcel(self, group: int, rows: pa.RecordBatch) -> dict[str, object]:
        if group == FAULTY:
            columns = [rows.column(name) for name in (ROW, *VERDICT)]
            return {GROUP: group, CLOCK: None, CONTENT: _bytes(pa.record_batch(columns, schema=QUARANTINE))}
        events = rows.select(self.events.names)
        clock, latest = Clock.of(self.schema), None
        if clock is not None:
            tick = pc.max(events.column(self.schema.time or "")).as_py()
            latest = clock.milliseconds(tick) * 1000
        return {GROUP: group, CLOCK: latest, CONTENT: _bytes(events.cast(self.events))}

    def _judged(self, rows: DataFrame) -> DataFrame:
        """The rows, where those that no sub-stream or watermark can take are faulty too."""
        reason = F.coalesce(quoted(REASON), *self._further())
        names = [ROW, *self.schema.names]
        raw = F.coalesce(
            quoted(RAW),
            F.when(reason.isNotNull(), F.to_json(F.struct(*map(quoted, self.schema.names)))),
        )
        return rows.select(*map(quoted, names), reason.alias(REASON), quoted(DETAIL), raw.alias(RAW))

    def _further(self) -> Iterator[Column]:
        for key in self.keys:
            yield F.when(~has_key(self.schema, (key,)), F.lit(f"{key}, of the key, is missing"))
        if self.schema.time is not None:
            yield F.when(quoted(self.schema.time) < 0, F.lit(BEFORE_1970))

    def _group(self) -> Column:
        keys = [
            F.when(quoted(k) == 0, F.lit(0.0)).otherwise(quoted(k))  # -0.0 is the same key
            if isinstance(self.schema[k], Float64)
            else quoted(k)
            for k in self.keys
        ]
        number = F.pmod(F.xxhash64(*keys), F.lit(self.groups)) if keys else F.lit(0)
        return F.when(quoted(REASON).isNotNull(), F.lit(FAULTY)).otherwise(number).cast("int")


_FIELDS: Final[list[pa.Field[Any]]] = [
    pa.field(GROUP, pa.int32()),
    pa.field(CLOCK, pa.timestamp("us", "UTC")),
    pa.field(CONTENT, pa.binary()),
]
_PARCEL: Final = pa.schema(_FIELDS)


def _bytes(batch: pa.RecordBatch) -> bytes:
    return bytes(batch.serialize())
