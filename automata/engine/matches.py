"""What recognition finds: lazy, countable, iterable, convertible to Arrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

import pyarrow as pa

from mnemata.automata.engine.columns import Rows
from mnemata.automata.engine.results import event_lists, result_batch, result_schema
from mnemata.theory.schema import Schema, Value
from mnemata.theory.sremo.expressions import Pattern

Key: TypeAlias = tuple[Value, ...]

MOST_KEPT: Final = 100_000


@dataclass(frozen=True, slots=True)
class Match:
    """One match: which rows of the table it marks.

    Parameters
    ----------
    positions : tuple of int
        0-based rows of the table, increasing.
    key : tuple
        The values of the attributes that the pattern is partitioned by, in their order.
    """

    positions: tuple[int, ...]
    key: Key = ()

    @property
    def start(self) -> int:
        """The first marked row."""
        return self.positions[0]

    @property
    def end(self) -> int:
        """The last marked row, at which the stream reports the match."""
        return self.positions[-1]

    def __len__(self) -> int:
        return len(self.positions)


class Matches:
    """The set of matches of a pattern in a stream.

    Nothing is computed before it is asked for. Iterating computes matches as they are taken, and
    may be done again. The order is fixed: one sub-stream after the other, in the order in which their keys
    first appear in the table; within a sub-stream by last row, then by positions.

    Parameters
    ----------
    pattern : Pattern
        What was searched for.
    table : pyarrow.Table
        Where.
    schema : Schema
        The schema of its events.
    search : callable
        Starts the search and returns the matches one after the other.
    size : callable
        Starts the search and returns their number.
    times : int64 array or None
        The timestamps of the table's rows, in ticks.
    """

    def __init__(
        self,
        pattern: Pattern,
        table: pa.Table,
        schema: Schema,
        search: Callable[[], Iterator[Match]],
        size: Callable[[], int],
        times: Rows | None = None,
    ) -> None:
        self.pattern, self.table, self.schema = pattern, table, schema
        self._search, self._size, self._times = search, size, times
        self._count: int | None = None
        self._kept: tuple[Match, ...] | None = None

    def __iter__(self) -> Iterator[Match]:
        yield from self._search() if self._kept is None else self._kept

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __len__(self) -> int:
        """How many there are; up to 100,000 are kept, so that ``list(matches)`` searches once."""
        if self._count is None:
            found = self._search()
            first = tuple(islice(found, MOST_KEPT + 1))
            if len(first) <= MOST_KEPT:
                self._kept = first
            self._count = len(first) + sum(1 for _ in found)
        return self._count

    def __repr__(self) -> str:
        known = "not searched yet" if self._count is None else f"{self._count:,} found"
        return f"<Matches of '{self.pattern.name}' in {self.table.num_rows:,} events: {known}>"

    def count(self) -> int:
        """How many there are, without making or keeping them."""
        if self._count is None:
            self._count = self._size()
        return self._count

    def to_arrow(self, *, events: bool = False) -> pa.Table:
        """All matches as a table, one row each, in their order.

        Its columns are those of `mnemata.automata.engine.results.result_schema`.
        """
        columns = result_schema(self.pattern, self.schema, events=events)
        return pa.Table.from_batches(self.to_batches(events=events), columns)

    def to_batches(self, max_rows: int = 16_384, *, events: bool = False) -> Iterator[pa.RecordBatch]:
        """The matches as record batches, made as they are taken.

        Parameters
        ----------
        max_rows : int
            The most matches in a batch; a batch has fewer where they mark many events, so that memory
            stays bounded.
        events : bool
            Whether to add the marked events themselves.
        """
        for some in _portions(iter(self), max_rows):
            rows = [match.positions for match in some]
            keys = [match.key for match in some]
            batch = result_batch(self.pattern, self.schema, rows, keys, self._times)
            if events:
                batch = batch.append_column("events", event_lists(self.table, self.schema, rows))
            yield batch


MARKS_PER_ROW: Final = 16


def _portions(matches: Iterator[Match], max_rows: int) -> Iterator[list[Match]]:
    portion: list[Match] = []
    marks = 0
    for match in matches:
        portion.append(match)
        marks += len(match)
        if len(portion) >= max_rows or marks >= MARKS_PER_ROW * max_rows:
            yield portion
            portion, marks = [], 0
    if portion:
        yield portion
