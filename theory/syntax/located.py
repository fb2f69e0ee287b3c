"""Where in a text each part of a pattern stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from mnemata.theory.conditions.terms import Register
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.trees import Node

Place: TypeAlias = tuple[int, int]
"""Line and column, both from 1."""

N = TypeVar("N", bound=Node)


class Places:
    """The places of nodes, known by identity: equal nodes stand in different places.

    The nodes are kept alive, because the identity of a node that is gone may be given to another.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, tuple[Node, Place]] = {}

    def put(self, node: N, place: Place) -> N:
        """Remember where `node` stands, unless its own place is known already."""
        self._known.setdefault(id(node), (node, place))
        return node

    def get(self, node: Node) -> Place | None:
        """Where `node` stands; ``None`` for a node that was not read from the text."""
        found = self._known.get(id(node))
        return None if found is None else found[1]


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A pattern together with the text that it was read from.

    Attributes
    ----------
    pattern : Pattern
        What the text means.
    text : str
        The text.
    reads, writes : mapping from register to tuple of places
        Where each register is read and written, in the order of the text. Parameters of definitions
        are not registers.
    """

    pattern: Pattern
    text: str
    reads: Mapping[Register, tuple[Place, ...]]
    writes: Mapping[Register, tuple[Place, ...]]
    _places: Places

    def place(self, node: Node) -> Place | None:
        """Line and column, from 1, of the first character of a node of `pattern`.

        Nodes are told apart by identity, not by equality. ``None`` for nodes of other patterns.
        """
        return self._places.get(node)
