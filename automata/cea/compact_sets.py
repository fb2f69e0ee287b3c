"""Compact complex event sets: many sets of positions as paths of a graph (CEL Section 9.2).

A node other than ``BOTTOM`` stands for a position; every path from it to ``BOTTOM`` for a complex event.
The children of a node are a list of nodes, kept by its `first` and its `last`; lists are linked by `next`
and grow at the end only, so that what a pair of nodes stood for it stands for always.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from mnemata.theory.cel.valuations import ComplexEvent, Position
from mnemata.theory.errors import PatternError

Node: TypeAlias = int
Listed: TypeAlias = tuple[Node, Node]
"""A list of nodes by its first and its last, which the first reaches along `next`."""

BOTTOM: Final[Node] = 0


@dataclass(slots=True)
class CompactSet:
    """``(N, bottom, event, first, last, next)``; grows by `extend` and `append` in constant time each.

    Attributes
    ----------
    event : list of Position or None
        The position of each node; none for ``BOTTOM``, which is node 0.
    first, last : list of Node or None
        The list of children of each node; none for ``BOTTOM``.
    next : list of Node or None
        What follows each node in its list, if anything does yet.

    Examples
    --------
    >>> found = CompactSet()
    >>> zero = found.extend(0, (BOTTOM, BOTTOM))
    >>> one = found.extend(1, (BOTTOM, BOTTOM))
    >>> found.append(one, zero)
    >>> two = found.extend(2, (one, zero))
    >>> sorted(map(sorted, found.complex_events((two, two))))
    [[0, 2], [1, 2]]
    """

    event: list[Position | None] = field(default_factory=lambda: [None])
    first: list[Node | None] = field(default_factory=lambda: [None])
    last: list[Node | None] = field(default_factory=lambda: [None])
    next: list[Node | None] = field(default_factory=lambda: [None])

    def __len__(self) -> int:
        return len(self.event)

    def extend(self, position: Position, children: Listed) -> Node:
        """A new node for `position` with these children (``extend``)."""
        self.event.append(position)
        self.first.append(children[0])
        self.last.append(children[1])
        self.next.append(None)
        return len(self.event) - 1

    def append(self, end: Node, start: Node) -> None:
        """Let the list that starts with `start` follow the one that ends with `end` (``append``).

        Raises `PatternError` when something follows `end` already: two runs would share a list, which I/O-
        determinism excludes (ERRATA B12).
        """
        if self.next[end] is not None:
            raise PatternError(
                f"something follows node {end} already, so two runs would share a list; only an "
                "I/O-deterministic CEA can be evaluated: use normal_form(cea, schema)"
            )
        self.next[end] = start

    def position(self, node: Node) -> Position:
        """The position that a node stands for; ``BOTTOM`` has none."""
        return _there(self.event[node])

    def children(self, node: Node) -> Listed:
        """The list of children of a node; ``BOTTOM`` has none."""
        return _there(self.first[node]), _there(self.last[node])

    def following(self, node: Node) -> Node:
        """What follows a node that is not the last of its list."""
        return _there(self.next[node])

    def listed(self, nodes: Listed) -> Iterator[Node]:
        """``list(n, n')``: the nodes from one to another along `next`."""
        node, end = nodes
        yield node
        while node != end:
            node = self.following(node)
            yield node

    def complex_events(self, nodes: Listed) -> frozenset[ComplexEvent]:
        """``CE(n, n')`` by definition: the positions on each path from the list to ``BOTTOM``.

        For what is small; `enumeration.enumerate_set` yields one after the other without repetition.
        """
        return frozenset(frozenset(path) for path in self.paths(nodes))

    def paths(self, nodes: Listed) -> Iterator[tuple[Position, ...]]:
        """The positions on each path from a list to ``BOTTOM``, path by path."""
        stack: list[tuple[Node, tuple[Position, ...]]] = [(node, ()) for node in self.listed(nodes)]
        while stack:
            node, path = stack.pop()
            if node == BOTTOM:
                yield path
            else:
                longer = (*path, self.position(node))
                stack += [(child, longer) for child in self.listed(self.children(node))]


def _there(found: int | None) -> int:
    if found is None:
        raise PatternError("a compact set of complex events was asked for a list that it does not have")
    return found
