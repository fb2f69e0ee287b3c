"""Streams that are Spark tables: Parquet files, and any DataFrame.

Their columns have types, so a row can only be faulty where an attribute is narrower than its column: a
category, a coarser unit of time, 64 bits instead of more; or where the time is missing. Spark finds these
rows by itself, without Python.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import (
    BooleanType,
    ByteType,
    CharType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    TimestampNTZType,
    TimestampType,
    VarcharType,
)

from mnemata.pipeline.sources.formats import DETAIL, RAW, REASON, ROW, misfit, no_time
from mnemata.pipeline.sources.row_groups import RowGroups
from mnemata.theory.errors import SchemaError, suggestion
from mnemata.theory.schema import (
    INT64_MAX,
    INT64_MIN,
    NANOSECONDS,
    AttributeDeclaration,
    AttributeType,
    Bool,
    Category,
    Float64,
    Int64,
    Schema,
    Timestamp,
)

_WHOLE = (ByteType, ShortType, IntegerType, LongType)
_TEXT = (StringType, CharType, VarcharType)
_TIMES = (TimestampType, TimestampNTZType, DateType)

Fault: TypeAlias = tuple[Column, str, Column]
"""When a row is faulty, why, and the value to show."""


@dataclass(frozen=True, slots=True)
class FrameStream:
    """A stream that is a Spark table.

    Parameters
    ----------
    frame : DataFrame
        One row for each event.
    schema : Schema
        Which of its columns are attributes, and their types.
    row : Column
        The number of a row in the stream.
    left_out : tuple of str
        Why other columns are no attributes, when the schema was derived from them.
    groups : RowGroups, optional
        The files of the table, if they say that every row is an event.
    """

    frame: DataFrame
    schema: Schema
    row: Column
    left_out: tuple[str, ...] = ()
    groups: RowGroups | None = None

    @property
    def costly(self) -> bool:
        """Whether rows should be kept rather than read twice."""
        return False

    @property
    def may_be_faulty(self) -> bool:
        """Whether a value that is not missing may not fit its attribute."""
        kinds = ((type_of_column(self.frame, a.name), a) for a in self.schema.attributes)
        return any(_may_misfit(kind, attribute) for kind, attribute in kinds)

    def rows(self, columns: Collection[str]) -> DataFrame:
        """All rows: `ROW`, attributes (timestamps as ticks), reason, detail and raw text of faults."""
        faults = list(_faults(self.frame, self.schema))
        reason = F.coalesce(
            *(F.when(when, F.lit(why)) for when, why, _ in faults), F.lit(None).cast("string")
        )
        detail = F.coalesce(
            *(F.when(when, F.coalesce(value, F.lit(""))) for when, _, value in faults),
            F.lit(None).cast("string"),
        )
        raw = F.when(reason.isNotNull(), F.to_json(F.struct(*map(quoted, self.frame.columns))))
        kept = [stored(self.frame, self.schema, name).alias(name) for name in columns]
        verdict = [reason.alias(REASON), F.nullif(detail, F.lit("")).alias(DETAIL), raw.alias(RAW)]
        return self.frame.select(self.row.cast("bigint").alias(ROW), *kept, *verdict)


def quoted(name: str) -> Column:
    """The column of that name, whatever characters it has."""
    return F.col(f"`{name}`")


def type_of_column(frame: DataFrame, name: str) -> DataType:
    """The Spark type of a column; raises `SchemaError` when there is none, or several."""
    found = [field.dataType for field in frame.schema.fields if field.name == name]
    if len(found) != 1:
        known = ", ".join(frame.columns)
        problem = f"{len(found)} columns" if found else "no column"
        raise SchemaError(
            f"the table has {problem} '{name}'; it has {known}.{suggestion(name, frame.columns)}"
        )
    return found[0]


def stored(frame: DataFrame, schema: Schema, name: str) -> Column:
    """The column of an attribute as the pipeline stores it; null where a value does not fit."""
    kind, column = schema[name], quoted(name)
    found = type_of_column(frame, name)
    if not _fits(found, kind):
        raise SchemaError(
            f"column '{name}' is {found.simpleString()}, the attribute is {kind}; cast the column, or "
            "declare the attribute as what it is"
        )
    match kind:
        case Timestamp(unit=unit) if isinstance(found, _TIMES):
            return _ticks(column, found, unit)
        case Int64() | Timestamp():
            in_range = column.between(F.lit(INT64_MIN), F.lit(INT64_MAX))
            return (
                F.when(in_range, column.cast("bigint"))
                if isinstance(found, DecimalType)
                else column.cast("bigint")
            )
        case Float64():
            return column.cast("double")
        case Category(values=values):
            return F.when(column.isin(*values), column)
    return column


def _fits(found: DataType, kind: AttributeType) -> bool:
    whole = isinstance(found, _WHOLE) or (isinstance(found, DecimalType) and found.scale == 0)
    match kind:
        case Int64():
            return whole
        case Float64():
            return isinstance(found, (*_WHOLE, FloatType, DoubleType, DecimalType))
        case Bool():
            return isinstance(found, BooleanType)
        case Timestamp():
            return whole or isinstance(found, _TIMES)
    return isinstance(found, _TEXT)


def _ticks(column: Column, found: DataType, unit: str) -> Column:
    """Whole ticks of a time; null where it is not a whole number of them, or past 64 bits."""
    if isinstance(found, DateType):
        per_day = NANOSECONDS["d"] // NANOSECONDS[unit]
        return F.try_multiply(F.unix_date(column).cast("bigint"), F.lit(per_day).cast("bigint"))
    micros = F.unix_micros(column) if isinstance(found, TimestampType) else _wall_clock_micros(column)
    if unit == "ns":
        return F.try_multiply(micros, F.lit(1000).cast("bigint"))
    per_tick = NANOSECONDS[unit] // 1000
    return F.when(micros % per_tick == 0, F.call_function("div", micros, F.lit(per_tick)))


def _wall_clock_micros(column: Column) -> Column:
    """Microseconds from 1970-01-01T00:00 to a time without zone, whatever the session's zone."""
    since = column - F.lit("1970-01-01 00:00:00").cast("timestamp_ntz")
    days, hours, minutes = (
        F.extract(F.lit(part), since).cast("bigint") for part in ("DAY", "HOUR", "MINUTE")
    )
    micros = (F.extract(F.lit("SECOND"), since) * 1_000_000).cast("bigint")
    return ((days * 24 + hours) * 60 + minutes) * 60_000_000 + micros


def _faults(frame: DataFrame, schema: Schema) -> Iterator[Fault]:
    for attribute in schema.attributes:
        column, name = quoted(attribute.name), attribute.name
        if _may_misfit(type_of_column(frame, name), attribute):
            lost = column.isNotNull() & stored(frame, schema, name).isNull()
            yield lost, misfit(name, attribute.type), column.cast("string")
        if name == schema.time:
            yield column.isNull(), no_time(name), F.lit(None).cast("string")


def _may_misfit(found: DataType, attribute: AttributeDeclaration) -> bool:
    kind = attribute.type
    if isinstance(kind, Timestamp) and isinstance(found, _TIMES):
        return kind.unit != "us"
    return isinstance(kind, Category) or (
        isinstance(kind, Int64 | Timestamp) and isinstance(found, DecimalType)
    )
