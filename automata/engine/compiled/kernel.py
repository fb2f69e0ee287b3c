"""The event loop, in machine code.

For each event that can change anything, the entries of the states that can move are visited once: they take
their steps (`visiting`), and what results is put down as arrivals. Then the arrivals are settled: one whose
key is there already is merged with the entry that has it. Where all that happens is that a run begins, which
is most often the case, its entry is made at once.

Nothing here allocates. When room is short the loop stops, says of what, and goes on when called again.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from mnemata.automata.compilation import Begins
from mnemata.automata.engine.compiled.counting import copy_number, settle_width
from mnemata.automata.engine.compiled.entries import (
    clear,
    drop_outside,
    enlist,
    outside,
    segment,
    sweep,
    vacate,
)
from mnemata.automata.engine.compiled.graph import EMPTY, MOST_NODES_OF_A_UNION, NEVER, put
from mnemata.automata.engine.compiled.jit import compiled, inlined, natural, prefetch
from mnemata.automata.engine.compiled.machine import Memory
from mnemata.automata.engine.compiled.plan import (
    BEGIN,
    BEGINNING,
    CLOCK,
    DIES,
    ROW,
    STAYS,
    TARGET,
    Mode,
    Tables,
)
from mnemata.automata.engine.compiled.settling import settle
from mnemata.automata.engine.compiled.steps import Source, take
from mnemata.automata.engine.compiled.store import (
    BEGUN,
    DONE,
    FIRST,
    FULL,
    LIVE,
    N_ARRIVALS,
    N_NODES,
    N_OCCUPIED,
    N_REPORTS,
    NARROWED,
    NEED_ARRIVALS,
    NEED_NODES,
    NEED_REPORTS,
    NEXT_ROW,
    NODE,
    SETTLED,
    SUBSTREAM,
    SWEEP_AT,
    TOO_MANY_ENTRIES,
    TOO_MANY_NODES,
    WANTED,
    WORDS,
    Ints,
    Store,
)
from mnemata.automata.engine.compiled.stream import Now, Stream, present
from mnemata.automata.engine.compiled.together import double_all
from mnemata.automata.engine.compiled.visiting import visit, visit_joined

ALONE: Final = int(Begins.ALONE)
AT_FIRST: Final = int(Begins.AT_FIRST)
COUNT: Final = int(Mode.COUNT)
ENUMERATE: Final = int(Mode.ENUMERATE)
NODES_OF_A_VISIT: Final = 2 + MOST_NODES_OF_A_UNION
"""An output for each entry, and if it is merged with the entry's own matches, room for that."""
NOTHING: Final = np.uint64(0)
ROWS_AHEAD: Final = 128
"""What is read of so many rows is brought to the cache together."""
WORDS_OF_A_LINE: Final = 8
"""So much of a column comes to the cache at once."""


class Bounds(NamedTuple):
    """Where to stop: the most entries and nodes at once, and when to hand over reports or collect nodes."""

    entries: int
    nodes: int
    reports: int
    collect_at: int


@compiled
def advance(
    store: Store, tables: Tables, memory: Memory, stream: Stream, bounds: Bounds, mode: int, held: Ints
) -> int:
    """Read rows until the stream ends or something is short; says which.

    `held` is working space of the width of the widest key.
    """
    numbers, ahead = store.numbers, 0
    while numbers[SUBSTREAM] < len(stream.parts):
        end = stream.parts[numbers[SUBSTREAM], 1]
        if tables.begins == AT_FIRST and numbers[BEGUN] == 0:
            begin(store, tables, stream, mode)
        while True:
            code = settle(store, tables, mode)
            if code != DONE:
                return code
            row, ahead = next_row(store, tables, memory, stream, bounds, numbers[NEXT_ROW], end, ahead, mode)
            numbers[NEXT_ROW] = row
            if row == end:
                break
            now = present(stream, row)
            sweep(store, tables, now)
            code = shortage(store, tables, stream, bounds, row, mode)
            if code != DONE:
                return code
            read(store, tables, memory, stream, now, held, mode)
            numbers[NEXT_ROW] = row + 1
        numbers[SUBSTREAM] += 1
        if numbers[SUBSTREAM] < len(stream.parts):
            numbers[NEXT_ROW] = stream.parts[numbers[SUBSTREAM], 0]
            clear(store)
    return DONE


@inlined
def begin(store: Store, tables: Tables, stream: Stream, mode: int) -> None:
    """Put down the entry of the only run that begins; it is still to be settled."""
    numbers, arrivals = store.numbers, store.arrivals
    arrivals[0, :] = -1
    arrivals[0, 0] = tables.start
    column = arrivals.shape[1] - 2
    arrivals[0, column + NODE] = EMPTY
    arrivals[0, column + FIRST] = NEVER if stream.length == 0 else numbers[NEXT_ROW] + stream.offset
    if mode == COUNT:
        copy_number(store.counts, -1, store.arrived, 0, numbers[WORDS])
    numbers[N_ARRIVALS], numbers[SETTLED], numbers[BEGUN] = 1, 0, 1


@inlined
def next_row(
    store: Store,
    tables: Tables,
    memory: Memory,
    stream: Stream,
    bounds: Bounds,
    row: int,
    end: int,
    ahead: int,
    mode: int,
) -> tuple[int, int]:
    """The first row from `row` on at which more can change than that a run begins; and `ahead`.

    The runs that begin on the way are put down at once, but for those that the next event ends. Up to
    `ahead` times were read ahead.
    """
    watched = watched_now(store, tables)
    classes, moving = stream.classes, tables.moving
    while True:
        row = first_moving(classes, moving, watched, row, end)
        if row == end:
            break
        if row >= ahead:
            ahead = read_ahead(memory, stream, row)
        if moving[classes[row]] & watched != BEGINNING:
            if not forget_last(store, tables, stream, row):
                break
            watched = watched_now(store, tables)
            continue
        if not (tables.mortal and futile(tables, stream, row, end)):
            if not put_down(store, tables, stream, bounds, row, mode):
                break
            watched |= tables.bits[tables.steps[tables.opening[classes[row]], TARGET]]
        row += 1
    return row, ahead


@inlined
def watched_now(store: Store, tables: Tables) -> np.uint64:
    """The bits of the states that have entries, and `BEGINNING` where runs can begin."""
    watched = BEGINNING if tables.begins != ALONE or not any_fresh(store, tables) else NOTHING
    for place in range(store.numbers[N_OCCUPIED]):
        watched |= tables.bits[natural(store.occupied[place, 0])]
    return watched


@inlined
def forget_last(store: Store, tables: Tables, stream: Stream, row: int) -> bool:
    """Forget the entries of the only state that has some, if windows have closed on all; returns whether."""
    if store.numbers[N_OCCUPIED] != 1:
        return False
    state = natural(store.occupied[0, 0])
    _, end = segment(store, state)
    now, fresh = present(stream, row), state < len(tables.width) // 2
    if not (tables.ordered[state] and outside(store, now, end - 1, tables.began[state], fresh)):
        return False
    drop_outside(store, now, state, tables, fresh)
    vacate(store, state)
    return True


@inlined
def first_moving(classes: Any, moving: Any, watched: Any, row: int, end: int) -> int:
    """The first row from `row` on that moves what is watched."""
    # A place without a sign spares a test for negative ones.
    while row < end and moving[classes[np.uint64(row)]] & watched == NOTHING:
        row += 1
    return row


@inlined
def futile(tables: Tables, stream: Stream, row: int, end: int) -> bool:
    """Whether the run that begins at a row ends at the next event, which is there, and finds nothing."""
    step = tables.opening[stream.classes[row]]
    return bool(
        step >= 0
        and row + 1 < end
        and tables.pairs[stream.classes[row + 1], tables.steps[step, TARGET]] == DIES
    )


@inlined
def read_ahead(memory: Memory, stream: Stream, row: int) -> int:
    """Bring what conditions and windows read of the next rows to the cache; returns the row after them.

    Rows that change anything are too few and far between for the machine to foresee them.
    """
    ahead = row + ROWS_AHEAD
    for place in range(row, ahead, WORDS_OF_A_LINE):
        prefetch(stream.clock, place)
    for column in range(len(memory.floats)):
        first = column * memory.floats.shape[1]
        for place in range(first + row, first + ahead, WORDS_OF_A_LINE):
            prefetch(memory.floats, place)
    for column in range(len(memory.ints)):
        first = column * memory.ints.shape[1]
        for place in range(first + row, first + ahead, WORDS_OF_A_LINE):
            prefetch(memory.ints, place)
    return ahead


@inlined
def put_down(store: Store, tables: Tables, stream: Stream, bounds: Bounds, row: int, mode: int) -> bool:
    """Make an entry of a run that begins, if that is simple and there is room; returns whether it was."""
    numbers, entries, segments = store.numbers, store.entries, store.segments
    step = tables.opening[stream.classes[row]]
    if step < 0 or numbers[LIVE] >= min(numbers[SWEEP_AT], bounds.entries):
        return False
    target, node = natural(tables.steps[step, TARGET]), EMPTY
    used = natural(segments[target, 2])
    if used == segments[target, 1]:
        return False
    now = present(stream, row)
    if mode == ENUMERATE:
        node = numbers[N_NODES]
        if node >= min(len(store.nodes), bounds.nodes, bounds.collect_at):
            return False
        numbers[N_NODES] = put(store.nodes, node, now.label, EMPTY, EMPTY, now.clock)
    place, column = natural(segments[target, 0] + used), entries.shape[1] - 2
    for part in range(tables.width[target]):
        origin = tables.keys[step, part]
        if origin == ROW:
            entries[place, part] = row
        elif origin == CLOCK:
            entries[place, part] = now.clock
        else:
            entries[place, part] = now.number if origin == BEGIN else -1
    entries[place, column + NODE] = node
    entries[place, column + FIRST] = now.clock
    if mode == COUNT:
        copy_number(store.counts, -1, store.counts, place, numbers[WORDS])
        numbers[NARROWED] += numbers[WORDS] > 1  # as an event that `settle_width` sees
    segments[target, 2] = used + 1
    numbers[LIVE] += 1
    enlist(store, target)
    return True


@inlined
def shortage(store: Store, tables: Tables, stream: Stream, bounds: Bounds, row: int, mode: int) -> int:
    """Whether anything is short before an event is read."""
    numbers = store.numbers
    code = settle_width(store)
    if code != DONE:
        return code
    if numbers[N_NODES] >= bounds.collect_at or numbers[N_REPORTS] >= bounds.reports:
        return FULL
    if numbers[LIVE] > bounds.entries:
        return TOO_MANY_ENTRIES
    if numbers[N_NODES] > bounds.nodes:
        return TOO_MANY_NODES
    if roomy(store, tables, mode):
        return DONE
    pairs, first = tables.pairs[stream.classes[row]], tables.first
    pair = tables.starting[stream.classes[row]]
    most = first[pair + 1] - first[pair] if pair != STAYS else 0
    visited = 1
    for place in range(numbers[N_OCCUPIED]):
        state = store.occupied[place, 0]
        pair = pairs[state]
        if pair != STAYS:
            most += store.segments[state, 2] * (first[pair + 1] - first[pair])
            visited += store.segments[state, 2]
    if most > len(store.arrivals):
        numbers[WANTED] = most
        return NEED_ARRIVALS
    if numbers[N_REPORTS] + most > len(store.reports):
        numbers[WANTED] = numbers[N_REPORTS] + most
        return NEED_REPORTS
    nodes = visited * NODES_OF_A_VISIT if mode == ENUMERATE else 0
    if numbers[N_NODES] + nodes > len(store.nodes):
        numbers[WANTED] = numbers[N_NODES] + nodes
        return NEED_NODES
    return DONE


@inlined
def roomy(store: Store, tables: Tables, mode: int) -> bool:
    """Whether there is room even if every entry that is kept took all the steps that any can take."""
    numbers = store.numbers
    visited = numbers[LIVE] + 1
    most = visited * tables.most_steps
    nodes = visited * NODES_OF_A_VISIT if mode == ENUMERATE else 0
    return bool(
        most <= len(store.arrivals)
        and numbers[N_REPORTS] + most <= len(store.reports)
        and numbers[N_NODES] + nodes <= len(store.nodes)
    )


@inlined
def read(
    store: Store, tables: Tables, memory: Memory, stream: Stream, now: Now, held: Ints, mode: int
) -> None:
    """Take the steps of one event; the arrivals are still to be settled."""
    numbers = store.numbers
    numbers[N_ARRIVALS] = 0
    numbers[SETTLED] = 0
    of_row = stream.classes[now.row]
    begins = tables.begins != ALONE or not any_fresh(store, tables)
    later = -1
    # Backwards: the states that are listed later are as a rule those that runs come to later.
    for place in range(numbers[N_OCCUPIED] - 1, -1, -1):
        state = natural(store.occupied[place, 0])
        pair = tables.pairs[of_row, state]
        if pair != STAYS and tables.joined[pair] >= 0:
            visit_joined(store, tables, memory, now, state, pair, held, mode)
        elif pair != STAYS:
            later = visit(store, tables, memory, now, state, of_row, held, later, mode)
        if store.segments[state, 2] == 0:
            vacate(store, state)
    if later >= 0:
        first, end = segment(store, later)
        double_all(store, first, end)
    pair = tables.starting[of_row]
    if pair != STAYS and begins:
        held[:] = -1
        source = Source(-1, EMPTY, now.number if stream.length > 0 else NEVER, now.clock)
        take(store, tables, memory, now, pair, held, source, mode)


@inlined
def any_fresh(store: Store, tables: Tables) -> bool:
    """Whether a run is on its way that has marked nothing."""
    for place in range(store.numbers[N_OCCUPIED]):
        if store.occupied[place, 0] < len(tables.width) // 2:
            return True
    return False
