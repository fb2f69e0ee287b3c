"""What the kernel keeps between events: entries, the match graph, reports; arrays that grow."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.compiled.enumeration import REPORT_COLUMNS
from mnemata.automata.engine.compiled.graph import LEAST_NODES, Nodes, new_nodes

Ints: TypeAlias = npt.NDArray[np.int64]
Counts: TypeAlias = npt.NDArray[np.uint64]
T = TypeVar("T", bound=np.generic)

(
    TOP,
    N_NODES,
    N_ARRIVALS,
    N_REPORTS,
    N_OCCUPIED,
    LIVE,
    WIDEN,
    NEXT_ROW,
    SUBSTREAM,
    SETTLED,
    WANTED,
    SWEEP_AT,
    COLLECT_AT,
    BEGUN,
    WORDS,
    NARROWED,
) = range(16)
"""Places in `Store.numbers`."""

DONE, TOO_MANY_ENTRIES, TOO_MANY_NODES, FULL = 0, 1, 2, 3
NEED_ARRIVALS, NEED_REPORTS, NEED_NODES, NEED_ENTRIES, NEED_LIMBS = 4, 5, 6, 7, 8
"""Why the kernel stopped. After a need is met it goes on where it was."""

NODE: Final = 0
FIRST: Final = 1
"""The last two columns of an entry: its node in the match graph, and its latest start."""


class Store(NamedTuple):
    """The state of recognition.

    Parameters
    ----------
    numbers : int64 array
        How much of the other arrays is in use, and where recognition stands.
    entries : int64 array of shape (capacity, widest + 2)
        Keys, nodes and latest starts. The entries of a state are a segment, in increasing order of keys.
    counts : uint64 array of shape (capacity, limbs)
        For each entry the number of matches, in words from the least significant one. Of the words
        ``numbers[WORDS]`` are in use.
    segments : int64 array of shape (n_states, 4)
        Where the entries of each state begin, how much room there is from there on, how much of it is used,
        and how much room before them has been given up.
    occupied : int64 array of shape (n_states, 2)
        A list of the states that have entries; and for each state its place in it, -1 where it has none.
    nodes : int64 array of shape (capacity, 4)
        The match graph.
    arrivals : int64 array of shape (capacity, 1 + widest + 2)
        Entries that an event has made: the state, then as in `entries`.
    arrived : uint64 array of shape (capacity, limbs)
        Their counts.
    reports : int64 array of shape (capacity, 3)
        The matches that end at a row: the row, the node of what is marked before, the earliest start.
    reported : uint64 array of shape (capacity, limbs)
        Their numbers, all words of which are in use.
    """

    numbers: Ints
    entries: Ints
    counts: Counts
    segments: Ints
    occupied: Ints
    nodes: Nodes
    arrivals: Ints
    arrived: Counts
    reports: Ints
    reported: Counts


def new_store(states: int, widest: int, room: int = 64, nodes: int = 64) -> Store:
    """The state before the first event, with room for some entries, arrivals and reports, and some nodes."""
    made = Store(
        np.zeros(16, np.int64),
        np.zeros((room, widest + 2), np.int64),
        np.zeros((room, 1), np.uint64),
        np.zeros((states, 4), np.int64),
        np.zeros((states, 2), np.int64),
        new_nodes(nodes),
        np.zeros((room, widest + 3), np.int64),
        np.zeros((room, 1), np.uint64),
        np.zeros((room, REPORT_COLUMNS), np.int64),
        np.zeros((room, 1), np.uint64),
    )
    return emptied(made)


def emptied(store: Store) -> Store:
    """The state before the first event, in the arrays of a store, which is not to be used any more."""
    store.numbers[:] = 0
    store.numbers[N_NODES], store.numbers[COLLECT_AT], store.numbers[WORDS] = 1, LEAST_NODES, 1
    store.segments[:] = 0
    store.occupied[:, 0], store.occupied[:, 1] = 0, -1
    return store


def with_room(store: Store, code: int) -> Store:
    """The store with more room for what the kernel ran out of."""
    if code == NEED_ARRIVALS:
        wanted = int(store.numbers[WANTED])
        return store._replace(
            arrivals=_larger(store.arrivals, wanted), arrived=_larger(store.arrived, wanted)
        )
    if code == NEED_REPORTS:
        wanted = int(store.numbers[WANTED])
        return store._replace(
            reports=_larger(store.reports, wanted), reported=_larger(store.reported, wanted)
        )
    if code == NEED_NODES:
        return store._replace(nodes=_larger(store.nodes, int(store.numbers[WANTED])))
    if code == NEED_ENTRIES:
        wanted = int(store.numbers[WANTED])
        return store._replace(entries=_larger(store.entries, wanted), counts=_larger(store.counts, wanted))
    return store._replace(
        counts=_wider(store.counts), arrived=_wider(store.arrived), reported=_wider(store.reported)
    )


def _larger(rows: npt.NDArray[T], needed: int) -> npt.NDArray[T]:
    grown = np.zeros((max(needed, 2 * len(rows)), rows.shape[1]), rows.dtype)
    grown[: len(rows)] = rows
    return grown


def _wider(counts: Counts) -> Counts:
    return np.concatenate([counts, np.zeros((len(counts), 1), np.uint64)], axis=1)
