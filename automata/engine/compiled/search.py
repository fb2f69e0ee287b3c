"""Recognition of an unambiguous pattern by the kernel, in one stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.engine.blocks import Block
from mnemata.automata.engine.classes import classify
from mnemata.automata.engine.columns import Array, Columns
from mnemata.automata.engine.compiled.enumeration import REPORT_ROW
from mnemata.automata.engine.compiled.graph import LEAST_NODES, collect
from mnemata.automata.engine.compiled.jit import frozen
from mnemata.automata.engine.compiled.joins import chains
from mnemata.automata.engine.compiled.kernel import Bounds, advance
from mnemata.automata.engine.compiled.machine import Memory
from mnemata.automata.engine.compiled.native import failure
from mnemata.automata.engine.compiled.pieces import SIZES, Piece, Sizes, pieces, whole
from mnemata.automata.engine.compiled.plan import Mode, Tables, plan_of
from mnemata.automata.engine.compiled.programs import POSITION, Programs
from mnemata.automata.engine.compiled.reports import enumerated, reports_from, total, totals
from mnemata.automata.engine.compiled.store import (
    COLLECT_AT,
    DONE,
    FULL,
    LIVE,
    N_NODES,
    N_OCCUPIED,
    N_REPORTS,
    NEXT_ROW,
    NODE,
    TOO_MANY_ENTRIES,
    TOO_MANY_NODES,
    Store,
    emptied,
    new_store,
    with_room,
)
from mnemata.automata.engine.compiled.stream import Stream
from mnemata.automata.engine.dividing import Classes, Conditions, EventClasses
from mnemata.automata.engine.horizon import ticks
from mnemata.automata.engine.reach import known_reach
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import EventWindow, LengthWindow, TimeWindow, Window

Ints = npt.NDArray[np.int64]

MOST_ENTRIES: Final = 5_000_000
MOST_NODES: Final = 1 << 25
MOST_REPORTS: Final = 1 << 18
NO_ROWS: Final[Ints] = np.zeros(0, np.int64)
RARE: Final = 2
"""Matches are rare where those of a piece reach no more than one in so many of its rows."""
ROOM: Final = 1024
"""So many entries and reports have room at first: making more takes as long as thousands of events."""
ROOM_OF_NODES: Final = 1 << 16
"""Memory that nothing is written to costs nothing, and a graph that outgrows its room is copied."""
CONFIGURATIONS: Final = "configurations"
NODES: Final = "nodes of the match graph"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much to keep at once.

    Parameters
    ----------
    configurations : int
        The most distinct futures.
    nodes : int
        The most nodes of the match graph; one takes 32 bytes.
    """

    configurations: int = MOST_ENTRIES
    nodes: int = MOST_NODES

    def of(self, what: str) -> int:
        """The limit of what there is too many of."""
        return self.configurations if what == CONFIGURATIONS else self.nodes


class Search:
    """A pattern and the stream to search.

    Parameters
    ----------
    compiled : CompiledPattern
        Its automaton is unambiguous.
    columns : Columns
        With the columns that the pattern reads, sub-stream by sub-stream.
    bounds : int64 array of shape (n_substreams + 1,)
        Where each sub-stream begins, and the last one ends.
    limits : Limits
        When to give up.
    too_many : callable
        Takes a row, a number and what there is too many of; returns the error to raise.
    classes : callable, optional
        The classes of the rows with regard to conditions, if others share them.
    sizes : Sizes
        How much is read at once for lists of matches.
    """

    def __init__(
        self,
        compiled: CompiledPattern,
        columns: Columns,
        bounds: Ints,
        limits: Limits,
        too_many: Callable[[int, int, str], LimitError],
        classes: Callable[[Conditions], EventClasses] | None = None,
        sizes: Sizes = SIZES,
    ) -> None:
        self._compiled, self._columns, self._bounds = compiled, columns, bounds
        self._limits, self._too_many = limits, too_many
        self._sizes = sizes
        self._classify = classes or partial(classify, columns=columns)

    def matches(self, first: int | None = None) -> Iterator[Block]:
        """All matches by last row, or only so many for each."""
        reading, reach = self._reading(), known_reach(self._compiled)
        if reach is None:
            for store in reading.stages(Mode.ENUMERATE, whole(self._bounds)):
                yield from enumerated(store.nodes, store.reports[: store.numbers[N_REPORTS]], first)
            return
        rare = False
        for piece in pieces(self._bounds, reach, reading.times, self._sizes):
            near = piece.around(reading.ends(piece), reach, reading.times) if rare else None
            ends = [NO_ROWS]
            for store in reading.stages(Mode.ENUMERATE, near or piece):
                reports = reports_from(store, piece.begin)
                ends.append(reports[:, REPORT_ROW].copy())
                yield from enumerated(store.nodes, reports, first)
            near = near or piece.around(np.concatenate(ends), reach, reading.times)
            rare = RARE * near.size <= piece.size

    def count(self) -> int:
        """How many matches there are, exactly."""
        return sum(total(store.reported[: store.numbers[N_REPORTS]]) for store in self.stages(Mode.COUNT))

    def counts(self) -> Iterator[tuple[int, int]]:
        """The rows at which matches end, each with their number, exactly."""
        for store in self.stages(Mode.COUNT):
            yield from totals(store)

    def ends(self) -> Iterator[Ints]:
        """The rows at which matches end."""
        for store in self.stages(Mode.DETECT):
            yield store.reports[: store.numbers[N_REPORTS], REPORT_ROW].copy()

    def stages(self, mode: Mode) -> Iterator[Store]:
        """The store whenever there are reports to be read, which are then forgotten."""
        yield from self._reading().stages(mode, whole(self._bounds))

    def _reading(self) -> _Reading:
        """What is not kept: there may be copies of the columns in it."""
        plan, columns, classes = plan_of(self._compiled, Mode.DETECT), self._columns, self._classes
        return _Reading(
            self._compiled,
            classes,
            memory_of(plan.programs, columns, plan.joined),
            stream_of(self._compiled.windows, columns, classes.of_rows, self._bounds),
            times_of(columns),
            self._limits,
            self._too_many,
        )

    @cached_property
    def _classes(self) -> EventClasses:
        return self._classify(plan_of(self._compiled, Mode.DETECT).heads)


@dataclass
class _Reading:
    """What the kernel reads, and the room that it needed so far."""

    compiled: CompiledPattern
    classes: EventClasses
    memory: Memory
    stream: Stream
    times: Ints
    limits: Limits
    too_many: Callable[[int, int, str], LimitError]
    room: dict[Mode, Store] = field(default_factory=dict)

    def stages(self, mode: Mode, piece: Piece) -> Iterator[Store]:
        """The store whenever there are reports to be read, which are then forgotten."""
        plan = plan_of(self.compiled, mode)
        tables = plan.tables(self.classes.holds)
        room = self.room.get(mode)
        nodes = ROOM_OF_NODES if mode is Mode.ENUMERATE else 1
        store = new_store(plan.size, tables.keys.shape[1], ROOM, nodes) if room is None else emptied(room)
        store.numbers[NEXT_ROW] = piece.parts[0, 0] if len(piece.parts) else 0
        stream = self.stream._replace(parts=frozen(piece.parts))
        for stage in stages(
            store, tables, plan.programs, self.memory, stream, mode, self.limits, self.too_many
        ):
            self.room[mode] = stage
            yield stage

    def ends(self, piece: Piece) -> Ints:
        """The rows at which the matches of a piece end."""
        found = [reports_from(store, piece.begin)[:, REPORT_ROW] for store in self.stages(Mode.DETECT, piece)]
        return np.concatenate([NO_ROWS, *found])


def times_of(columns: Columns) -> Ints:
    """The timestamps of the rows in ticks; none where the schema has no time."""
    time = columns.schema.time
    return NO_ROWS if time is None else np.asarray(columns[time].values, np.int64)


def stages(
    store: Store,
    tables: Tables,
    programs: Programs,
    memory: Memory,
    stream: Stream,
    mode: Mode,
    limits: Limits,
    too_many: Callable[[int, int, str], LimitError],
) -> Iterator[Store]:
    """Read a stream; the store whenever there are reports to be read, which are then forgotten.

    Raises
    ------
    RelationError
        When a relation of the user's raises.
    """
    held = np.zeros(tables.keys.shape[1], np.int64)
    code = FULL
    while code != DONE:
        collect_at = int(store.numbers[COLLECT_AT])
        bounds = Bounds(limits.configurations, limits.nodes, MOST_REPORTS, collect_at)
        with np.errstate(all="ignore"):
            code = advance(store, tables, memory, stream, bounds, int(mode), held)
        if memory.failed[0]:
            relation = list(programs.relations)[memory.failed[0] - 1]
            raise failure(relation, programs.schema, memory.failed[1:], memory.failed_floats)
        if code == TOO_MANY_ENTRIES:
            raise too_many(int(store.numbers[NEXT_ROW]) - 1, int(store.numbers[LIVE]), CONFIGURATIONS)
        if code == TOO_MANY_NODES:
            raise too_many(int(store.numbers[NEXT_ROW]) - 1, int(store.numbers[N_NODES]), NODES)
        if code not in (DONE, FULL):
            store = with_room(store, code)
            continue
        yield store
        store.numbers[N_REPORTS] = 0
        if store.numbers[N_NODES] >= collect_at:
            store = without_garbage(store, _cutoff(store, stream))


def memory_of(programs: Programs, columns: Columns, joined: Sequence[str] = ()) -> Memory:
    """What the programs of a pattern read, in columns, and chains for the attributes that it joins on."""
    ints, int_missing = _matrix(columns, list(programs.ints), np.int64)
    floats, float_missing = _matrix(columns, list(programs.floats), np.float64)
    texts = columns.texts
    constants = [texts.code(c) if isinstance(c, str) else int(c) for c in programs.int_constants]
    return Memory(
        frozen(np.array(programs.instructions, np.int64).reshape(-1, 5)),
        frozen(ints),
        frozen(floats),
        frozen(int_missing),
        frozen(float_missing),
        frozen(np.array(constants, np.int64)),
        frozen(np.array(programs.float_constants, np.float64)),
        frozen(chains_of(columns, joined)),
        np.zeros(programs.slots, np.int64),
        np.zeros(programs.slots, np.float64),
        np.zeros(programs.slots, np.bool_),
        frozen(np.array([found.address for found in programs.relations.values()], np.int64)),
        np.zeros(1 + programs.slots, np.int64),
        np.zeros(programs.slots, np.float64),
    )


def chains_of(columns: Columns, joined: Sequence[str]) -> Ints:
    """The links between equal values of attributes, within sub-streams."""
    values = [np.asarray(columns[name].values, np.int64) for name in joined]
    return chains(values, [columns[name].missing for name in joined], columns.begins)


def _matrix(columns: Columns, names: list[str], dtype: type[np.generic]) -> tuple[Array, Array]:
    if len(names) == 1 and names[0] != POSITION and columns[names[0]].missing is None:
        only = np.ascontiguousarray(columns[names[0]].values, dtype)  # no copy where the type is the same
        return only.reshape(1, -1), np.zeros((0, columns.size), np.bool_)
    values = np.zeros((len(names), columns.size), dtype)
    missing = np.zeros((0, columns.size), np.bool_)
    for number, name in enumerate(names):
        if name == POSITION:
            values[number] = columns.positions
            continue
        values[number] = columns[name].values
        absent = columns[name].missing
        if absent is not None:
            if not len(missing):
                missing = np.zeros((len(names), columns.size), np.bool_)
            missing[number] = absent
    return values, missing


class Spans(NamedTuple):
    """How far the outermost windows reach: in events, ticks of the timestamps, and events of the string.

    ``None``, and for the string 0, where no window bounds it.
    """

    events: int | None
    ticks: int | None
    length: int


def spans_of(windows: tuple[Window, ...], schema: Schema) -> Spans:
    """The least of each kind."""
    events = min((w.size for w in windows if isinstance(w, EventWindow)), default=None)
    length = min((w.size for w in windows if isinstance(w, LengthWindow)), default=0)
    durations = [ticks(w, schema) for w in windows if isinstance(w, TimeWindow)]
    return Spans(events, min(durations, default=None), length)


def stream_of(windows: tuple[Window, ...], columns: Columns, classes: Classes, bounds: Ints) -> Stream:
    """The rows that the kernel reads, and how windows are measured."""
    events, duration, length = spans_of(windows, columns.schema)
    clock: Ints = np.zeros(0, np.int64)
    cutoffs, span = clock, 0
    if events is not None:
        clock, span = np.arange(columns.size, dtype=np.int64), events
    if duration is not None:
        times = times_of(columns)
        if events is None:
            clock, span = times, duration
        else:
            cutoffs = _cutoffs(times, bounds, duration, events)
    labels: Ints = np.zeros(0, np.int64)
    parts = frozen(whole(bounds).parts)
    return Stream(frozen(classes), parts, frozen(clock), frozen(cutoffs), span, length, 0, frozen(labels))


def _cutoffs(times: Ints, bounds: Ints, span: int, events: int) -> Ints:
    """The first row inside a window in events and one in time, for each row."""
    found: Ints = np.arange(len(times), dtype=np.int64) - events + 1
    for begin, end in pairwise(bounds.tolist()):
        some = times[begin:end]
        first = begin + np.searchsorted(some, some - span, side="right")
        found[begin:end] = np.maximum(found[begin:end], first)
    return found


def without_garbage(store: Store, cutoff: int) -> Store:
    """The store without the nodes that no entry needs inside the window that begins at `cutoff`.

    The nodes of the store that is given stay, its entries change.
    """
    size, column = int(store.numbers[N_NODES]), store.entries.shape[1] - 2
    occupied = store.occupied[: store.numbers[N_OCCUPIED], 0]
    alive, places = np.zeros(size, np.uint8), np.zeros(size, np.int64)
    used = [np.arange(b, b + n) for b, _, n, _ in store.segments[occupied]]
    entries = np.concatenate([np.zeros(0, np.int64), *used])
    # An entry that no window has let go yet may be outside: then it has no place, and is never read again.
    roots = store.entries[entries, column + NODE]
    alive[roots] = 1
    nodes = store.nodes.copy()
    kept = int(collect(nodes, size, alive, cutoff, places))
    store.numbers[N_NODES], store.numbers[COLLECT_AT] = kept, max(LEAST_NODES, 2 * kept)
    store.entries[entries, column + NODE] = places[roots]
    return store._replace(nodes=nodes)


def _cutoff(store: Store, stream: Stream) -> int:
    if not len(stream.clock):
        return int(np.iinfo(np.int64).min)
    row = min(int(store.numbers[NEXT_ROW]), len(stream.clock) - 1)
    if len(stream.cutoffs):
        return int(stream.cutoffs[row])
    return max(int(stream.clock[row]) - stream.span + 1, int(np.iinfo(np.int64).min))
