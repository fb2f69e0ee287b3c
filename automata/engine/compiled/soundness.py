"""Whether state that comes from outside can be handed to machine code, which checks nothing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.compiled.graph import EMPTY, LEFT, RIGHT, Nodes, new_nodes
from mnemata.automata.engine.compiled.jit import compiled
from mnemata.automata.engine.compiled.lane import Lane
from mnemata.automata.engine.compiled.store import (
    LIVE,
    N_ARRIVALS,
    N_NODES,
    N_OCCUPIED,
    N_REPORTS,
    NODE,
    SETTLED,
    TOP,
    WORDS,
    Store,
)

Ints = npt.NDArray[np.int64]


def is_sound(lane: Lane) -> bool:
    """Whether all that says where something lies in a lane says so rightly; its arrays have their shapes."""
    store = lane.store
    return (
        _counts(store)
        and bool(_segments_fit(store.segments, store.occupied, _by_begin(store), *_sizes(store)))
        and np.array_equal(store.nodes[EMPTY], new_nodes(1)[EMPTY])
        and bool(_is_built_upwards(store.nodes))
        and _entries_refer(lane)
    )


def _counts(store: Store) -> bool:
    numbers = store.numbers
    return bool(
        numbers[TOP] == len(store.entries) == len(store.counts)
        and 1 <= numbers[N_NODES] == len(store.nodes)
        and numbers[LIVE] == store.segments[:, 2].sum()
        and 1 <= numbers[WORDS] == store.counts.shape[1]
        and not numbers[[N_ARRIVALS, SETTLED, N_REPORTS]].any()
    )


def _sizes(store: Store) -> tuple[int, int]:
    return int(store.numbers[N_OCCUPIED]), len(store.entries)


def _by_begin(store: Store) -> Ints:
    """The states by where their room begins."""
    order: Ints = np.argsort(store.segments[:, 0] - store.segments[:, 3], kind="stable")
    return order


@compiled
def _segments_fit(segments: Ints, occupied: Ints, by_begin: Ints, listed: int, size: int) -> bool:
    """Segments lie in the array, none on another, and the states that use theirs are listed."""
    states, end, using = len(segments), 0, 0
    if not 0 <= listed <= states:
        return False
    for state in by_begin:
        begin, left = segments[state, 0], segments[state, 1]
        used, given_up = segments[state, 2], segments[state, 3]
        if min(begin, left, used, given_up) < 0 or max(left, given_up) > size or used > left:
            return False
        place = occupied[state, 1]
        if used == 0 and place != -1:
            return False
        if used > 0 and not (0 <= place < listed and occupied[place, 0] == state):
            return False
        using += used > 0
        if left + given_up == 0:
            continue
        if begin > size or begin - given_up < end or begin + left > size:
            return False
        end = begin + left
    return using == listed


@compiled
def _is_built_upwards(nodes: Nodes) -> bool:
    """Every node but the first, the empty match, refers to nodes before it: all paths end."""
    for node in range(1, len(nodes)):
        if not (0 <= nodes[node, LEFT] < node and 0 <= nodes[node, RIGHT] < node):
            return False
    return True


def _entries_refer(lane: Lane) -> bool:
    """Entries refer to nodes of the graph and to events that are kept."""
    store, kept = lane.store, lane.kept
    size = kept.ints.shape[1] if len(kept.ints) else kept.floats.shape[1]
    return bool(_refer(store.entries, store.segments, lane.plan.held, size, len(store.nodes)))


@compiled
def _refer(entries: Ints, segments: Ints, held: Ints, events: int, nodes: int) -> bool:
    for state in range(len(segments)):
        begin, used = segments[state, 0], segments[state, 2]
        for entry in range(begin, begin + used):
            for part in range(held[state]):
                if not -1 <= entries[entry, part] < events:
                    return False
            if not 0 <= entries[entry, entries.shape[1] - 2 + NODE] < nodes:
                return False
    return True
