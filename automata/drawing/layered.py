"""A plain layout for automata that are too large for a careful one: states in columns by distance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mnemata.automata.srt.transducer import State

COLUMN: Final = 130
ROW: Final = 52
_SWEEPS: Final = 4


def positions(
    start: State, states: Sequence[State], edges: Iterable[tuple[State, State]]
) -> dict[State, tuple[int, int]]:
    """Where to put each state, in points, from left to right by distance from the start.

    States that cannot be reached form the last column. Within a column states are ordered by where their
    neighbours are. Takes time linear in the number of edges.
    """
    links = list(edges)
    columns = _columns(start, states, links)
    neighbours: dict[State, list[State]] = defaultdict(list)
    for source, target in links:
        neighbours[source].append(target)
        neighbours[target].append(source)
    for _ in range(_SWEEPS):
        _sweep(columns, neighbours)
    return {
        state: (COLUMN * x, round(ROW * ((len(column) - 1) / 2 - y)))
        for x, column in enumerate(columns)
        for y, state in enumerate(column)
    }


def last_states(start: State, states: Sequence[State], edges: Iterable[tuple[State, State]]) -> list[State]:
    """The states that only edges against the direction of a depth-first search leave."""
    following: dict[State, list[State]] = defaultdict(list)
    for source, target in edges:
        following[source].append(target)
    seen: set[State] = set()
    forward: set[State] = set()
    for root in (start, *states):
        path: dict[State, Iterator[State]] = {} if root in seen else {root: iter(following[root])}
        while path:
            state = next(reversed(path))
            seen.add(state)
            after = next(path[state], None)
            if after is None:
                del path[state]
            elif after not in path:
                forward.add(state)
                if after not in seen:
                    path[after] = iter(following[after])
    return [state for state in states if state not in forward]


def _columns(
    start: State, states: Sequence[State], links: Sequence[tuple[State, State]]
) -> list[list[State]]:
    following: dict[State, list[State]] = defaultdict(list)
    for source, target in links:
        following[source].append(target)
    left = dict.fromkeys(states)
    column = [start] if start in left else []
    columns = []
    while column:
        for state in column:
            del left[state]
        columns.append(column)
        reached = dict.fromkeys(t for state in column for t in sorted(following[state]))
        column = [state for state in reached if state in left]
    return [*columns, *([list(left)] if left else [])]


def _sweep(columns: list[list[State]], neighbours: Mapping[State, Sequence[State]]) -> None:
    """Order each column by the average height of its states' neighbours."""
    height = {state: y - len(column) / 2 for column in columns for y, state in enumerate(column)}

    def average(state: State) -> float:
        around = [height[other] for other in neighbours[state]]
        return sum(around) / len(around) if around else 0.0

    for column in columns:
        column.sort(key=average)
        height.update((state, y - len(column) / 2) for y, state in enumerate(column))
