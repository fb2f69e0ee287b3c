"""The papers' public data sets, converted to the schemas of `mnemata.pipeline.datasets.arrivals`.

homes
    Plugs in smart homes, the data of the DEBS 2014 Grand Challenge (https://debs.org/grand-challenges/2014/):
    CSV without a header, in the order of time, one measurement in a row:

    ==============  ======================================================================================
    ``id``          number of the measurement
    ``timestamp``   seconds since 1970-01-01T00:00Z
    ``value``       the measurement
    ``property``    0: work in kWh, 1: load in W; becomes the type, ``WORK`` or ``LOAD``
    ``plug_id``     of the plug within its household; becomes ``(house * 1000 + household) * 1000 + plug``
    ``household_id``  of the household within its house; becomes ``house * 1000 + household``
    ``house_id``    of the house
    ==============  ======================================================================================

trips
    Rides in yellow taxis of New York, the trip records of the Taxi and Limousine Commission
    (https://www.nyc.gov/site/tlc/about/tlc-trip-record-data.page): Parquet, or CSV with a header, in no
    order. Of the documented fields ``tpep_pickup_datetime``, ``tpep_dropoff_datetime``, ``PULocationID``,
    ``DOLocationID``, ``trip_distance``, ``fare_amount``, ``tip_amount`` and ``total_amount`` are read. Times
    are those on a clock in New York, without zone: in the hour that a clock shows twice in autumn the order
    of rides is that of the clock. Rides are numbered in the order of the files, and sorted by when they
    begin.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mnemata.pipeline.datasets.arrivals import HOMES, TRIPS
from mnemata.pipeline.sources.casting import Values, mask_of
from mnemata.pipeline.sources.columns import ArrowColumn, Entries
from mnemata.pipeline.sources.csv_text import CsvText, header_of
from mnemata.pipeline.sources.faults import Faults
from mnemata.pipeline.sources.formats import misfit, readable
from mnemata.pipeline.sources.lines import read_lines
from mnemata.pipeline.sources.location import format_of_name
from mnemata.theory.arrow import arrow_type
from mnemata.theory.errors import SourceError, StreamError, suggestion
from mnemata.theory.schema import AttributeType, Float64, Int64, Schema, Timestamp

ROWS_AT_ONCE: Final = 1 << 17
ROWS_OF_A_FILE: Final = 1 << 20
MOST_IN_A_PLACE: Final = 1000
"""Houses have fewer households, and households fewer plugs; so their numbers can be joined."""


class Rows:
    """Some rows of a file, and what is wrong with them.

    Parameters
    ----------
    first : int
        The number of the first row in all files.
    fields : mapping of str to Entries
        The documented fields.
    faults : Faults
        What is wrong so far.
    raw : callable
        A row as text.
    """

    def __init__(
        self, first: int, fields: Mapping[str, Entries], faults: Faults, raw: Callable[[int], str]
    ) -> None:
        self.first, self.faults, self.raw, self._fields = first, faults, raw, fields

    def __len__(self) -> int:
        return len(self.faults)

    def read(self, name: str, kind: AttributeType, *, needed: bool = False) -> Values:
        """The values of a field; null where there is none, which is a fault if it is needed."""
        values, wrong = self._fields[name].cast(kind)
        self.faults.add(wrong, misfit(name, kind), self._fields[name].show)
        if needed:
            self.faults.add(mask_of(values.is_null()), f"{name} is missing")
        return values

    def quarantined(self) -> pa.Table:
        """The faulty rows, with the columns of `mnemata.pipeline.quarantine`."""
        places = np.flatnonzero(self.faults.mask)
        columns: list[pa.Array[Any]] = [
            pa.array(self.first + places),
            self.faults.reasons().take(places),
            self.faults.details().take(places),
            pa.array([self.raw(int(place)) for place in places], pa.string()),
        ]
        return pa.Table.from_arrays(columns, schema=_BAD)


_FIELDS: Final[tuple[tuple[str, pa.DataType], ...]] = (
    ("row", pa.int64()),
    ("reason", pa.string()),
    ("detail", pa.string()),
    ("raw", pa.string()),
)
_BAD: Final = pa.schema(_FIELDS)


@dataclass(frozen=True, slots=True)
class Original:
    """A public data set.

    Parameters
    ----------
    name : str
        What it is about.
    schema : Schema
        What it is converted to.
    fields : tuple of str
        The documented fields that are read, in their order where files have no header.
    header : bool
        Whether CSV files have one.
    sorted : bool
        Whether the files are in the order of time; else all events are sorted in memory.
    make : callable
        Makes the columns of `schema` of some rows.
    """

    name: str
    schema: Schema
    fields: tuple[str, ...]
    header: bool
    sorted: bool
    make: Callable[[Rows], Mapping[str, Values]]


class Converted(NamedTuple):
    """How many events were written, and how many rows are none, by reason."""

    events: int
    faulty: Mapping[str, int]


def _homes(rows: Rows) -> Mapping[str, Values]:
    house, household, plug = (_place(rows, name) for name in ("house_id", "household_id", "plug_id"))
    kind = _numbers(rows, "property", missing=-1)
    rows.faults.add((kind != 0) & (kind != 1), "property is neither 0 (work) nor 1 (load)")
    homes = house * MOST_IN_A_PLACE + household
    return {
        "type": pa.array(np.where(kind == 1, "LOAD", "WORK").tolist(), pa.string()),
        "id": rows.read("id", Int64(), needed=True),
        "value": rows.read("value", Float64()),
        "plug_id": pa.array(homes * MOST_IN_A_PLACE + plug),
        "household_id": pa.array(homes),
        "plug_time": rows.read("timestamp", Timestamp("s"), needed=True),
    }


def _numbers(rows: Rows, name: str, *, missing: int) -> npt.NDArray[np.int64]:
    values = rows.read(name, Int64(), needed=True)
    return np.asarray(values.fill_null(missing).to_numpy(zero_copy_only=False), dtype=np.int64)


def _place(rows: Rows, name: str) -> npt.NDArray[np.int64]:
    found = _numbers(rows, name, missing=0)
    large = (found < 0) | (found >= MOST_IN_A_PLACE)
    rows.faults.add(large, f"{name} is not below {MOST_IN_A_PLACE}")
    return np.where(large, 0, found)


def _trips(rows: Rows) -> Mapping[str, Values]:
    begin, end = (
        rows.read(f"tpep_{name}_datetime", Timestamp("s"), needed=True) for name in ("pickup", "dropoff")
    )
    amounts = {
        "distance": "trip_distance",
        "fare": "fare_amount",
        "tip": "tip_amount",
        "total": "total_amount",
    }
    return {
        "type": pa.repeat("TRIP", len(rows)),
        "id": pa.array(np.arange(rows.first, rows.first + len(rows))),
        "pickup_time": begin,
        "dropoff_time": end,
        "pickup_zone": _zone(rows, "PULocationID"),
        "dropoff_zone": _zone(rows, "DOLocationID"),
        "duration": pc.subtract(end, begin),
        **{name: rows.read(field, Float64()) for name, field in amounts.items()},
    }


def _zone(rows: Rows, name: str) -> Values:
    numbers = rows.read(name, Int64()).to_pylist()
    return pa.array([None if number is None else f"zone {number}" for number in numbers], pa.string())


HOUSES: Final = Original(
    "homes",
    HOMES,
    ("id", "timestamp", "value", "property", "plug_id", "household_id", "house_id"),
    header=False,
    sorted=True,
    make=_homes,
)
RIDES: Final = Original(
    "trips",
    TRIPS,
    (
        "tpep_pickup_datetime",
        "tpep_dropoff_datetime",
        "PULocationID",
        "DOLocationID",
        "trip_distance",
        "fare_amount",
        "tip_amount",
        "total_amount",
    ),
    header=True,
    sorted=False,
    make=_trips,
)


def convert(original: Original, files: Sequence[str], folder: Path, quarantine: Path) -> Converted:
    """Write the events of some files as Parquet files in a folder, and rows that are none to a table.

    Parameters
    ----------
    original : Original
        What is in the files.
    files : sequence of str
        Paths, in the order of the stream; CSV may be compressed.
    folder : Path
        There is nothing in it yet.
    quarantine : Path
        A Parquet file with the columns of `mnemata.pipeline.quarantine`; none where all rows are events.

    Raises
    ------
    SourceError
        A file cannot be read, or lacks a documented field.
    StreamError
        Files that are documented to be in the order of time are not.
    """
    bad = [_BAD.empty_table()]
    events = _events(original, files, bad)
    written = _write(events if original.sorted else _by_time(events, original.schema), original, folder)
    faulty = pa.concat_tables(bad)
    if faulty.num_rows:
        pq.write_table(faulty, quarantine)
    reasons = Counter(map(str, faulty.column("reason").to_pylist()))
    return Converted(written, dict(reasons.most_common()))


def _events(original: Original, files: Iterable[str], bad: list[pa.Table]) -> Iterator[pa.Table]:
    """The events of files in their order; rows that are none are added to `bad`."""
    columns = pa.schema([(a.name, arrow_type(a.type)) for a in original.schema.attributes])
    first = 0
    for file in files:
        for rows in _rows(original, file, first):
            made = original.make(rows)
            cast = [made[name].cast(columns.field(name).type) for name in columns.names]
            table = pa.Table.from_arrays(cast, schema=columns)
            if rows.faults.any:
                bad.append(rows.quarantined())
                table = table.filter(pa.array(~rows.faults.mask))
            first += len(rows)
            yield table


def _rows(original: Original, file: str, first: int) -> Iterator[Rows]:
    parquet = format_of_name(file) == "parquet"
    if parquet and not original.header:
        raise SourceError(f"'{file}' is not one of the original files, which are CSV")
    for rows in (_of_parquet if parquet else _of_text)(original, file, first):
        yield rows
        first += len(rows)


def _of_text(original: Original, file: str, first: int) -> Iterator[Rows]:
    blocks = read_lines(file)
    names = original.fields
    if original.header:
        lines = next(blocks, None)
        if lines is None:
            raise SourceError(f"'{file}' is empty: it should begin with a header of column names")
        names = header_of(lines[0].as_py(), ",", file)
        _check_fields(original, names, file)
        blocks = chain([lines[1:]], blocks)
    for block in blocks:
        for begin in range(0, len(block), ROWS_AT_ONCE):
            lines = block[begin : begin + ROWS_AT_ONCE]
            texts, faults = readable(lines)
            fields = CsvText(names).fields(texts, faults, original.fields)
            yield Rows(first, fields, faults, partial(_line, lines))
            first += len(lines)


def _line(lines: pa.Array[Any], place: int) -> str:
    return str(lines[place].as_py().decode("utf-8", "backslashreplace"))


def _of_parquet(original: Original, file: str, first: int) -> Iterator[Rows]:
    try:
        with pq.ParquetFile(file) as parquet:
            _check_fields(original, parquet.schema_arrow.names, file)
            for batch in parquet.iter_batches(ROWS_AT_ONCE, columns=list(original.fields)):
                fields = {name: ArrowColumn(batch.column(name)) for name in original.fields}
                yield Rows(first, fields, Faults(batch.num_rows), partial(_record, batch))
                first += batch.num_rows
    except (pa.ArrowException, OSError) as error:
        reason = str(error).strip().splitlines()[0]
        raise SourceError(f"'{file}' cannot be read: {reason}") from None


def _record(batch: pa.RecordBatch, place: int) -> str:
    return json.dumps(batch.slice(place, 1).to_pylist()[0], default=str)


def _check_fields(original: Original, names: Iterable[str], file: str) -> None:
    found = list(names)
    for name in original.fields:
        if name not in found:
            raise SourceError(
                f"'{file}' has no column '{name}'; it has {', '.join(found)}.{suggestion(name, found)}"
            )


def _by_time(events: Iterable[pa.Table], schema: Schema) -> Iterator[pa.Table]:
    """All events, which are held in memory, in the order of time and then of files."""
    parts = list(events)
    if parts:
        yield pa.concat_tables(parts).sort_by([(schema.time or "", "ascending"), ("id", "ascending")])


def _write(events: Iterable[pa.Table], original: Original, folder: Path) -> int:
    """Write events to files of `ROWS_OF_A_FILE` each; returns how many there are."""
    written, last, held, size = 0, None, list[pa.Table](), 0
    for table in events:
        last = _last_time(table, last, original)
        held.append(table)
        size += table.num_rows
        while size >= ROWS_OF_A_FILE:
            whole = pa.concat_tables(held)
            _write_file(whole.slice(0, ROWS_OF_A_FILE), folder, written)
            held, size, written = [whole.slice(ROWS_OF_A_FILE)], size - ROWS_OF_A_FILE, written + 1
    if size or not written:
        columns = pa.schema([(a.name, arrow_type(a.type)) for a in original.schema.attributes])
        _write_file(pa.concat_tables([columns.empty_table(), *held]), folder, written)
    return written * ROWS_OF_A_FILE + size


def _write_file(table: pa.Table, folder: Path, number: int) -> None:
    # The parts that it was read in are no row groups.
    pq.write_table(
        table.combine_chunks(), folder / f"part-{number:06d}.parquet", row_group_size=len(table) or 1
    )


def _last_time(table: pa.Table, last: int | None, original: Original) -> int | None:
    """The time of the last event; raises `StreamError` where one is before that of the event before."""
    time = original.schema.time or ""
    ticks = table.column(time).cast(pa.int64()).to_numpy()
    if not len(ticks):
        return last
    before = np.concatenate([[ticks[0] if last is None else last], ticks[:-1]])
    late = np.flatnonzero(ticks < before)
    if len(late):
        event = table.column("id")[int(late[0])].as_py()
        raise StreamError(
            f"event {event} is out of order: its '{time}' is before that of the event before it; the "
            "original files are in the order of time, so these are others, or not in their order"
        )
    return int(ticks[-1])
