"""The match graph: all matches so far, sharing what they have in common, in an array of nodes.

A node stands for a set of partial matches. It is a row of an int64 array with the columns

==========  ====================================================================================
``LABEL``   for an output node the row that it marks; else one of `UNION`, `CELL`, `LAST`, `LEAF`
``LEFT``    an output node: what was marked before; else the first part of a union
``RIGHT``   the second part of a union
``START``   the clock of the latest first mark in the set: it leaves the window last
==========  ====================================================================================

This is the timed enumerable compact set of CORE (Bucchi et al., PVLDB 2022). A union has its later start on
the left, so that a node inside the window has a left part inside the window, and what lies to the right is
skipped at once when it is not. At most three unions are passed before the next output.
Nodes never change, and refer to nodes before them only.

An entry holds a *union list*: an output node first, then sets with strictly decreasing starts. It is
written as a chain of ``CELL`` nodes, each with an element to its left and the rest of the list to its
right, ending in a ``LAST`` node with two elements. So a list is itself a node. The elements are safe nodes:
outputs, or unions with an output on the left.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemata.automata.engine.compiled.jit import compiled, inlined

Nodes: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[Any]

LABEL: Final = 0
LEFT: Final = 1
RIGHT: Final = 2
START: Final = 3
COLUMNS: Final = 4

UNION: Final = -1
CELL: Final = -2
LAST: Final = -3
LEAF: Final = -4

EMPTY: Final = 0
"""The node of the set that has the empty match only: nothing is marked yet."""

NEVER: Final = np.iinfo(np.int64).max
"""The start of the empty match, which no window closes on."""

LEAST_NODES: Final = 1 << 20
"""Fewer are not worth collecting."""

MOST_NODES_OF_A_UNION: Final = 4
_SHORTENED: Final = 2


def new_nodes(capacity: int = 1024) -> Nodes:
    """A graph with the empty match; its first free place is 1, and what is there and beyond is not read."""
    nodes: Nodes = np.empty((capacity, COLUMNS), np.int64)
    nodes[EMPTY] = (LEAF, EMPTY, EMPTY, NEVER)
    return nodes


@inlined
def put(nodes: Nodes, size: int, label: int, left: int, right: int, start: int) -> int:
    """Write a node in the first free place and return the next one."""
    nodes[size, LABEL] = label
    nodes[size, LEFT] = left
    nodes[size, RIGHT] = right
    nodes[size, START] = start
    return size + 1


@compiled
def join(nodes: Nodes, size: int, one: int, other: int) -> int:
    """A union of two nodes, the later start on the left, in the first free place; returns the next one."""
    if nodes[one, START] < nodes[other, START]:
        one, other = other, one
    return put(nodes, size, UNION, one, other, nodes[one, START])


@compiled
def unite(nodes: Nodes, size: int, one: int, other: int) -> int:
    """A safe union of two safe nodes with equal starts, at the place before the one returned."""
    if nodes[one, LABEL] >= 0:
        return put(nodes, size, UNION, one, other, nodes[one, START])
    if nodes[other, LABEL] >= 0:
        return put(nodes, size, UNION, other, one, nodes[one, START])
    start = nodes[one, START]
    size = join(nodes, size, nodes[one, RIGHT], nodes[other, RIGHT])
    size = put(nodes, size, UNION, nodes[other, LEFT], size - 1, start)
    return put(nodes, size, UNION, nodes[one, LEFT], size - 1, start)


@inlined
def elements_before(nodes: Nodes, listed: int, start: int) -> int:
    """How many elements of a list stay in front of a set with the given start; at least the first one."""
    found = 1
    while nodes[listed, LABEL] == CELL:
        listed = nodes[listed, RIGHT]
        if nodes[nodes[listed, LEFT], START] <= start:
            return found
        found += 1
    if nodes[listed, LABEL] == LAST and nodes[nodes[listed, RIGHT], START] > start:
        found += 1
    return found


@compiled
def insert(nodes: Nodes, size: int, listed: int, node: int, kept: int) -> int:
    """Insert a safe node that starts no later than a list into it, behind `kept` elements.

    The new list is at the place before the one returned. Needs ``kept + 4`` free places.
    """
    cell = listed
    for _ in range(kept - 1):
        if nodes[cell, LABEL] == CELL:
            cell = nodes[cell, RIGHT]
    label, rest = nodes[cell, LABEL], nodes[cell, RIGHT]
    start = nodes[node, START]
    if label >= 0 or label == LEAF:  # the list is its one element
        return put(nodes, size, LAST, cell, node, nodes[cell, START])
    whole = LAST if label == LAST else CELL
    if label == LAST and nodes[rest, START] > start:
        size = put(nodes, size, LAST, rest, node, nodes[rest, START])
        kept, whole = kept - 1, CELL
    elif label == LAST and nodes[rest, START] == start:
        size = unite(nodes, size, rest, node)
    elif label == LAST:
        size = put(nodes, size, LAST, node, rest, start)
        whole = CELL
    elif nodes[nodes[rest, LEFT], START] == start:
        size = unite(nodes, size, nodes[rest, LEFT], node)
        size = put(nodes, size, nodes[rest, LABEL], size - 1, nodes[rest, RIGHT], start)
    else:
        size = put(nodes, size, CELL, node, rest, start)
    return _copy_front(nodes, size, listed, kept, whole)


@compiled
def _copy_front(nodes: Nodes, size: int, listed: int, kept: int, innermost: int) -> int:
    """Put the first elements of a list before what was written last."""
    place, label = size + kept - 1, CELL
    for number in range(kept):
        element = nodes[listed, LEFT]
        if number == kept - 1:
            label = innermost
        put(nodes, place, label, element, place - 1, nodes[element, START])
        listed, place = nodes[listed, RIGHT], place - 1
    return size + kept


@inlined
def room_to_merge(nodes: Nodes, one: int, other: int) -> int:
    """How many free places `merge` may need."""
    if nodes[one, START] < nodes[other, START]:
        one, other = other, one
    return elements_before(nodes, one, nodes[other, START]) + MOST_NODES_OF_A_UNION


@compiled
def merge(nodes: Nodes, size: int, one: int, other: int) -> tuple[int, int]:
    """The union of two lists of different matches as a list: it, and the next free place."""
    if one == EMPTY and other == EMPTY:
        return EMPTY, size
    if nodes[one, START] < nodes[other, START]:
        one, other = other, one
    kept = elements_before(nodes, one, nodes[other, START])
    size = insert(nodes, size, one, other, kept)
    return size - 1, size


@compiled
def collect(nodes: Nodes, size: int, alive: Flags, cutoff: int, places: Nodes) -> int:
    """Drop the nodes that are not alive, and what lies to the right outside the window.

    Parameters
    ----------
    nodes : int64 array of shape (capacity, 4)
        Changed in place.
    size : int
        How many are in use.
    alive : uint8 array of shape (size,)
        1 for the roots, else 0; used for notes.
    cutoff : int
        Sets that start before it are outside the window, now and later.
    places : int64 array of shape (size,)
        Filled with the new place of each node that was kept.

    Returns
    -------
    int
        How many were kept.
    """
    alive[EMPTY] = 1
    for node in range(size - 1, 0, -1):
        if alive[node]:
            alive[nodes[node, LEFT]] = 1
            if nodes[node, LABEL] < 0 and nodes[nodes[node, RIGHT], START] >= cutoff:
                alive[nodes[node, RIGHT]] = 1
    kept = 1
    for node in range(1, size):
        if not alive[node]:
            continue
        label, left, right = nodes[node, LABEL], nodes[node, LEFT], nodes[node, RIGHT]
        if label < 0 and not alive[right]:
            places[node], alive[node] = places[left], _SHORTENED
            continue
        if label == CELL and alive[right] == _SHORTENED:
            label = LAST
        put(nodes, kept, label, places[left], places[right] if label < 0 else 0, nodes[node, START])
        places[node] = kept
        kept += 1
    return kept
