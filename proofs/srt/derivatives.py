"""Matches event by event, by partial derivatives (Antimirov), registers included.

What is left of an expression after an event is again an expression; together with the marks and the register
contents so far that is all there is to follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from mnemata.automata.srt.runs import Marks
from mnemata.proofs.generators import Stream
from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import (
    EPSILON,
    Concatenation,
    Epsilon,
    Expression,
    Intersection,
    Output,
    Star,
    Terminal,
    Union,
)
from mnemata.theory.trees import fold

Residual: TypeAlias = tuple[Marks, Valuation, Expression]


def derivations(expression: Expression, stream: Stream) -> frozenset[tuple[Marks, Valuation]]:
    """All ``(M, v')`` with ``(e, S, M, #) |- v'``, of a bound expression with basic operators and ``&``."""
    live: set[Residual] = {(frozenset(), EMPTY, expression)}
    for u in stream:
        live = {(m | n, w, left) for m, v, e in live for n, w, left in _after(e, u, v)}
    return frozenset((marks, v) for marks, v, left in live if nullable(left))


def nullable(expression: Expression) -> bool:
    """Whether the empty string is accepted."""
    return fold(expression, _nullable)


def _nullable(node: object, below: tuple[bool, ...]) -> bool:
    match node:
        case Concatenation() | Intersection():
            return all(below)
        case Union():
            return any(below)
    return isinstance(node, Epsilon | Star)


def _after(e: Expression, u: Event, v: Valuation) -> Iterable[Residual]:
    """What is left of `e` after the event `u`: the marks, the registers, the rest."""
    match e:
        case Terminal(condition=condition, output=output, write=write) if models(u, v, condition):
            marks = frozenset({u.position} if output is Output.MARK else ())
            yield marks, v if write is None else v.write({write}, u), EPSILON
        case Union(parts=parts):
            for part in parts:
                yield from _after(part, u, v)
        case Concatenation(parts=(first, *rest)):
            after = rest[0] if len(rest) == 1 else Concatenation(tuple(rest))
            for marks, w, left in _after(first, u, v):
                yield marks, w, left >> after
            if nullable(first):
                yield from _after(after, u, v)
        case Star(body=body):
            for marks, w, left in _after(body, u, v):
                yield marks, w, left >> e
        case Intersection():
            yield from _both(e, u, v)


def _both(e: Intersection, u: Event, v: Valuation) -> Iterator[Residual]:
    for marks, w, left in _after(e.left, u, v):
        for same, x, right in _after(e.right, u, v):
            if marks == same:
                changed = {r for r, held in x.items() if held == u and v.get(r) != u}
                yield marks, w.write(changed, u), left & right
