"""Recognition in Spark tables, next to other Spark code.

Matches are a table like any other: join it, write it, or name it for SQL with
``matches.createOrReplaceTempView("matches")``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812

from mnemata.pipeline.failures import raising
from mnemata.pipeline.pushdown import that_matter
from mnemata.pipeline.recognition import RecognitionOptions, Task, matches_of, united
from mnemata.pipeline.sources.formats import DETAIL, REASON, ROW
from mnemata.pipeline.sources.frames import FrameStream, quoted
from mnemata.pipeline.spark_schema import schema_from_spark
from mnemata.theory.cel.query import Query
from mnemata.theory.errors import PatternError, SchemaError, StreamError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.syntax import AnyPattern, named

MATCH = "match"
_DIGITS = 32


def recognise(
    frame: DataFrame,
    pattern: AnyPattern | Mapping[str, AnyPattern] | Sequence[AnyPattern],
    *,
    key: str | Sequence[str] = (),
    time: str | None = None,
    event_type: str | None = None,
    arrival: str | None = None,
    schema: Schema | None = None,
    options: RecognitionOptions | None = None,
) -> DataFrame:
    """Find a pattern, or several at once, in a Spark table; nothing runs before the result is used.

    Parameters
    ----------
    frame : DataFrame
        One row for each event. The order of its rows means nothing to Spark, so `arrival` or `time` must
        tell the order of events.
    pattern : Pattern, Expression, Query or str, or a mapping or sequence of them
        What to find; a text is read by `mnemata.theory.syntax.parse_either`. The keys of a mapping become the
        names of the patterns, which the column ``pattern`` of the result has.
    key : str or sequence of str
        The columns by which the table is divided into sub-streams; by default those that each pattern is
        partitioned by.
    time, event_type : str, optional
        The columns that order events and that name their kind, unless `schema` says so. With a schema, times
        may also be whole numbers of ticks.
    arrival : str, optional
        A column of distinct whole numbers that increase along the stream; positions of matches are its
        values. Without it events are ordered by time, positions count the events of a sub-stream from 0, or
        of the table where a match uses up the events of all keys, and two events at the same time in what is
        counted are an error.
    schema : Schema, optional
        The attributes of events and their types; by default all columns but `arrival`.
    options : RecognitionOptions, optional
        How to recognise.

    Returns
    -------
    DataFrame
        The matches, with the columns of `mnemata.automata.engine.results.result_schema`; the key of several
        patterns has all attributes that some of them is partitioned by. Using it raises Spark's exceptions;
        inside ``with mnemata.pipeline.failures.translated():`` those of mnemata.

    Raises
    ------
    PatternError
        A pattern does not fit the schema, or is partitioned by other columns than `key`; or two patterns have
        one name.
    SchemaError
        The table does not fit the schema.
    StreamError
        Nothing tells the order of events.

    Notes
    -----
    Rows that do not fit the schema, or have no timestamp, make the result raise `StreamError`: a table
    has no quarantine. Filter them first, or read files with `mnemata.pipeline.sources.open_stream`.
    """
    whole = _schema(frame, schema, arrival, event_type, time)
    if arrival is None and whole.time is None:
        raise StreamError(
            "the rows of a Spark table have no order: name the column of times with time=, or one of "
            "increasing numbers with arrival="
        )
    patterns = [pattern] if isinstance(pattern, AnyPattern) else pattern
    divided = [_divided(one, key) for one in named(patterns, whole)]
    task = Task.of_all(divided, whole, options or RecognitionOptions())
    if arrival is not None:
        rows = FrameStream(frame, whole, quoted(arrival)).rows(task.columns)
        return matches_of(rows.withColumn(ROW, _sound(quoted(ROW))), task)
    rows = FrameStream(frame, whole, F.lit(0)).rows(task.columns)
    return united([_in_time(rows, whole, part) for part in task.by_keys()])


def _in_time(rows: DataFrame, schema: Schema, task: Task) -> DataFrame:
    """The matches of patterns with the same keys in rows whose numbers follow from their times."""
    numbered = rows.withColumn(ROW, _sound(_place_in_time(schema, task.keys)))
    # No number is null; asking for it makes those raise that cannot be given, whatever else the event is.
    return matches_of(that_matter(numbered, task, besides=quoted(ROW).isNull()), task)


def explode(matches: DataFrame) -> DataFrame:
    """One row for each marked event of each match.

    Parameters
    ----------
    matches : DataFrame
        Made with ``RecognitionOptions(events=True)``.

    Returns
    -------
    DataFrame
        ``match``, which is the same text for all events of a match and no other, the columns of the match but
        ``positions`` and ``events``, and then

        ============  ==================================================================================
        ``place``     int, which of the marked events this is, from 0
        ``position``  bigint, its position
        ``event``     struct of its attributes; ``select("match", "event.*")`` takes it apart
        ============  ==================================================================================

    Raises
    ------
    SchemaError
        The table has no marked events.
    """
    if not {"positions", "events"} <= set(matches.columns):
        raise SchemaError(
            f"matches without their events cannot be taken apart; they have {', '.join(matches.columns)}. "
            "Recognise with RecognitionOptions(events=True), or --events"
        )
    kept = [quoted(name) for name in matches.columns if name not in ("positions", "events")]
    marked = F.posexplode(F.arrays_zip("positions", "events")).alias("place", "marked")
    rows = matches.select(identifier(matches).alias(MATCH), *kept, marked)
    position, event = F.col("marked.positions").alias("position"), F.col("marked.events").alias("event")
    return rows.select(MATCH, *kept, "place", position, event)


def identifier(matches: DataFrame) -> Column:
    """What tells a match from all others: 128 bits of the SHA-256 of its pattern's name, key and positions.

    They are written as JSON for that, and the bits in hexadecimal digits.
    """
    parts = [name for name in ("pattern", "key", "positions") if name in matches.columns]
    return F.substring(F.sha2(F.to_json(F.struct(*parts)), 256), 1, _DIGITS)


def _schema(
    frame: DataFrame, schema: Schema | None, arrival: str | None, event_type: str | None, time: str | None
) -> Schema:
    if schema is None:
        columns = frame if arrival is None else frame.drop(arrival)
        return schema_from_spark(columns.schema, event_type=event_type, time=time)
    if event_type is not None or time is not None:
        raise SchemaError("the schema says which columns are event type and time; leave out the others")
    return schema


def _divided(pattern: Pattern | Query, key: str | Sequence[str]) -> Pattern | Query:
    keys = (key,) if isinstance(key, str) else tuple(key)
    if not keys or pattern.partition_by == keys:
        return pattern
    if pattern.partition_by:
        raise PatternError(
            f"the pattern is partitioned by {', '.join(pattern.partition_by)}, and key says "
            f"{', '.join(keys)}; leave one of them out"
        )
    return replace(pattern, partition_by=keys)


def _place_in_time(schema: Schema, keys: Sequence[str]) -> Column:
    """The number of an event in its sub-stream; using it raises `StreamError` where two come at one time."""
    time = quoted(schema.time or "")
    in_order = Window.partitionBy(*map(quoted, keys)).orderBy(time)
    message = F.concat(
        F.lit(f"two events{' of a sub-stream' if keys else ''} have the same '{schema.time}' ("),
        time.cast("string"),
        F.lit(" ticks), so that nothing tells their order; name a column that does with arrival="),
    )
    tied = F.lag(time).over(in_order) == time
    number = (F.row_number().over(in_order) - 1).cast("bigint")
    return F.when(tied, raising("StreamError", message).cast("bigint")).otherwise(number)


def _sound(number: Column) -> Column:
    """The number of a row; using it raises `StreamError` where it is missing or the row is faulty."""
    reason, detail = quoted(REASON), quoted(DETAIL)
    value = F.coalesce(F.concat(F.lit(" ("), detail, F.lit(")")), F.lit(""))
    faulty = F.concat(F.lit("row "), number.cast("string"), F.lit(": "), reason, value)
    unnumbered = F.lit("a row has no number: the column that tells the order of arrival is missing there")
    message = F.coalesce(faulty, F.when(number.isNull(), unnumbered))
    return F.when(message.isNull(), number).otherwise(raising("StreamError", message).cast("bigint"))
