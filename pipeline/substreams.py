"""Sub-streams as they reach a worker: whole, ordered, and checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.pipeline.sources.formats import ROW
from mnemata.theory.errors import StreamError
from mnemata.theory.schema import Schema, Timestamp


def whole_substreams(
    batches: Iterable[pa.RecordBatch], keys: Sequence[str], rows_at_once: int
) -> Iterator[pa.Table]:
    """Tables of whole sub-streams, from batches in which keys come one after the other.

    A table has at least `rows_at_once` rows, but for the last one; it is cut where a key ends.
    """
    held: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        held.append(batch)
        size += batch.num_rows
        cut = _last_change(held, keys) if keys and size >= rows_at_once else 0
        if cut > 0:
            table = pa.Table.from_batches(held)
            yield table.slice(0, cut)
            held = table.slice(cut).to_batches()
            size -= cut
    if size:
        yield pa.Table.from_batches(held)


def _last_change(held: list[pa.RecordBatch], keys: Sequence[str]) -> int:
    """The first row of the last key, as far as it begins in the newest batch or right before it; else 0."""
    *before, newest = held
    start = sum(batch.num_rows for batch in before)
    previous = next((b for b in reversed(before) if b.num_rows), None)
    joint = [newest] if previous is None else [previous.slice(previous.num_rows - 1), newest]
    first = start if previous is None else start - 1
    changes = np.flatnonzero(_changes(pa.Table.from_batches(joint), keys))
    return first + int(changes[-1]) + 1 if len(changes) else 0


def _changes(table: pa.Table, keys: Sequence[str]) -> npt.NDArray[np.bool_]:
    """For each row but the last, whether the next one has another key."""
    found = np.zeros(max(table.num_rows - 1, 0), dtype=np.bool_)
    for key in keys:
        column = table.column(key).combine_chunks()
        found |= np.asarray(
            pc.not_equal(column[1:], column[:-1]).to_numpy(zero_copy_only=False), dtype=np.bool_
        )
    return found


def check_stream(table: pa.Table, keys: Sequence[str], schema: Schema) -> None:
    """Raise `StreamError` unless sub-streams are in the order of their time, without repeated rows."""
    rows = table.column(ROW).to_numpy()
    same = ~_changes(table, keys)
    repeated = np.flatnonzero(same & (rows[1:] == rows[:-1]))
    if len(repeated):
        raise StreamError(f"two events have the number {rows[repeated[0]]}; numbers of rows must be distinct")
    if schema.time is None:
        return
    ticks = table.column(schema.time).to_numpy()
    late = np.flatnonzero(same & (ticks[1:] < ticks[:-1]))
    if len(late):
        raise StreamError(_out_of_order(table, int(late[0]), keys, schema))


def _out_of_order(table: pa.Table, row: int, keys: Sequence[str], schema: Schema) -> str:
    before, here = (table.slice(r, 1).to_pylist()[0] for r in (row, row + 1))
    times = [shown(event[schema.time or ""], schema) for event in (here, before)]
    place = "".join(f" of the sub-stream {key} = {here[key]!r}" for key in keys[:1])
    return (
        f"row {here[ROW]}{place} is out of order: its '{schema.time}' is {times[0]}, that of row "
        f"{before[ROW]} before it is {times[1]}; sort the stream by '{schema.time}' (--sort)"
    )


def shown(ticks: int, schema: Schema) -> str:
    """A time in ticks as text, ISO 8601."""
    kind = schema[schema.time or ""]
    unit = kind.unit if isinstance(kind, Timestamp) else "ns"
    return str(np.datetime64(ticks, unit))


def in_stream_order(table: pa.Table, schema: Schema) -> pa.Table:
    """Sub-streams merged into one stream: by time, then by row number."""
    by = [(schema.time, "ascending")] if schema.time else []
    return table.sort_by([*by, (ROW, "ascending")])  # type: ignore[list-item]
