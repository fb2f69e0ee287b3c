"""Whether state that comes from outside can be handed to machine code, which checks nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from mnemata.automata.engine.compiled.graph import LEFT, RIGHT, new_nodes
from mnemata.automata.engine.compiled.lane import Kept, Lane, registers_in
from mnemata.automata.engine.compiled.plan import Plan
from mnemata.automata.engine.compiled.store import (
    LIVE,
    N_ARRIVALS,
    N_NODES,
    N_OCCUPIED,
    N_REPORTS,
    SETTLED,
    TOP,
    WORDS,
    Store,
)


def is_sound(lane: Lane) -> bool:
    """Whether all that says where something lies in a lane says so rightly."""
    store, kept, plan = lane.store, lane.kept, lane.plan
    return (
        _has_shape(store, plan)
        and _keeps(kept, plan)
        and _counts(store)
        and _segments_fit(store, plan)
        and _graph_is_built_upwards(store)
        and _entries_refer(store, kept, plan)
    )


def _has_shape(store: Store, plan: Plan) -> bool:
    like = Lane.new(plan).store
    limbs = store.counts.shape[1:] if store.counts.ndim == 2 else ()
    return (
        _alike(store.numbers, like.numbers)
        and _alike(store.segments, like.segments)
        and _alike(store.occupied, like.occupied)
        and _alike(store.entries[:0], like.entries[:0])
        and _alike(store.nodes[:0], like.nodes[:0])
        and store.counts.dtype == np.uint64
        and len(limbs) == 1
        and limbs[0] >= 1
    )


def _alike(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    return bool(one.dtype == other.dtype and one.shape == other.shape)


def _keeps(kept: Kept, plan: Plan) -> bool:
    like = Lane.new(plan).kept
    sizes = {part.shape[1] for part in kept[:4] if part.ndim == 2 and len(part)}
    return bool(
        all(_alike(part[:, :0], other) for part, other in zip(kept[:4], like[:4], strict=True))
        and kept.times.dtype == np.int64
        and kept.times.ndim == 1
        and len(sizes) <= 1
    )


def _counts(store: Store) -> bool:
    numbers = store.numbers
    return bool(
        numbers[TOP] == len(store.entries) == len(store.counts)
        and 1 <= numbers[N_NODES] == len(store.nodes)
        and numbers[LIVE] == store.segments[:, 2].sum()
        and numbers[WORDS] == store.counts.shape[1]
        and not numbers[[N_ARRIVALS, SETTLED, N_REPORTS]].any()
    )


def _segments_fit(store: Store, plan: Plan) -> bool:
    """Segments lie in the array, none on another, and the states that use theirs are listed."""
    entries_begin, left, used, given_up = store.segments.T
    begin, room = entries_begin - given_up, left + given_up
    listed = int(store.numbers[N_OCCUPIED])
    if not 0 <= listed <= plan.size or (store.segments < 0).any() or (room > len(store.entries)).any():
        return False
    states = store.occupied[:listed, 0]
    if (states < 0).any() or (states >= plan.size).any():
        return False
    places = np.full(plan.size, -1, np.int64)
    places[states] = np.arange(listed)
    ordered = np.argsort(begin[room > 0], kind="stable")
    ends = (begin + room)[room > 0][ordered]
    return bool(
        np.array_equal(places, store.occupied[:, 1])
        and np.array_equal(used > 0, places >= 0)
        and (used <= left).all()
        and (begin >= 0).all()
        and (ends <= len(store.entries)).all()
        and (ends[:-1] <= begin[room > 0][ordered][1:]).all()
    )


def _graph_is_built_upwards(store: Store) -> bool:
    """The first node is the empty match, and every other refers to nodes before it: all paths end."""
    children = store.nodes[1:, [LEFT, RIGHT]]
    return np.array_equal(store.nodes[0], new_nodes(1)[0]) and bool(
        (children >= 0).all() and (children < np.arange(1, len(store.nodes))[:, None]).all()
    )


def _entries_refer(store: Store, kept: Kept, plan: Plan) -> bool:
    """Entries refer to nodes of the graph and to events that are kept."""
    rows, columns = registers_in(store, plan)
    held = store.entries[rows, columns]
    sizes = [part.shape[1] for part in kept[:2] if len(part)]
    used = [np.arange(begin, begin + some) for begin, _, some, _ in store.segments]
    nodes = store.entries[np.concatenate([np.zeros(0, np.int64), *used]), -2]
    known = (held < sizes[0]).all() if sizes else True
    return bool((held >= -1).all() and known and (nodes >= 0).all() and (nodes < len(store.nodes)).all())
