"""Bounds handed from windows to what is watched for inside them."""

from __future__ import annotations

import pytest

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.determinization import determinize
from mnemata.proofs.generators import TICKS
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Category, Schema, Timestamp
from mnemata.theory.sremo.expressions import (
    Expression,
    LengthWindow,
    SkipTillNext,
    Windowed,
    absent,
    mark,
    skip,
    skip_till_any,
    skip_till_next,
)
from mnemata.theory.sremo.narrowing import LARGEST_MONITOR, narrowed
from mnemata.theory.syntax import parse
from mnemata.theory.trees import walk

LETTERS = Schema.of(type=Category(tuple("abcde")), at=Timestamp("ms"), event_type="type", time="at")
GAP = skip_till_any(mark(), mark())


def read(text: str) -> Expression:
    return parse(text, schema=LETTERS).expression


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # The parts around it read at least one event each.
        ("next(a, any(b, c)) within 5 events", "next(a, any(b, c) length 4) within 5 events"),
        ("next(a, any(b, c), d) length 5", "next(a, any(b, c) length 3, d) length 5"),
        ("(a; next(b, any(c, d)); e{2,3}) length 9", "(a; next(b, any(c, d) length 5); e{2,3}) length 9"),
        # An iteration bounds its rounds, the first included.
        ("next(any(a, b)+) within 6 events", "next((any(a, b) length 6)+) within 6 events"),
        ("a; (absent((skip a)+) length 4); b", "a; (absent(((skip a)+) length 4) length 4); b"),
        ("(a; not ((skip a)+; skip b); c) length 7", "(a; not (((skip a)+; skip b) length 5); c) length 7"),
        # The window that is nearest, and what is inside inside.
        (
            "next(a, next(b, any(c, d)) within 3 events) within 9 events",
            "next(a, next(b, any(c, d) length 2) within 3 events) within 9 events",
        ),
        (
            "next(a, next(b, any(c, d))) within 9 events",
            "next(a, (next(b, any(c, d) length 7)) length 8) within 9 events",
        ),
        # Less than what is left is still a window.
        ("(a{5}; next(b, any(c, d))) length 3", "(a{5}; next(b, any(c, d) length 1)) length 3"),
    ],
)
def test_what_is_watched_for_gets_what_is_left(given: str, expected: str) -> None:
    assert narrowed(read(given)) == read(expected)


@pytest.mark.parametrize(
    "text",
    [
        "next(a, any(b, c))",
        "next(a, any(b, c)) within 5 s",
        "(skip a; next(b, any(c, d))) within 5 events",  # bounds the marks only
        "next(a, b; c) within 5 events",  # bounded by itself
        "next(a, any(b, c) length 9) within 5 events",
        "next(any(a, b), c) within 5 events",  # the first part is not watched for
        "any(a, b) within 5 events",
        f"next(a, any(b, c)) within {LARGEST_MONITOR + 2} events",
    ],
)
def test_nothing_else_changes(text: str) -> None:
    expression = read(text)
    assert narrowed(expression) is expression


def test_a_part_that_is_shared_gets_the_bound_of_each_place() -> None:
    shared = skip_till_next(mark(), GAP)
    both = narrowed(shared.within(events=3) >> shared.within(events=4))
    windows = [node.window for node in walk(both) if isinstance(node, Windowed) and node.body == GAP]
    assert windows == [LengthWindow(2), LengthWindow(3)]


def test_deep_nesting() -> None:
    deep: Expression = GAP
    for _ in range(2_000):
        deep = SkipTillNext((deep, mark())) | mark()
    assert narrowed(deep.length(5)) == deep.length(5)


def test_where_nothing_bounds_it_the_message_says_what_would() -> None:
    for text in ("next(a, any(b, c))", f"next(a, any(b, c)) within {LARGEST_MONITOR + 2} events"):
        with pytest.raises(UnsupportedError) as refused:
            compile_pattern(read(text), LETTERS)
        assert f"no window around it bounds the string to {LARGEST_MONITOR} events or less" in str(
            refused.value
        )


def test_a_greatest_length_that_is_given_reaches_inside() -> None:
    pattern = mark() >> absent(skip().plus() >> skip()) >> mark()
    made = determinize(pattern, TICKS, window=4)
    assert made.size > 0
    with pytest.raises(UnsupportedError, match="no window"):
        determinize(pattern, TICKS)
