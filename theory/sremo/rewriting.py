"""Derived operators of SREMO, reduced to the basic ones; each law is one function.

>>> from mnemata.theory.sremo.expressions import mark
>>> core(mark().plus()) == mark() >> mark().star()
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from mnemata.theory.conditions.formulas import disjunction
from mnemata.theory.conditions.simplification import negation, simplified
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import LimitError, brief
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import (
    EPSILON,
    Expression,
    Optional,
    Pattern,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    Union,
    Windowed,
    sequence,
    skip,
)
from mnemata.theory.sremo.windows import check_window
from mnemata.theory.trees import Node, fold, replace_children, transform

ANYTHING: Final = skip().star()
LARGEST_REPETITION: Final = 10_000
LARGEST_EXPANSION: Final = 1_000_000


def plus(expression: Plus) -> Expression:
    """``e+ = e . e*``."""
    return expression.body >> Star(expression.body)


def optional(expression: Optional) -> Expression:
    """``e? = eps + e``."""
    return EPSILON | expression.body


def repeat(expression: Repeat, between: Expression = EPSILON) -> Expression:
    """``e{m,n} = e . ... . e . (eps + e . (eps + ...))`` and ``e{m,} = e . ... . e . e*``.

    `between` is what may lie between two rounds. Raises `LimitError` past `LARGEST_REPETITION` copies.
    """
    body, minimum, maximum = expression.body, expression.minimum, expression.maximum
    _rounds_written_out(expression)
    if maximum == 0:
        return EPSILON
    if between == EPSILON and (minimum, maximum) == (0, None):
        return Star(body)
    again = _joined(between, body)
    if maximum is None:
        tail: Expression = Star(again)
    else:
        tail = EPSILON
        for _ in range(maximum - max(minimum, 1)):
            tail = EPSILON | _joined(again, tail)
    rounds = sequence(body, *[again] * (max(minimum, 1) - 1), *([] if tail == EPSILON else [tail]))
    return rounds if minimum else EPSILON | rounds


def skip_till_any(expression: SkipTillAny) -> Expression:
    """``any(e1, ..., en) = e1 . T* . e2 ... T* . en`` (Def. 44), with T unmarked.

    Over an iteration: ``any(e+) = e . (T* . e)*``, ``any(e*) = eps + any(e+)``, and likewise for ``e{m,n}``.
    """
    first, *rest = expression.parts
    if rest:
        return sequence(first, *(part for e in rest for part in (ANYTHING, e)))
    match first:
        case Star(body=body):
            return repeat(Repeat(body, 0, None), ANYTHING)
        case Plus(body=body):
            return repeat(Repeat(body, 1, None), ANYTHING)
        case Repeat():
            return repeat(first, ANYTHING)
    return first


def skip_till_next(expression: SkipTillNext) -> Expression:
    """``next(e1, ..., en) = e1 . first(e2) ... first(en)`` and ``next(e+) = e . first(e)*`` (ERRATA A11).

    ``first(e)``, which is ``next(eps, e)``, skips to the earliest completion of `e`; see `earliest`.
    """
    head, *rest = expression.parts
    if rest:
        return _joined(head, *(earliest(part) for part in rest))
    match head:
        case Star(body=body):
            return EPSILON | (body >> Star(earliest(body)))
        case Plus(body=body):
            return body >> Star(earliest(body))
        case Repeat(minimum=0, maximum=maximum, body=body):
            return EPSILON if maximum == 0 else EPSILON | _rounds(body, 1, maximum)
        case Repeat(body=body, minimum=minimum, maximum=maximum):
            return _rounds(body, minimum, maximum)
    return head


def _rounds(body: Expression, minimum: int, maximum: int | None) -> Expression:
    more = Repeat(earliest(body), minimum - 1, None if maximum is None else maximum - 1)
    return _joined(body, repeat(more))


def earliest(expression: Expression) -> Expression:
    """``next(eps, e)``: for single events ``(not phi)* . phi``, which needs no window; else itself."""
    events = _single_events(expression)
    if events is None:
        return SkipTillNext((EPSILON, expression))
    guard = negation(simplified(disjunction(*(event.condition for event in events))))
    return skip(guard).star() >> expression


def _single_events(expression: Expression) -> tuple[Terminal, ...] | None:
    match expression:
        case Terminal():
            return (expression,)
        case Union(parts=parts) if all(isinstance(part, Terminal) for part in parts):
            return tuple(part for part in parts if isinstance(part, Terminal))
    return None


def _joined(*parts: Expression) -> Expression:
    return sequence(*(part for part in parts if part != EPSILON))


def core(expression: Expression) -> Expression:
    """An equivalent expression of the basic operators only.

    These are Epsilon, Empty, Terminal, Union, Concatenation, Star, Intersection, Windowed, Negation, Absent,
    and ``next(eps, e)`` for an `e` of several events. Strategies go first, because they ask whether their
    part is an iteration.
    """
    _check_size(expression)
    plain = fold(expression, _without_strategy)
    return _everywhere(plain, _without_iteration) if isinstance(plain, Expression) else expression


def _check_size(expression: Expression) -> None:
    """Raise `LimitError` before nested repetitions multiply past `LARGEST_EXPANSION` events."""

    def events(node: Node, below: tuple[int, ...]) -> int:
        copies = max(1, _rounds_written_out(node)) if isinstance(node, Repeat) else 1
        inside = 1 if isinstance(node, Terminal) else sum(below)
        return min(copies * inside, LARGEST_EXPANSION + 1)

    if fold(expression, events) > LARGEST_EXPANSION:
        raise LimitError(
            f"written out, the expression has more than {LARGEST_EXPANSION:,} events; use smaller "
            "repetitions, or a window to bound an iteration instead"
        )


def _rounds_written_out(repetition: Repeat) -> int:
    rounds = max(repetition.minimum, repetition.maximum or 0)
    if rounds > LARGEST_REPETITION:
        raise LimitError(
            f"a repetition of {brief(rounds)} rounds is written out; the limit is "
            f"{LARGEST_REPETITION} rounds. Use a window to bound an iteration instead"
        )
    return rounds


def _everywhere(expression: Expression, rewrite: Callable[[Node], Node]) -> Expression:
    rewritten = transform(expression, rewrite)
    return rewritten if isinstance(rewritten, Expression) else expression


def _without_strategy(node: Node, below: tuple[Node, ...]) -> Node:
    """Whether a part is an iteration is asked of the part as written: it may be rewritten to one."""
    match node:
        case SkipTillAny(parts=(part,)) | SkipTillNext(parts=(part,)) if not _is_iteration(part):
            return below[0]
    match rewritten := replace_children(node, below):
        case SkipTillAny():
            return skip_till_any(rewritten)
        case SkipTillNext():
            return skip_till_next(rewritten)
    return rewritten


def _is_iteration(expression: Expression) -> bool:
    return isinstance(expression, Star | Plus | Repeat)


def _without_iteration(node: Node) -> Node:
    match node:
        case Plus():
            return plus(node)
        case Optional():
            return optional(node)
        case Repeat():
            return repeat(node)
    return node


def bound(pattern: Pattern, schema: Schema) -> Pattern:
    """`pattern` with all conditions bound to `schema`; raises as `bind` does for what does not fit."""
    for name in pattern.partition_by:
        schema.index(name)
    return replace(pattern, expression=bound_expression(pattern.expression, schema))


def bound_expression(expression: Expression, schema: Schema) -> Expression:
    """`expression` with all conditions bound to `schema`."""

    def rewrite(node: Node) -> Node:
        if isinstance(node, Windowed):
            check_window(node.window, schema)
        if isinstance(node, Terminal):
            return Terminal(bind(node.condition, schema), node.output, node.write)
        return node

    return _everywhere(expression, rewrite)
