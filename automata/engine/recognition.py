"""Recognition of patterns in a stream."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final

import numpy as np
import pyarrow as pa

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.engine.blocks import Block
from mnemata.automata.engine.choosing import Choosing, Merged, Rules
from mnemata.automata.engine.columns import Rows
from mnemata.automata.engine.compiled.search import Limits, Search
from mnemata.automata.engine.futures import Futures
from mnemata.automata.engine.ingestion import Ingestion
from mnemata.automata.engine.matches import Key, Matches, Searching
from mnemata.automata.engine.preparation import prepared
from mnemata.automata.engine.queries import compile_for_engine
from mnemata.automata.engine.substreams import Substreams
from mnemata.theory.arrow import ExportsArrow, arrow_table, schema_from_arrow
from mnemata.theory.errors import LimitError, SchemaError, SlowRecognitionWarning
from mnemata.theory.schema import Schema
from mnemata.theory.syntax import AnyPattern, named, parse_either

LIMITS: Final = Limits()
"""How much is kept at once, unless a caller says otherwise."""


def recognise(
    pattern: AnyPattern | CompiledPattern,
    table: ExportsArrow,
    *,
    schema: Schema | None = None,
    event_type: str | None = None,
    time: str | None = None,
    limits: Limits = LIMITS,
) -> Matches:
    """Find a pattern in a stream.

    Parameters
    ----------
    pattern : Pattern, Expression, Query, CompiledPattern or str
        What to find; a text is read by `mnemata.theory.syntax.parse_either`.
    table : pyarrow.Table, pyarrow.RecordBatch or a data frame
        The stream: one row for each event, in stream order. It may have columns that the schema does not.
        Data frames of pandas, Polars and others are read by `mnemata.theory.arrow.arrow_table`.
    schema : Schema, optional
        The schema of the events; derived from the columns when left out.
    event_type, time : str, optional
        For a schema that is derived: the columns that name the kind of an event and that order the stream.
        Windows in time need the latter.
    limits : Limits
        How much to keep at once.

    Returns
    -------
    Matches
        Lazy: this call checks the pattern and the columns that it reads, and searches nothing. Matches are
        those of `mnemata.theory.sremo.semantics.pattern_matches`, with 0-based rows. Searching raises
        `LimitError` when a limit is reached.

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
    >>> matches = recognise(skip_till_any(mark(write="r"), mark(rise)), prices)
    >>> sorted(match.positions for match in matches)
    [(0, 3), (2, 3)]
    """
    events = arrow_table(table)
    if isinstance(pattern, CompiledPattern) and (schema, event_type, time) == (None, None, None):
        return Recognition(pattern, events, limits).found()
    known = _known(events, schema, event_type, time)
    return Recognition(_compiled(pattern, known, derived=schema is None), events, limits).found()


def recognise_all(
    patterns: Mapping[str, AnyPattern] | Iterable[AnyPattern],
    table: ExportsArrow,
    *,
    schema: Schema | None = None,
    event_type: str | None = None,
    time: str | None = None,
    limits: Limits = LIMITS,
) -> dict[str, Matches]:
    """Find many patterns in one stream, whose columns are converted once and looked at once for all.

    Parameters
    ----------
    patterns : mapping of str to pattern, or iterable of patterns
        What to find, each as `recognise` takes it; the keys of a mapping become the names of the patterns.
    table, schema, event_type, time, limits
        As for `recognise`. Limits are for each pattern.

    Returns
    -------
    dict of str to Matches
        By the patterns' names, in their order: for each what `recognise` returns.

    Raises
    ------
    PatternError
        When a pattern does not fit the schema, two have one name, or there is none.
    SchemaError, StreamError
        As `recognise`.

    Examples
    --------
    >>> prices = pa.table({"price": [3, 1, 2, 5]})
    >>> found = recognise_all({"up": "event as r; event where price > r.price",
    ...                        "high": "event where price > 2"}, prices)
    >>> {name: [match.positions for match in matches] for name, matches in found.items()}
    {'up': [(1, 2), (2, 3)], 'high': [(0,), (3,)]}
    """
    events = arrow_table(table)
    known = _known(events, schema, event_type, time)
    compiled = [compile_for_engine(one, known) for one in named(patterns, known)]
    return found_together(compiled, events, limits)


def found_together(
    patterns: Sequence[CompiledPattern], table: pa.Table, limits: Limits = LIMITS
) -> dict[str, Matches]:
    """The same for patterns that are compiled and have different names.

    Raises
    ------
    SchemaError
        They are not compiled for one schema, or the table does not fit it.
    """
    for other in patterns:
        if other.schema != patterns[0].schema:
            first, name = patterns[0].pattern.name, other.pattern.name
            raise SchemaError(
                f"patterns '{first}' and '{name}' were compiled for different schemas; compile them for one"
            )
    ingestion = Ingestion(table, [prepared(compiled).compiled for compiled in patterns])
    return {
        compiled.pattern.name: Recognition(compiled, table, limits, ingestion).found()
        for compiled in patterns
    }


def _known(events: pa.Table, schema: Schema | None, event_type: str | None, time: str | None) -> Schema:
    if schema is None:
        return schema_from_arrow(events.schema, event_type=event_type, time=time)
    if event_type is not None or time is not None:
        raise SchemaError("the schema says which columns are event type and time; leave out the others")
    return schema


def _compiled(pattern: AnyPattern | CompiledPattern, schema: Schema, *, derived: bool) -> CompiledPattern:
    if not isinstance(pattern, CompiledPattern):
        read = parse_either(pattern, schema=schema) if isinstance(pattern, str) else pattern
        return compile_for_engine(read, schema)
    if not derived and schema != pattern.schema:
        raise SchemaError("the pattern was compiled for another schema; compile it again for this one")
    return pattern


class Recognition:
    """A compiled pattern and the columns of a stream that it reads; searches it again and again.

    Parameters
    ----------
    compiled : CompiledPattern
        What to find.
    table : pyarrow.Table
        The stream.
    limits : Limits
        How much to keep at once.
    ingestion : Ingestion, optional
        The columns of the table, if others share them.
    """

    def __init__(
        self, compiled: CompiledPattern, table: pa.Table, limits: Limits, ingestion: Ingestion | None = None
    ) -> None:
        self._compiled, self._obstacle = prepared(compiled)
        self._table, self._limits = table, limits
        self._ingestion = ingestion or Ingestion(table, [self._compiled])
        self._stream = self._ingestion.stream

    def found(self) -> Matches:
        """What is found, lazily."""
        schema, pattern = self._compiled.schema, self._compiled.pattern
        times = None if schema.time is None else self._stream[schema.time].values
        return Matches(pattern, self._table, schema, self, self._key, times)

    def matches(self, first: int | None = None) -> Iterator[Block]:
        """All matches, by sub-stream and last row."""
        for block in self._search.matches(first):
            found = None if block.found is None else self._rows(block.found)
            yield Block(self._rows(block.positions), block.ends, found)

    def count(self) -> int:
        """How many matches there are."""
        return self._search.count()

    def counts(self) -> Iterator[tuple[int, int]]:
        """The rows at which matches are found, each with their number."""
        for row, number in self._search.counts():
            yield self._row(row), number

    def ends(self) -> Iterator[Rows]:
        """The rows at which matches are found."""
        yield from map(self._rows, self._search.ends())

    @property
    def _substreams(self) -> Substreams:
        return self._ingestion.substreams(self._compiled.pattern.partition_by)

    @cached_property
    def _search(self) -> Searching:
        """The kernel where it can do it, else Python."""
        found = self._substreams
        columns = self._ingestion.columns(self._compiled.pattern.partition_by)
        if self._obstacle is not None:
            warnings.warn(
                f"pattern '{self._compiled.pattern.name}' is recognised in Python, which is slow: "
                f"{self._obstacle}",
                SlowRecognitionWarning,
                stacklevel=2,
            )
        # What the search holds must not hold the search: columns are to go as soon as nobody needs them.
        classes = partial(self._ingestion.classes, self._compiled.pattern.partition_by)
        too_many = partial(_too_many, self._compiled.pattern.name, found.order, self._limits)
        kind = Search if self._obstacle is None else Futures
        search = kind(self._compiled, columns, found.bounds, self._limits, too_many, classes)
        rules = Rules.of(self._compiled)
        if rules is None:
            return search
        if found.order is None or not self._compiled.consumes_across:
            return Choosing(search, rules, found.bounds)
        merged = Merged(search, found.order, self._limits, too_many)
        return Choosing(merged, rules, np.array([0, self._stream.size], np.int64))

    def _key(self, row: int) -> Key:
        return tuple(self._stream.reader(name)(row) for name in self._compiled.pattern.partition_by)

    @property
    def _order(self) -> Rows | None:
        """What the rows that the search finds are called in the stream; ``None``: the same."""
        return None if self._compiled.consumes_across else self._substreams.order

    def _rows(self, rows: Rows) -> Rows:
        return rows if self._order is None else self._order[rows]

    def _row(self, row: int) -> int:
        return row if self._order is None else int(self._order[row])


def _too_many(name: str, order: Rows | None, limits: Limits, row: int, size: int, what: str) -> LimitError:
    row = row if order is None else int(order[row])
    return LimitError(
        f"pattern '{name}' has {size:,} {what} at row {row}, and the limit is {limits.of(what):,}. Bound it "
        "by a (smaller) window, or raise the limit"
    )
