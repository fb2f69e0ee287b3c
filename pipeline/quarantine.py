"""Rows that are no events: kept with their reason, and counted.

====================  ==================================================================================
column of the table   meaning
====================  ==================================================================================
``row``               bigint, the 0-based number of the row in its stream
``reason``            string, why it is no event, such as ``price is not a float64``
``detail``            string, what value that is about; null where the whole row is
``raw``               string, the row as text: its line, or JSON when it does not come from text
====================  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from mnemata.pipeline.failures import translated
from mnemata.pipeline.recognition import has_key
from mnemata.pipeline.sources.formats import DETAIL, RAW, REASON, ROW
from mnemata.pipeline.sources.frames import quoted
from mnemata.theory.schema import Schema


@dataclass(frozen=True, slots=True)
class Tallied:
    """How many rows of a stream are what; every row is an event or faulty.

    Parameters
    ----------
    events : int
        Rows that are events.
    faulty : mapping of str to int
        The other rows, by reason, the most frequent first.
    without_key : int
        Events that belong to no sub-stream, because a part of their key is missing.
    missing : mapping of str to int
        For attributes that the pattern reads, how many events lack a value, if any does.
    """

    events: int
    faulty: Mapping[str, int]
    without_key: int
    missing: Mapping[str, int]

    @property
    def rows(self) -> int:
        """All rows of the stream."""
        return self.events + sum(self.faulty.values())


def events_of(rows: DataFrame) -> DataFrame:
    """The sound rows, without the columns that tell what is wrong."""
    return rows.where(quoted(REASON).isNull()).drop(REASON, DETAIL, RAW)


def quarantine_of(rows: DataFrame) -> DataFrame:
    """The faulty rows as the table that is described above."""
    names = {"row": ROW, "reason": REASON, "detail": DETAIL, "raw": RAW}
    faulty = rows.where(quoted(REASON).isNotNull())
    return faulty.select(*(quoted(name).alias(alias) for alias, name in names.items()))


def tallied(rows: DataFrame, schema: Schema, columns: Sequence[str], keys: tuple[str, ...]) -> Tallied:
    """Count the rows of a stream in one pass.

    Parameters
    ----------
    rows : DataFrame
        As `mnemata.pipeline.sources.Stream.rows` returns them.
    schema : Schema
        Of the stream.
    columns : sequence of str
        The attributes in `rows`.
    keys : tuple of str
        Those of them that make up the key.
    """
    without_key = F.count_if(~has_key(schema, keys))
    missing = [F.count_if(quoted(name).isNull()) for name in columns]
    with translated():
        counts = rows.groupBy(quoted(REASON)).agg(F.count("*"), without_key, *missing).collect()
    sound = next((row for row in counts if row[0] is None), None)
    faulty = {row[0]: row[1] for row in counts if row[0] is not None}
    ordered = dict(sorted(faulty.items(), key=lambda item: (-item[1], item[0])))
    if sound is None:
        return Tallied(0, ordered, 0, {})
    lacking = {name: n for name, n in zip(columns, sound[3:], strict=True) if n}
    return Tallied(sound[1], ordered, sound[2], lacking)
