"""Laws of SREMO, and what is no law."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemata.proofs.generators import TICKS, Stream, expressions, streams
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.evaluation import EMPTY, Valuation
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Absent,
    Expression,
    Negation,
    Output,
    Terminal,
    mark,
    skip,
    skip_till_any,
    skip_till_next,
)
from mnemata.theory.sremo.rewriting import ANYTHING, bound_expression
from mnemata.theory.sremo.semantics import accepts, derivations, matches
from mnemata.theory.trees import transform

Law: TypeAlias = Callable[[Expression, Expression, Expression], tuple[Expression, Expression]]

LAWS: dict[str, Law] = {
    "union is commutative": lambda a, b, _: (a | b, b | a),
    "union is associative": lambda a, b, c: ((a | b) | c, a | (b | c)),
    "union is idempotent": lambda a, b, _: (a | a | b, a | b),
    "the empty set is neutral for union": lambda a, *_: (a | EMPTY_SET, a),
    "concatenation is associative": lambda a, b, c: ((a >> b) >> c, a >> (b >> c)),
    "epsilon is neutral on the left": lambda a, *_: (EPSILON >> a, a),
    "epsilon is neutral on the right": lambda a, *_: (a >> EPSILON, a),
    "the empty set absorbs": lambda a, *_: (a >> EMPTY_SET, EMPTY_SET),
    "concatenation distributes from the left": lambda a, b, c: (a >> (b | c), (a >> b) | (a >> c)),
    "concatenation distributes from the right": lambda a, b, c: ((a | b) >> c, (a >> c) | (b >> c)),
    "star unfolds on the left": lambda a, *_: (a.star(), EPSILON | (a >> a.star())),
    "star unfolds on the right": lambda a, *_: (a.star(), EPSILON | (a.star() >> a)),
    "star of star": lambda a, *_: (a.star().star(), a.star()),
    "star of optional": lambda a, *_: (a.optional().star(), a.star()),
    "star of a union": lambda a, b, _: ((a | b).star(), (a.star() >> b.star()).star()),
    "star slides": lambda a, b, _: (a >> (b >> a).star(), (a >> b).star() >> a),
    "plus": lambda a, *_: (a.plus(), a >> a.star()),
    "plus twice": lambda a, *_: (a.plus().plus(), a.plus()),
    "optional": lambda a, *_: (a.optional(), EPSILON | a),
    "repetitions add up": lambda a, *_: (a.repeat(1, 3), a >> a.repeat(0, 2)),
    "repetition without limit": lambda a, *_: (a.repeat(2, None), a >> a >> a.star()),
    "any() is associative": lambda a, b, c: (
        skip_till_any(a, b, c),
        skip_till_any(skip_till_any(a, b), c),
    ),
    "any() nests to the right": lambda a, b, c: (
        skip_till_any(a, b, c),
        skip_till_any(a, skip_till_any(b, c)),
    ),
    "any() distributes": lambda a, b, c: (
        skip_till_any(a | b, c),
        skip_till_any(a, c) | skip_till_any(b, c),
    ),
    "any() on an iteration unfolds": lambda a, *_: (
        skip_till_any(a.plus()),
        a | skip_till_any(a, skip_till_any(a.plus())),
    ),
    "any() on a star": lambda a, *_: (skip_till_any(a.star()), EPSILON | skip_till_any(a.plus())),
    "any() may skip nothing": lambda a, b, _: (skip_till_any(a, b) | (a >> b), skip_till_any(a, b)),
    "next() chooses among any()": lambda a, b, _: (
        skip_till_any(a, b) | skip_till_next(a, b),
        skip_till_any(a, b),
    ),
    "next() links one part at a time": lambda a, b, c: (
        skip_till_next(a, b, c),
        a >> skip_till_next(EPSILON, b) >> skip_till_next(EPSILON, c),
    ),
    "nested windows in events": lambda a, *_: (
        a.within(events=2).within(events=3),
        a.within(events=2),
    ),
    "nested windows in time": lambda a, *_: (a.within(ms=3).within(ms=2), a.within(ms=2)),
    "windows commute": lambda a, *_: (
        a.within(events=2).within(ms=2).length(3),
        a.length(3).within(ms=2).within(events=2),
    ),
    "windows distribute over union": lambda a, b, _: (
        (a | b).within(ms=2),
        a.within(ms=2) | b.within(ms=2),
    ),
    "a string of one event fits any window": lambda a, *_: (a.length(1), a.length(1).within(events=1)),
    "absence is a negation": lambda a, *_: (
        Absent(unmarked(a)),
        Negation(ANYTHING >> unmarked(a) >> ANYTHING),
    ),
    "negation of a union": lambda a, b, _: (
        Negation(unmarked(a) | unmarked(b)),
        Negation(unmarked(a)) & Negation(unmarked(b)),
    ),
}
WITHOUT_REGISTERS = {"negation of a union"}


def unmarked(expression: Expression) -> Expression:
    found = transform(
        expression,
        lambda n: Terminal(n.condition, Output.SKIP, n.write) if isinstance(n, Terminal) else n,
    )
    assert isinstance(found, Expression)
    return found


@pytest.mark.parametrize("name", LAWS)
@settings(max_examples=settings.default.max_examples // 6)  # type: ignore[union-attr]
@given(data=st.data())
def test_laws(name: str, data: st.DataObject) -> None:
    registers = () if name in WITHOUT_REGISTERS else ("r1", "r2")
    stream = data.draw(streams(max_size=4))
    drawn = [data.draw(expressions(registers=registers, size=3)) for _ in range(3)]
    left, right = (bound_expression(side, TICKS) for side in LAWS[name](*drawn))
    start = Valuation((("r1", stream[0]),)) if stream else EMPTY
    assert derivations(left, stream) == derivations(right, stream)
    assert derivations(left, stream, start) == derivations(right, stream, start)


NOT_LAWS: dict[str, tuple[Law, str]] = {
    "union is not concatenation": (lambda a, b, _: (a | b, a >> b), "AB"),
    "concatenation is not commutative": (lambda a, b, _: (a >> b, b >> a), "AB"),
    "a window on marks does not distribute over concatenation": (
        lambda a, b, _: ((a >> b).within(events=1), a.within(events=1) >> b.within(events=1)),
        "AB",
    ),
    "any() on plus does not skip at the end": (
        lambda a, *_: (skip_till_any(a.plus()), skip_till_any(a, skip_till_any(a.star()))),
        "AB",
    ),
    "any() does not reach into its parts": (
        lambda a, b, _: (skip_till_any(b, a.plus()), skip_till_any(b, skip_till_any(a.plus()))),
        "BACA",
    ),
    "next() is not any()": (lambda a, b, _: (skip_till_any(a, b), skip_till_next(a, b)), "ABB"),
}


@pytest.mark.parametrize("name", NOT_LAWS)
def test_what_is_no_law(name: str) -> None:
    law, letters = NOT_LAWS[name]
    a, b, c = (mark(head().type == letter) for letter in "ABC")
    left, right = law(a, b, c)
    assert matches(left, letter_stream(letters)) != matches(right, letter_stream(letters))


def letter_stream(letters: str) -> Stream:
    return TICKS.stream([(letter, None, None, at) for at, letter in enumerate(letters)])


# --- Thm 20 ---


def test_the_converse_of_theorem_20_is_false() -> None:
    for letters in ("", "A", "AB"):
        assert accepts(mark(), letter_stream(letters)) == accepts(skip(), letter_stream(letters))
    assert matches(mark(), letter_stream("A")) != matches(skip(), letter_stream("A"))
