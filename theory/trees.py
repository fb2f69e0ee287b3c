"""Immutable syntax trees: structural equality, and folds that never recurse.

A node is a frozen, slotted dataclass whose fields are values, nodes, or tuples of nodes. Patterns may
nest thousands deep, so nothing here relies on Python's call stack: hashes are computed once at
construction from the children's, and equality, pickling, printing and folds use explicit stacks.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


@dataclasses.dataclass(frozen=True, slots=True, eq=False, repr=False)
class Node:
    """Base of every term, condition and expression.

    Subclasses are declared ``@dataclass(frozen=True, slots=True, eq=False, repr=False)`` and may
    override `validate` to check or normalise their fields once, at construction.
    """

    _hash: int = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.validate()
        object.__setattr__(self, "_hash", hash((type(self).__name__, *map(_shape, _values(self)))))

    def validate(self) -> None:
        """Check the fields; a subclass may replace them with `set_field`."""

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return _same(self, other) if isinstance(other, Node) else NotImplemented

    def __repr__(self) -> str:
        pieces: list[str] = []
        stack: list[Node | str] = [self]
        while stack:
            part = stack.pop()
            if isinstance(part, Node):
                stack.extend(reversed(_tokens(part)))
            else:
                pieces.append(part)
        return "".join(pieces)

    def __reduce__(self) -> tuple[Callable[..., Node], tuple[object, ...]]:
        return (rebuild, (flatten(self),))


def set_field(node: Node, name: str, value: object) -> None:
    """Replace a field of a node under construction (only for use inside `Node.validate`)."""
    object.__setattr__(node, name, value)


def field_names(kind: type[Node]) -> tuple[str, ...]:
    """Names of the fields that make up a node of this kind, in declaration order."""
    return kind.__match_args__


def _values(node: Node) -> list[Any]:
    return [getattr(node, name) for name in field_names(type(node))]


def _shape(value: object) -> object:
    return value if isinstance(value, Node | tuple) else (type(value).__name__, value)


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below `node`, from left to right."""
    found: list[Node] = []
    for value in _values(node):
        found += [v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, Node)]
    return tuple(found)


def fold(root: Node, visit: Callable[[Any, tuple[T, ...]], T]) -> T:
    """Evaluate `root` bottom-up: `visit` gets each node with the results of its children.

    Shared sub-trees are visited once. Runs in time linear in the number of distinct nodes.
    """
    results: dict[int, T] = {}
    stack: list[tuple[Node, tuple[Node, ...] | None]] = [(root, None)]
    while stack:
        node, below = stack.pop()
        if id(node) in results:
            continue
        if below is None:
            below = children(node)
            stack.append((node, below))
            stack.extend((child, None) for child in reversed(below))
        else:
            results[id(node)] = visit(node, tuple(results[id(child)] for child in below))
    return results[id(root)]


def fold_occurrences(
    root: Node, visit: Callable[[Any, tuple[T, ...]], T], enter: Callable[[Any], None] | None = None
) -> T:
    """Like `fold`, but a sub-tree shared by several parents is visited once for each of them.

    `enter` is called for each occurrence before its children; the children of a node are visited from
    left to right, each completely before the next.
    """
    results: list[T] = []
    stack: list[tuple[Node, int | None]] = [(root, None)]
    while stack:
        node, arity = stack.pop()
        if arity is None:
            below = children(node)
            if enter is not None:
                enter(node)
            stack.append((node, len(below)))
            stack.extend((child, None) for child in reversed(below))
        else:
            split = len(results) - arity
            results[split:] = [visit(node, tuple(results[split:]))]
    return results[0]


def walk(root: Node, *, down_to: tuple[type[Node], ...] = ()) -> Iterator[Node]:
    """All distinct nodes of the tree, each before its children, from left to right.

    Nodes of the kinds `down_to` are included, those below them are not.
    """
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            stack.extend(() if isinstance(node, down_to) else reversed(children(node)))


def replace_children(node: Node, new: tuple[Node, ...]) -> Node:
    """A node like `node` over `new` children; `node` itself when nothing changed."""
    if all(a is b for a, b in zip(children(node), new, strict=True)):
        return node
    remaining = iter(new)
    fields = (_with_next(value, remaining) for value in _values(node))
    return type(node)(*fields)


def _with_next(value: object, remaining: Iterator[Node]) -> object:
    if isinstance(value, Node):
        return next(remaining)
    if isinstance(value, tuple):
        return tuple(next(remaining) if isinstance(v, Node) else v for v in value)
    return value


def transform(root: Node, rewrite: Callable[[Any], Node]) -> Node:
    """Apply `rewrite` to every node, children first."""
    return fold(root, lambda node, below: rewrite(replace_children(node, below)))


def depth(root: Node) -> int:
    """Length of the longest path from the root to a leaf; a leaf has depth 1."""
    return fold(root, lambda _node, below: 1 + max(below, default=0))


def _same(left: Node, right: Node) -> bool:
    seen: set[tuple[int, int]] = set()
    stack: list[tuple[Any, Any]] = [(left, right)]
    while stack:
        a, b = stack.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        if type(a) is not type(b):
            return False
        if isinstance(a, Node):
            if a._hash != b._hash:
                return False
            seen.add((id(a), id(b)))
            stack.extend(zip(_values(a), _values(b), strict=True))
        elif isinstance(a, tuple):
            if len(a) != len(b):
                return False
            stack.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True


def _tokens(node: Node) -> list[Node | str]:
    """The representation of a node, with the nodes below it still to be spelled out."""
    tokens: list[Node | str] = [f"{type(node).__name__}("]
    for place, value in enumerate(_values(node)):
        tokens += [", "] if place else []
        tokens += _tokens_of_tuple(value) if isinstance(value, tuple) else [_token(value)]
    return [*tokens, ")"]


def _tokens_of_tuple(values: tuple[object, ...]) -> list[Node | str]:
    tokens: list[Node | str] = ["("]
    for place, value in enumerate(values):
        tokens += [", ", _token(value)] if place else [_token(value)]
    return [*tokens, ",)" if len(values) == 1 else ")"]


def _token(value: object) -> Node | str:
    return value if isinstance(value, Node) else repr(value)


@dataclasses.dataclass(frozen=True, slots=True)
class _Reference:
    """Stands for an earlier node in the flat form of a tree."""

    index: int


Flat = tuple[tuple[type[Node], tuple[object, ...]], ...]


def flatten(root: Node) -> Flat:
    """The tree as a flat program: each entry builds a node from values and earlier entries."""
    program: list[tuple[type[Node], tuple[object, ...]]] = []

    def emit(node: Node, below: tuple[_Reference, ...]) -> _Reference:
        remaining = iter(below)

        def encode(value: object) -> object:
            if isinstance(value, Node):
                return next(remaining)
            return tuple(map(encode, value)) if isinstance(value, tuple) else value

        program.append((type(node), tuple(encode(value) for value in _values(node))))
        return _Reference(len(program) - 1)

    fold(root, emit)
    return tuple(program)


def rebuild(program: Flat) -> Node:
    """Inverse of `flatten`; every node goes through its constructor again."""
    built: list[Node] = []

    def decode(value: object) -> object:
        if isinstance(value, _Reference):
            return built[value.index]
        return tuple(map(decode, value)) if isinstance(value, tuple) else value

    for kind, fields in program:
        built.append(kind(*map(decode, fields)))
    return built[-1]
