"""What has arrived becomes entries; where the key is there already, matches or their numbers are united."""

from __future__ import annotations

from typing import Final

import numpy as np

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
    WIDEN,
    Counts,
    Store,
)

ENUMERATE: Final = int(Mode.ENUMERATE)
COUNT: Final = int(Mode.COUNT)
HALF: Final = np.uint64(1 << 32)
NOTHING: Final = np.uint64(0)
ONE: Final = np.uint64(1)


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
        add_count(store, place, store.arrived, arrival)
    if start > entries[place, column + FIRST]:
        entries[place, column + FIRST] = start
    return DONE


@inlined
def add_count(store: Store, place: int, counts: Counts, other: int) -> None:
    """Add another number to that of an entry.

    Before each event the most significant word of every count is less than 2**32, so that the sums of
    2**31 of them fit.
    """
    add_to(store.counts, place, counts, other)
    if store.counts[place, store.counts.shape[1] - 1] >= HALF:
        store.numbers[WIDEN] = 1


@inlined
def add_to(sums: Counts, place: int, counts: Counts, other: int) -> None:
    """Add a number to another."""
    carry = NOTHING
    for limb in range(sums.shape[1]):
        if counts[other, limb] | carry == NOTHING:
            continue
        before = sums[place, limb]
        total = before + counts[other, limb]
        after = total + carry
        # No branch: whether the words of large numbers carry cannot be foreseen.
        carry = np.uint64(total < before) | np.uint64(after < total)
        sums[place, limb] = after
