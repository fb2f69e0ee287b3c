"""A stream as columns: numpy arrays with what is missing, text as codes.

A row is what the definitions call an event. Everything here counts rows from 0, as users do; only
``position()`` in a condition is 1-based, as in the papers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from mnemata.automata.engine.arrays import numbers
from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.scans import first_decrease, has_nan, mark_present
from mnemata.automata.engine.texts import Texts, translated
from mnemata.theory.arrow import is_text
from mnemata.theory.errors import SchemaError, StreamError, suggestion
from mnemata.theory.schema import (
    AttributeType,
    Bool,
    Category,
    Event,
    Float64,
    Int64,
    Schema,
    String,
    Timestamp,
    Value,
)

Array: TypeAlias = npt.NDArray[Any]
Truth: TypeAlias = npt.NDArray[np.bool_]
Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Column:
    """The values of one attribute.

    Parameters
    ----------
    given : array of shape (n_rows,)
        The values: int64 (numbers and timestamps), float64, bool, or int8 or int32 (codes of text); or places
        in `meaning`, integers of any type.
    missing : bool array of shape (n_rows,), or None
        Where there is no value, and the entries of the others are meaningless; ``None``: nowhere.
    meaning : int8 or int32 array, or None
        The codes of text that `given` points to.
    """

    given: Array
    missing: Truth | None = None
    meaning: Array | None = None

    @cached_property
    def values(self) -> Array:
        """The values, in an array of shape ``(n_rows,)``; made when first asked for where they are codes."""
        return self.given if self.meaning is None else translated(self.given, self.meaning)

    def rows(self, rows: Rows | slice) -> Column:
        """The column of some of its rows."""
        missing = None if self.missing is None else self.missing[rows]
        return Column(self.given[rows], missing, self.meaning)

    def read(self) -> Callable[[int], Any]:
        """A function from a row to its value as a plain Python object, ``None`` when missing."""
        values = self.values.data
        if self.missing is None:
            return values.__getitem__
        missing = self.missing.data
        return lambda row: None if missing[row] else values[row]


@dataclass(frozen=True)
class Columns:
    """Columns of the same length, under a schema.

    Parameters
    ----------
    schema : Schema
        Their schema; attributes that nobody asked for have no column.
    size : int
        Number of rows.
    by_name : mapping of str to Column
        The columns.
    texts : Texts
        The codes of all text in them, so that text from two columns is equal when its codes are.
    begins : int64 array or None
        For each row the first row of its sub-stream, from which ``position()`` counts; ``None``: row 0.
    """

    schema: Schema
    size: int
    by_name: Mapping[str, Column]
    texts: Texts = field(default_factory=Texts)
    begins: Rows | None = None

    def __getitem__(self, name: str) -> Column:
        return self.by_name[name]

    @cached_property
    def positions(self) -> Rows:
        """The 1-based position of each row in its sub-stream."""
        rows = np.arange(1, self.size + 1, dtype=np.int64)
        return rows if self.begins is None else rows - self.begins

    def take(self, rows: Rows, begins: Rows) -> Columns:
        """The same columns with their rows in another order, in sub-streams that start at `begins`."""
        taken = {name: column.rows(rows) for name, column in self.by_name.items()}
        return Columns(self.schema, len(rows), taken, self.texts, begins)

    def head(self, size: int) -> Columns:
        """The first rows."""
        first = {name: column.rows(slice(size)) for name, column in self.by_name.items()}
        begins = None if self.begins is None else self.begins[:size]
        return Columns(self.schema, min(size, self.size), first, self.texts, begins)

    def event(self, row: int) -> Event:
        """The event of a row, as the definitions see it; needs the columns of all attributes."""
        values = tuple(read(row) for read in self._readers)
        return Event(self.schema, values, self.position(row))

    def position(self, row: int) -> int:
        """The 1-based position of a row in its sub-stream."""
        return row + 1 if self.begins is None else row + 1 - int(self.begins[row])

    @cached_property
    def _readers(self) -> tuple[Callable[[int], Value], ...]:
        return tuple(self.reader(name) for name in self.schema.names)

    def reader(self, name: str) -> Callable[[int], Value]:
        """A function from a row to the value of an attribute as the definitions see it."""
        read, text = self.by_name[name].read(), self.texts.text
        if not isinstance(self.schema[name], String | Category):
            return read

        def decoded(row: int) -> Value:
            code = read(row)
            return None if code is None else text(code)

        return decoded


def check_types(table: pa.Table, schema: Schema) -> None:
    """Raise `SchemaError` unless `table` has a column that fits for every attribute of `schema`."""
    for attribute in schema.attributes:
        places = table.schema.get_all_field_indices(attribute.name)
        if len(places) != 1:
            raise SchemaError(_not_once(attribute.name, len(places), table.column_names))
        found = table.schema.field(places[0]).type
        if not _fits(_values_of(found), attribute.type):
            raise SchemaError(
                f"column '{attribute.name}' is {found}, the attribute is {attribute.type}; cast the "
                "column, or declare the attribute as what it is"
            )


def _not_once(name: str, times: int, known: list[str]) -> str:
    if times:
        return f"the table has {times} columns '{name}'; rename or drop all but one"
    return f"the table has no column '{name}'; it has {', '.join(known) or 'none'}.{suggestion(name, known)}"


def _values_of(arrow: pa.DataType) -> pa.DataType:
    return arrow.value_type if isinstance(arrow, pa.DictionaryType) else arrow


def _fits(arrow: pa.DataType, kind: AttributeType) -> bool:
    types = pa.types
    if types.is_null(arrow):
        return True
    match kind:
        case Int64():
            return types.is_integer(arrow)
        case Float64():
            return types.is_floating(arrow) or types.is_integer(arrow)
        case Bool():
            return types.is_boolean(arrow)
        case Timestamp():
            return types.is_timestamp(arrow) or types.is_date(arrow) or types.is_integer(arrow)
    return is_text(arrow)


def columns_of(table: pa.Table, schema: Schema, names: Iterable[str], texts: Texts | None = None) -> Columns:
    """The columns of `names`, converted to what attributes of their types are.

    Integers are widened, numbers become floats where the attribute is a float64, timestamps and dates
    are converted to the attribute's unit, integers are ticks where the attribute is a timestamp. NaN is
    missing. Codes of text are those of `texts`, which grows by what is new, or else new ones.

    Raises
    ------
    SchemaError
        When a column is absent or of another type, or a value does not fit: past 64 bits, not a
        whole number of the timestamp's unit, not among the values of a category.
    StreamError
        When `names` has the schema's time attribute and it is missing in a row, or decreases.
    """
    check_types(table, schema)
    texts = Texts() if texts is None else texts
    found = {name: _column(table.column(name), name, schema[name], texts) for name in dict.fromkeys(names)}
    if schema.time in found:
        check_order(found[schema.time], schema)
    return Columns(schema, table.num_rows, found, texts)


def _column(data: pa.ChunkedArray[Any], name: str, kind: AttributeType, texts: Texts) -> Column:
    if isinstance(kind, String | Category):
        column = Column(*texts.encode(data))
        if isinstance(kind, Category):
            _check_values(column, name, kind, texts)
        return column
    if isinstance(data.type, pa.DictionaryType):
        data = pc.cast(data, data.type.value_type)
    try:
        return _numbers(_cast(data, kind), _DTYPES[type(kind)])
    except pa.ArrowInvalid as error:
        raise SchemaError(f"a value of column '{name}' is not a value of {kind}: {error}") from None


_DTYPES: Final[Mapping[type, type[np.generic]]] = {
    Int64: np.int64,
    Float64: np.float64,
    Bool: np.bool_,
    Timestamp: np.int64,
}


def _cast(data: pa.ChunkedArray[Any], kind: AttributeType) -> pa.ChunkedArray[Any]:
    """`data` as Arrow's int64, bool, timestamp in the unit asked for, or (for a float64) any number."""
    if pa.types.is_null(data.type):
        return pc.cast(data, pa.bool_() if isinstance(kind, Bool) else pa.int64())
    if isinstance(kind, Timestamp) and not pa.types.is_integer(data.type):
        unit = pa.timestamp(kind.unit, tz=getattr(data.type, "tz", None))
        return data if data.type == unit else pc.cast(data, unit)
    if isinstance(kind, Int64 | Timestamp):
        return data if data.type == pa.int64() else pc.cast(data, pa.int64())
    return pc.cast(data, pa.bool_()) if isinstance(kind, Bool) else data


def _numbers(data: pa.ChunkedArray[Any], dtype: type[np.generic]) -> Column:
    missing: Truth | None = None
    values: Array = np.ascontiguousarray(numbers(data), dtype=dtype)
    if data.null_count:
        missing = numbers(pc.is_null(data))
        values = values.copy()
        values[missing] = 0
    if dtype is np.float64 and has_nan(frozen(values)):
        undefined = np.isnan(values)
        missing = undefined if missing is None else missing | undefined
        values = np.where(undefined, 0.0, values)
    return Column(values, missing)


def _check_values(column: Column, name: str, kind: Category, texts: Texts) -> None:
    declared = [texts.code(value) for value in kind.values]
    if len(declared) == texts.size:
        return  # there are no other texts so far
    present = column.values if column.missing is None else column.values[~column.missing]
    strange = np.zeros(texts.size, np.bool_)
    mark_present(frozen(present), strange)
    strange[declared] = False
    if strange.any():
        other = strange[column.values] if column.missing is None else strange[column.values] & ~column.missing
        row = int(np.argmax(other))
        value = texts.text(int(column.values[row]))
        hint = suggestion(value, kind.values)
        raise SchemaError(f"'{value}' in row {row} of column '{name}' is not a value of {kind}.{hint}")


def check_order(time: Column, schema: Schema) -> None:
    """Raise `StreamError` unless the time attribute is never missing and never decreases (DESIGN 2.9)."""
    name, ticks = schema.time, time.values
    if time.missing is not None and time.missing.any():
        raise StreamError(
            f"row {int(np.argmax(time.missing))} has no timestamp: '{name}' orders the stream and cannot be "
            "missing; drop such rows"
        )
    row = int(first_decrease(frozen(ticks)))
    if row < len(ticks):
        here, before = (str(np.datetime64(int(ticks[r]), _unit(schema))) for r in (row, row - 1))
        raise StreamError(
            f"row {row} is out of order: its '{name}' is {here}, that of row {row - 1} is {before}; sort the "
            f"stream by '{name}'"
        )


def _unit(schema: Schema) -> Any:
    kind = schema[schema.time or ""]
    return kind.unit if isinstance(kind, Timestamp) else "ns"
