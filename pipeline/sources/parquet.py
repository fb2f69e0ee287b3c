"""Parquet files as a stream: row numbers and types from the files themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import StructType, TimestampNTZType, TimestampType

from mnemata.pipeline.sources.frames import FrameStream, quoted
from mnemata.pipeline.sources.location import Location, escaped, local_path
from mnemata.pipeline.sources.options import SourceOptions, with_overrides
from mnemata.pipeline.sources.row_groups import RowGroups
from mnemata.pipeline.spark_schema import schema_from_spark
from mnemata.theory.arrow import schema_from_arrow
from mnemata.theory.errors import SchemaError, SourceError
from mnemata.theory.schema import AttributeDeclaration, Schema

_FILE, _OFFSET = "#file", "#offset"
_NANOSECONDS = "spark.sql.legacy.parquet.nanosAsLong"
_CHECKSUMS = "parquet.page.verify-checksum.enabled"


def open_parquet(spark: SparkSession, location: Location, options: SourceOptions) -> FrameStream:
    """Open Parquet files as a stream, in the order of the files and of the rows in them."""
    if location.remote:
        return _open_remote(spark, location, options)
    footers = [_footer(file) for file in location.files]
    arrow = _common_schema(location, footers)
    frame = _read(spark, location, arrow)
    found, left_out = _attributes(frame, arrow) if options.schema is None else (options.schema, ())
    offsets, total = {}, 0
    for file, footer in zip(location.files, footers, strict=True):
        offsets[file] = total
        total += footer.num_rows
    stream = replace(_numbered(frame, with_overrides(found, options), offsets), left_out=left_out)
    if any(_in_nanoseconds(field) for field in arrow):
        return stream
    return replace(stream, groups=_sound(stream, RowGroups.of(location.files, footers, stream.schema)))


def _sound(stream: FrameStream, groups: RowGroups | None) -> RowGroups | None:
    """The row groups if every row is an event, and there is any."""
    if groups is None or not groups.rows or stream.may_be_faulty:
        return None
    time = stream.schema.time
    return None if time is not None and groups.missing[time] else groups


def _footer(file: str) -> pq.FileMetaData:
    try:
        with pq.ParquetFile(file) as parquet:
            return parquet.metadata
    except (pa.ArrowException, OSError) as error:
        size = Path(file).stat().st_size
        problem = "is empty" if size == 0 else "is not Parquet, or is truncated or damaged"
        reason = str(error).strip().splitlines()[0] if size else "a Parquet file has a footer"
        raise SourceError(f"'{file}' {problem}: {reason}") from None


def _common_schema(location: Location, footers: list[pq.FileMetaData]) -> pa.Schema:
    """The columns of all files; Spark would read a column that a file lacks as missing values."""
    first, *others = (_arrow(footer) for footer in footers)
    for file, other in zip(location.files[1:], others, strict=True):
        for name in dict.fromkeys([*first.names, *other.names]):
            one, two = (str(s.field(name).type) if name in s.names else "absent" for s in (first, other))
            if one != two:
                raise SourceError(
                    f"the files of '{location.path}' do not agree: column '{name}' is {one} in "
                    f"'{location.files[0]}' and {two} in '{file}'"
                )
    return first


def _arrow(footer: pq.FileMetaData) -> pa.Schema:
    try:
        return footer.schema.to_arrow_schema()
    except (pa.ArrowException, NotImplementedError) as error:
        raise SourceError(f"a column of the Parquet files cannot be read: {error}") from None


def _read(spark: SparkSession, location: Location, arrow: pa.Schema | None) -> DataFrame:
    if arrow is not None and any(_in_nanoseconds(field) for field in arrow):
        # Spark reads such columns as whole ticks, or not at all.
        spark.conf.set(_NANOSECONDS, "true")
    reader = spark.read.option(_CHECKSUMS, "true")
    if not location.remote and Path(local_path(location.path)).is_dir():
        folder = Path(local_path(location.path)).absolute()
        reader = reader.option("basePath", f"file:{escaped(str(folder))}")
    paths = [location.path] if location.remote else [f"file:{escaped(file)}" for file in location.files]
    try:
        return reader.parquet(*paths)
    except PySparkException as error:
        raise SourceError(f"Spark cannot read '{location.path}': {str(error).splitlines()[0]}") from None


def _in_nanoseconds(field: pa.Field[Any]) -> bool:
    return isinstance(field.type, pa.TimestampType) and field.type.unit == "ns"


def _attributes(frame: DataFrame, arrow: pa.Schema) -> tuple[Schema, tuple[str, ...]]:
    """The attributes that columns can be, and why the other columns are none.

    The files know more than Spark's types tell: of whole numbers whether they are ticks of a time.
    """
    fields: dict[str, pa.Field[Any]] = {field.name: field for field in arrow}
    attributes: list[AttributeDeclaration] = []
    left_out: list[str] = []
    for column in frame.schema.fields:
        known = fields.get(column.name)
        try:
            if known is None or isinstance(column.dataType, TimestampType | TimestampNTZType):
                attributes += schema_from_spark(StructType([column])).attributes
            else:
                attributes += schema_from_arrow(pa.schema([known])).attributes
        except SchemaError as error:
            left_out.append(str(error))
    if not attributes:
        raise SchemaError(f"no column of the stream can be an attribute: {'; '.join(left_out)}")
    return Schema(tuple(attributes)), tuple(left_out)


def _numbered(frame: DataFrame, schema: Schema, offsets: dict[str, int]) -> FrameStream:
    index = F.col("_metadata.row_index")
    if len(offsets) == 1:
        return FrameStream(frame, schema, index)
    by_name = {_one_slash(uri): offsets.get(local_path(uri)) for uri in frame.inputFiles()}
    if None in by_name.values():
        raise SourceError(f"Spark reads files that were not there before: {sorted(by_name)}")
    names = frame.columns
    known = frame.sparkSession.createDataFrame(list(by_name.items()), f"`{_FILE}` string, `{_OFFSET}` bigint")
    located = frame.select(
        "*", F.regexp_replace("_metadata.file_path", "^file:/+", "file:/").alias(_FILE), index.alias("#index")
    )
    joined = located.join(F.broadcast(known), _FILE, "left")
    lost = F.raise_error(F.concat(F.lit("unknown file "), quoted(_FILE)))
    row = F.coalesce(quoted(_OFFSET) + quoted("#index"), lost.cast("bigint"))
    ready = joined.select(*map(quoted, names), row.alias("#index"))
    return FrameStream(ready, schema, quoted("#index"))


def _one_slash(uri: str) -> str:
    """An address of a file in the form that Spark gives it in rows, which has one slash and not three."""
    return f"file:/{uri.removeprefix('file:').lstrip('/')}" if uri.startswith("file:") else uri


def _open_remote(spark: SparkSession, location: Location, options: SourceOptions) -> FrameStream:
    frame = _read(spark, location, None)
    schema = with_overrides(options.schema or schema_from_spark(frame.schema), options)
    counted = frame.groupBy(F.col("_metadata.file_path").alias(_FILE)).count().collect()
    offsets, total = {}, 0
    for file, rows in sorted((row[0], row[1]) for row in counted):
        offsets[local_path(file)] = total
        total += rows
    return _numbered(frame, schema, offsets)
