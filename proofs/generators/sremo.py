"""Expressions and patterns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from hypothesis import strategies as st

from mnemata.proofs.generators.formulas import conditions
from mnemata.proofs.generators.signature import REGISTERS, TICKS, Registers, choices, joins
from mnemata.theory.conditions.terms import (
    Duration,
    Register,
)
from mnemata.theory.schema import (
    Schema,
)
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Absent,
    EventWindow,
    Expression,
    Intersection,
    LengthWindow,
    Negation,
    Optional,
    Output,
    Pattern,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    TimeWindow,
    Window,
    Windowed,
)
from mnemata.theory.trees import Node, transform, walk


@dataclass(frozen=True, slots=True)
class _Language:
    """What an expression under construction may use, and the registers written so far, to be read."""

    schema: Schema
    reads: Registers
    writes: Registers
    windows: bool
    intersections: bool
    core_only: bool
    negations: bool
    written: set[Register]
    marks: bool = True

    def side(self, writes: Registers) -> _Language:
        """The language of a side of an intersection, which may use only `writes` of the writable."""
        reads = tuple(r for r in self.reads if r not in self.writes or r in writes)
        return replace(self, reads=reads, writes=writes)

    def operators(self) -> tuple[str, ...]:
        """Names of the operators to choose from, each as often as it should come up."""
        found: tuple[str, ...] = ("concatenation",) * 4 + ("union",) * 2 + ("star",) * 2
        if not self.core_only:
            found += ("plus", "optional", "repeat", "any", "any", "any_iteration")
        if self.negations:
            found += ("negation", "absence", "next", "next_iteration")
        found += ("windowed", "windowed") if self.windows else ()
        return found + (("intersection", "intersection") if self.intersections else ())


@st.composite
def expressions(
    draw: st.DrawFn,
    schema: Schema = TICKS,
    registers: Registers = REGISTERS,
    *,
    size: int = 5,
    windows: bool = True,
    intersections: bool = True,
    core_only: bool = False,
    negations: bool = False,
) -> Expression:
    """Expressions whose nesting is bounded by `size`; their conditions are not yet bound.

    Parameters
    ----------
    schema : Schema
        What the conditions read; without a time attribute there are no windows in time.
    registers : tuple of str
        The registers that they may read and write; an expression may read one it never writes.
    windows, intersections : bool
        Whether `Windowed` (of all three kinds, anywhere) and `Intersection` may occur.
    core_only : bool
        Whether to leave out what `mnemata.theory.sremo.rewriting.core` removes.
    negations : bool
        Whether `Negation`, `Absent` and `SkipTillNext` may occur.
    """
    language = _Language(schema, registers, registers, windows, intersections, core_only, negations, set())
    return draw(_expressions(language, size))


@st.composite
def _expressions(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    if size > 1:
        kinds = ("terminal", "terminal", *language.operators())
    else:
        kinds = ("terminal",) * 18 + ("epsilon", "empty")
    kind = draw(choices(kinds))
    if kind == "terminal":
        return _terminal(draw, language)
    if kind in ("epsilon", "empty"):
        return EPSILON if kind == "epsilon" else EMPTY_SET
    return _OPERATORS[kind](draw, language, size)


def _terminal(draw: st.DrawFn, language: _Language) -> Terminal:
    known = tuple(r for r in language.reads if r in language.written)
    reads = draw(choices((known,) * 7 + (language.reads,)))
    condition = draw(conditions(language.schema, reads))
    outputs = (Output.MARK, Output.MARK, Output.SKIP) if language.marks else (Output.SKIP,)
    output = draw(choices(outputs))
    write = draw(choices((None, *language.writes)))
    language.written.update(() if write is None else (write,))
    return Terminal(condition, output, write)


def _two(draw: st.DrawFn, language: _Language, size: int) -> tuple[Expression, Expression]:
    return draw(_expressions(language, size - size // 2)), draw(_expressions(language, size // 2))


def _concatenation(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    left, right = _two(draw, language, size)
    return left >> right


def _union(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    left, right = _two(draw, language, size)
    return left | right


def _star(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    return Star(draw(_expressions(language, size - 1)))


def _plus(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    return Plus(draw(_expressions(language, size - 1)))


def _optional(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    return Optional(draw(_expressions(language, size - 1)))


def _repeat(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    body = draw(_expressions(language, size - 1))
    minimum = draw(choices((1, 2, 0)))
    more = draw(choices((0, 1, 2, None)))
    return Repeat(body, minimum, None if more is None else minimum + more)


def _any(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    left, right = _two(draw, language, size)
    shape = draw(choices(("two", "three", "one")))
    if shape == "two":
        return SkipTillAny((left, right))
    if shape == "one":
        return SkipTillAny((left,))
    return SkipTillAny((left, right, draw(_expressions(language, 1))))


def _any_iteration(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    iteration = draw(choices((_plus, _star, _repeat)))
    return SkipTillAny((iteration(draw, language, size),))


def _next(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    return SkipTillNext(_two(draw, language, size))


def _next_iteration(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    iteration = draw(choices((_plus, _star, _repeat)))
    return SkipTillNext((iteration(draw, language, size),))


def _negation(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    return Negation(_unmarked(draw, language, size))


def _absence(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    return Absent(_unmarked(draw, language, size))


def _unmarked(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    """What may not happen: it marks nothing, and what it writes cannot be read outside."""
    inside = replace(language, marks=False, written=set(language.written))
    return draw(_expressions(inside, size - 1))


def _windowed(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    return Windowed(draw(_expressions(language, size - 1)), draw(window_bounds(language.schema)))


def _intersection(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    own = tuple(r for r in language.writes if draw(st.booleans()))
    rest = tuple(r for r in language.writes if r not in own)
    left = draw(_expressions(language.side(own), size - size // 2))
    other = language.side(rest)
    if draw(st.booleans()) and not any(isinstance(node, Intersection) for node in walk(left)):
        return Intersection(left, _mould(draw, left, other, dict(zip(own, rest, strict=False))))
    return Intersection(left, draw(_expressions(other, size // 2)))


def _mould(
    draw: st.DrawFn, left: Expression, other: _Language, names: dict[Register, Register]
) -> Expression:
    """An expression of the same shape and marks as `left`, over other conditions and registers.

    Two independent sides of an intersection would hardly ever agree on their marks.
    """

    def recast(node: Node) -> Node:
        if not isinstance(node, Terminal):
            return node
        condition = draw(conditions(other.schema, other.reads, size=1))
        return Terminal(condition, node.output, names.get(node.write or ""))

    recast_left = transform(left, recast)
    return recast_left if isinstance(recast_left, Expression) else left


_OPERATORS: Final[dict[str, Callable[[st.DrawFn, _Language, int], Expression]]] = {
    "concatenation": _concatenation,
    "union": _union,
    "star": _star,
    "plus": _plus,
    "optional": _optional,
    "repeat": _repeat,
    "any": _any,
    "any_iteration": _any_iteration,
    "next": _next,
    "next_iteration": _next_iteration,
    "negation": _negation,
    "absence": _absence,
    "windowed": _windowed,
    "intersection": _intersection,
}


@cache
def window_bounds(schema: Schema = TICKS) -> st.SearchStrategy[Window]:
    """Windows of all kinds that fit the schema, of a few events or ticks."""
    sizes = st.integers(1, 4)
    kinds: list[st.SearchStrategy[Window]] = [sizes.map(EventWindow), sizes.map(LengthWindow)]
    if schema.time is not None:
        unit = schema[schema.time].unit  # type: ignore[union-attr]
        kinds.append(st.integers(1, 3).map(lambda amount: TimeWindow(Duration(amount, unit))))
    return st.one_of(kinds)


@st.composite
def patterns(
    draw: st.DrawFn,
    schema: Schema = TICKS,
    registers: Registers = REGISTERS,
    *,
    size: int = 5,
    windows: bool = True,
    intersections: bool = True,
) -> Pattern:
    """Expressions with up to two attributes to partition by, and often an outermost window."""
    options = {"windows": windows, "intersections": intersections}
    expression = draw(expressions(schema, registers, size=size, **options))
    if windows and draw(st.booleans()):
        expression = Windowed(expression, draw(window_bounds(schema)))
    keys = draw(st.lists(st.sampled_from(joins(schema)), max_size=2, unique=True))
    return Pattern(expression, tuple(keys))
