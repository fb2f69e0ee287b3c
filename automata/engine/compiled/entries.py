"""The entries of a store: finding, making room, and forgetting those that windows have closed on."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mnemata.automata.engine.compiled.jit import inlined, natural
from mnemata.automata.engine.compiled.plan import Tables
from mnemata.automata.engine.compiled.store import (
    BEGUN,
    DONE,
    FIRST,
    LIVE,
    N_OCCUPIED,
    NEED_ENTRIES,
    SWEEP_AT,
    TOP,
    WANTED,
    WORDS,
    Store,
)
from mnemata.automata.engine.compiled.stream import Now

SMALLEST_SEGMENT: Final = 4
FEWEST_TO_SWEEP: Final = 64


@inlined
def segment(store: Store, state: int) -> tuple[int, int]:
    """Where the entries of a state begin and end."""
    begin = natural(store.segments[state, 0])
    return begin, begin + natural(store.segments[state, 2])


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
def order(entries: Any, one: Any, other: Any, width: int) -> int:
    """Negative, zero or positive: how the keys of two entries compare."""
    for part in range(width):
        here, there = entries[np.uint64(one), np.uint64(part)], entries[np.uint64(other), np.uint64(part)]
        if here != there:
            return -1 if here < there else 1
    return 0


@inlined
def make_room(store: Store, state: int, place: int) -> int:
    """Make a gap in the segment of a state, unless room is short."""
    numbers, used = store.numbers, store.segments[state, 2]
    if used == store.segments[state, 1]:
        given_up = store.segments[state, 3]
        if given_up >= max(used, 1):
            move(store, state, store.segments[state, 0] - given_up, used + given_up)
        else:
            wanted = max(SMALLEST_SEGMENT, 2 * (used + given_up))
            top = numbers[TOP]
            if top + wanted > len(store.entries):
                numbers[WANTED] = top + wanted
                return NEED_ENTRIES
            move(store, state, top, wanted)
            numbers[TOP] = top + wanted
    begin = store.segments[state, 0]
    for moved in range(begin + used, begin + place, -1):
        copy(store, moved - 1, moved)
    store.segments[state, 2] = used + 1
    numbers[LIVE] += 1
    enlist(store, state)
    return DONE


@inlined
def enlist(store: Store, state: int) -> None:
    """Put a state on the list of those that have entries, unless it is there."""
    if store.occupied[state, 1] < 0:
        store.occupied[state, 1] = store.numbers[N_OCCUPIED]
        store.occupied[store.numbers[N_OCCUPIED], 0] = state
        store.numbers[N_OCCUPIED] += 1


@inlined
def move(store: Store, state: int, to: int, room: int) -> None:
    """Move the entries of a state to another segment."""
    begin, end = segment(store, state)
    for place in range(begin, end):
        copy(store, place, to + place - begin)
    store.segments[state, 0] = to
    store.segments[state, 1] = room
    store.segments[state, 3] = 0


@inlined
def copy(store: Store, place: int, to: int) -> None:
    """Copy an entry to another place."""
    entries, counts = store.entries, store.counts
    for column in range(entries.shape[1]):
        entries[to, column] = entries[place, column]
    for word in range(store.numbers[WORDS]):
        counts[to, word] = counts[place, word]


@inlined
def outside(store: Store, now: Now, place: int, began: int, fresh: bool) -> bool:
    """Whether windows have closed on an entry."""
    column = store.entries.shape[1] - 2
    if store.entries[place, column + FIRST] < (now.earliest if fresh else now.cutoff):
        return True
    return began >= 0 and store.entries[place, began] < now.earliest


@inlined
def drop_outside(store: Store, now: Now, state: int, tables: Tables, fresh: bool) -> None:
    """Forget the entries of a state on which windows have closed."""
    begin, end = segment(store, state)
    first, began = begin, tables.began[state]
    # As a rule those that came first, whose places are given up without moving the others.
    while first < end and outside(store, now, first, began, fresh):
        first += 1
    kept = end if tables.ordered[state] else first
    for place in range(kept, end):
        if not outside(store, now, place, began, fresh):
            if kept != place:
                copy(store, place, kept)
            kept += 1
    # Where none is left, all room is there again.
    gone = first - begin if kept > first else -store.segments[state, 3]
    store.numbers[LIVE] -= end - begin - (kept - first)
    store.segments[state, 0] = begin + gone
    store.segments[state, 1] -= gone
    store.segments[state, 2] = kept - first
    store.segments[state, 3] += gone


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
        drop_outside(store, now, state, tables, state < half)
        if segments[state, 2] == 0:
            vacate(store, state)
        else:
            listed += 1
    numbers[SWEEP_AT] = max(FEWEST_TO_SWEEP, 2 * numbers[LIVE])


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
def clear(store: Store) -> None:
    """Forget all entries."""
    for place in range(store.numbers[N_OCCUPIED]):
        state = store.occupied[place, 0]
        store.occupied[state, 1] = -1
        store.segments[state, 2] = 0
    store.numbers[N_OCCUPIED] = 0
    store.numbers[LIVE] = 0
    store.numbers[BEGUN] = 0
