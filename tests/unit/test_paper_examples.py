"""The examples of the SRT paper that concern conditions and SREMO, and those that ERRATA gives.

The examples about automata (22, 25) are with the tests of the automata.
"""

from __future__ import annotations

import pytest

from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models
from mnemata.theory.conditions.formulas import Condition, Definition, Relation
from mnemata.theory.schema import Category, Event, Float64, Int64, Schema
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Expression,
    mark,
    sequence,
    skip,
    skip_till_any,
    skip_till_next,
)
from mnemata.theory.sremo.rewriting import ANYTHING, core
from mnemata.theory.sremo.semantics import accepts, derivations, matches, matches_at, stream_matches
from mnemata.theory.sremo.windows import marks_both_ends

SCHEMA = Schema.of(type=Category(("B", "S")), id=Int64(), price=Float64(), volume=Int64(), event_type="type")
TABLE_1 = SCHEMA.stream(
    [
        ("B", 1, 22, 300),
        ("B", 1, 24, 225),
        ("B", 2, 32, 1210),
        ("S", 1, 70, 760),
        ("S", 1, 68, 2000),
        ("B", 2, 33, 95),
    ]
)

X, Y = register("x"), register("y")
TYPE_IS_B = Definition("TypeIsB", ("x",), X.type == "B")
TYPE_IS_S = Definition("TypeIsS", ("x",), X.type == "S")
EQUAL_ID = Definition("EqualId", ("x", "y"), X.id == Y.id)
R = Relation("R", 2, lambda x, y: x["id"] == y["id"], attributes=("id",))

EXPRESSION_2 = sequence(mark(TYPE_IS_B("~"), "r1"), ANYTHING, mark(TYPE_IS_S("~") & EQUAL_ID("~", "r1")))


def marks(*sets: set[int]) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, sets))


def holding(**contents: Event) -> Valuation:
    return Valuation(tuple(contents.items()))


@pytest.mark.parametrize("relation", [R, EQUAL_ID])
def test_example_3_and_9_relations_between_events(relation: Relation | Definition) -> None:
    c1, _, c3, c4, _, c6 = TABLE_1
    assert models(c1, holding(r1=c4), relation("~", "r1"))
    assert not models(c1, holding(r1=c6), relation("~", "r1"))
    assert models(c1, holding(r3=c3, r4=c4), relation("~", "r4") & ~relation("~", "r3"))


def test_example_11_a_sell_of_the_same_company() -> None:
    condition = TYPE_IS_S("~") & EQUAL_ID("~", "r1")
    satisfied = [models(event, holding(r1=TABLE_1[0]), condition) for event in TABLE_1]
    assert satisfied == [False, False, False, True, True, False]
    assert not any(models(event, EMPTY, condition) for event in TABLE_1)


def test_example_14_the_first_element_of_table_1() -> None:
    assert models(TABLE_1[0], EMPTY, TYPE_IS_B("~"))
    assert not models(TABLE_1[0], EMPTY, TYPE_IS_S("~"))
    assert not models(TABLE_1[0], EMPTY, EQUAL_ID("~", "r1"))
    assert models(TABLE_1[0], EMPTY, ~EQUAL_ID("~", "r1"))


def test_definition_12_writing_registers() -> None:
    first, second = TABLE_1[:2]
    assert EMPTY.write({"r1"}, first) == holding(r1=first)
    assert holding(r1=first, r2=first).write({"r1"}, second) == holding(r1=second, r2=first)


def test_examples_16_and_19_matches_of_expression_2() -> None:
    assert matches(EXPRESSION_2, TABLE_1[:4]) == marks({1, 4})
    assert matches(EXPRESSION_2, TABLE_1[:5]) == marks({1, 5})
    assert accepts(EXPRESSION_2, TABLE_1[:4])
    assert not accepts(EXPRESSION_2, TABLE_1[:3])
    assert not accepts(EXPRESSION_2, TABLE_1)


def test_example_19_the_registers_along_the_way() -> None:
    first, rest = EXPRESSION_2.parts[0], sequence(*EXPRESSION_2.parts[1:])  # type: ignore[attr-defined]
    stored = holding(r1=TABLE_1[0])
    assert derivations(first, TABLE_1[:1]) == {(frozenset({1}), stored)}
    assert derivations(rest, TABLE_1[1:4], stored) == {(frozenset({4}), stored)}
    assert derivations(rest, TABLE_1[1:5], stored) == {(frozenset({5}), stored)}
    assert derivations(rest, TABLE_1[1:4], EMPTY) == frozenset()


def test_expression_2_on_the_whole_stream() -> None:
    expected = marks({1, 4}, {1, 5}, {2, 4}, {2, 5})
    assert stream_matches(EXPRESSION_2, TABLE_1) == expected
    assert matches_at(EXPRESSION_2, TABLE_1, 4) == marks({1, 4}, {2, 4})
    assert matches_at(EXPRESSION_2, TABLE_1, 6) == frozenset()


def test_example_28_very_low_or_very_high_prices() -> None:
    low, high = X.price < 10, X.price > 500
    phi_1 = Definition("phi1", ("x",), (X.type == "B") & low)
    phi_2 = Definition("phi2", ("x",), (X.type == "B") & high)
    phi_3 = Definition("phi3", ("x", "y"), (X.type == "S") & (X.id == Y.id))
    expression_4 = (mark(phi_1("~"), "r1") | mark(phi_2("~"), "r1")) >> mark(phi_3("~", "r1"))

    def found(*rows: tuple[str, int, float]) -> frozenset[frozenset[int]]:
        return matches(expression_4, SCHEMA.stream([(*row, 1) for row in rows]))

    assert found(("B", 1, 9), ("S", 1, 50)) == marks({1, 2})
    assert found(("B", 1, 501), ("S", 1, 50)) == marks({1, 2})
    assert found(("B", 1, 50), ("S", 1, 50)) == frozenset()
    assert found(("B", 1, 9), ("S", 2, 50)) == frozenset()
    assert found(("S", 1, 9), ("S", 1, 50)) == frozenset()
    assert found(("B", 1, 9), ("B", 1, 9)) == frozenset()


LETTERS = Schema.of(type=Category(tuple("ABCS")), id=Int64())
THIS, R1, R2 = head(), register("r1"), register("r2")
A, B, C = (mark(THIS.type == letter) for letter in "ABC")
ABSENT_A, ABSENT_B = skip(THIS.type == "A"), skip(THIS.type == "B")
SAME = THIS.id == R1.id


def word(text: str) -> tuple[Event, ...]:
    """Letters with ids: ``A B2`` is an A without id and a B with id 2."""
    return LETTERS.stream([(part[0].upper(), int(part[1:]) if part[1:] else None) for part in text.split()])


def test_section_4_3_contiguous_matches_in_a_stream() -> None:
    stream = word("a b c a b c")
    reported = {k: matches_at(A >> B, stream, k) for k in range(1, 7)}
    assert {k for k, found in reported.items() if found} == {2, 5}
    assert reported[5] == marks({4, 5})


def test_definition_32_the_streaming_expression() -> None:
    streaming = ANYTHING >> EXPRESSION_2
    for k in range(1, 7):
        accepted = any(accepts(EXPRESSION_2, TABLE_1[m:k]) for m in range(k))
        assert accepts(streaming, TABLE_1[:k]) == accepted


def test_section_5_1_events_in_any_order() -> None:
    either_order = (A >> B) | (B >> A)
    assert matches(either_order, word("a b")) == matches(either_order, word("b a")) == marks({1, 2})


def test_theorem_38_any_number_of_buys_before_the_sell() -> None:
    bought, sold = mark(THIS.type == "B", "r1"), mark((THIS.type == "S") & SAME)
    figure_4 = ANYTHING >> bought >> ANYTHING >> sold
    assert not accepts(figure_4, word("b1 s2"))
    assert not accepts(figure_4, word("b1 b3 s2"))
    assert accepts(figure_4, word("b2 b3 s2"))
    for n in range(1, 5):
        buys = " ".join(f"b{i}" for i in range(n))
        assert accepts(figure_4, word(f"{buys} s0"))
        assert accepts(figure_4, word(f"{buys} s{n - 1}"))
        assert not accepts(figure_4, word(f"{buys} s{n}"))


def test_example_40_a_window_of_four_events() -> None:
    windowed = EXPRESSION_2.within(events=4)
    assert matches(windowed, TABLE_1[:4]) == marks({1, 4})
    assert matches(windowed, TABLE_1[:5]) == frozenset()
    assert stream_matches(windowed, TABLE_1) == marks({1, 4}, {2, 4}, {2, 5})


@pytest.mark.parametrize(("size", "accepted"), [(2, False), (3, True)])
def test_example_42_windows_of_two_and_three_events(size: int, accepted: bool) -> None:
    bought, sold = mark(THIS.type == "B", "r1"), mark((THIS.type == "S") & SAME)
    expression = bought >> ANYTHING >> sold
    assert marks_both_ends(expression)
    assert accepts(expression.within(events=size), word("b1 a s1")) is accepted
    assert accepts(expression.length(size), word("b1 a s1")) is accepted


def test_definition_44_skip_till_any() -> None:
    assert core(skip_till_any(A, B, C)) == A >> ANYTHING >> B >> ANYTHING >> C
    bought = mark(TYPE_IS_B("~"), "r1")
    sold = mark(TYPE_IS_S("~") & EQUAL_ID("~", "r1"))
    assert core(skip_till_any(bought, sold)) == EXPRESSION_2


# --- What ERRATA says of the expressions, whatever is constructed from them ---

T1, T = mark(write="r1"), mark()
ERRATA: dict[str, tuple[Expression, str, frozenset[frozenset[int]]]] = {
    "A1, a match that Alg. 2 loses": (T1 >> (T1 | T) >> mark(SAME), "a1 a2 a1", marks({1, 2, 3})),
    "A1, a match that Alg. 2 makes up": (
        (T1 | mark(write="r2")) >> mark(SAME & (THIS.id == R2.id)),
        "a1 a1",
        marks(),
    ),
    "A2, an unmarked event": (ABSENT_A, "a", marks(set())),
    "A2, the empty string": (EPSILON, "", marks(set())),
    "A2, an unmarked last event": (A >> ABSENT_B, "a b", marks({1})),
    "A2, a union": (A | B, "a", marks({1})),
    "A2, an unmarked first event": (ABSENT_A >> B, "a b", marks({2})),
    "A3, an iteration keeps the registers": (
        (mark(THIS.type == "A", "r1") | mark(SAME)).star(),
        "a1 b1",
        marks({1, 2}),
    ),
    "A3, so a negated atom may fail in a later round": (mark(~SAME, "r1").star(), "a1 a1", marks()),
    "A4, an intersection compares marks": ((A >> B) & (ABSENT_A >> B), "a b", marks()),
    "A4, a union in an intersection": ((A | B) & A, "a", marks({1})),
    "A5, a window on marks": ((ABSENT_A >> B).within(events=1), "a b", marks({2})),
    "A5, a window on the string": ((ABSENT_A >> B).length(1), "a b", marks()),
    "A5, an unmarked last event": ((B >> ABSENT_A).within(events=1), "b a", marks({1})),
    "A5, Fig. 4 with a window of two": (
        (ANYTHING >> mark(THIS.type == "B", "r1") >> ANYTHING >> mark((THIS.type == "S") & SAME)).within(
            events=2
        ),
        "b2 b1 s1",
        marks({2, 3}),
    ),
    "A6, an unwritten register": ((skip(write="r1") | skip()) >> mark(~SAME), "a1 a1", marks({2})),
    "A9, growing matches": (A >> B >> B >> B.star(), "a b b", marks({1, 2, 3})),
    "A11, nothing is skipped that completes": (skip_till_next(C, B), "c b b b", marks()),
    "A11, of several events": (skip_till_next(C, A >> B), "c a b a b", marks()),
    "A11, from the registers of the time": (
        skip_till_next(mark(THIS.type == "C", "r1"), mark(SAME)),
        "c1 b1 b1",
        marks(),
    ),
    "A12, empty parts": (A.star() >> B, "b", marks({1})),
    "A12, an empty iteration marks nothing": (A.star() >> ABSENT_B, "a b", marks({1})),
    "A12, the empty set": (EMPTY_SET, "", marks()),
    "A12, the empty set in an iteration": (EMPTY_SET.star(), "", marks(set())),
}


@pytest.mark.parametrize("entry", ERRATA)
def test_errata(entry: str) -> None:
    expression, text, expected = ERRATA[entry]
    assert matches(expression, word(text)) == expected


def test_errata_a9_a_longer_match_is_reported_too() -> None:
    stream = word("a b b")
    growing = A >> B >> B.star()
    assert [matches_at(growing, stream, k) for k in (2, 3)] == [marks({1, 2}), marks({1, 2, 3})]


def test_errata_a10_a_match_that_starts_later() -> None:
    assert matches_at(A >> B, word("c a b"), 3) == marks({2, 3})
    assert matches(A >> B, word("c a b")) == frozenset()


def test_errata_a12_the_converse_of_theorem_20_fails() -> None:
    condition: Condition = THIS.type == "A"
    for text in ("", "a", "b", "a a"):
        assert accepts(mark(condition), word(text)) == accepts(skip(condition), word(text))
    assert matches(mark(condition), word("a")) != matches(skip(condition), word("a"))
