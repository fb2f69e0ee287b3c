"""Rows at a steady rate, for trials: Spark's own source with the attributes ``timestamp`` and ``value``."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from mnemata.pipeline.sources.formats import ROW, VERDICT
from mnemata.theory.errors import SourceError
from mnemata.theory.schema import Int64, Schema, Timestamp

SCHEME = "rate"


@dataclass(frozen=True, slots=True)
class Rate:
    """A source of so many rows each second.

    Parameters
    ----------
    rows_per_second : int
        How many.
    """

    rows_per_second: int

    @property
    def schema(self) -> Schema:
        """``timestamp`` orders the stream; ``value`` counts from 0."""
        return Schema.of(timestamp=Timestamp("us"), value=Int64(), time="timestamp")

    @property
    def format(self) -> None:
        """Of no files."""

    @classmethod
    def parse(cls, text: str) -> Rate:
        """Read ``rate`` or ``rate:1000``; raises `SourceError`.

        >>> Rate.parse("rate:1000")
        Rate(rows_per_second=1000)
        """
        scheme, colon, number = text.partition(":")
        if scheme != SCHEME or (colon and not (number.isascii() and number.isdecimal() and int(number))):
            raise SourceError(f"'{text}' is no rate of rows; write {SCHEME}:1000 for 1,000 rows a second")
        return cls(int(number) if colon else 1)

    def rows(self, spark: SparkSession) -> DataFrame:
        """See `mnemata.pipeline.streaming.folder.Folder.rows`."""
        rows = spark.readStream.format("rate").option("rowsPerSecond", self.rows_per_second).load()
        verdict = [F.lit(None).cast("string").alias(name) for name in VERDICT]
        return rows.select(
            F.col("value").alias(ROW), F.unix_micros("timestamp").alias("timestamp"), "value", *verdict
        )
