"""The generators that the property tests draw from reach everything, and shrink to the smallest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.generators import (
    REGISTERS,
    TICKS,
    atoms,
    conditions,
    events,
    expressions,
    patterns,
    schemas,
    srts,
    streams,
)
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    And,
    Apply,
    Comparison,
    Defined,
    Definition,
    Membership,
    Not,
    Or,
    Relation,
    registers,
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
    Time,
)
from mnemata.theory.schema import Bool, Category, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Absent,
    Concatenation,
    EventWindow,
    Expression,
    Intersection,
    LengthWindow,
    Negation,
    Optional,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    TimeWindow,
    Union,
    Windowed,
    mark,
    registers_of,
    skip,
)
from mnemata.theory.sremo.rewriting import bound_expression, core
from mnemata.theory.sremo.semantics import stream_matches
from mnemata.theory.trees import Node, walk

T = TypeVar("T")
ANY = mark()


def smallest(strategy: st.SearchStrategy[T], wanted: Callable[[T], Any]) -> T:
    options = settings(max_examples=1_000, database=None)
    return find(strategy, lambda drawn: bool(wanted(drawn)), settings=options, random=Random(0))


def drawn(strategy: st.SearchStrategy[T], number: int = 400) -> list[T]:
    found: list[T] = []

    @settings(max_examples=number, database=None, derandomize=True)
    @given(strategy)
    def collect(instance: T) -> None:
        found.append(instance)

    collect()
    return found


def kinds(roots: Iterable[Node]) -> set[type[Node]]:
    return {type(node) for root in roots for node in walk(root)}


OPERATORS = {
    *(Terminal, type(EPSILON), type(EMPTY_SET), Union, Concatenation, Star, Plus, Optional, Repeat),
    *(Intersection, SkipTillAny, SkipTillNext, Negation, Absent, Windowed),
}
CONDITIONS = {
    *(type(TOP), type(BOTTOM), Comparison, Membership, Defined, Apply, Not, And, Or),
    *(Attribute, Constant, Arithmetic, Absolute, Position, Time, Duration, Instant),
}


def test_every_operator_occurs() -> None:
    found = drawn(expressions(negations=True))
    assert kinds(found) >= OPERATORS
    nodes = [node for root in found for node in walk(root)]
    windows = {type(n.window) for n in nodes if isinstance(n, Windowed)}
    assert windows == {EventWindow, LengthWindow, TimeWindow}
    skipping = {type(n.parts[0]) for n in nodes if isinstance(n, SkipTillAny) and len(n.parts) == 1}
    assert skipping >= {Star, Plus, Repeat}
    assert {len(n.parts) for n in nodes if isinstance(n, SkipTillAny)} == {1, 2, 3}
    assert {n.maximum is None for n in nodes if isinstance(n, Repeat)} == {True, False}
    assert max(len(registers_of(root)) for root in found) == 3


def test_every_kind_of_condition_occurs() -> None:
    found = drawn(conditions())
    assert kinds(found) >= CONDITIONS
    applied = [node.relation for root in found for node in walk(root) if isinstance(node, Apply)]
    assert {type(relation) for relation in applied} == {Relation, Definition}
    assert {relation.arity for relation in applied} == {1, 2, 3}
    assert {len(registers(root)) for root in found} >= {0, 1, 2, 3}


def test_every_type_of_attribute_occurs() -> None:
    found = drawn(schemas(), 200)
    types = {type(attribute.type) for schema in found for attribute in schema.attributes}
    assert types == {Int64, Float64, Bool, String, Category, Timestamp}
    assert {schema.time is None for schema in found} == {True, False}
    assert {schema.event_type is None for schema in found} == {True, False}


def test_streams_have_missing_values_ties_and_repeated_ids() -> None:
    found = drawn(streams())
    assert {len(stream) for stream in found} == set(range(7))
    for name in ("type", "id", "price"):
        assert any(event[name] is None for stream in found for event in stream)
    assert any(len({event["at"] for event in stream}) < len(stream) for stream in found)
    assert any(len({event["id"] for event in stream}) < len(stream) for stream in found)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Terminal, ANY),
        (Concatenation, ANY >> ANY),
        (Star, ANY.star()),
        (Intersection, ANY & ANY),
        (Windowed, Windowed(ANY, EventWindow(1))),
        (Negation, skip().negate()),
    ],
)
def test_expressions_shrink(kind: type[Node], expected: Expression) -> None:
    assert smallest(expressions(negations=True), lambda root: kind in kinds([root])) == expected


def test_a_register_that_is_read_shrinks_to_an_equality() -> None:
    found = smallest(conditions(), registers)
    assert found == Comparison("=", Attribute(HEAD, "id"), Attribute("r1", "id"))


@given(st.data())
def test_streams_are_ordered_in_time(data: st.DataObject) -> None:
    schema = data.draw(schemas() | st.just(TICKS))
    stream = data.draw(streams(schema, min_size=1, max_size=4))
    assert 1 <= len(stream) <= 4
    assert [event.position for event in stream] == list(range(1, len(stream) + 1))
    if schema.time is not None:
        times: list[Any] = [event[schema.time] for event in stream]
        assert None not in times
        assert times == sorted(times)


@given(st.data())
def test_options_are_respected(data: st.DataObject) -> None:
    small = data.draw(expressions(registers=("r1",), core_only=True, windows=False, intersections=False))
    assert registers_of(small) <= {"r1"}
    assert core(small) == small
    assert not kinds([small]) & {Windowed, Intersection}
    assert not registers_of(data.draw(expressions(registers=())))
    plain = data.draw(expressions())
    assert not kinds([plain]) & {Negation, Absent, SkipTillNext}
    assert not registers(data.draw(conditions(registers=())))
    assert not kinds([data.draw(atoms())]) & {Not, And, Or}


@given(st.data())
def test_what_is_drawn_fits_its_schema(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    bound_expression(data.draw(expressions(schema, negations=True)), schema)
    pattern = data.draw(patterns(schema))
    assert all(name in schema for name in pattern.partition_by)
    assert isinstance(data.draw(events(schema)).schema, Schema)


def test_patterns_are_partitioned_and_windowed() -> None:
    found = drawn(patterns(), 200)
    assert {len(pattern.partition_by) for pattern in found} == {0, 1, 2}
    assert any(isinstance(pattern.expression, Windowed) for pattern in found)


@given(srts(epsilons=False))
def test_automata_without_epsilon(srt: SRT) -> None:
    assert not srt.has_epsilon
    assert srt.size <= 4
    assert srt.registers == set(REGISTERS)


def test_automata_shrink() -> None:
    moving = smallest(srts(), lambda srt: any(t.source != t.target for t in srt.transitions))
    assert (moving.size, len(moving.transitions)) == (2, 1)
    assert moving.transitions[0].condition in (None, TOP)


def test_at_least_a_third_of_what_is_drawn_matches_something() -> None:
    found = drawn(st.tuples(streams(min_size=1, max_size=4), expressions()), 300)
    matched = [bool(stream_matches(expression, stream)) for stream, expression in found]
    assert sum(matched) / len(matched) > 1 / 3
