"""Paths that show why nothing bounds an expression."""

from __future__ import annotations

import pytest
from hypothesis import given

from mnemata.proofs.generators import TICKS, expressions
from mnemata.theory.schema import Category, Int64, Schema
from mnemata.theory.sremo.expressions import EMPTY_SET, Expression, Intersection, Output, mark, skip
from mnemata.theory.sremo.paths import Path, shortest
from mnemata.theory.sremo.windows import ends, longest, marks_both_ends
from mnemata.theory.syntax import parse_located
from mnemata.theory.syntax.paths import show_path
from mnemata.theory.trees import walk

SCHEMA = Schema.of(type=Category(("A", "B")), x=Int64(), event_type="type")


def shown(text: str, which: str) -> list[str]:
    located = parse_located(text, schema=SCHEMA)
    path = getattr(shortest(located.pattern.expression), which)
    assert isinstance(path, Path)
    return show_path(path, "this", last=which == "last", located=located, schema=SCHEMA).splitlines()


@pytest.mark.parametrize(
    ("text", "which", "lines"),
    [
        ("skip A; B", "first", ["  1. skip A (line 1 column 1)  <- this", "  2. B (line 1 column 9)"]),
        ("A?; skip B", "last", ["  1. skip B (line 1 column 5)  <- this"]),
        (
            "A; (B | skip A); B?",
            "last",
            ["  1. A (line 1 column 1)", "  2. skip A (line 1 column 9)  <- this"],
        ),
        (
            "A; (skip event)*; B",
            "growing",
            [
                "  1. A (line 1 column 1)",
                "  2. (skip event)* (line 1 column 4)  <- this",
                "  3. B (line 1 column 19)",
            ],
        ),
        (
            "any(A?, B)",
            "first",
            [
                "  1. an event skipped between the parts of any(A?, B) (line 1 column 1)  <- this",
                "  2. B (line 1 column 9)",
            ],
        ),
        (
            "A; absent(skip B)",
            "last",
            [
                "  1. A (line 1 column 1)",
                "  2. an event let pass by absent(skip B) (line 1 column 4)  <- this",
            ],
        ),
    ],
)
def test_paths_are_shown_with_their_places(text: str, which: str, lines: list[str]) -> None:
    assert shown(text, which) == lines


def test_a_long_path_is_shortened_but_the_step_in_question_stays() -> None:
    lines = shown("(A; B){3000}; (A)+; (B){2000}", "growing")
    assert lines == [
        "  1. A (line 1 column 2)",
        "  2. B (line 1 column 5)",
        "  3. A (line 1 column 2)",
        "  ... 5,997 more ...",
        "  6,001. A+ (line 1 column 15)  <- this",
        "  ... 1,997 more ...",
        "  7,999. B (line 1 column 22)",
        "  8,000. B (line 1 column 22)",
        "  8,001. B (line 1 column 22)",
    ]


def test_a_step_is_a_node_of_the_expression_itself() -> None:
    located = parse_located("A; skip B; A", schema=SCHEMA)
    path = shortest(located.pattern.expression).any
    assert path is not None
    assert [located.place(step.part) for step in path.steps()] == [(1, 1), (1, 4), (1, 12)]
    assert [step.part for step in path.steps(backwards=True)][::-1] == [s.part for s in path.steps()]


def test_an_impossible_part_leaves_no_path() -> None:
    never = skip() >> EMPTY_SET
    assert shortest(never).first is None
    assert marks_both_ends(never)
    assert longest(never >> skip().star()) == 0


@given(expressions(TICKS, ("r1", "r2"), size=6))
def test_there_is_a_path_exactly_where_an_end_may_be_unmarked(expression: Expression) -> None:
    found, known = shortest(expression), ends(expression)
    if any(isinstance(node, Intersection) for node in walk(expression)):
        assert (found.first or found.last) is not None or marks_both_ends(expression)
        return
    assert (found.first is not None) == (Output.SKIP in known.first)
    assert (found.last is not None) == (Output.SKIP in known.last)
    for path, step in ((found.first, 0), (found.last, -1)):
        if path is not None:
            assert len(list(path.steps())) == path.length
            output = getattr(list(path.steps())[step].part, "output", Output.SKIP)
            assert output is Output.SKIP


@given(expressions(TICKS, ("r1", "r2"), size=6))
def test_what_has_no_longest_string_has_a_path_that_grows(expression: Expression) -> None:
    growing = shortest(expression).growing
    if longest(expression) is None:
        assert growing is not None
        assert any(step.repeated for step in growing.steps())


@given(expressions(TICKS, ("r1", "r2"), size=5))
def test_a_window_on_length_leaves_nothing_to_grow(expression: Expression) -> None:
    bounded = expression.length(4)
    assert shortest(bounded).growing is None
    assert longest(bounded) is not None


def test_a_window_on_marks_leaves_nothing_to_grow_only_where_both_ends_are_marked() -> None:
    inside = mark() >> skip().star() >> mark()
    assert shortest(inside.within(events=3)).growing is None
    assert shortest((skip().star() >> mark()).within(events=3)).growing is not None
