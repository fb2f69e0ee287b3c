"""Streams from files: Parquet, CSV, JSON lines, and the benchmark's text form.

`open_stream` finds the files, derives a schema where none is given, and numbers the rows. Every row is
either an event, or faulty, and then it has a reason.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Protocol

from pyspark.sql import DataFrame, SparkSession

from mnemata.pipeline.sources.formats import ROW, VERDICT
from mnemata.pipeline.sources.location import locate
from mnemata.pipeline.sources.options import SourceOptions
from mnemata.pipeline.sources.parquet import open_parquet
from mnemata.pipeline.sources.row_groups import RowGroups
from mnemata.pipeline.sources.text import open_text
from mnemata.theory.errors import SchemaError
from mnemata.theory.schema import Schema

__all__ = ["SourceOptions", "Stream", "check_names", "locate", "open_stream"]


class Stream(Protocol):
    """A stream of rows in Spark."""

    @property
    def schema(self) -> Schema:
        """The attributes of its events."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """Why other columns of the files are no attributes, when the schema was derived from them."""

    @property
    def groups(self) -> RowGroups | None:
        """The files as workers can read them by themselves, if every row is an event; else ``None``."""

    @property
    def costly(self) -> bool:
        """Whether rows should be kept rather than read twice."""

    def rows(self, columns: Collection[str]) -> DataFrame:
        """All rows, sound and faulty.

        Parameters
        ----------
        columns : collection of str
            The attributes that are wanted. All attributes are checked.

        Returns
        -------
        DataFrame
            ``#row``: the 0-based number of the row in the stream, which depends on the files alone. The
            wanted attributes: bigint, double, boolean, string, and for timestamps bigint ticks. ``#reason``:
            why the row is faulty, null when it is an event; then ``#detail``, what value it is about, and
            ``#raw``, the row as text.
        """


def open_stream(
    spark: SparkSession, path: str | os.PathLike[str], options: SourceOptions | None = None
) -> Stream:
    """Open a file or folder as a stream.

    Parameters
    ----------
    spark : SparkSession
        Where to read it.
    path : path-like
        A file, a folder of files in one format, or an address that Spark understands. Files are read in
        the order of their names.
    options : SourceOptions, optional
        Format, schema, and what else the files do not say by themselves.

    Raises
    ------
    SourceError
        There is nothing at `path`, or it cannot be read as a stream.
    SchemaError
        The files do not fit the schema, or none can be derived.
    UnknownAttributeError
        The options name an attribute that is not there.
    """
    chosen = options or SourceOptions()
    location = locate(path, chosen.format)
    opened = open_parquet if location.format == "parquet" else open_text
    stream: Stream = opened(spark, location, chosen)
    check_names(spark, stream.schema)
    return stream


def check_names(spark: SparkSession, schema: Schema) -> None:
    """Raise `SchemaError` when Spark could confuse the columns of these attributes."""
    for name in schema.names:
        if name in (ROW, *VERDICT):
            raise SchemaError(
                f"an attribute cannot be called '{name}': the pipeline has a column of that name"
            )
    _check_case(spark, schema)


def _check_case(spark: SparkSession, schema: Schema) -> None:
    """Two attributes that differ in case only are one column to Spark, unless it is told otherwise."""
    if spark.conf.get("spark.sql.caseSensitive") == "true":
        return
    seen: dict[str, str] = {}
    for name in schema.names:
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            raise SchemaError(
                f"attributes '{other}' and '{name}' differ in case only; set spark.sql.caseSensitive to true"
            )
