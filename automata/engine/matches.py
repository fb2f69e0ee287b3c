"""What recognition finds: lazy, countable, iterable, convertible to Arrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final, Protocol, TypeAlias

import numpy as np
import pyarrow as pa

from mnemata.automata.engine.arrays import arrow, whole
from mnemata.automata.engine.blocks import Block
from mnemata.automata.engine.columns import Rows
from mnemata.automata.engine.results import event_lists, result_batch, result_schema
from mnemata.theory.cel.query import Query
from mnemata.theory.schema import Schema, Value
from mnemata.theory.sremo.expressions import Pattern

Key: TypeAlias = tuple[Value, ...]

MOST_KEPT: Final = 100_000
MARKS_PER_ROW: Final = 16


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
        """The last marked row, at which the stream reports the match unless the query goes on after it."""
        return self.positions[-1]

    def __len__(self) -> int:
        return len(self.positions)


class Searching(Protocol):
    """Something that can search a stream, again and again."""

    def matches(self, first: int | None = None) -> Iterator[Block]:
        """All matches by last row, or only so many for each."""

    def count(self) -> int:
        """How many matches there are."""

    def counts(self) -> Iterator[tuple[int, int]]:
        """The rows at which matches end, each with their number."""

    def ends(self) -> Iterator[Rows]:
        """The rows at which matches end."""


class Matches:
    """The set of matches of a pattern in a stream.

    Nothing is computed before it is asked for. Iterating computes matches as they are taken, and
    may be done again. They come one sub-stream after the other, in the order in which their keys
    first appear in the table; within a sub-stream by the row at which they are found. Where matches use
    up the events of all sub-streams, they come by that row alone. Matches that are found at the same row
    come in an order that is always the same, and that means nothing.

    Parameters
    ----------
    pattern : Pattern or Query
        What was searched for.
    table : pyarrow.Table
        Where.
    schema : Schema
        The schema of its events.
    search : Searching
        Finds the matches.
    key : callable
        The key of the sub-stream of a row.
    times : int64 array or None
        The timestamps of the table's rows, in ticks.
    """

    def __init__(
        self,
        pattern: Pattern | Query,
        table: pa.Table,
        schema: Schema,
        search: Searching,
        key: Callable[[int], Key],
        times: Rows | None = None,
    ) -> None:
        self.pattern, self.table, self.schema = pattern, table, schema
        self._search, self._key, self._times = search, key, times
        self._count: int | None = None
        self._kept: tuple[Match, ...] | None = None

    def __iter__(self) -> Iterator[Match]:
        yield from self._found() if self._kept is None else self._kept

    def __bool__(self) -> bool:
        return any(len(rows) for rows in self._search.ends())

    def __len__(self) -> int:
        """How many there are; up to 100,000 are kept, so that ``list(matches)`` searches once."""
        if self._kept is None and self._count is None:
            first = tuple(islice(self._found(), MOST_KEPT + 1))
            if len(first) <= MOST_KEPT:
                self._kept, self._count = first, len(first)
        return self.count()

    def __repr__(self) -> str:
        known = "not searched yet" if self._count is None else f"{self._count:,} found"
        return f"<Matches of '{self.pattern.name}' in {self.table.num_rows:,} events: {known}>"

    def count(self) -> int:
        """How many there are, exactly, without making or keeping them."""
        if self._count is None:
            self._count = self._search.count()
        return self._count

    def counts(self) -> Iterator[tuple[int, int]]:
        """The rows at which matches are found, each with their number, without making them."""
        yield from self._search.counts()

    def ends(self) -> Rows:
        """The rows at which matches are found, in the order of matches: an int64 array. Makes no match.

        A match is found at its last row, but for queries that go on after the last event that they show:
        what these find is found once, at the first row at which it is certain.
        """
        return np.concatenate([np.zeros(0, np.int64), *self._search.ends()])

    def first(self, number: int) -> Iterator[Match]:
        """So many matches for each last row, where there are as many; which ones is always the same."""
        yield from self._found(number)

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
        for block in self._search.matches():
            for some in block.portions(max_rows, MARKS_PER_ROW * max_rows):
                batch = result_batch(self.pattern, self.schema, self.table, some, self._times)
                if events:
                    batch = batch.append_column("events", event_lists(self.table, self.schema, some))
                yield batch

    def explode(self) -> pa.Table:
        """The marked events of all matches, one row each, in their order.

        ============  ==================================================================================
        ``match``     int64, the number of the match, from 0
        ``place``     int64, which of its marked events this is, from 0
        ``position``  int64, the row of the event
        ``event``     struct of the columns of the table that was searched; ``flatten()`` takes it apart
        ============  ==================================================================================

        Examples
        --------
        >>> from mnemata.automata.engine.recognition import recognise
        >>> ticks = pa.table({"price": [3, 1, 2]})
        >>> recognise("any(event as r, event where price > r.price)", ticks).explode().to_pylist()[0]
        {'match': 0, 'place': 0, 'position': 1, 'event': {'price': 1}}
        """
        numbered, parts = 0, [self._exploded(Block.empty(), 0)]
        for block in self._search.matches():
            parts.append(self._exploded(block, numbered))
            numbered += len(block.ends)
        return pa.concat_tables(parts)

    def _exploded(self, block: Block, first: int) -> pa.Table:
        sizes = np.diff(block.offsets)
        place = np.arange(len(block.positions)) - np.repeat(block.offsets[:-1], sizes)
        numbers = np.repeat(np.arange(first, first + len(sizes)), sizes)
        taken = self.table.take(arrow(block.positions))
        events = pa.StructArray.from_arrays(
            [whole(column) for column in taken.columns], fields=list(taken.schema)
        )
        columns = [arrow(numbers), arrow(place), arrow(block.positions), events]
        return pa.Table.from_arrays(columns, ["match", "place", "position", "event"])

    def _found(self, first: int | None = None) -> Iterator[Match]:
        for block in self._search.matches(first):
            positions = block.positions.tolist()
            for begin, end in pairwise([0, *block.ends.tolist()]):
                yield Match(tuple(positions[begin:end]), self._key(positions[begin]))
