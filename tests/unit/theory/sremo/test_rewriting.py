"""Derived operators reduced to the basic ones: each law as a pair of input and output."""

from __future__ import annotations

import pytest
from hypothesis import given

from mnemata.proofs.generators import TICKS, Stream, expressions, streams
from mnemata.theory.conditions.building import head, register, time
from mnemata.theory.conditions.formulas import Not
from mnemata.theory.conditions.terms import Duration
from mnemata.theory.errors import ConditionTypeError, LimitError, UnknownAttributeError
from mnemata.theory.schema import Float64, Schema
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Absent,
    Concatenation,
    Empty,
    Epsilon,
    Expression,
    Intersection,
    Negation,
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
    mark,
    skip,
    skip_till_any,
    skip_till_next,
)
from mnemata.theory.sremo.rewriting import (
    ANYTHING,
    LARGEST_REPETITION,
    bound,
    bound_expression,
    core,
    earliest,
    optional,
    plus,
    repeat,
)
from mnemata.theory.sremo.semantics import derivations
from mnemata.theory.trees import depth, walk

IS = head().type
A, B, C = (mark(letter == IS) for letter in "ABC")
NOT_B = skip(Not(IS == "B")).star()
NEXT_AB = SkipTillNext((EPSILON, A >> B))


@pytest.mark.parametrize(
    ("derived", "expected"),
    [
        (A.plus(), A >> A.star()),
        (A.optional(), EPSILON | A),
        (A.repeat(0, 0), EPSILON),
        (A.repeat(0, 1), EPSILON | A),
        (A.repeat(1, 1), A),
        (A.repeat(2, 2), A >> A),
        (A.repeat(1, 2), A >> (EPSILON | A)),
        (A.repeat(0, 2), EPSILON | (A >> (EPSILON | A))),
        (A.repeat(2, 4), A >> A >> (EPSILON | (A >> (EPSILON | A)))),
        (A.repeat(0, None), A.star()),
        (A.repeat(1, None), A >> A.star()),
        (A.repeat(2, None), A >> A >> A.star()),
        ((A >> B).repeat(2, 2), A >> B >> A >> B),
        (EPSILON.repeat(1, 2), EPSILON >> EPSILON.optional().repeat(1, 1)),
        (skip_till_any(A), A),
        (skip_till_any(A, B), A >> ANYTHING >> B),
        (skip_till_any(A, B, C), A >> ANYTHING >> B >> ANYTHING >> C),
        (skip_till_any(A >> B, C), A >> B >> ANYTHING >> C),
        (skip_till_any(A | B), A | B),
        (skip_till_any(A >> B), A >> B),
        (skip_till_any(A.plus()), A >> (ANYTHING >> A).star()),
        (skip_till_any(A.star()), EPSILON | (A >> (ANYTHING >> A).star())),
        (skip_till_any(A.repeat(2, 3)), A >> ANYTHING >> A >> (EPSILON | (ANYTHING >> A))),
        (skip_till_any(A.repeat(0, 2)), EPSILON | (A >> (EPSILON | (ANYTHING >> A)))),
        (skip_till_any(A.repeat(2, None)), A >> ANYTHING >> A >> (ANYTHING >> A).star()),
        (skip_till_any(A, B.plus()), A >> ANYTHING >> B >> B.star()),
        (
            skip_till_any(A, skip_till_any(B.plus())),
            A >> ANYTHING >> B >> (ANYTHING >> B).star(),
        ),
        (skip_till_any(A.optional()), EPSILON | A),
        (skip_till_any(skip_till_any(A.plus())), A >> (ANYTHING >> A).star()),
        (skip_till_any(skip_till_any(A.star().repeat(1, 1))), A.star()),
        (skip_till_any(skip_till_next(A.star().repeat(1, 1))), A.star()),
        (skip_till_any(A.star().repeat(1, 1)), A.star()),
        (skip_till_next(A, B), A >> NOT_B >> B),
        (skip_till_next(A, B | C), A >> skip(Not((IS == "B") | (IS == "C"))).star() >> (B | C)),
        (skip_till_next(A), A),
        (skip_till_next(C, A >> B), C >> NEXT_AB),
        (skip_till_next(B.plus()), B >> (NOT_B >> B).star()),
        (skip_till_next(B.star()), EPSILON | (B >> (NOT_B >> B).star())),
        (skip_till_next(B.repeat(0, 0)), EPSILON),
        (skip_till_next(B.repeat(1, 2)), B >> (EPSILON | (NOT_B >> B))),
        (skip_till_next(B.repeat(0, 2)), EPSILON | (B >> (EPSILON | (NOT_B >> B)))),
        (skip_till_next(B.repeat(2, None)), B >> NOT_B >> B >> (NOT_B >> B).star()),
        (A.plus().within(events=3), (A >> A.star()).within(events=3)),
        (A.plus() & B.optional(), (A >> A.star()) & (EPSILON | B)),
        (A.plus().star().optional(), EPSILON | (A >> A.star()).star()),
        (EMPTY_SET, EMPTY_SET),
    ],
)
def test_laws(derived: Expression, expected: Expression) -> None:
    assert core(derived) == core(expected)
    assert core(derived) == expected or not _is_core(expected)


BASIC = (Epsilon, Empty, Terminal, Union, Concatenation, Star, Intersection, Windowed)
KEPT = (*BASIC, Negation, Absent)


def _is_core(expression: Expression) -> bool:
    kinds = (Optional, Plus, Repeat, SkipTillAny)
    return not any(isinstance(node, kinds) for node in walk(expression))


def test_laws_one_at_a_time() -> None:
    assert plus(Plus(A)) == A >> A.star()
    assert optional(Optional(A)) == EPSILON | A
    assert repeat(Repeat(A, 2, 2)) == A >> A
    assert repeat(Repeat(A, 2, 2), ANYTHING) == A >> ANYTHING >> A
    assert earliest(B) == NOT_B >> B
    assert earliest(A >> B) == NEXT_AB


@given(streams(max_size=5), expressions())
def test_core_means_the_same_down_to_the_registers(stream: Stream, expression: Expression) -> None:
    written = bound_expression(expression, TICKS)
    assert derivations(core(written), stream) == derivations(written, stream)


@given(streams(max_size=4), expressions(negations=True, size=4))
def test_core_means_the_same_with_negation_and_skip_till_next(stream: Stream, expression: Expression) -> None:
    written = bound_expression(expression, TICKS)
    assert derivations(core(written), stream) == derivations(written, stream)


@given(expressions(negations=True))
def test_core_leaves_basic_operators_only(expression: Expression) -> None:
    reduced = core(expression)
    for node in walk(reduced):
        if isinstance(node, SkipTillNext):
            assert len(node.parts) == 2
            assert node.parts[0] == EPSILON
        elif isinstance(node, Expression):
            assert isinstance(node, KEPT)
    assert core(reduced) == reduced


@given(expressions(core_only=True))
def test_core_leaves_what_is_basic_alone(expression: Expression) -> None:
    assert core(expression) is expression


def test_repetitions_have_a_limit() -> None:
    assert depth(core(A.repeat(0, LARGEST_REPETITION))) > LARGEST_REPETITION
    for huge in (A.repeat(0, LARGEST_REPETITION + 1), A.repeat(10**9, None)):
        with pytest.raises(LimitError, match=r"the limit is 10000 rounds\. Use a window"):
            core(huge)
    with pytest.raises(LimitError, match="the limit is 10000 rounds"):
        repeat(Repeat(A, 0, LARGEST_REPETITION + 1))


def test_nested_repetitions_are_refused_before_they_are_written_out() -> None:
    thousand = A.repeat(1000, 1000)
    deep = A
    for _ in range(5000):
        deep = deep.repeat(2, 2)
    for huge in (thousand.repeat(1000, 1000).repeat(1000, 1000), thousand.repeat(0, 9000).plus(), deep):
        with pytest.raises(LimitError, match="has more than 1,000,000 events; use smaller repetitions"):
            core(huge)
    assert len(core((A >> B).repeat(1000, 1000)).parts) == 2000  # type: ignore[attr-defined]


TIMED = mark(time("~") - time("r1") < Duration(1, "s"))  # type: ignore[arg-type]


def test_binding_reaches_every_condition() -> None:
    bound_terminal = mark(head().at - register("r1").at < 1000)
    assert bound_expression((TIMED | A).star(), TICKS) == (bound_terminal | A).star()
    pattern = Pattern(TIMED, ("id",), name="late")
    assert bound(pattern, TICKS) == Pattern(bound_terminal, ("id",), name="late")
    assert bound(bound(pattern, TICKS), TICKS) == bound(pattern, TICKS)


@pytest.mark.parametrize(
    ("pattern", "kind", "message"),
    [
        (Pattern(A, ("idd",)), UnknownAttributeError, "unknown attribute 'idd'.*Did you mean 'id'"),
        (Pattern(mark(head().prize > 1)), UnknownAttributeError, "unknown attribute 'prize'"),
        (Pattern(mark(IS > 1).star()), ConditionTypeError, "cannot compare category"),
        (Pattern(A.within(us=1)), ConditionTypeError, "a window of 1 us is not a whole number of ms"),
        (Pattern(A.within(ns=1).star()), ConditionTypeError, "a window of 1 ns is not a whole number"),
    ],
)
def test_binding_refuses_what_does_not_fit(pattern: Pattern, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        bound(pattern, TICKS)


def test_windows_in_time_need_a_time_attribute() -> None:
    timeless = Schema.of(price=Float64())
    with pytest.raises(ConditionTypeError, match="a window in time needs a schema with a time attribute"):
        bound_expression(mark().within(s=1), timeless)
    assert bound_expression(mark().within(events=1), timeless) == mark().within(events=1)
