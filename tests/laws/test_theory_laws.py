"""Laws of SREMO, and its semantics against two others written another way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import product
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemata.proofs.generators import TICKS, Stream, expressions, streams
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Absent,
    Concatenation,
    Epsilon,
    Expression,
    Intersection,
    Negation,
    Optional,
    Output,
    Plus,
    Repeat,
    SkipTillAny,
    Star,
    Terminal,
    Union,
    mark,
    skip,
    skip_till_any,
    skip_till_next,
)
from mnemata.theory.sremo.rewriting import ANYTHING, bound_expression, core
from mnemata.theory.sremo.semantics import accepts, derivations, matches, matches_at, stream_matches
from mnemata.theory.sremo.windows import marks_last
from mnemata.theory.trees import fold, transform, walk

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


# --- Streaming (Def. 32, ERRATA A10) ---


@given(streams(), expressions(negations=True))
def test_a_stream_reports_what_the_streaming_expression_matches(
    stream: Stream, expression: Expression
) -> None:
    for k in range(1, len(stream) + 1):
        of_prefix = matches(ANYTHING >> expression, stream[:k])
        assert matches_at(expression, stream, k) == {marks for marks in of_prefix if k in marks}


@given(streams(), expressions())
def test_nothing_is_reported_twice(stream: Stream, expression: Expression) -> None:
    reports = [matches_at(expression, stream, k) for k in range(1, len(stream) + 1)]
    assert sum(map(len, reports)) == len(frozenset().union(*reports))
    assert stream_matches(expression, stream) == frozenset().union(*reports)


@given(streams(), expressions())
def test_the_future_does_not_change_the_past(stream: Stream, expression: Expression) -> None:
    for k in range(1, len(stream) + 1):
        assert matches_at(expression, stream, k) == matches_at(expression, stream[:k], k)


@given(streams(max_size=5), expressions())
def test_where_every_match_marks_its_last_event_all_are_reported(
    stream: Stream, expression: Expression
) -> None:
    if marks_last(expression):
        assert matches(expression, stream) - {frozenset()} <= stream_matches(expression, stream)


# --- Thm 20 ---


@given(streams(max_size=5), expressions(negations=True))
def test_a_string_is_accepted_exactly_when_something_matches(stream: Stream, expression: Expression) -> None:
    assert accepts(expression, stream) == bool(matches(expression, stream))


def test_the_converse_of_theorem_20_is_false() -> None:
    for letters in ("", "A", "AB"):
        assert accepts(mark(), letter_stream(letters)) == accepts(skip(), letter_stream(letters))
    assert matches(mark(), letter_stream("A")) != matches(skip(), letter_stream("A"))


# --- Def. 17 against regular expressions over marked and unmarked letters ---


def as_regex(expression: Expression, stream: Stream) -> str:
    """A pattern over two letters for each event of `stream`: it is skipped, or it is marked."""
    return fold(expression, lambda node, below: _regex(node, below, stream))


def _regex(node: object, below: tuple[str, ...], stream: Stream) -> str:
    match node:
        case Epsilon():
            return ""
        case Terminal(condition=condition, output=output):
            found = "".join(_letter(u, output) for u in stream if models(u, EMPTY, condition))
            return f"[{found}]" if found else "(?!)"
        case Concatenation():
            return "".join(below)
        case Union():
            return f"(?:{'|'.join(below)})"
        case Star() | Plus() | Optional():
            return f"(?:{below[0]}){ {Star: '*', Plus: '+', Optional: '?'}[type(node)] }"
        case Repeat(minimum=minimum, maximum=maximum):
            return f"(?:{below[0]}){{{minimum},{'' if maximum is None else maximum}}}"
        case SkipTillAny():
            gap = "".join(_letter(u, Output.SKIP) for u in stream)
            return (f"[{gap}]*" if gap else "").join(below)
    return "(?!)"


def _letter(event: Event, output: Output) -> str:
    return chr(0x4E00 + 2 * event.position + (output is Output.MARK))


def _strategy_over_one_part(expression: Expression) -> bool:
    return any(isinstance(n, SkipTillAny) and len(n.parts) == 1 for n in walk(expression))


REGULAR = expressions(registers=(), windows=False, intersections=False)


@given(streams(max_size=5), REGULAR)
def test_without_registers_matches_are_those_of_a_regular_expression(
    stream: Stream, expression: Expression
) -> None:
    bound = bound_expression(expression, TICKS)
    regex = re.compile(as_regex(core(bound) if _strategy_over_one_part(bound) else bound, stream))
    expected = set()
    for outputs in product(Output, repeat=len(stream)):
        if regex.fullmatch("".join(map(_letter, stream, outputs))):
            marked = (u.position for u, o in zip(stream, outputs, strict=True) if o is Output.MARK)
            expected.add(frozenset(marked))
    assert matches(expression, stream) == expected


# --- Def. 17 against partial derivatives (Antimirov), event by event, with registers ---

Residual: TypeAlias = tuple[frozenset[int], Valuation, Expression]


def nullable(expression: Expression) -> bool:
    return fold(expression, _nullable)


def _nullable(node: object, below: tuple[bool, ...]) -> bool:
    match node:
        case Concatenation() | Intersection():
            return all(below)
        case Union():
            return any(below)
    return isinstance(node, Epsilon | Star)


def residuals(e: Expression, u: Event, v: Valuation) -> Iterable[Residual]:
    """What is left of `e` after the event `u`: the marks so far, the registers, the rest."""
    match e:
        case Terminal(condition=condition, output=output, write=write) if models(u, v, condition):
            marks = frozenset({u.position} if output is Output.MARK else ())
            yield marks, v if write is None else v.write({write}, u), EPSILON
        case Union(parts=parts):
            for part in parts:
                yield from residuals(part, u, v)
        case Concatenation(parts=(first, *rest)):
            after = rest[0] if len(rest) == 1 else Concatenation(tuple(rest))
            for marks, w, left in residuals(first, u, v):
                yield marks, w, left >> after
            if nullable(first):
                yield from residuals(after, u, v)
        case Star(body=body):
            for marks, w, left in residuals(body, u, v):
                yield marks, w, left >> e
        case Intersection(left=one, right=other):
            for marks, w, left in residuals(one, u, v):
                for same, x, right in residuals(other, u, v):
                    if marks == same:
                        changed = {r for r, held in x.items() if held == u and v.get(r) != u}
                        yield marks, w.write(changed, u), left & right


def derivations_by_event(expression: Expression, stream: Stream) -> set[tuple[frozenset[int], Valuation]]:
    live: set[Residual] = {(frozenset(), EMPTY, expression)}
    for u in stream:
        live = {(m | n, w, left) for m, v, e in live for n, w, left in residuals(e, u, v)}
    return {(marks, v) for marks, v, left in live if nullable(left)}


@given(streams(max_size=5), expressions(core_only=True, windows=False))
def test_matches_are_those_of_partial_derivatives(stream: Stream, expression: Expression) -> None:
    bound = bound_expression(expression, TICKS)
    assert derivations(bound, stream) == derivations_by_event(bound, stream)


@given(streams(max_size=4), expressions(windows=False))
def test_derived_operators_match_as_partial_derivatives_of_their_core(
    stream: Stream, expression: Expression
) -> None:
    bound = bound_expression(expression, TICKS)
    assert derivations(bound, stream) == derivations_by_event(core(bound), stream)
