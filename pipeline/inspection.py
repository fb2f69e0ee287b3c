"""Finding one match in a stream, with the events around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_
from typing import Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F  # noqa: N812

from mnemata.automata.compilation import compile_pattern
from mnemata.pipeline.batch import kept
from mnemata.pipeline.explanation import Step, explained
from mnemata.pipeline.failures import translated
from mnemata.pipeline.quarantine import events_of
from mnemata.pipeline.recognition import RecognitionOptions, Task, matches_of
from mnemata.pipeline.sources import Stream
from mnemata.pipeline.sources.formats import ROW
from mnemata.pipeline.sources.frames import quoted
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Event, Schema
from mnemata.theory.sremo.expressions import Pattern

MOST_EVENTS: Final = 100_000
"""How many events of a sub-stream are looked at, up to the last one of the match."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """A match and the run behind it.

    Parameters
    ----------
    steps : tuple of Step
        The run.
    rows : mapping of int to int
        For each position in the sub-stream the number of its row in the stream.
    """

    steps: tuple[Step, ...]
    rows: dict[int, int]


def inspect(stream: Stream, pattern: Pattern, number: int, *, sort: bool = False) -> Inspection | None:
    """Find the `number`-th match, in the order of their ends, and a run that explains it.

    Returns ``None`` when there are fewer matches.

    Raises
    ------
    LimitError
        The match stretches over too many events of its sub-stream.
    MnemataError
        What reading and recognition raise.
    """
    task = replace(Task.of(pattern, stream.schema, RecognitionOptions(sort=sort)), first=number)
    with kept(stream.rows(stream.schema.names), stream.costly) as rows, translated():
        events = events_of(rows)
        found = matches_of(events, task).orderBy("end", "start", "positions").limit(number).collect()
        if len(found) < number:
            return None
        return _inspected(events, stream.schema, pattern, found[-1], sort=sort)


def _inspected(events: DataFrame, schema: Schema, pattern: Pattern, match: Row, *, sort: bool) -> Inspection:
    own = _substream(events, pattern, match)
    order = [*([schema.time] if sort and schema.time else []), ROW]
    until = own.where(_not_after(own, match["end"], order))
    size = until.count()
    newest = until.orderBy(*(quoted(name).desc() for name in order)).limit(MOST_EVENTS).toArrow()
    string, rows = _string(newest, schema, size)
    marks = [position for position, row in rows.items() if row in set(match["positions"])]
    compiled = compile_pattern(pattern, schema)
    steps = explained(compiled.srt, string, marks) if len(marks) == len(match["positions"]) else None
    if steps is None:
        raise LimitError(f"the match stretches over more than {MOST_EVENTS:,} events; it is not explained")
    return Inspection(steps, rows)


def _not_after(events: DataFrame, row: int, order: Sequence[str]) -> Column:
    """Which events come, in some order, not after the one in a row."""
    if order == [ROW]:
        return quoted(ROW) <= row
    last = events.where(quoted(ROW) == row).select(*map(quoted, order)).collect()[0]
    time, here = quoted(order[0]), last[0]
    found: Column = (time < here) | ((time == here) & (quoted(ROW) <= row))
    return found


def _substream(events: DataFrame, pattern: Pattern, match: Row) -> DataFrame:
    if not pattern.partition_by:
        return events
    same = (quoted(name) == F.lit(match["key"][name]) for name in pattern.partition_by)
    return events.where(reduce(and_, same))


def _string(newest: pa.Table, schema: Schema, size: int) -> tuple[Sequence[Event], dict[int, int]]:
    """The events, oldest first, at their positions in the sub-stream; and the rows of these."""
    values = reversed(newest.select(list(schema.names)).to_pylist())
    numbers = reversed(newest.column(ROW).to_pylist())
    first = size - newest.num_rows + 1
    string = [schema.event(event, position) for position, event in enumerate(values, start=first)]
    return string, dict(enumerate(numbers, start=first))
