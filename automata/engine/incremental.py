"""Recognition in a stream that arrives batch by batch, and that may be interrupted and taken up again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mnemata.automata.compilation import Begins, CompiledPattern
from mnemata.automata.engine import snapshots
from mnemata.automata.engine.choosing import NOTHING_CONSUMED, Rules
from mnemata.automata.engine.classes import classify
from mnemata.automata.engine.columns import Columns, columns_of
from mnemata.automata.engine.compiled.lane import Found, Lane
from mnemata.automata.engine.compiled.packing import Packed, lane_of, packed
from mnemata.automata.engine.compiled.plan import Mode, Tables, plan_of
from mnemata.automata.engine.compiled.search import Limits
from mnemata.automata.engine.ingestion import names_read
from mnemata.automata.engine.matches import Key, Match
from mnemata.automata.engine.preparation import prepared
from mnemata.automata.engine.queries import compile_for_engine
from mnemata.automata.engine.reach import reach
from mnemata.automata.engine.recognition import LIMITS
from mnemata.automata.engine.substreams import begins_of, substreams
from mnemata.automata.engine.texts import Texts
from mnemata.theory.cel.query import Query
from mnemata.theory.conditions.formulas import expand
from mnemata.theory.conditions.terms import Position
from mnemata.theory.errors import LimitError, StreamError, UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Expression, Pattern
from mnemata.theory.trees import walk

Ints = npt.NDArray[np.int64]

MOST_TABLES: Final = 64
FEWEST_TO_SWEEP: Final = 1024
FEWEST_TEXTS: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Batch:
    """What a batch brought.

    Parameters
    ----------
    matches : tuple of Match
        The matches that are found in the batch, when matches are enumerated; positions are numbers of events
        since the beginning of the stream, from 0.
    ends : int64 array
        The events at which matches are found: the last ones that they mark, but for queries that go on after
        the last event that they show.
    counts : tuple of int
        How many are found at each, when matches are counted or enumerated.
    """

    matches: tuple[Match, ...]
    ends: Ints
    counts: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many matches end in the batch; when they are only detected, at how many events."""
        return sum(self.counts) if self.counts else len(self.ends)


class Recogniser:
    """Recognises a pattern in a stream that arrives batch by batch.

    However the stream is divided into batches, the matches are those of
    `mnemata.automata.engine.recognition.recognise` on the whole of it. What is kept is bounded by windows. A
    batch that raises leaves everything as it was. A pattern that keeps some matches only, by a selection
    strategy or because they consume events, makes all matches of a batch in any mode.

    Parameters
    ----------
    pattern : Pattern, Expression, Query or CompiledPattern
        What to find.
    schema : Schema
        Of the events.
    mode : Mode
        Whether to enumerate matches, to count them, or to detect where some end.
    limits : Limits
        How much to keep, for each sub-stream.

    Raises
    ------
    PatternError
        When the pattern does not fit the schema.
    UnsupportedError
        When the pattern is one that only Python can recognise; the message says why.

    Examples
    --------
    >>> from mnemata.theory.schema import Int64
    >>> from mnemata.theory.syntax import parse
    >>> schema = Schema.of(price=Int64())
    >>> rising = Recogniser(parse("event as r; event where price > r.price"), schema)
    >>> batches = [pa.table({"price": prices}) for prices in ([1, 2], [3])]
    >>> [[match.positions for match in rising.push(batch).matches] for batch in batches]
    [[(0, 1)], [(1, 2)]]
    """

    def __init__(
        self,
        pattern: Pattern | Expression | Query | CompiledPattern,
        schema: Schema,
        *,
        mode: Mode = Mode.ENUMERATE,
        limits: Limits = LIMITS,
    ) -> None:
        compiled = pattern if isinstance(pattern, CompiledPattern) else compile_for_engine(pattern, schema)
        ready, obstacle = prepared(compiled)
        self._mode, self._rules = mode, Rules.of(ready)
        # To choose among matches they must be made, whatever is asked for.
        self._plan = plan_of(ready, mode if self._rules is None else Mode.ENUMERATE)
        if obstacle is not None:
            raise UnsupportedError(
                f"pattern '{compiled.pattern.name}' cannot be recognised batch by batch: {obstacle}"
            )
        self._limits = limits
        self._names = names_read(self._plan.compiled)
        self._meaning = snapshots.fingerprint(self._plan)
        self._lanes: dict[Key, Lane | Packed] = {}
        self._texts = Texts()
        self._events, self._last, self._consumed = 0, None, NOTHING_CONSUMED
        self._tables: dict[bytes, Tables] = {}
        self._counts_positions = any(
            isinstance(node, Position)
            for t in self._plan.compiled.srt.transitions
            if t.condition is not None
            for node in walk(expand(t.condition))
        )
        self._ticks = _ticks_back(self._plan.compiled)
        self._sweep_at = FEWEST_TO_SWEEP
        self._texts_at = FEWEST_TEXTS

    _last: int | None

    @property
    def events(self) -> int:
        """How many events were read."""
        return self._events

    @property
    def live(self) -> int:
        """How many distinct futures are kept."""
        return sum(lane.live for lane in self._lanes.values())

    @property
    def nodes(self) -> int:
        """How many nodes the match graphs have."""
        return sum(lane.nodes for lane in self._lanes.values())

    def push(self, batch: pa.Table | pa.RecordBatch) -> Batch:
        """Read the next events.

        Raises
        ------
        SchemaError
            When the batch does not fit the schema.
        StreamError
            When its events are out of order, among themselves or with regard to the one before.
        LimitError
            When a limit is reached.
        """
        table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
        columns = columns_of(table, self._plan.compiled.schema, self._names, self._texts)
        last = self._check_order(columns)
        changed: dict[Key, Lane] = {}
        brought, consumed = self._kept(list(self._read(columns, changed)), changed)
        self._lanes.update(changed)
        self._forget_idle(changed, last)
        self._forget_texts()
        self._events += columns.size
        self._last, self._consumed = last, consumed
        return _together(brought, self._mode)

    @property
    def fingerprint(self) -> str:
        """What its snapshots belong to: pattern, schema and mode, as 64 hexadecimal digits."""
        return self._meaning.hex()

    @property
    def idle(self) -> bool:
        """Whether nothing that was read matters for what comes."""
        return not self._lanes

    @property
    def closes(self) -> int | None:
        """The earliest time at which `advance` forgets something; ``None`` when no time will."""
        if self._ticks is None or not self._lanes:
            return None
        return min(lane.last for lane in self._lanes.values()) + self._ticks

    def advance(self, time: int) -> None:
        """Forget what windows have closed on when no event before `time` (in ticks) is going to come.

        Sub-streams that stay away are kept until then, as only their own next event would tell.
        """
        if self._ticks is not None:
            self._lanes = {key: lane for key, lane in self._lanes.items() if lane.last + self._ticks > time}

    def marked(self) -> Ints:
        """The events that matches to come may mark, of those that were read; increasing, perhaps too many."""
        labels = (lane.marked for lane in self._packed().values())
        found: Ints = np.unique(np.concatenate([np.zeros(0, np.int64), *labels]))
        return found[found >= 0]

    def flush(self) -> Batch:
        """End the stream and begin a new one; every match has been reported when its last event was read."""
        self._lanes, self._events, self._last, self._texts = {}, 0, None, Texts()
        self._consumed = NOTHING_CONSUMED
        return _together([], self._mode)

    def snapshot(self) -> bytes:
        """All that is needed to go on later, elsewhere; see `mnemata.automata.engine.snapshots`."""
        state = snapshots.State(self._events, self._last, self._consumed, self._packed())
        return snapshots.to_bytes(state, self._meaning)

    def restore(self, snapshot: bytes) -> None:
        """Go on where a snapshot was taken.

        Raises `SnapshotError` when it is damaged, of another version, or of another pattern, schema or mode;
        then nothing has changed. A sub-stream is read when its next event comes, so `push` raises it where
        numbers contradict each other under a right checksum.
        """
        state = snapshots.from_bytes(snapshot, self._meaning)
        self._events, self._last, self._consumed, self._lanes = *state[:3], dict(state.lanes)
        self._texts = Texts()

    def _packed(self) -> dict[Key, Packed]:
        """All sub-streams as bytes, which they stay until their next events come."""
        texts = self._texts
        found = {
            key: lane if isinstance(lane, Packed) else packed(lane, texts)
            for key, lane in self._lanes.items()
        }
        self._lanes = dict(found)
        return found

    def _lane(self, key: Key) -> Lane:
        """The sub-stream of a key."""
        found = self._lanes.get(key)
        if found is None:
            return Lane.new(self._plan)
        return lane_of(found, self._plan, self._texts) if isinstance(found, Packed) else found

    def _check_order(self, columns: Columns) -> int | None:
        time = self._plan.compiled.schema.time
        if time is None or not columns.size:
            return self._last
        ticks = columns[time].values
        if self._last is not None and int(ticks[0]) < self._last:
            raise StreamError(
                f"event {self._events} is out of order: its '{time}' is {int(ticks[0])}, that of the event "
                f"before is {self._last}; sort the stream by '{time}'"
            )
        return int(ticks[-1])

    def _read(self, columns: Columns, changed: dict[Key, Lane]) -> Iterator[tuple[Key, Found]]:
        """Read a batch, sub-stream by sub-stream; the lanes after it go to `changed`."""
        keys = self._plan.compiled.pattern.partition_by
        found = substreams(columns, keys)
        order = np.arange(columns.size) if found.order is None else found.order
        firsts = order[found.bounds[:-1]].tolist()
        readers = [columns.reader(name) for name in keys]
        named = [tuple(reader(row) for reader in readers) for row in firsts]
        lanes = [self._lane(key) for key in named]
        before = np.array([lane.events for lane in lanes], np.int64)
        ordered = columns.take(order, begins_of(found) - np.repeat(before, np.diff(found.bounds)))
        classes = classify(self._plan.heads, ordered)
        tables = self._tables_for(classes.holds)
        for key, lane, (begin, end) in zip(named, lanes, pairwise(found.bounds.tolist()), strict=True):
            some, of_rows = _slice(ordered, begin, end), classes.of_rows[begin:end]
            labels = self._events + order[begin:end]
            changed[key], brought = lane.read(some, of_rows, tables, labels, self._limits, self._too_many)
            yield key, brought

    def _kept(self, found: list[tuple[Key, Found]], changed: dict[Key, Lane]) -> tuple[list[_Brought], int]:
        """What is reported of what was found; and up to where events of all sub-streams are used up then."""
        if self._plan.mode is not Mode.ENUMERATE:
            return [_Brought((), some.rows, some.counts) for _, some in found], self._consumed
        matches = [_matches(key, some) for key, some in found]
        if self._rules is None:
            return list(map(_Brought.of, matches)), self._consumed
        if self._plan.compiled.consumes_across:
            merged = sorted((each for some in matches for each in some), key=lambda each: each[0])
            kept, consumed = self._rules.along(merged, self._consumed)
            return [_Brought.of(kept)], consumed
        brought = []
        for (key, _), some in zip(found, matches, strict=True):
            kept, consumed = self._rules.along(some, changed[key].consumed)
            changed[key] = replace(changed[key], consumed=consumed)
            brought.append(_Brought.of(kept))
        return brought, self._consumed

    def _forget_idle(self, changed: dict[Key, Lane], last: int | None) -> None:
        """Drop the sub-streams of which nothing is left to know, now and then also those long out of use."""
        if self._counts_positions or self._plan.compiled.begins is Begins.AT_FIRST:
            return
        for key, lane in changed.items():
            if not lane.live:
                del self._lanes[key]
        if len(self._lanes) < self._sweep_at or self._ticks is None or last is None:
            return
        self.advance(last)
        self._sweep_at = max(FEWEST_TO_SWEEP, 2 * len(self._lanes))

    def _forget_texts(self) -> None:
        """Forget the texts that no register holds, now and then: each sub-stream packs its own."""
        if self._texts.size < self._texts_at:
            return
        held = sum(lane.held for lane in self._packed().values())
        self._texts, self._texts_at = Texts(), max(FEWEST_TEXTS, 2 * held)

    def _tables_for(self, holds: npt.NDArray[np.bool_]) -> Tables:
        key = holds.tobytes()
        if key not in self._tables:
            if len(self._tables) >= MOST_TABLES:
                self._tables.clear()
            self._tables[key] = self._plan.tables(holds)
        return self._tables[key]

    def _too_many(self, _row: int, size: int, what: str) -> LimitError:
        return LimitError(
            f"pattern '{self._plan.compiled.pattern.name}' has {size:,} {what} in a batch after event "
            f"{self._events:,}, and the limit is {self._limits.of(what):,}. Bound it by a (smaller) window, "
            "or raise the limit"
        )


def _ticks_back(compiled: CompiledPattern) -> int | None:
    """How far back in time what comes depends on the past; ``None`` where time does not bound that."""
    try:
        return reach(compiled).ticks
    except UnsupportedError:
        return None


def _slice(columns: Columns, begin: int, end: int) -> Columns:
    """Some rows, with the positions that they have."""
    by_name = {name: column.rows(slice(begin, end)) for name, column in columns.by_name.items()}
    begins = None if columns.begins is None else columns.begins[begin:end] - begin
    return replace(columns, size=end - begin, by_name=by_name, begins=begins)


class _Brought(NamedTuple):
    """Matches, the events at which some are found, and how many at each."""

    matches: tuple[Match, ...]
    rows: Ints
    counts: tuple[int, ...]

    @classmethod
    def of(cls, found: Iterable[tuple[int, Match]]) -> _Brought:
        """Matches with the events at which they are found."""
        pairs = list(found)
        rows, sizes = np.unique(np.array([row for row, _ in pairs], np.int64), return_counts=True)
        return cls(tuple(match for _, match in pairs), rows, tuple(sizes.tolist()))


def _matches(key: Key, found: Found) -> list[tuple[int, Match]]:
    bounds = pairwise([0, *found.ends.tolist()])
    marks = (tuple(found.positions[begin:end].tolist()) for begin, end in bounds)
    return [(row, Match(some, key)) for row, some in zip(found.rows.tolist(), marks, strict=True)]


def _together(brought: list[_Brought], mode: Mode) -> Batch:
    matches = tuple(match for some in brought for match in some.matches) if mode is Mode.ENUMERATE else ()
    rows = np.concatenate([np.zeros(0, np.int64), *(some.rows for some in brought)])
    counts = [number for some in brought for number in some.counts] if mode is not Mode.DETECT else []
    order = np.argsort(rows, kind="stable")
    return Batch(matches, rows[order], tuple(counts[place] for place in order) if counts else ())
