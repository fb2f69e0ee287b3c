"""Parquet files as one sequence of rows, of which any part can be read alone, column by column.

Workers that read the files by themselves get Arrow columns as they are in the files; through Spark each row
would become an object of the Java machine on its way.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mnemata.pipeline.sources.formats import ROW
from mnemata.theory.errors import SourceError
from mnemata.theory.schema import Category, Schema, String, Timestamp


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows that are stored together.

    Parameters
    ----------
    file : str
        A path.
    number : int
        Which group of the file it is.
    rows : int
        How many rows it has.
    """

    file: str
    number: int
    rows: int


@dataclass(frozen=True, slots=True)
class RowGroups:
    """The row groups of some files, in the order of the stream.

    Parameters
    ----------
    groups : tuple of RowGroup
        All of them.
    schema : Schema
        The attributes of events; each is a column that holds nothing else.
    missing : mapping of str to int
        How many values each column lacks.
    """

    groups: tuple[RowGroup, ...]
    schema: Schema
    missing: dict[str, int]

    @classmethod
    def of(cls, files: Sequence[str], footers: Sequence[pq.FileMetaData], schema: Schema) -> RowGroups | None:
        """Those of files with these footers; ``None`` when the footers do not say what is missing."""
        groups, missing = [], dict.fromkeys(schema.names, 0)
        for file, footer in zip(files, footers, strict=True):
            places = {footer.schema.column(n).path: n for n in range(footer.num_columns)}
            if not places.keys() >= set(schema.names):
                return None
            for number in range(footer.num_row_groups):
                group = footer.row_group(number)
                groups.append(RowGroup(file, number, group.num_rows))
                for name in schema.names:
                    known = group.column(places[name]).statistics
                    if known is None or known.null_count is None:
                        return None
                    missing[name] += known.null_count
        return cls(tuple(groups), schema, missing)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return sum(group.rows for group in self.groups)

    def read(self, first: int, end: int, columns: Collection[str], *, threads: bool = False) -> pa.Table:
        """The rows from `first` up to and without `end`: `ROW`, and columns, the time as ticks.

        Parameters
        ----------
        first, end : int
            Numbers of rows.
        columns : collection of str
            Attributes.
        threads : bool
            Whether to use all processors; the other tasks of a job need them too.

        Raises
        ------
        SourceError
            A file cannot be read.
        """
        starts = self._starts
        begin, stop = bisect_right(starts, first) - 1, bisect_right(starts, max(first, end - 1))
        parts = [self._group(group, columns, threads=threads) for group in self.groups[begin:stop]]
        table = pa.concat_tables(parts).slice(first - starts[begin], end - first)
        return table.append_column(ROW, pa.array(np.arange(first, end, dtype=np.int64)))

    def first_inside(self, row: int, ticks: int) -> int:
        """The first row that is less than so many ticks before a row; times are taken to be in order."""
        time, starts = self.schema.time or "", self._starts
        place = bisect_right(starts, row) - 1
        times = self._times(place, time)
        oldest = int(times[row - starts[place]]) - ticks
        while place > 0 and times[0] > oldest:
            place -= 1
            times = self._times(place, time)
        return min(row, starts[place] + int(np.searchsorted(times, oldest, side="right")))

    def _times(self, place: int, time: str) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = self._group(self.groups[place], [time]).column(time).to_numpy()
        return found

    @property
    def _starts(self) -> list[int]:
        return [0, *accumulate(group.rows for group in self.groups[:-1])]

    def _group(self, group: RowGroup, columns: Collection[str], *, threads: bool = False) -> pa.Table:
        # Texts are read as places in dictionaries, as they are stored, whoever wrote them.
        texts = [name for name in columns if isinstance(self.schema[name], String | Category)]
        try:
            with pq.ParquetFile(
                group.file, memory_map=True, read_dictionary=texts, page_checksum_verification=True
            ) as parquet:
                table = parquet.read_row_group(group.number, list(columns), use_threads=threads)
        except (pa.ArrowException, OSError) as error:
            reason = str(error).strip().splitlines()[0]
            raise SourceError(f"'{group.file}' cannot be read: {reason}") from None
        if table.num_rows != group.rows:
            raise SourceError(f"'{group.file}' was changed while it was read")
        time = self.schema.time
        if time is not None and time in table.schema.names:
            place = table.schema.get_field_index(time)
            table = table.set_column(place, time, _ticks(table.column(time), self.schema))
        return table


def _ticks(column: pa.ChunkedArray[Any], schema: Schema) -> pa.ChunkedArray[Any]:
    kind = schema[schema.time or ""]
    if isinstance(kind, Timestamp) and not pa.types.is_integer(column.type):
        column = pc.cast(column, pa.timestamp(kind.unit, tz=getattr(column.type, "tz", None)))
    return pc.cast(column, pa.int64())
