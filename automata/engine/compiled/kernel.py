"""The event loop: what an event does to the entries, in machine code.

For each event that can change anything, the entries of the states that can move are visited once: they take
their steps, and what results is put down as arrivals. Then the arrivals are settled: one whose key is
there already is merged with the entry that has it.

Nothing here allocates. When room is short the loop stops, says of what, and goes on when called again.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from mnemata.automata.engine.compiled.graph import EMPTY, NEVER, merge, put, room_to_merge
from mnemata.automata.engine.compiled.jit import compiled, inlined
from mnemata.automata.engine.compiled.machine import Memory, holds
from mnemata.automata.engine.compiled.plan import (
    CLOCK,
    GOES_ON,
    MARKS,
    REPORTS,
    ROW,
    STAYS,
    TARGET,
    TEST,
    TEST_END,
    Mode,
    Tables,
)
from mnemata.automata.engine.compiled.store import (
    DONE,
    FIRST,
    FULL,
    LIVE,
    N_ARRIVALS,
    N_NODES,
    N_OCCUPIED,
    N_REPORTS,
    NEED_ARRIVALS,
    NEED_ENTRIES,
    NEED_LIMBS,
    NEED_NODES,
    NEED_REPORTS,
    NEXT_ROW,
    NODE,
    SETTLED,
    SUBSTREAM,
    SWEEP_AT,
    TOO_MANY_ENTRIES,
    TOO_MANY_NODES,
    TOP,
    WANTED,
    WIDEN,
    Counts,
    Ints,
    Store,
)

ENUMERATE: Final = int(Mode.ENUMERATE)
COUNT: Final = int(Mode.COUNT)
LEAST: Final = np.iinfo(np.int64).min
HALF: Final = np.uint64(1 << 32)
NOTHING: Final = np.uint64(0)
ONE: Final = np.uint64(1)
SMALLEST_SEGMENT: Final = 4
FEWEST_TO_SWEEP: Final = 64


class Stream(NamedTuple):
    """The rows to read, one sub-stream after the other.

    Parameters
    ----------
    classes : int32 array of shape (n_rows,)
        The event class of each row.
    bounds : int64 array of shape (n_substreams + 1,)
        Where each sub-stream begins, and the last one ends.
    clock : int64 array of shape (n_rows,)
        By which windows on marks are measured: positions, or timestamps; of length 0 without one.
    cutoffs : int64 array of shape (n_rows,)
        The earliest clock inside the window at each row; of length 0 when it is `span` before the row's own.
    span : int64
        A mark whose clock is so much earlier, or more, is outside the window.
    length : int64
        The longest string of a match; 0 without a window on length.
    offset : int64
        What to add to a row to get its number in its sub-stream.
    labels : int64 array of shape (n_rows,)
        What rows are called in matches; of length 0 when they are called by their number.
    """

    classes: Any
    bounds: Ints
    clock: Ints
    cutoffs: Ints
    span: int
    length: int
    offset: int
    labels: Ints


class Bounds(NamedTuple):
    """Where to stop: the most entries and nodes at once, and when to hand over reports or collect nodes."""

    entries: int
    nodes: int
    reports: int
    collect_at: int


class Now(NamedTuple):
    """The event that is read: row, number, label and clock; the earliest clock and number inside windows."""

    row: int
    number: int
    label: int
    clock: int
    cutoff: int
    earliest: int


class Source(NamedTuple):
    """What takes a step: an entry, at place -1 a run that begins.

    Then the node of what it has marked; when that, or else its string, began; and when it begins if it
    marks the event.
    """

    place: int
    node: int
    start: int
    first: int


@compiled
def advance(
    store: Store, tables: Tables, memory: Memory, stream: Stream, bounds: Bounds, mode: int, held: Ints
) -> int:
    """Read rows until the stream ends or something is short; says which.

    `held` is working space of the width of the widest key.
    """
    numbers = store.numbers
    while numbers[SUBSTREAM] < len(stream.bounds) - 1:
        end = stream.bounds[numbers[SUBSTREAM] + 1]
        while True:
            code = settle(store, tables, mode)
            if code != DONE:
                return code
            row = next_row(store, tables, stream, numbers[NEXT_ROW], end)
            numbers[NEXT_ROW] = row
            if row == end:
                break
            sweep(store, tables, present(stream, row))
            code = shortage(store, tables, stream, bounds, row)
            if code != DONE:
                return code
            read(store, tables, memory, stream, row, held, mode)
            numbers[NEXT_ROW] = row + 1
        numbers[SUBSTREAM] += 1
        if numbers[SUBSTREAM] < len(stream.bounds) - 1:
            clear(store)
    return DONE


@inlined
def clear(store: Store) -> None:
    """Forget all entries."""
    for place in range(store.numbers[N_OCCUPIED]):
        state = store.occupied[place, 0]
        store.occupied[state, 1] = -1
        store.segments[state, 2] = 0
    store.numbers[N_OCCUPIED] = 0
    store.numbers[LIVE] = 0


@inlined
def next_row(store: Store, tables: Tables, stream: Stream, row: int, end: int) -> int:
    """The first row from `row` on at which something can change."""
    occupied = NOTHING
    for place in range(store.numbers[N_OCCUPIED]):
        occupied |= ONE << np.uint64(store.occupied[place, 0] % 64)
    classes, starting, moving = stream.classes, tables.starting, tables.moving
    while row < end:
        of_row = classes[row]
        if starting[of_row] != STAYS or moving[of_row] & occupied != NOTHING:
            return row
        row += 1
    return row


@inlined
def shortage(store: Store, tables: Tables, stream: Stream, bounds: Bounds, row: int) -> int:
    """Whether anything is short before an event is read."""
    numbers = store.numbers
    if numbers[WIDEN]:
        return NEED_LIMBS
    if numbers[N_NODES] >= bounds.collect_at or numbers[N_REPORTS] >= bounds.reports:
        return FULL
    if numbers[LIVE] > bounds.entries:
        return TOO_MANY_ENTRIES
    if numbers[N_NODES] > bounds.nodes:
        return TOO_MANY_NODES
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
    if numbers[N_NODES] + visited > len(store.nodes):
        numbers[WANTED] = numbers[N_NODES] + visited
        return NEED_NODES
    return DONE


@inlined
def read(
    store: Store, tables: Tables, memory: Memory, stream: Stream, row: int, held: Ints, mode: int
) -> None:
    """Take the steps of one event; the arrivals are still to be settled."""
    now = present(stream, row)
    numbers = store.numbers
    numbers[N_ARRIVALS] = 0
    numbers[SETTLED] = 0
    of_row = stream.classes[row]
    place = 0
    while place < numbers[N_OCCUPIED]:
        state = store.occupied[place, 0]
        pair = tables.pairs[of_row, state]
        if pair != STAYS and tables.joined[pair] >= 0:
            visit_joined(store, tables, memory, now, state, pair, held, mode)
        elif pair != STAYS:
            visit(store, tables, memory, now, state, pair, held, mode)
        if store.segments[state, 2] == 0:
            vacate(store, state)
        else:
            place += 1
    pair = tables.starting[of_row]
    if pair != STAYS:
        held[:] = -1
        source = Source(-1, EMPTY, now.number if stream.length > 0 else NEVER, now.clock)
        take(store, tables, memory, now, pair, held, source, mode)


@inlined
def present(stream: Stream, row: int) -> Now:
    """The event of a row and what windows say about it."""
    clock, cutoff, earliest = 0, LEAST, 0
    if len(stream.clock):
        clock = stream.clock[row]
        if len(stream.cutoffs):
            cutoff = stream.cutoffs[row]
        elif clock >= LEAST + stream.span:
            cutoff = clock - stream.span + 1
    number = row + stream.offset
    if stream.length > 0:
        earliest = number - stream.length + 1
    label = stream.labels[row] if len(stream.labels) else number
    return Now(row, number, label, clock, cutoff, earliest)


@inlined
def vacate(store: Store, state: int) -> None:
    """Take a state off the list of those that have entries."""
    place, last = store.occupied[state, 1], store.numbers[N_OCCUPIED] - 1
    moved = store.occupied[last, 0]
    store.occupied[place, 0] = moved
    store.occupied[moved, 1] = place
    store.occupied[state, 1] = -1
    store.numbers[N_OCCUPIED] = last


@inlined
def visit(
    store: Store, tables: Tables, memory: Memory, now: Now, state: int, pair: int, held: Ints, mode: int
) -> None:
    """Let the entries of a state take their steps; keep those that stay and are inside the windows."""
    begin, used = store.segments[state, 0], store.segments[state, 2]
    width, began = tables.width[state], tables.began[state]
    fresh = state < len(tables.width) // 2
    entries, counts = store.entries, store.counts
    column = entries.shape[1] - 2
    moves = tables.first[pair] < tables.first[pair + 1]
    kept = begin
    for place in range(begin, begin + used):
        if outside(store, now, place, began, fresh):
            continue
        if moves:
            start = entries[place, column + FIRST]
            for part in range(width):
                held[part] = entries[place, part]
            node = entries[place, column + NODE]
            source = Source(place, node, start, now.clock if fresh else start)
            take(store, tables, memory, now, pair, held, source, mode)
        if kept != place:
            copy(entries, place, kept)
            copy(counts, place, kept)
        kept += 1
    left = kept - begin if tables.remain[pair] else 0
    store.numbers[LIVE] -= used - left
    store.segments[state, 2] = left


@inlined
def visit_joined(
    store: Store, tables: Tables, memory: Memory, now: Now, state: int, pair: int, held: Ints, mode: int
) -> None:
    """Let those entries take their steps whose first register holds a row on the chain of the event."""
    begin, used = store.segments[state, 0], store.segments[state, 2]
    width, began = tables.width[state], tables.began[state]
    fresh = state < len(tables.width) // 2
    entries = store.entries
    column = entries.shape[1] - 2
    chain = memory.chains[tables.joined[pair]]
    row, found = chain[now.row], begin + used
    while used > 0 and row >= 0 and row >= entries[begin, 0]:
        found = first_with(entries, begin, found, row)
        place = found
        while place < begin + used and entries[place, 0] == row:
            if not outside(store, now, place, began, fresh):
                for part in range(width):
                    held[part] = entries[place, part]
                start = entries[place, column + FIRST]
                source = Source(place, entries[place, column + NODE], start, now.clock if fresh else start)
                take(store, tables, memory, now, pair, held, source, mode)
            place += 1
        row = chain[row]


@inlined
def first_with(entries: Ints, begin: int, end: int, row: int) -> int:
    """The first entry whose first register holds a row, or a later one; it is likely near the end."""
    low, high, step = end - 1, end, 1
    while low >= begin and entries[low, 0] >= row:
        low, high = low - step, low
        step *= 2
    low = max(low, begin)
    while low < high:
        middle = (low + high) // 2
        if entries[middle, 0] < row:
            low = middle + 1
        else:
            high = middle
    return low


@inlined
def outside(store: Store, now: Now, place: int, began: int, fresh: bool) -> bool:
    """Whether windows have closed on an entry."""
    column = store.entries.shape[1] - 2
    if store.entries[place, column + FIRST] < (now.earliest if fresh else now.cutoff):
        return True
    return began >= 0 and store.entries[place, began] < now.earliest


@inlined
def sweep(store: Store, tables: Tables, now: Now) -> None:
    """Forget entries outside the windows wherever they are, once there are twice as many as the last time."""
    numbers, segments = store.numbers, store.segments
    if numbers[LIVE] < numbers[SWEEP_AT]:
        return
    half = len(tables.width) // 2
    listed = 0
    while listed < numbers[N_OCCUPIED]:
        state = store.occupied[listed, 0]
        begin, used = segments[state, 0], segments[state, 2]
        kept = begin
        for place in range(begin, begin + used):
            if not outside(store, now, place, tables.began[state], state < half):
                copy(store.entries, place, kept)
                copy(store.counts, place, kept)
                kept += 1
        numbers[LIVE] -= begin + used - kept
        segments[state, 2] = kept - begin
        if kept == begin:
            vacate(store, state)
        else:
            listed += 1
    numbers[SWEEP_AT] = max(FEWEST_TO_SWEEP, 2 * numbers[LIVE])


@inlined
def copy(rows: Any, place: int, to: int) -> None:
    """Copy a row of an array."""
    for column in range(rows.shape[1]):
        rows[to, column] = rows[place, column]


@inlined
def take(
    store: Store,
    tables: Tables,
    memory: Memory,
    now: Now,
    pair: int,
    held: Ints,
    source: Source,
    mode: int,
) -> None:
    """Take the steps that are open to an entry."""
    marked = EMPTY
    for number in range(tables.first[pair], tables.first[pair + 1]):
        step = tables.steps_of[number]
        test = tables.steps[step, TEST]
        if test >= 0 and not holds(memory, test, tables.steps[step, TEST_END], now.row, held):
            continue
        if tables.steps[step, REPORTS]:
            report(store, now, source, mode)
        if not tables.steps[step, GOES_ON]:
            continue
        node, start = source.node, source.start
        if tables.steps[step, MARKS]:
            if mode == ENUMERATE and marked == EMPTY:
                marked = store.numbers[N_NODES]
                store.numbers[N_NODES] = put(store.nodes, marked, now.label, node, EMPTY, source.first)
            node, start = marked, source.first
        arrive(store, tables, now, step, held, source, node, start, mode)


@inlined
def arrive(
    store: Store,
    tables: Tables,
    now: Now,
    step: int,
    held: Ints,
    source: Source,
    node: int,
    start: int,
    mode: int,
) -> None:
    """Put down the entry that a step makes."""
    arrival = store.numbers[N_ARRIVALS]
    arrivals = store.arrivals
    target = tables.steps[step, TARGET]
    arrivals[arrival, 0] = target
    for part in range(tables.width[target]):
        origin = tables.keys[step, part]
        if origin >= 0:
            arrivals[arrival, 1 + part] = held[origin]
        elif origin == ROW:
            arrivals[arrival, 1 + part] = now.row
        else:
            arrivals[arrival, 1 + part] = now.clock if origin == CLOCK else source.start
    column = arrivals.shape[1] - 2
    arrivals[arrival, column + NODE] = node
    arrivals[arrival, column + FIRST] = start
    if mode == COUNT:
        copy_count(store.counts, source.place, store.arrived, arrival)
    store.numbers[N_ARRIVALS] = arrival + 1


@inlined
def report(store: Store, now: Now, source: Source, mode: int) -> None:
    """Put down that matches end here."""
    number = store.numbers[N_REPORTS]
    store.reports[number, 0] = now.label
    store.reports[number, 1] = source.node
    store.reports[number, 2] = now.cutoff
    if mode == COUNT:
        copy_count(store.counts, source.place, store.reported, number)
    store.numbers[N_REPORTS] = number + 1


@inlined
def copy_count(counts: Counts, place: int, copies: Counts, to: int) -> None:
    """Copy the number of matches of an entry; a run that begins has one, the empty one."""
    for limb in range(counts.shape[1]):
        copies[to, limb] = counts[place, limb] if place >= 0 else NOTHING
    if place < 0:
        copies[to, 0] = ONE


@inlined
def settle(store: Store, tables: Tables, mode: int) -> int:
    """Make entries of the arrivals, unless room is short."""
    numbers = store.numbers
    target, place = -1, -1
    while numbers[SETTLED] < numbers[N_ARRIVALS]:
        arrival = numbers[SETTLED]
        state = store.arrivals[arrival, 0]
        # Arrivals come in the order of their keys as a rule, and so do the entries that they meet.
        place, found = find(store, state, arrival, tables.width[state], place + 1 if state == target else -1)
        target = state
        if found:
            code = combine(store, tables, state, store.segments[state, 0] + place, arrival, mode)
        else:
            code = make_room(store, state, place)
            if code == DONE:
                fill(store, store.segments[state, 0] + place, arrival, mode)
        if code != DONE:
            return code
        numbers[SETTLED] += 1
    return DONE


@inlined
def fill(store: Store, place: int, arrival: int, mode: int) -> None:
    """Write an arrival to its place."""
    for column in range(store.entries.shape[1]):
        store.entries[place, column] = store.arrivals[arrival, 1 + column]
    if mode == COUNT:
        for limb in range(store.counts.shape[1]):
            store.counts[place, limb] = store.arrived[arrival, limb]


@inlined
def combine(store: Store, tables: Tables, state: int, place: int, arrival: int, mode: int) -> int:
    """Merge an arrival with the entry that has its key."""
    entries, column = store.entries, store.entries.shape[1] - 2
    fresh = state < len(tables.width) // 2
    start = store.arrivals[arrival, 1 + column + FIRST]
    if mode == ENUMERATE and not fresh:
        one, other = entries[place, column + NODE], store.arrivals[arrival, 1 + column + NODE]
        size = store.numbers[N_NODES]
        room = room_to_merge(store.nodes, one, other)
        if size + room > len(store.nodes):
            store.numbers[WANTED] = size + room
            return NEED_NODES
        node, size = merge(store.nodes, size, one, other)
        entries[place, column + NODE] = node
        store.numbers[N_NODES] = size
    elif mode == COUNT and not fresh:
        add_count(store, place, arrival)
    if start > entries[place, column + FIRST]:
        entries[place, column + FIRST] = start
    return DONE


@inlined
def find(store: Store, state: int, arrival: int, width: int, guess: int) -> tuple[int, bool]:
    """Where in its segment the key of an arrival stands, or belongs; and whether it stands there."""
    begin, used = store.segments[state, 0], store.segments[state, 2]
    if 0 <= guess < used and compare_keys(store, begin + guess, arrival, width) == 0:
        return guess, True
    if used == 0 or compare_keys(store, begin + used - 1, arrival, width) < 0:
        return used, False
    low, high = 0, used - 1
    while low < high:
        middle = (low + high) // 2
        if compare_keys(store, begin + middle, arrival, width) < 0:
            low = middle + 1
        else:
            high = middle
    return low, compare_keys(store, begin + low, arrival, width) == 0


@inlined
def compare_keys(store: Store, place: int, arrival: int, width: int) -> int:
    """Negative, zero or positive: how the key of an entry compares with that of an arrival."""
    for part in range(width):
        one, other = store.entries[place, part], store.arrivals[arrival, 1 + part]
        if one != other:
            return -1 if one < other else 1
    return 0


@inlined
def make_room(store: Store, state: int, place: int) -> int:
    """Make a gap in the segment of a state, unless room is short."""
    begin, room, used = store.segments[state, 0], store.segments[state, 1], store.segments[state, 2]
    numbers = store.numbers
    if used == room:
        wanted = max(SMALLEST_SEGMENT, 2 * room)
        top = numbers[TOP]
        if top + wanted > len(store.entries):
            numbers[WANTED] = top + wanted
            return NEED_ENTRIES
        for number in range(used):
            copy(store.entries, begin + number, top + number)
            copy(store.counts, begin + number, top + number)
        store.segments[state, 0] = top
        store.segments[state, 1] = wanted
        numbers[TOP] = top + wanted
        begin = top
    for moved in range(begin + used, begin + place, -1):
        copy(store.entries, moved - 1, moved)
        copy(store.counts, moved - 1, moved)
    store.segments[state, 2] = used + 1
    numbers[LIVE] += 1
    if store.occupied[state, 1] < 0:
        store.occupied[state, 1] = numbers[N_OCCUPIED]
        store.occupied[numbers[N_OCCUPIED], 0] = state
        numbers[N_OCCUPIED] += 1
    return DONE


@inlined
def add_count(store: Store, place: int, arrival: int) -> None:
    """Add the number of an arrival to that of an entry.

    Before each event the most significant word of every count is less than 2**32, so that the sums of
    2**31 of them fit.
    """
    carry = NOTHING
    limbs = store.counts.shape[1]
    for limb in range(limbs):
        before = store.counts[place, limb]
        total = before + store.arrived[arrival, limb]
        after = total + carry
        carry = ONE if total < before or after < total else NOTHING
        store.counts[place, limb] = after
    if store.counts[place, limbs - 1] >= HALF:
        store.numbers[WIDEN] = 1
