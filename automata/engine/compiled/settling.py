"""What has arrived becomes entries; where the key is there already, matches or their numbers are united."""

from __future__ import annotations

from typing import Final

from mnemata.automata.engine.compiled.counting import add_count, copy_number
from mnemata.automata.engine.compiled.entries import find, make_room
from mnemata.automata.engine.compiled.graph import merge, room_to_merge
from mnemata.automata.engine.compiled.jit import inlined
from mnemata.automata.engine.compiled.plan import Mode, Tables
from mnemata.automata.engine.compiled.store import (
    DONE,
    FIRST,
    N_ARRIVALS,
    N_NODES,
    NEED_NODES,
    NODE,
    SETTLED,
    WANTED,
    WORDS,
    Store,
)

ENUMERATE: Final = int(Mode.ENUMERATE)
COUNT: Final = int(Mode.COUNT)


@inlined
def settle(store: Store, tables: Tables, mode: int) -> int:
    """Make entries of the arrivals, unless room is short."""
    numbers = store.numbers
    target, width, place, code = -1, 0, -1, DONE
    arrival, last = numbers[SETTLED], numbers[N_ARRIVALS]
    while arrival < last:
        state = store.arrivals[arrival, 0]
        if state != target:
            target, width, place = state, tables.width[state], -1
        # Arrivals come in the order of their keys as a rule, and so do the entries that they meet.
        place, found = find(store, state, arrival, width, place + 1)
        if found:
            code = combine(store, tables, state, store.segments[state, 0] + place, arrival, mode)
        else:
            code = make_room(store, state, place)
            if code == DONE:
                fill(store, store.segments[state, 0] + place, arrival, mode)
        if code != DONE:
            break
        arrival += 1
    numbers[SETTLED] = arrival
    return code


@inlined
def fill(store: Store, place: int, arrival: int, mode: int) -> None:
    """Write an arrival to its place."""
    for column in range(store.entries.shape[1]):
        store.entries[place, column] = store.arrivals[arrival, 1 + column]
    if mode == COUNT:
        copy_number(store.arrived, arrival, store.counts, place, store.numbers[WORDS])


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
        add_count(store, place, store.arrived, arrival)
    if start > entries[place, column + FIRST]:
        entries[place, column + FIRST] = start
    return DONE
