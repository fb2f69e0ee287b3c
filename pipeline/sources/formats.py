"""From lines of text to typed rows, one batch at a time, with what is wrong with each of them.

The outcome for a row depends on its line alone, never on the batch that it came in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.pipeline.sources.casting import Mask, Texts, Values, attempt, mask_of, nothing
from mnemata.pipeline.sources.columns import Column, Entries
from mnemata.pipeline.sources.faults import Faults
from mnemata.pipeline.sources.inference import Tally
from mnemata.theory.arrow import arrow_type
from mnemata.theory.schema import AttributeType, Schema, Timestamp

NOT_TEXT: Final = "not text in UTF-8"
BLANK: Final = "a blank line"

ROW: Final = "#row"
REASON: Final = "#reason"
DETAIL: Final = "#detail"
RAW: Final = "#raw"
VERDICT: Final = (REASON, DETAIL, RAW)
"""Columns beside the attributes: the number of the row in its stream; why it is faulty, and its text."""


class TextFormat(Protocol):
    """How the rows of a text format are written."""

    def fields(self, lines: Texts, faults: Faults, declared: Collection[str] | None) -> Mapping[str, Column]:
        """Return the fields of each line by name, in the order in which they first occur.

        Parameters
        ----------
        lines : pyarrow.Array of string
            The lines; those with a fault already are to be passed over.
        faults : Faults
            Gets the faults of lines that cannot be split into fields.
        declared : collection of str, optional
            The fields to look for; a line with another one is faulty. Without it all fields are returned.
        """


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads the rows of a schema.

    Parameters
    ----------
    format : TextFormat
        How they are written.
    schema : Schema
        What they should be. The time attribute must not be missing.
    columns : tuple of str
        The attributes that are wanted; all are checked.
    """

    format: TextFormat
    schema: Schema
    columns: tuple[str, ...]

    def read(self, lines: Values, numbers: Values) -> pa.RecordBatch:
        """Typed rows: `ROW`, the wanted attributes (timestamps as ticks), and `VERDICT`."""
        texts, faults = readable(lines)
        fields = self.format.fields(texts, faults, self.schema.names)
        columns = attributes(self.schema, fields, faults)
        wanted = [columns[name] for name in self.columns]
        verdict = _verdict(lines, faults)
        return pa.record_batch([numbers, *wanted, *verdict], schema=self.arrow_schema)

    @property
    def arrow_schema(self) -> pa.Schema:
        """The columns that `read` returns."""
        return row_schema(self.schema, self.columns)


def attributes(schema: Schema, fields: Mapping[str, Entries], faults: Faults) -> dict[str, Values]:
    """The attributes of some rows by name, from their fields; what is wrong is added to `faults`."""
    return {a.name: _attribute(schema, a.name, fields, faults) for a in schema.attributes}


def _attribute(schema: Schema, name: str, fields: Mapping[str, Entries], faults: Faults) -> Values:
    kind = schema[name]
    if name not in fields:
        values: Values = nothing(len(faults), stored_type(kind))
    else:
        values, wrong = fields[name].cast(kind)
        faults.add(wrong, misfit(name, kind), fields[name].show)
    if name == schema.time:
        faults.add(mask_of(values.is_null()), no_time(name))
    return values


def row_schema(schema: Schema, columns: Collection[str]) -> pa.Schema:
    """The columns of typed rows: `ROW`, attributes, `VERDICT`."""
    attributes = [pa.field(name, stored_type(schema[name])) for name in columns]
    verdict = [pa.field(name, pa.string()) for name in VERDICT]
    return pa.schema([pa.field(ROW, pa.int64()), *attributes, *verdict])


def stored_type(kind: AttributeType) -> pa.DataType:
    """The Arrow type of an attribute inside the pipeline, where timestamps are ticks.

    Spark's own timestamps count microseconds and would cut off nanoseconds.
    """
    return pa.int64() if isinstance(kind, Timestamp) else arrow_type(kind)


def readable(lines: Values) -> tuple[Texts, Faults]:
    """The lines as text, with the faults of those that are blank or not text."""
    faults = Faults(len(lines))
    texts, wrong = attempt(lines, pa.string())
    faults.add(wrong, NOT_TEXT)
    faults.add(mask_of(pc.equal(pc.ascii_trim_whitespace(texts), pa.scalar(""))), BLANK)
    return texts, faults


def tallies(format: TextFormat, lines: Values) -> dict[str, Tally]:
    """What the fields of some lines look like, by name."""
    texts, faults = readable(lines)
    return {name: column.tally() for name, column in format.fields(texts, faults, None).items()}


def _verdict(lines: Values, faults: Faults) -> tuple[Texts, Texts, Texts]:
    if not faults.any:
        empty = nothing(len(lines), pa.string())
        return empty, empty, empty
    return faults.reasons(), faults.details(), _raw(lines, faults.mask)


def _raw(lines: Values, faulty: Mask) -> Texts:
    rows = set(map(int, np.flatnonzero(faulty)))
    shown = (
        lines[i].as_py().decode("utf-8", "backslashreplace") if i in rows else None for i in range(len(lines))
    )
    return pa.array(shown, pa.string())


def misfit(name: str, kind: AttributeType) -> str:
    """The reason of rows whose attribute `name` has a value that is not of its type.

    >>> from mnemata.theory.schema import Float64
    >>> misfit("price", Float64())
    'price is not a float64'
    """
    text = str(kind)
    return f"{name} is not {'an' if text[0] in 'aeiou' else 'a'} {text}"


def no_time(name: str) -> str:
    """The reason of rows without a timestamp, when `name` orders the stream."""
    return f"{name}, the time, is missing"
