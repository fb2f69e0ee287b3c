"""The rows of one file as typed rows, each with its number and with what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mnemata.automata.engine.columns import check_types
from mnemata.pipeline.sources.casting import Values
from mnemata.pipeline.sources.columns import ArrowColumn
from mnemata.pipeline.sources.csv_text import CsvText, header_of
from mnemata.pipeline.sources.event_text import EventText
from mnemata.pipeline.sources.faults import Faults
from mnemata.pipeline.sources.formats import (
    ROW,
    VERDICT,
    RowReader,
    TextFormat,
    attributes,
    row_schema,
)
from mnemata.pipeline.sources.json_text import JsonText
from mnemata.pipeline.sources.lines import blocks_from_files, read_lines, without_header
from mnemata.pipeline.sources.options import SourceOptions
from mnemata.pipeline.sources.text import check_header, delimiter_of
from mnemata.theory.errors import SchemaError, SourceError
from mnemata.theory.schema import Schema

UNREADABLE: Final = "a file that cannot be read"
ROWS_AT_ONCE: Final = 65_536


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads files of one format.

    Parameters
    ----------
    format : str
        One of `mnemata.pipeline.sources.location.SUFFIXES`.
    schema : Schema
        The attributes of events.
    options : SourceOptions
        What else the files do not say by themselves.
    """

    format: str
    schema: Schema
    options: SourceOptions

    @property
    def arrow_schema(self) -> pa.Schema:
        """The columns of rows: a number, all attributes, and the verdict."""
        return row_schema(self.schema, self.schema.names)

    def count(self, file: str) -> int:
        """How many rows a file has; raises `SourceError` or `SchemaError` when they cannot be read.

        All of them are read for that: a page that is damaged is found before any row of the file is taken in.
        """
        if self.format == "parquet":
            return sum(batch.num_rows for batch in self._batches(file))
        lines = sum(map(len, read_lines(file)))
        if self.format == "csv" and lines:
            self._text(file)
        return max(0, lines - 1) if self.format == "csv" else lines

    def rows(self, file: str, first: int) -> Iterator[pa.RecordBatch]:
        """The rows of a file, numbered from `first` on; raises `SourceError`."""
        if self.format == "parquet":
            yield from self._parquet(file, first)
            return
        reader = RowReader(self._text(file), self.schema, self.schema.names)
        for block in without_header(blocks_from_files([file]), header=self.format == "csv"):
            yield reader.read(block.lines, _numbers(first + block.first, len(block.lines)))

    def unreadable(self, file: str, number: int, problem: str) -> pa.RecordBatch:
        """The row that stands for a file that cannot be read."""
        row = dict.fromkeys(self.arrow_schema.names)
        verdict = dict(zip(VERDICT, (UNREADABLE, problem, file), strict=True))
        return pa.RecordBatch.from_pylist([row | verdict | {ROW: number}], self.arrow_schema)

    def _text(self, file: str) -> TextFormat:
        missing = frozenset(self.options.missing)
        if self.format == "json":
            return JsonText()
        if self.format == "stream":
            return EventText(self.schema.event_type or "type", missing)
        delimiter = delimiter_of(file, self.options)
        line = next((bytes(lines[0].as_py()) for lines in read_lines(file)), b"")
        names = header_of(line, delimiter, file)
        check_header(file, names, self.schema)
        return CsvText(names, delimiter, missing)

    def _parquet(self, file: str, first: int) -> Iterator[pa.RecordBatch]:
        for batch in self._batches(file):
            yield self._typed(batch, first)
            first += batch.num_rows

    def _batches(self, file: str) -> Iterator[pa.RecordBatch]:
        with _opened(file) as parquet:
            self._check(file, parquet)
            try:
                yield from parquet.iter_batches(ROWS_AT_ONCE, columns=list(self.schema.names))
            except (pa.ArrowException, OSError) as error:
                raise SourceError(f"'{file}' cannot be read: {_first_line(error)}") from None

    def _check(self, file: str, parquet: pq.ParquetFile) -> None:
        try:
            check_types(parquet.schema_arrow.empty_table(), self.schema)
        except SchemaError as error:
            raise SchemaError(f"'{file}' does not fit the stream's schema: {error}") from None

    def _typed(self, batch: pa.RecordBatch, first: int) -> pa.RecordBatch:
        faults = Faults(batch.num_rows)
        fields = {name: ArrowColumn(batch.column(name)) for name in self.schema.names}
        columns = attributes(self.schema, fields, faults)
        wrong = np.flatnonzero(faults.mask).tolist()
        texts = {row: as_text(batch.slice(row, 1).to_pylist()[0]) for row in wrong}
        raw = pa.array([texts.get(row) for row in range(batch.num_rows)], pa.string())
        verdict = [faults.reasons(), faults.details(), raw]
        numbers = _numbers(first, batch.num_rows)
        return pa.record_batch([numbers, *columns.values(), *verdict], schema=self.arrow_schema)


def as_text(row: dict[str, object]) -> str:
    """A row as JSON."""
    return json.dumps(row, ensure_ascii=False, default=str)


def _numbers(first: int, size: int) -> Values:
    return pa.array(range(first, first + size), pa.int64())


def _opened(file: str) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(file, page_checksum_verification=True)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"'{file}' is not Parquet, or is damaged: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
