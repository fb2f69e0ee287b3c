"""Recognition of a pattern in a stream: the repaired Algorithm 1 as readable Python over columns."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Final

import pyarrow as pa

from mnemata.automata.compilation import CompiledPattern, compile_pattern
from mnemata.automata.engine.columns import Columns, columns_of
from mnemata.automata.engine.grouping import grouped
from mnemata.automata.engine.horizon import Horizon
from mnemata.automata.engine.matches import Key, Match, Matches
from mnemata.automata.engine.moves import MoveTable
from mnemata.automata.engine.relations import needs_events
from mnemata.automata.engine.runs import Marks, Runs
from mnemata.automata.engine.schedule import Schedule
from mnemata.automata.engine.substreams import Substreams, begins_of, substreams
from mnemata.theory.arrow import schema_from_arrow
from mnemata.theory.conditions.formulas import Apply, Relation, expand
from mnemata.theory.conditions.terms import Attribute
from mnemata.theory.errors import LimitError, SchemaError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Expression, Pattern
from mnemata.theory.trees import walk

MOST_RUNS: Final = 5_000_000
"""Runs held at once, unless a caller says otherwise: about 1 GB."""


def recognise(
    pattern: Pattern | Expression | CompiledPattern,
    table: pa.Table | pa.RecordBatch,
    *,
    schema: Schema | None = None,
    most_runs: int = MOST_RUNS,
) -> Matches:
    """Find a pattern in a stream.

    Parameters
    ----------
    pattern : Pattern, Expression or CompiledPattern
        What to find.
    table : pyarrow.Table or pyarrow.RecordBatch
        The stream: one row for each event, in stream order. It may have columns that the schema does not.
    schema : Schema, optional
        The schema of the events; derived from the columns when left out. Windows in time need one that
        names the time attribute.
    most_runs : int
        The largest number of runs to hold at once.

    Returns
    -------
    Matches
        Lazy: this call checks the pattern and the columns that it reads, and searches nothing. Matches are
        those of `mnemata.theory.sremo.semantics.pattern_matches`, with 0-based rows. Searching raises
        `LimitError` when there are more than `most_runs` runs.

    Raises
    ------
    PatternError
        When the pattern does not fit the schema.
    SchemaError
        When the table does not fit the schema.
    StreamError
        When the stream is not in the order of its time attribute, or a timestamp is missing.

    Examples
    --------
    >>> from mnemata.theory.conditions.building import head, register
    >>> from mnemata.theory.sremo.expressions import mark, skip_till_any
    >>> prices = pa.table({"id": [1, 2, 1, 1], "price": [10.0, 20.0, 9.0, 12.0]})
    >>> rise = (head().id == register("r").id) & (head().price > register("r").price)
    >>> for match in recognise(skip_till_any(mark(write="r"), mark(rise)), prices):
    ...     print(match.positions)
    (0, 3)
    (2, 3)
    """
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    if not isinstance(table, pa.Table):
        raise SchemaError(
            f"a stream is a pyarrow Table or RecordBatch, got {type(table).__name__}; "
            "pyarrow.Table.from_pandas() makes one of a data frame"
        )
    compiled = _compiled(pattern, table, schema)
    return Recognition(compiled, table, most_runs).matches()


def _compiled(
    pattern: Pattern | Expression | CompiledPattern, table: pa.Table, schema: Schema | None
) -> CompiledPattern:
    if not isinstance(pattern, CompiledPattern):
        return compile_pattern(pattern, schema or schema_from_arrow(table.schema))
    if schema is not None and schema != pattern.schema:
        raise SchemaError("the pattern was compiled for another schema; compile it again for this one")
    return pattern


class Recognition:
    """A compiled pattern and the columns of a stream that it reads.

    Parameters
    ----------
    compiled : CompiledPattern
        What to find.
    table : pyarrow.Table
        The stream.
    most_runs : int
        The largest number of runs to hold at once.
    """

    def __init__(self, compiled: CompiledPattern, table: pa.Table, most_runs: int) -> None:
        self._compiled, self._table, self._most_runs = grouped(compiled), table, most_runs
        self._stream = columns_of(table, compiled.schema, names_read(compiled))

    def matches(self) -> Matches:
        """What is found, lazily."""
        schema, pattern = self._compiled.schema, self._compiled.pattern
        times = None if schema.time is None else self._stream[schema.time].values
        return Matches(pattern, self._table, schema, self._search, self._count, times)

    @cached_property
    def _substreams(self) -> Substreams:
        return substreams(self._stream, self._compiled.pattern.partition_by)

    @cached_property
    def _columns(self) -> Columns:
        """The stream, one sub-stream after the other."""
        found = self._substreams
        return self._stream if found.order is None else self._stream.take(found.order, begins_of(found))

    @cached_property
    def _table_of_moves(self) -> MoveTable:
        return MoveTable(self._compiled, self._columns)

    def _search(self) -> Iterator[Match]:
        for key, found in self._reports():
            ordered = sorted(self._positions(marks) for marks in found)
            yield from (Match(positions, key) for positions in ordered)

    def _count(self) -> int:
        return sum(len(found) for _, found in self._reports())

    def _reports(self) -> Iterator[tuple[Key, list[Marks]]]:
        """The matches that end at each row, sub-stream by sub-stream."""
        bounds = self._substreams.bounds.tolist()
        schedule = Schedule(self._table_of_moves)
        horizon = Horizon(self._compiled.windows, self._columns)
        readers = [self._columns.reader(name) for name in self._compiled.pattern.partition_by]
        for begin, end in pairwise(bounds):
            horizon.enter(begin)
            runs = Runs(self._table_of_moves, schedule, horizon, self._most_runs, self._too_many)
            key = tuple(read(begin) for read in readers)
            for _, found in runs.matches(begin, end):
                yield key, found

    def _positions(self, marks: Marks) -> tuple[int, ...]:
        return tuple(map(self._row, marks.rows()))

    def _row(self, row: int) -> int:
        order = self._substreams.order
        return row if order is None else int(order[row])

    def _too_many(self, row: int, size: int) -> LimitError:
        name = self._compiled.pattern.name
        return LimitError(
            f"pattern '{name}' has {size:,} runs at row {self._row(row)}; the limit is "
            f"{self._most_runs:,}. Bound it by a (smaller) window, or raise the limit with most_runs="
        )


def names_read(compiled: CompiledPattern) -> list[str]:
    """The attributes whose columns recognition needs, in schema order.

    They are those that guards read, that the pattern is partitioned by, and the time that orders the
    stream; all of them when a guard applies a Python function to whole events.
    """
    schema = compiled.schema
    names = {*compiled.pattern.partition_by, *([schema.time] if schema.time else [])}
    for condition in {t.condition for t in compiled.srt.transitions if t.condition is not None}:
        for node in walk(expand(condition)):
            if isinstance(node, Attribute):
                names.add(node.name)
            if isinstance(node, Apply) and isinstance(node.relation, Relation):
                names.update(schema.names if needs_events(node.relation) else node.relation.attributes)
    return [name for name in schema.names if name in names]
