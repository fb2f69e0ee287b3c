"""Expressions as values: operators, constructors, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP, Defined
from mnemata.theory.conditions.terms import Duration
from mnemata.theory.errors import ConditionTypeError, PatternError
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
    Output,
    Pattern,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    TimeWindow,
    Union,
    Windowed,
    absent,
    mark,
    registers_of,
    registers_written,
    sequence,
    skip,
    skip_till_any,
    skip_till_next,
    union,
)

A, B, C = (mark(head().type == letter) for letter in "ABC")
CONDITION = head().price > 3


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (A | B, Union((A, B))),
        (A | B | C, Union((A, B, C))),
        (A | (B | C), Union((A, B, C))),
        (A >> B >> C, Concatenation((A, B, C))),
        (A >> (B >> C), Concatenation((A, B, C))),
        (A >> (B | C), Concatenation((A, Union((B, C))))),
        (A & B, Intersection(A, B)),
        (A.star(), Star(A)),
        (A.plus(), Plus(A)),
        (A.optional(), Optional(A)),
        (A.repeat(1, 3), Repeat(A, 1, 3)),
        (A.repeat(2, None), Repeat(A, 2, None)),
        (A.repeat(0, 0), Repeat(A, 0, 0)),
        (A.repeat(2, 2), Repeat(A, 2, 2)),
        (skip().negate(), Negation(skip())),
        (absent(skip()), Absent(skip())),
        (skip_till_any(A, B), SkipTillAny((A, B))),
        (skip_till_next(A, B), SkipTillNext((A, B))),
        (union(), EMPTY_SET),
        (union(A), A),
        (union(A, B), A | B),
        (sequence(), EPSILON),
        (sequence(A), A),
        (sequence(A, B), A >> B),
        (mark(), Terminal(TOP, Output.MARK)),
        (skip(CONDITION, "r1"), Terminal(CONDITION, Output.SKIP, "r1")),
        (mark(write=register("r1")), Terminal(TOP, Output.MARK, "r1")),
        (A.within(events=4), Windowed(A, EventWindow(4))),
        (A.within(s=5), Windowed(A, TimeWindow(Duration(5, "s")))),
        (A.length(3), Windowed(A, LengthWindow(3))),
    ],
)
def test_operators_build_expressions(built: Expression, expected: Expression) -> None:
    assert built == expected


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Union((A,)), r"Union joins at least two expressions; use union\(\)"),
        (lambda: Concatenation(()), "Concatenation joins at least two expressions"),
        (lambda: A >> CONDITION, r"is not an expression; wrap it in mark\(...\) or skip\(...\)"),
        (lambda: A | CONDITION, "is not an expression; wrap it in"),
        (lambda: A & CONDITION, "is not an expression; wrap it in"),
        (lambda: A >> "B", "'B' is not an expression$"),
        (lambda: Star(CONDITION), "is not an expression; wrap it in"),
        (lambda: Plus(3), "3 is not an expression$"),
        (lambda: Optional(None), "None is not an expression$"),
        (lambda: Negation(CONDITION), "is not an expression; wrap it in"),
        (lambda: skip_till_any(A, CONDITION), "is not an expression; wrap it in"),
        (lambda: skip_till_any(), "need at least one part"),
        (lambda: skip_till_next(), "need at least one part"),
        (lambda: Terminal("A", Output.MARK), "a terminal needs a condition, got 'A'"),
        (lambda: Terminal(A, Output.MARK), "a terminal needs a condition, got Terminal"),
        (lambda: mark(write="~"), "the head ~ is not a register and cannot be written"),
        (lambda: A.repeat(3, 2), r"needs whole numbers 0 <= m <= n, got \{3,2\}"),
        (lambda: A.repeat(-1, None), r"got \{-1,None\}"),
        (lambda: A.repeat(1.5, 2), r"got \{1.5,2\}"),
        (lambda: A.repeat(True, 2), r"got \{True,2\}"),
        (lambda: A.repeat(1, 2.0), r"got \{1,2.0\}"),
        (lambda: A.within(), r"within\(\) takes one bound"),
        (lambda: A.within(events=1, s=1), r"within\(\) takes one bound"),
        (lambda: A.within(s=1, ms=1), r"within\(\) takes one bound"),
        (lambda: A.within(weeks=1), "unknown unit of time 'weeks'; use ns, us"),
        (lambda: A.within(s=1.5), "a duration is a whole number of s, got 1.5"),
        (lambda: A.within(s=0), "a window in time needs a positive duration"),
        (lambda: A.within(events=0), "a window needs a whole number of events, at least 1 .* got 0"),
        (lambda: A.within(events=True), "got True"),
        (lambda: A.length(-1), "at least 1 and of 64 bits, got -1"),
        (lambda: A.length(2.0), "at least 1 and of 64 bits, got 2.0"),
        (lambda: A.length(2**63), "of 64 bits, got 9223372036854775808"),
        (lambda: A.within(events=10**5000), "of 64 bits, got a whole number of 16610 bits"),
        (lambda: A.repeat(10**5000, 1), "got {a whole number of 16610 bits,1}"),
        (lambda: A >> "x" * 1000, r"xxx \.\.\. xxx.* is not an expression$"),
        (lambda: Windowed(A, 3), r"3 is not a window; use within\(...\)"),
        (lambda: Windowed(CONDITION, EventWindow(1)), "is not an expression; wrap it in"),
        (lambda: Negation(A), r"a negation contains a marked event; .* use skip\(...\) there"),
        (lambda: Absent(skip() >> A.star()), "an absence contains a marked event"),
        (lambda: Pattern(CONDITION), "is not an expression; wrap it in"),
        (lambda: Pattern(A, ("id", "id")), "partition by names an attribute twice: id, id"),
        (lambda: Pattern(A, "id"), "partition by takes a tuple of attributes, got 'id'"),
    ],
)
def test_what_constructors_refuse(build: Callable[[], object], message: str) -> None:
    with pytest.raises(PatternError, match=message):
        build()


def test_registers_are_named_by_strings() -> None:
    with pytest.raises(ConditionTypeError, match="a register is named by a non-empty string, got 3"):
        mark(TOP, 3)  # type: ignore[arg-type]


WRITES = mark(TOP, "r1")
READS = mark(head().id == register("r1").id)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (WRITES, WRITES),
        (WRITES, READS),
        (READS, WRITES),
        (WRITES.star(), (A & READS).plus()),
        (A & WRITES, READS),
        (Negation(skip(TOP, "r1")), READS),
    ],
)
def test_sides_of_an_intersection_need_registers_of_their_own(left: Expression, right: Expression) -> None:
    message = "register 'r1' is written on one side of an intersection and used on the other"
    with pytest.raises(PatternError, match=message):
        left & right


def test_both_sides_of_an_intersection_may_read_the_same_register() -> None:
    assert registers_of(READS & (READS >> mark(TOP, "r2"))) == {"r1", "r2"}


def test_registers_of_an_expression() -> None:
    expression = (mark(Defined("r1"), "r2") & mark(TOP, "r3")).star() >> skip(Defined("r4"))
    assert registers_written(expression) == {"r2", "r3"}
    assert registers_of(expression) == {"r1", "r2", "r3", "r4"}
    assert registers_of(EPSILON) == registers_written(A) == frozenset()


def test_a_pattern_keeps_its_attributes_as_a_tuple() -> None:
    assert Pattern(A, ["id", "type"]) == Pattern(A, ("id", "type"))  # type: ignore[arg-type]
    assert hash(Pattern(A, ["id"])) == hash(Pattern(A, ("id",)))  # type: ignore[arg-type]


def test_negated_parts_may_be_nested() -> None:
    assert Negation(Absent(skip()) >> Negation(skip(TOP, "r1"))).body == (
        Absent(skip()) >> Negation(skip(TOP, "r1"))
    )
