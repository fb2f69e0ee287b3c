"""Hypothesis strategies for streams, conditions, expressions and automata.

Values come from small pools, so that joins hit, ties in time occur and a few values are missing.
Simple examples come first in every choice (``T`` before an equality, an equality before arithmetic, a
terminal before an operator), so that counterexamples shrink to the size of those in ERRATA. Draw
streams before expressions: Hypothesis varies what it draws first more freely.

>>> from mnemata.theory.sremo.semantics import matches
>>> from hypothesis import given, settings
>>> @settings(max_examples=5, database=None)
... @given(streams(TICKS), expressions(TICKS))
... def every_match_lies_in_its_string(string, expression):
...     for marks in matches(expression, string):
...         if not marks <= {event.position for event in string}:
...             raise ValueError((string, expression))
>>> every_match_lies_in_its_string()
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.srt.transducer import SRT, Transition, epsilon
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    COMPARISONS,
    TOP,
    Apply,
    Comparison,
    Condition,
    Defined,
    Definition,
    Membership,
    Not,
    Relation,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Instant,
    Position,
    Register,
    Term,
    Time,
    Variable,
)
from mnemata.theory.schema import (
    INT64_MAX,
    AttributeDeclaration,
    AttributeType,
    Bool,
    Category,
    Event,
    Float64,
    Int64,
    Schema,
    String,
    Timestamp,
    Value,
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

Registers: TypeAlias = tuple[Register, ...]
Stream: TypeAlias = tuple[Event, ...]

REGISTERS: Final[Registers] = ("r1", "r2", "r3")

TICKS: Final = Schema.of(
    type=Category(("A", "B", "C")),
    id=Int64(),
    price=Float64(),
    at=Timestamp("ms"),
    event_type="type",
    time="at",
)
"""The schema that most property tests use: ``(type, id, price, at)``, as in SRT Table 1."""

NAMES: Final = ("a", "b", "c", "d", "e", "time", "within", "my price", "größe")


# --- Schemas and streams ---


@st.composite
def schemas(draw: st.DrawFn, max_attributes: int = 4) -> Schema:
    """Small schemas: an event type and a time attribute or not, and attributes of any type.

    Some names need quoting in the text of a pattern.
    """
    names = draw(st.permutations(NAMES))
    kinds = draw(st.lists(_attribute_types(), min_size=1, max_size=max_attributes))
    declared = [AttributeDeclaration(name, kind) for name, kind in zip(names, kinds, strict=False)]
    typed = [d.name for d in declared if isinstance(d.type, String | Category)]
    timed = [d.name for d in declared if isinstance(d.type, Timestamp)]
    event_type = draw(st.sampled_from([*typed, None])) if typed else None
    time = draw(st.sampled_from([*timed, None])) if timed else None
    return Schema(tuple(declared), event_type, time)


def _attribute_types() -> st.SearchStrategy[AttributeType]:
    return st.sampled_from(
        [
            Int64(),
            Category(("A", "B")),
            Float64(),
            Timestamp("ms"),
            Bool(),
            String(),
            Timestamp("s"),
        ]
    )


def values(schema: Schema, name: str) -> tuple[Value, ...]:
    """The pool of values of an attribute, simplest first; ``None`` is not among them."""
    if schema is TICKS or schema == TICKS:
        return _TICK_VALUES[name]
    match schema[name]:
        case Int64():
            return (1, 2, 0, -1, 2**53 + 1, INT64_MAX)
        case Float64():
            return (1.0, 2.0, 0.5, -1.0, float(2**53), math.inf)
        case Bool():
            return (False, True)
        case String():
            return ("x", "y", "", "it's", 'say "so"\\')
        case Category(values=declared):
            return declared
        case Timestamp():
            return (0, 1, 2)


_TICK_VALUES: Final[dict[str, tuple[Value, ...]]] = {
    "type": ("A", "B", "C"),
    "id": (1, 2, 3),
    "price": (1.0, 2.0, 2.5),
    "at": (0, 1, 2, 3),
}


@cache
def _rows(schema: Schema) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(*(_cells(schema, name) for name in schema.names))


def _cells(schema: Schema, name: str) -> st.SearchStrategy[Any]:
    if name == schema.time:
        return st.sampled_from((1, 0, 2))  # the time passed since the event before
    missing = (None, math.nan) if isinstance(schema[name], Float64) else (None,)
    return st.sampled_from((*values(schema, name) * 2, *missing))


@st.composite
def streams(draw: st.DrawFn, schema: Schema = TICKS, *, min_size: int = 0, max_size: int = 6) -> Stream:
    """Finite streams at positions 1, 2, ...; their time never decreases and is never missing."""
    # Not st.lists: a size survives Hypothesis' mutations better than a chain of "one more?".
    size = draw(st.integers(min_size, max_size))
    rows = [draw(_rows(schema)) for _ in range(size)]
    return schema.stream(_in_time(schema, rows))


def _in_time(schema: Schema, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    if schema.time is None:
        return list(rows)
    column = schema.index(schema.time)
    clock = accumulate(row[column] for row in rows)
    return [(*row[:column], at, *row[column + 1 :]) for row, at in zip(rows, clock, strict=True)]


def events(schema: Schema = TICKS) -> st.SearchStrategy[Event]:
    """Single events, at small positions."""
    return st.builds(schema.event, _rows(schema), st.integers(1, 6))


# --- Conditions ---


@dataclass(frozen=True, slots=True)
class Agree:
    """Whether all events have the same value of `attribute`; compares structurally and pickles."""

    attribute: str

    def __call__(self, *events: Event) -> bool:
        return len({event[self.attribute] for event in events}) == 1


@cache
def relations(schema: Schema) -> tuple[Relation | Definition, ...]:
    """Relations of one to three events, declared by a Python function or defined by a formula."""
    name = _joins(schema)[0]
    x, y = Attribute("x", name), Attribute("y", name)
    return (
        Definition("Same", ("x", "y"), Comparison("=", x, y)),
        Definition("Other", ("x", "y"), Not(Comparison("=", x, y))),
        Relation("Agree", 2, Agree(name), (name,)),
        Relation("Agree3", 3, Agree(name), (name,)),
        Relation("Known", 1, Agree(name), (name,)),
    )


def _joins(schema: Schema) -> tuple[str, ...]:
    """Attribute names, whole numbers first: those on which events are usually joined."""
    return tuple(sorted(schema.names, key=lambda name: not isinstance(schema[name], Int64)))


def _of_type(schema: Schema, *kinds: type[AttributeType]) -> tuple[str, ...]:
    return tuple(name for name in schema.names if isinstance(schema[name], kinds))


def variables(registers: Registers = REGISTERS) -> st.SearchStrategy[Variable]:
    """The head or one of `registers`."""
    return st.sampled_from((HEAD, *registers))


@cache
def atoms(schema: Schema = TICKS, registers: Registers = REGISTERS) -> st.SearchStrategy[Condition]:
    """Conditions without Boolean operators, as a user writes them (literals not yet bound)."""
    return _one_of((st.just(TOP), _telling_atoms(schema, registers)))


@cache
def _telling_atoms(schema: Schema, registers: Registers) -> st.SearchStrategy[Condition]:
    """Atoms that are not simply true."""
    common: list[st.SearchStrategy[Condition]] = []
    if registers:
        common += [_equalities(schema, registers)] * 3
    if schema.event_type is not None:
        common += [_with_literal("=", schema, schema.event_type, st.just(HEAD))] * 3
    return _one_of((*common, *[st.one_of(_rarer_atoms(schema, registers))] * 4))


@st.composite
def _one_of(draw: st.DrawFn, kinds: tuple[st.SearchStrategy[Condition], ...]) -> Condition:
    """One of `kinds`, as often as it is listed; `st.one_of` would count it once."""
    return draw(kinds[draw(st.sampled_from(range(len(kinds))))])


def _rarer_atoms(schema: Schema, registers: Registers) -> list[st.SearchStrategy[Condition]]:
    kinds = _comparisons(schema, registers)
    kinds += [_memberships(schema, registers), _applications(schema, registers)]
    kinds += [st.builds(Defined, variables(registers)), _positions(registers), st.just(BOTTOM)]
    return kinds if schema.time is None else kinds + _timings(schema, schema.time, registers)


def _equalities(schema: Schema, registers: Registers) -> st.SearchStrategy[Condition]:
    def equal(register: Register, name: str) -> Condition:
        return Comparison("=", Attribute(HEAD, name), Attribute(register, name))

    return st.builds(equal, st.sampled_from(registers), st.sampled_from(_joins(schema)))


def _with_literal(
    operators: str | Sequence[str], schema: Schema, name: str, holders: st.SearchStrategy[Variable]
) -> st.SearchStrategy[Condition]:
    symbols = st.sampled_from([operators] if isinstance(operators, str) else operators)
    literals = st.sampled_from(values(schema, name)).map(Constant)  # type: ignore[arg-type]
    return st.builds(
        lambda symbol, holder, literal: Comparison(symbol, Attribute(holder, name), literal),
        symbols,
        holders,
        literals,
    )


def _comparisons(schema: Schema, registers: Registers) -> list[st.SearchStrategy[Condition]]:
    found = [
        _with_literal(_operators(schema[name]), schema, name, variables(registers))
        for name in schema.names
        if not isinstance(schema[name], Timestamp)
    ]
    found.append(_same_attribute(schema, registers))
    if _of_type(schema, Int64, Float64):
        numbers = _numbers(schema, registers)
        found.append(st.builds(Comparison, st.sampled_from(COMPARISONS), numbers, numbers))
    return found


def _operators(kind: AttributeType) -> tuple[str, ...]:
    return COMPARISONS if isinstance(kind, Int64 | Float64 | Timestamp) else ("=", "!=")


@st.composite
def _same_attribute(draw: st.DrawFn, schema: Schema, registers: Registers) -> Condition:
    name = draw(st.sampled_from(_joins(schema)))
    symbol = draw(st.sampled_from(_operators(schema[name])))
    left, right = draw(variables(registers)), draw(variables(registers))
    return Comparison(symbol, Attribute(left, name), Attribute(right, name))  # type: ignore[arg-type]


def _numbers(schema: Schema, registers: Registers) -> st.SearchStrategy[Term]:
    names = _of_type(schema, Int64, Float64)
    literals = tuple(value for name in names for value in values(schema, name))
    readings = st.builds(Attribute, variables(registers), st.sampled_from(names))
    simple = readings | st.sampled_from(literals).map(Constant)  # type: ignore[arg-type]
    computed = st.builds(Arithmetic, st.sampled_from(("+", "-", "*")), simple, simple)
    return simple | computed | computed.map(Absolute)


@st.composite
def _memberships(draw: st.DrawFn, schema: Schema, registers: Registers) -> Condition:
    names = [name for name in _joins(schema) if not isinstance(schema[name], Timestamp)]
    if not names:
        return TOP
    name = draw(st.sampled_from(names))
    chosen = draw(st.lists(st.sampled_from(values(schema, name)), min_size=1, max_size=2))
    return Membership(Attribute(draw(variables(registers)), name), tuple(map(Constant, chosen)))  # type: ignore[arg-type]


@st.composite
def _applications(draw: st.DrawFn, schema: Schema, registers: Registers) -> Condition:
    relation = draw(st.sampled_from(relations(schema)))
    return Apply(relation, tuple(draw(variables(registers)) for _ in range(relation.arity)))


def _positions(registers: Registers) -> st.SearchStrategy[Condition]:
    apart = st.builds(
        lambda left, right: Arithmetic("-", Position(left), Position(right)),
        variables(registers),
        variables(registers),
    )
    literals = st.sampled_from((1, 2, 3)).map(Constant)
    return st.builds(
        Comparison,
        st.sampled_from(COMPARISONS),
        variables(registers).map(Position) | apart,
        literals,
    )


def _timings(schema: Schema, time: str, registers: Registers) -> list[st.SearchStrategy[Condition]]:
    unit = schema[time].unit  # type: ignore[union-attr]
    readings = variables(registers).map(Time) | variables(registers).map(lambda v: Attribute(v, time))
    apart = st.builds(lambda left, right: Arithmetic("-", left, right), readings, readings)
    lengths: st.SearchStrategy[Term] = st.sampled_from((1, 2, 0)).map(lambda n: Duration(n, unit))
    counts = [Attribute(v, name) for v in (HEAD, *registers) for name in _of_type(schema, Int64)]
    if counts:
        lengths |= st.builds(Arithmetic, st.just("*"), st.sampled_from(counts), lengths)
    later = st.builds(lambda reading, length: Arithmetic("+", reading, length), readings, lengths)
    moments = st.sampled_from(("1970-01-01T00:00:01", "1970-01-01")).map(Instant)
    symbols = st.sampled_from(COMPARISONS)
    return [
        st.builds(Comparison, symbols, apart, lengths),
        st.builds(Comparison, symbols, readings, later),
        st.builds(Comparison, symbols, readings, moments),
    ]


@st.composite
def _conditions(draw: st.DrawFn, schema: Schema, registers: Registers, size: int) -> Condition:
    kinds = ("atom",) * 6 + (("not", "and", "or") if size > 1 else ("not",))
    kind = draw(st.sampled_from(kinds))
    if kind == "not":
        if size > 2:
            return Not(draw(_conditions(schema, registers, size - 1)))
        return Not(draw(_telling_atoms(schema, registers)))
    if kind == "atom":
        return draw(atoms(schema, registers))
    left = draw(_conditions(schema, registers, size - size // 2))
    right = draw(_conditions(schema, registers, size // 2))
    return left & right if kind == "and" else left | right


@cache
def conditions(
    schema: Schema = TICKS, registers: Registers = REGISTERS, *, size: int = 3
) -> st.SearchStrategy[Condition]:
    """Conditions of up to `size` atoms, with negation, conjunction and disjunction; not bound."""
    return _conditions(schema, registers, size)


# --- Expressions ---


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
    kind = draw(st.sampled_from(kinds))
    if kind == "terminal":
        return _terminal(draw, language)
    if kind in ("epsilon", "empty"):
        return EPSILON if kind == "epsilon" else EMPTY_SET
    return _OPERATORS[kind](draw, language, size)


def _terminal(draw: st.DrawFn, language: _Language) -> Terminal:
    known = tuple(r for r in language.reads if r in language.written)
    reads = draw(st.sampled_from([known] * 7 + [language.reads]))
    condition = draw(conditions(language.schema, reads))
    outputs = (Output.MARK, Output.MARK, Output.SKIP) if language.marks else (Output.SKIP,)
    output = draw(st.sampled_from(outputs))
    write = draw(st.sampled_from((None, *language.writes)))
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
    minimum = draw(st.sampled_from((1, 2, 0)))
    more = draw(st.sampled_from((0, 1, 2, None)))
    return Repeat(body, minimum, None if more is None else minimum + more)


def _any(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    left, right = _two(draw, language, size)
    shape = draw(st.sampled_from(("two", "three", "one")))
    if shape == "two":
        return SkipTillAny((left, right))
    if shape == "one":
        return SkipTillAny((left,))
    return SkipTillAny((left, right, draw(_expressions(language, 1))))


def _any_iteration(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    iteration = draw(st.sampled_from((_plus, _star, _repeat)))
    return SkipTillAny((iteration(draw, language, size),))


def _next(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    return SkipTillNext(_two(draw, language, size))


def _next_iteration(draw: st.DrawFn, language: _Language, size: int) -> Expression:
    iteration = draw(st.sampled_from((_plus, _star, _repeat)))
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
    keys = draw(st.lists(st.sampled_from(_joins(schema)), max_size=2, unique=True))
    return Pattern(expression, tuple(keys))


# --- Automata ---


@st.composite
def srts(
    draw: st.DrawFn,
    schema: Schema = TICKS,
    registers: Registers = REGISTERS,
    *,
    max_states: int = 4,
    max_transitions: int = 6,
    epsilons: bool = True,
) -> SRT:
    """Symbolic register transducers of any shape; their conditions are not yet bound."""
    size = draw(st.integers(1, max_states))
    states = st.integers(0, size - 1)
    finals = draw(st.frozensets(states, max_size=size))
    writes = (
        st.lists(st.sampled_from(registers), max_size=2).map(frozenset) if registers else st.just(frozenset())
    )
    reading = st.builds(
        Transition,
        states,
        conditions(schema, registers, size=2),
        st.sampled_from(Output),
        writes,
        states,
    )
    # Reading transitions twice: epsilon ones should not be half of all.
    moves = reading | reading | st.builds(epsilon, states, states) if epsilons else reading
    transitions = draw(st.lists(moves, max_size=max_transitions))
    return SRT(size, draw(states), finals, tuple(transitions), frozenset(registers))
