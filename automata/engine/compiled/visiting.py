"""What an event does to the entries of a state: each takes the steps that are open to it.

What results is put down as arrivals, still to be settled, and as reports. Where no graph is made, and a state
has a single simple step, loops with little in them do the same for all its entries at once.
"""

from __future__ import annotations

from typing import Final

from mnemata.automata.engine.compiled.entries import drop_outside, outside, segment
from mnemata.automata.engine.compiled.jit import inlined, natural
from mnemata.automata.engine.compiled.machine import Memory
from mnemata.automata.engine.compiled.plan import Mode, Tables
from mnemata.automata.engine.compiled.steps import Source, repeat, take
from mnemata.automata.engine.compiled.store import FIRST, LIVE, NODE, Ints, Store
from mnemata.automata.engine.compiled.stream import Now
from mnemata.automata.engine.compiled.together import visit_simply

ENUMERATE: Final = int(Mode.ENUMERATE)


@inlined
def visit(
    store: Store,
    tables: Tables,
    memory: Memory,
    now: Now,
    state: int,
    of_row: int,
    held: Ints,
    later: int,
    mode: int,
) -> int:
    """Let the entries of a state take their steps; keep those that stay and are inside the windows.

    The numbers of the entries of `later` are still to be doubled; returns for which state that is so then.
    """
    pair = natural(tables.pairs[of_row, state])
    if mode != ENUMERATE and tables.single[pair] >= 0:
        return visit_simply(
            store, tables, memory, now, state, of_row, natural(tables.single[pair]), later, mode
        )
    fresh = state < len(tables.width) // 2
    drop_outside(store, now, state, tables, fresh)
    begin, end = segment(store, state)
    if tables.first[pair] < tables.first[pair + 1]:
        column = store.entries.shape[1] - 2
        for place in range(begin, end):
            for part in range(tables.width[state]):
                held[part] = store.entries[place, part]
            start = store.entries[place, column + FIRST]
            source = Source(place, store.entries[place, column + NODE], start, now.clock if fresh else start)
            marked = take(store, tables, memory, now, pair, held, source, mode)
            if marked >= 0:
                repeat(store, place, marked, mode)
    if not tables.remain[pair]:
        store.numbers[LIVE] -= end - begin
        store.segments[state, 2] = 0
    return later


@inlined
def visit_joined(
    store: Store, tables: Tables, memory: Memory, now: Now, state: int, pair: int, held: Ints, mode: int
) -> None:
    """Let those entries take their steps whose first register holds a row on the chain of the event."""
    begin, end = segment(store, state)
    width, began = tables.width[state], tables.began[state]
    fresh = state < len(tables.width) // 2
    entries = store.entries
    column = entries.shape[1] - 2
    chain = memory.chains[tables.joined[pair]]
    row, found = chain[now.row], end
    while begin < end and row >= 0 and row >= entries[begin, 0]:
        found = first_with(entries, begin, found, row)
        place = found
        while place < end and entries[place, 0] == row:
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
