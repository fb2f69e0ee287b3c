"""The event loop: what an event does to the entries, in machine code.

For each event that can change anything, the entries of the states that can move are visited once: they take
their steps, and what results is put down as arrivals. Then the arrivals are settled: one whose key is
there already is merged with the entry that has it.

Nothing here allocates. When room is short the loop stops, says of what, and goes on when called again.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from mnemata.automata.engine.compiled.entries import clear, copy, outside, sweep, vacate
from mnemata.automata.engine.compiled.graph import EMPTY, MOST_NODES_OF_A_UNION, NEVER, merge, put
from mnemata.automata.engine.compiled.jit import compiled, inlined
from mnemata.automata.engine.compiled.machine import Memory, holds
from mnemata.automata.engine.compiled.plan import (
    CLOCK,
    GOES_ON,
    LOOPS,
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
from mnemata.automata.engine.compiled.settling import add_count, settle
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
    NEED_LIMBS,
    NEED_NODES,
    NEED_REPORTS,
    NEXT_ROW,
    NODE,
    SETTLED,
    SUBSTREAM,
    TOO_MANY_ENTRIES,
    TOO_MANY_NODES,
    WANTED,
    WIDEN,
    Counts,
    Ints,
    Store,
)
from mnemata.automata.engine.compiled.stream import Now, Stream, present

ENUMERATE: Final = int(Mode.ENUMERATE)
COUNT: Final = int(Mode.COUNT)
NOTHING: Final = np.uint64(0)
ONE: Final = np.uint64(1)


class Bounds(NamedTuple):
    """Where to stop: the most entries and nodes at once, and when to hand over reports or collect nodes."""

    entries: int
    nodes: int
    reports: int
    collect_at: int


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
    # An output for each entry, and if it is merged with the entry's own matches, room for that.
    nodes = visited * (2 + MOST_NODES_OF_A_UNION)
    if numbers[N_NODES] + nodes > len(store.nodes):
        numbers[WANTED] = numbers[N_NODES] + nodes
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
    begins = not tables.alone or not any_fresh(store, tables)
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
            marked = take(store, tables, memory, now, pair, held, source, mode)
            if marked >= 0:
                repeat(store, place, marked, mode)
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
                marked = take(store, tables, memory, now, pair, held, source, mode)
                if marked >= 0:
                    repeat(store, place, marked, mode)
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
def take(
    store: Store,
    tables: Tables,
    memory: Memory,
    now: Now,
    pair: int,
    held: Ints,
    source: Source,
    mode: int,
) -> int:
    """Take the steps that are open to an entry.

    One that leads back to the entry, which stays, is left to `repeat`: then the node of what it has marked
    with this event is returned, else -1.
    """
    marked, again = EMPTY, -1
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
        if tables.steps[step, LOOPS] and tables.remain[pair]:
            again = marked
            continue
        arrive(store, tables, now, step, held, source, node, start, mode)
    return again


@inlined
def repeat(store: Store, place: int, marked: int, mode: int) -> None:
    """Add to the matches of an entry the same with this event."""
    if mode == ENUMERATE:
        column = store.entries.shape[1] - 2
        node = store.entries[place, column + NODE]
        node, size = merge(store.nodes, store.numbers[N_NODES], node, marked)
        store.entries[place, column + NODE] = node
        store.numbers[N_NODES] = size
    elif mode == COUNT:
        add_count(store, place, store.counts, place)


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
