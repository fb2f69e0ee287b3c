"""The steps that are open to an entry; what results is put down as arrivals and as reports."""

from __future__ import annotations

from typing import Final, NamedTuple

from mnemata.automata.engine.compiled.counting import NOTHING, add_count, add_number, copy_number
from mnemata.automata.engine.compiled.graph import EMPTY, merge, put
from mnemata.automata.engine.compiled.jit import inlined
from mnemata.automata.engine.compiled.machine import Memory, holds
from mnemata.automata.engine.compiled.plan import (
    CLOCK,
    GOES_ON,
    LATE,
    LOOPS,
    MARKS,
    REPORTS,
    ROW,
    TARGET,
    TEST,
    TEST_END,
    Mode,
    Tables,
)
from mnemata.automata.engine.compiled.store import (
    FIRST,
    N_ARRIVALS,
    N_NODES,
    N_REPORTS,
    NODE,
    WORDS,
    Ints,
    Store,
)
from mnemata.automata.engine.compiled.stream import Now

ENUMERATE: Final = int(Mode.ENUMERATE)
COUNT: Final = int(Mode.COUNT)


class Source(NamedTuple):
    """What takes a step: an entry, at place -1 a run that begins.

    Then the node of what it has marked; when that, or else its string, began; and when it begins if it
    marks the event.
    """

    place: int
    node: int
    start: int
    first: int


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
            report(store, now, source, tables.steps[step, REPORTS] == LATE, mode)
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
        arrive(store, tables, now, step, source, node, start, mode)
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
            arrivals[arrival, 1 + part] = store.entries[source.place, origin] if source.place >= 0 else -1
        elif origin == ROW:
            arrivals[arrival, 1 + part] = now.row
        else:
            arrivals[arrival, 1 + part] = now.clock if origin == CLOCK else source.start
    column = arrivals.shape[1] - 2
    arrivals[arrival, column + NODE] = node
    arrivals[arrival, column + FIRST] = start
    if mode == COUNT:
        copy_number(store.counts, source.place, store.arrived, arrival, store.numbers[WORDS])
    store.numbers[N_ARRIVALS] = arrival + 1


@inlined
def report(store: Store, now: Now, source: Source, late: bool, mode: int) -> None:
    """Put down that matches are found here; where they are not told apart, on top of those already found.

    If they do not mark the event and are to be enumerated, its row is put down as ``-1 - row``.
    """
    number = store.numbers[N_REPORTS]
    if mode != ENUMERATE and number > 0 and store.reports[number - 1, 0] == now.label:
        if mode == COUNT:
            add_number(store.reported, number - 1, store.counts, source.place, store.numbers[WORDS])
        return
    store.reports[number, 0] = -1 - now.label if late and mode == ENUMERATE else now.label
    store.reports[number, 1] = source.node
    store.reports[number, 2] = now.cutoff
    if mode == COUNT:
        words = store.numbers[WORDS]
        copy_number(store.counts, source.place, store.reported, number, words)
        for word in range(words, store.reported.shape[1]):
            store.reported[number, word] = NOTHING
    store.numbers[N_REPORTS] = number + 1
