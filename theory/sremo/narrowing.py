"""Bounds on length, handed from a window to the parts inside it that need one.

Negation, absence and earliest completion are watched by monitors, so what they watch for has to be of
bounded length. Inside a window that bounds the whole string it is, even if it does not say so itself.

>>> from mnemata.theory.sremo.expressions import mark, skip_till_any, skip_till_next
>>> whole = skip_till_next(mark(), skip_till_any(mark(), mark())).within(events=4)
>>> narrowed(whole).body.parts[1].window
LengthWindow(size=3)
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

from mnemata.theory.sremo.expressions import (
    Absent,
    Concatenation,
    EventWindow,
    Expression,
    Intersection,
    LengthWindow,
    Negation,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    Union,
    Windowed,
)
from mnemata.theory.sremo.windows import bounds_string, longest
from mnemata.theory.trees import Node, children, fold, replace_children, walk

LARGEST_MONITOR: Final = 20
"""How many events the bounds that are handed on may have: monitors grow with the cube of that number."""

_WATCHING: Final = (Negation, Absent, SkipTillNext)
_Bounds: TypeAlias = tuple[float, ...]


def narrowed(expression: Expression, length: float = math.inf) -> Expression:
    """An expression with the same matches on every string of up to `length` events.

    ``e within n events = narrowed(e, n) within n events``, where that window bounds the string: no part of
    such a string is longer than what is left when the parts around it have read the least that they can.
    So what is watched for may be restricted to that length, wherever it has no bound of its own. That is
    done up to `LARGEST_MONITOR` events; larger monitors have to be asked for by a window on length.

    Parameters
    ----------
    expression : Expression
        Any.
    length : float
        How many events a string has at most; by default any number.
    """
    if not any(isinstance(node, _WATCHING) for node in walk(expression)):
        return expression
    return _Narrowing(expression).all_of(expression, length)


class _Narrowing:
    """Rewrites each part once for every bound under which it occurs."""

    def __init__(self, expression: Expression) -> None:
        self.least = _least(expression)
        self.done: dict[tuple[int, float], Node] = {}

    def all_of(self, root: Expression, length: float) -> Expression:
        waiting: list[tuple[Node, float, _Bounds | None]] = [(root, length, None)]
        while waiting:
            node, bound, below = waiting.pop()
            if (id(node), bound) in self.done:
                continue
            if below is None:
                below = self.below(node, bound)
                waiting.append((node, bound, below))
                waiting.extend((part, inside, None) for part, inside in zip(_parts(node), below, strict=True))
            else:
                parts = zip(_parts(node), below, strict=True)
                rewritten = tuple(self.done[id(part), inside] for part, inside in parts)
                self.done[id(node), bound] = _watched(node, rewritten, below)
        whole = self.done[id(root), length]
        return whole if isinstance(whole, Expression) else root

    def below(self, node: Node, bound: float) -> _Bounds:
        """How long a string of each part is at most, where one of `node` has up to `bound` events."""
        parts = _parts(node)
        match node:
            case Windowed(window=EventWindow(size=size) | LengthWindow(size=size)) if bounds_string(node):
                return (min(bound, size),)
            case Concatenation() | SkipTillAny() | SkipTillNext():
                least = [self.least[id(part)] for part in parts]
                return tuple(max(0, bound - sum(least) + own) for own in least)
        return (bound,) * len(parts)


def _parts(node: Node) -> tuple[Node, ...]:
    return () if isinstance(node, Terminal) else children(node)


def _watched(node: Node, parts: tuple[Node, ...], bounds: _Bounds) -> Node:
    """`node` over rewritten parts; those that are watched for get a window where they have no bound."""
    match node:
        case Terminal():
            return node
        case Negation() | Absent():
            parts = (_short(parts[0], bounds[0]),)
        case SkipTillNext(parts=(_,)):
            parts = (_short_rounds(parts[0], bounds[0]),)
        case SkipTillNext():
            later = zip(parts[1:], bounds[1:], strict=True)
            parts = (parts[0], *(_short(part, bound) for part, bound in later))
    return replace_children(node, parts)


def _short(part: Node, bound: float) -> Node:
    if not isinstance(part, Expression) or bound > LARGEST_MONITOR or longest(part) is not None:
        return part
    return Windowed(part, LengthWindow(max(1, int(bound))))


def _short_rounds(part: Node, bound: float) -> Node:
    """The rounds of an iteration; anything else is not watched for when it comes first."""
    if isinstance(part, Star | Plus | Repeat):
        return replace_children(part, (_short(part.body, bound),))
    return part


def _least(expression: Expression) -> dict[int, int]:
    """For each part, by identity, no more than the length of its shortest string."""
    found: dict[int, int] = {}

    def visit(node: Node, below: tuple[int, ...]) -> int:
        found[id(node)] = _shortest(node, below)
        return found[id(node)]

    fold(expression, visit)
    return found


def _shortest(node: Node, below: tuple[int, ...]) -> int:
    match node:
        case Terminal():
            return 1
        case Concatenation() | SkipTillAny() | SkipTillNext():
            return sum(below)
        case Union():
            return min(below)
        case Intersection():
            return max(below)
        case Plus() | Windowed():
            return below[0]
        case Repeat(minimum=minimum):
            return minimum * below[0]
    return 0
