"""Schemas of Spark tables, and the Spark types in which results are written.

Spark's types are read as the Arrow types that it exchanges with Python, see `mnemata.theory.arrow`.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DoubleType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from mnemata.theory.arrow import schema_from_arrow
from mnemata.theory.errors import SchemaError
from mnemata.theory.schema import AttributeType, Bool, Float64, Int64, Schema, Timestamp


def schema_from_spark(spark: StructType, *, event_type: str | None = None, time: str | None = None) -> Schema:
    r"""The schema of a stream whose columns are `spark`.

    Raises
    ------
    SchemaError
        When a column has a type that attributes cannot have; the message names the column and what to
        cast it to. Select the columns that matter when others are in the way.

    Examples
    --------
    >>> from pyspark.sql.types import StructType
    >>> ticks = StructType().add("name", "string").add("price", "float").add("at", "timestamp")
    >>> print(*schema_from_spark(ticks, time="at").attributes, sep="\n")
    AttributeDeclaration(name='name', type=String())
    AttributeDeclaration(name='price', type=Float64())
    AttributeDeclaration(name='at', type=Timestamp(unit='us'))
    """
    fields = [pa.field(field.name, _arrow_type(field)) for field in spark.fields]
    return schema_from_arrow(pa.schema(fields), event_type=event_type, time=time)


def _arrow_type(field: StructField) -> pa.DataType:
    try:
        return to_arrow_type(field.dataType, timezone="UTC")
    except Exception as error:
        kind = field.dataType.simpleString()
        raise SchemaError(
            f"column '{field.name}' is {kind}, which no attribute can be; cast it, or leave the column out"
        ) from error


def schema_to_spark(schema: Schema) -> StructType:
    """The Spark columns of a schema: bigint, double, boolean, string and timestamp.

    Spark's timestamps count microseconds; those in nanoseconds stay whole ticks, a bigint.

    >>> schema_to_spark(Schema.of(id=Int64(), at=Timestamp("ms"))).simpleString()
    'struct<id:bigint,at:timestamp>'
    """
    return StructType([StructField(a.name, spark_type(a.type)) for a in schema.attributes])


_SIMPLE: Final[dict[type[AttributeType], DataType]] = {
    Int64: LongType(),
    Float64: DoubleType(),
    Bool: BooleanType(),
}


def spark_type(kind: AttributeType) -> DataType:
    """The Spark type in which values of an attribute are written."""
    if isinstance(kind, Timestamp):
        return LongType() if kind.unit == "ns" else TimestampType()
    return _SIMPLE.get(type(kind), StringType())


def written_schema(columns: pa.Schema) -> StructType:
    """The Spark types in which some columns are written."""
    return StructType([StructField(field.name, written_type(field.type)) for field in columns])


def written_type(arrow: pa.DataType) -> DataType:
    """The Spark type in which a column of matches is written, by its Arrow type."""
    if isinstance(arrow, pa.ListType):
        return ArrayType(written_type(arrow.value_type))
    if isinstance(arrow, pa.StructType):
        return StructType([StructField(field.name, written_type(field.type)) for field in arrow])
    if isinstance(arrow, pa.TimestampType):
        return spark_type(Timestamp(arrow.unit))
    return {pa.int64(): LongType(), pa.float64(): DoubleType(), pa.bool_(): BooleanType()}.get(
        arrow, StringType()
    )
