"""Conditions over the head and registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from hypothesis import strategies as st

from mnemata.proofs.generators.signature import REGISTERS, TICKS, Registers, choices, joins, values
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
    AttributeType,
    Event,
    Float64,
    Int64,
    Schema,
    Timestamp,
)


@dataclass(frozen=True, slots=True)
class Agree:
    """Whether all events have the same value of `attribute`; compares structurally and pickles."""

    attribute: str

    def __call__(self, *events: Event) -> bool:
        return len({event[self.attribute] for event in events}) == 1


@cache
def relations(schema: Schema) -> tuple[Relation | Definition, ...]:
    """Relations of one to three events, declared by a Python function or defined by a formula."""
    name = joins(schema)[0]
    x, y = Attribute("x", name), Attribute("y", name)
    return (
        Definition("Same", ("x", "y"), Comparison("=", x, y)),
        Definition("Other", ("x", "y"), Not(Comparison("=", x, y))),
        Relation("Agree", 2, Agree(name), (name,)),
        Relation("Agree3", 3, Agree(name), (name,)),
        Relation("Known", 1, Agree(name), (name,)),
    )


def _of_type(schema: Schema, *kinds: type[AttributeType]) -> tuple[str, ...]:
    return tuple(name for name in schema.names if isinstance(schema[name], kinds))


def variables(registers: Registers = REGISTERS) -> st.SearchStrategy[Variable]:
    """The head or one of `registers`."""
    return choices((HEAD, *registers))


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
    number: int = draw(choices(tuple(range(len(kinds)))))
    return draw(kinds[number])


def _rarer_atoms(schema: Schema, registers: Registers) -> list[st.SearchStrategy[Condition]]:
    kinds = _comparisons(schema, registers)
    kinds += [_memberships(schema, registers), _applications(schema, registers)]
    kinds += [st.builds(Defined, variables(registers)), _positions(registers), st.just(BOTTOM)]
    return kinds if schema.time is None else kinds + _timings(schema, schema.time, registers)


def _equalities(schema: Schema, registers: Registers) -> st.SearchStrategy[Condition]:
    def equal(register: Register, name: str) -> Condition:
        return Comparison("=", Attribute(HEAD, name), Attribute(register, name))

    return st.builds(equal, st.sampled_from(registers), st.sampled_from(joins(schema)))


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
    name = draw(choices(joins(schema)))
    symbol = draw(choices(_operators(schema[name])))
    left, right = draw(variables(registers)), draw(variables(registers))
    return Comparison(symbol, Attribute(left, name), Attribute(right, name))


def _numbers(schema: Schema, registers: Registers) -> st.SearchStrategy[Term]:
    names = _of_type(schema, Int64, Float64)
    literals = tuple(value for name in names for value in values(schema, name))
    readings = st.builds(Attribute, variables(registers), st.sampled_from(names))
    simple = readings | st.sampled_from(literals).map(Constant)  # type: ignore[arg-type]
    computed = st.builds(Arithmetic, st.sampled_from(("+", "-", "*")), simple, simple)
    return simple | computed | computed.map(Absolute)


@st.composite
def _memberships(draw: st.DrawFn, schema: Schema, registers: Registers) -> Condition:
    names = [name for name in joins(schema) if not isinstance(schema[name], Timestamp)]
    if not names:
        return TOP
    name = draw(st.sampled_from(names))
    chosen = draw(st.lists(st.sampled_from(values(schema, name)), min_size=1, max_size=2))
    return Membership(Attribute(draw(variables(registers)), name), tuple(map(Constant, chosen)))  # type: ignore[arg-type]


@st.composite
def _applications(draw: st.DrawFn, schema: Schema, registers: Registers) -> Condition:
    relation = draw(choices(relations(schema)))
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
    kind = draw(choices(kinds))
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
