"""What expressions match: Def. 17, 18, 32, 39 and 44 on small words, case by case."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemata.proofs.generators import TICKS, Stream, expressions, patterns, streams, window_bounds
from mnemata.theory.conditions.building import defined, head, position, register
from mnemata.theory.conditions.evaluation import EMPTY, Valuation
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.errors import ConditionTypeError, StreamError, UnknownAttributeError
from mnemata.theory.schema import Event, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Absent,
    Expression,
    Negation,
    Pattern,
    Window,
    Windowed,
    mark,
    skip,
    skip_till_any,
    skip_till_next,
)
from mnemata.theory.sremo.rewriting import ANYTHING, bound_expression
from mnemata.theory.sremo.semantics import (
    accepts,
    derivations,
    matches,
    matches_at,
    pattern_matches,
    stream_matches,
    substreams,
)
from mnemata.theory.sremo.windows import fits

LETTERS = Schema.of(letter=String(), id=Int64(), at=Timestamp(), time="at")
HEAD, R1, R2 = head(LETTERS), register("r1", LETTERS), register("r2", LETTERS)


def is_(letter: str) -> Condition:
    return HEAD.letter == letter


A, B, C, D = (mark(is_(letter)) for letter in "abcd")
X, Y, Z = (skip(is_(letter)) for letter in "xyz")
WRITE, SAME = mark(is_("a"), "r1"), mark(HEAD.id == R1.id)


def word(text: str) -> Stream:
    """Letters, each optionally followed by a digit, its id: ``a1b2``; event k is at k ms."""
    rows: list[list[object]] = []
    for character in text:
        if character.isdigit():
            rows[-1][1] = int(character)
        else:
            rows.append([character, None, len(rows)])
    return LETTERS.stream(rows)  # type: ignore[arg-type]


def shown(found: frozenset[frozenset[int]]) -> set[str]:
    return {"".join(map(str, sorted(marks))) for marks in found}


def over(text: str, expression: Expression) -> str:
    """The matches over the whole word: ``12 3`` for {1,2} and {3}, ``-`` for the empty one."""
    return " ".join(sorted(marks or "-" for marks in shown(matches(expression, word(text)))))


EXAMPLES: list[tuple[Expression, str, str]] = [
    # Def. 17 (1): epsilon; and the empty set, which the paper leaves without semantics (ERRATA A12)
    (EPSILON, "", "-"),
    (EPSILON, "a", ""),
    (EMPTY_SET, "", ""),
    (EMPTY_SET, "a", ""),
    # (2), (3): terminals read exactly one event; no last mark is asked for (ERRATA A2)
    (A, "a", "1"),
    (A, "b", ""),
    (A, "", ""),
    (A, "aa", ""),
    (X, "x", "-"),
    (A >> X, "ax", "1"),
    (X >> X, "xx", "-"),
    # (4): concatenation, with empty parts allowed (ERRATA A12)
    (A >> B, "ab", "12"),
    (A >> B, "axb", ""),
    (EPSILON >> A, "a", "1"),
    (A.star() >> B, "b", "1"),
    (X.star() >> A >> X.star(), "xxa", "3"),
    (A >> EMPTY_SET, "a", ""),
    # (5): union
    (A | B, "b", "1"),
    (A | EMPTY_SET, "a", "1"),
    (mark() | skip(), "a", "- 1"),
    ((A >> X) | (X >> A) | (A >> A), "aa", "12"),
    # (6): star, whose empty match marks nothing (ERRATA A12)
    (A.star(), "", "-"),
    (A.star(), "aaa", "123"),
    (A.star(), "aab", ""),
    (A.star() >> skip(is_("b")), "ab", "1"),
    ((mark() | skip()).star(), "ab", "- 1 12 2"),
    ((A.star() | B).star(), "aba", "123"),
    (EPSILON.star(), "", "-"),
    (EMPTY_SET.star(), "", "-"),
    (EMPTY_SET.star(), "a", ""),
    # derived iterations
    (A.plus(), "", ""),
    (A.plus(), "aa", "12"),
    (A.optional(), "", "-"),
    (A.optional(), "a", "1"),
    (A.optional(), "aa", ""),
    (A.repeat(2, 3), "a", ""),
    (A.repeat(2, 3), "aa", "12"),
    (A.repeat(2, 3), "aaa", "123"),
    (A.repeat(2, 3), "aaaa", ""),
    (A.repeat(2, None), "aaaa", "1234"),
    (A.repeat(0, 0), "", "-"),
    (A.repeat(0, 0), "a", ""),
    (A.optional().repeat(2, 2), "a", "1"),
    (A.optional().repeat(2, 2), "", "-"),
    # skip-till-any (Def. 44), over sequences and over iteration
    (skip_till_any(A, B), "ab", "12"),
    (skip_till_any(A, B), "axxb", "14"),
    (skip_till_any(A, B), "xab", ""),
    (skip_till_any(A, B), "abx", ""),
    (skip_till_any(A, B, C), "abbc", "124 134"),
    (skip_till_any(A, B.plus(), C), "abbc", "1234 124 134"),
    (skip_till_any(A, B.plus(), C), "abxbc", "125 145"),
    (skip_till_any(A, skip_till_any(B.plus()), C), "abxbc", "1245 125 145"),
    (skip_till_any(A.plus()), "axa", "13"),
    (skip_till_any(A.plus()), "xa", ""),
    (skip_till_any(A.plus()), "ax", ""),
    (skip_till_any(A.star()), "", "-"),
    (skip_till_any(A.star()), "x", ""),
    (skip_till_any(A.star()), "aaa", "123 13"),
    (skip_till_any(A.optional().star()), "xax", "- 2"),
    (skip_till_any(A.repeat(2, 2)), "aaa", "13"),
    (skip_till_any(A.repeat(1, 2)), "a", "1"),
    (skip_till_any(A.repeat(3, None)), "axaa", "134"),
    (skip_till_any(A), "a", "1"),
    (skip_till_any(A >> B), "axb", ""),
    (skip_till_any(skip_till_any(A.plus())), "axa", "13"),
    (skip_till_any(A | B), "ab", ""),
    # ERRATA E4
    (skip_till_any(A, B, skip_till_any(B.star())), "abbb", "12 1234 124 13 134 14"),
    # skip-till-next is earliest completion (ERRATA A11)
    (skip_till_next(C, B), "cbbb", ""),
    (skip_till_next(C, B), "cxxb", "14"),
    (skip_till_next(C, A >> B), "cabab", ""),
    (skip_till_next(C, A >> B), "cxaab", "145"),
    (skip_till_next(mark(is_("c"), "r1"), SAME), "c1b2b1", "13"),
    (skip_till_next(mark(is_("c"), "r1"), SAME), "c1b1b1", ""),
    (skip_till_next(B.plus()), "bxb", "13"),
    # negation and absence mark nothing and keep the registers
    (Negation(X), "x", ""),
    (Negation(X), "", "-"),
    (Negation(X), "xx", "-"),
    (A >> Negation(X.plus()) >> B, "axb", ""),
    (A >> Negation(X.plus()) >> B, "axyb", "14"),
    (A >> Absent(X) >> B, "ayyb", "14"),
    (A >> Absent(X) >> B, "ayxb", ""),
    (A >> Absent(X >> Y) >> B, "axzyb", "15"),
    (A >> Absent(X >> Y) >> B, "azxyb", ""),
    (WRITE >> Absent(skip(HEAD.id == R1.id)) >> B, "a1x2b2", "13"),
    (WRITE >> Absent(skip(HEAD.id == R1.id)) >> B, "a1x1b2", ""),
    (WRITE >> Negation(skip(is_("z"), "r1")) >> SAME, "a1z2", ""),
    (WRITE >> Negation(skip(is_("z"), "r1")) >> SAME, "a1z1", "12"),
    # intersection: same string, same marks (ERRATA A4)
    ((A >> B) & (A >> B), "ab", "12"),
    ((A >> B) & (skip(is_("a")) >> B), "ab", ""),
    ((mark() | skip()).star() & (mark() >> skip()), "ab", "1"),
    (A.star() & A.plus(), "", ""),
    # windows (Def. 39, Example 40): on marks, in events, time (strict) or on the string
    ((A >> ANYTHING >> B).within(events=3), "axb", "13"),
    ((A >> ANYTHING >> B).within(events=2), "axb", ""),
    ((ANYTHING >> A).within(events=1), "xxa", "3"),
    ((ANYTHING >> A).length(2), "xxa", ""),
    ((A >> ANYTHING >> B).within(ms=2), "axb", ""),
    ((A >> ANYTHING >> B).within(ms=3), "axb", "13"),
    (X.star().within(events=1), "xxx", "-"),
    ((A >> X).within(events=1).star(), "axax", "13"),
    ((A >> B).within(events=1) | B, "b", "1"),
    # registers
    (WRITE >> SAME, "a1b1", "12"),
    (WRITE >> SAME, "a1b2", ""),
    (WRITE >> SAME, "ab1", ""),
    (SAME, "a1", ""),
    (mark(~(HEAD.id == R1.id)), "a1", "1"),
    (WRITE.plus() >> SAME, "a1a2b2", "123"),
    (WRITE.plus() >> SAME, "a1a2b1", ""),
    (mark(write="r1").star() >> mark(defined("r1")), "a", ""),
    (mark(write="r1").star() >> mark(defined("r1")), "aa", "12"),
    ((mark(defined("r1")) | mark(write="r1")).star(), "ab", "12"),
    (mark(is_("a"), "r1") >> mark(HEAD.id == R1.id, "r1") >> mark(HEAD.id == R1.id), "a1b1c1", "123"),
    # positions are those in the string that was given
    (skip() >> mark(position("~") == 2), "ab", "2"),
    (mark(write="r1") >> skip() >> mark(position("~") - position("r1") == 2), "abc", "13"),
    # ERRATA A1: two runs with equal guards and outputs, other registers
    (
        mark(write="r1") >> (mark(write="r1") | mark()) >> SAME,
        "a1b2c1",
        "123",
    ),
    (
        (mark(write="r1") | mark(write="r2")) >> mark((HEAD.id == R1.id) & (HEAD.id == R2.id)),
        "a1b1",
        "",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "text", "expected"), EXAMPLES)
def test_matches_over_a_word(expression: Expression, text: str, expected: str) -> None:
    assert over(text, expression) == expected


def test_derivations_report_the_registers() -> None:
    first, second = word("a1a2")
    expression = mark(write="r1") >> (mark(write="r1") | mark(write="r2") | mark())
    both = frozenset({1, 2})
    assert derivations(expression, (first, second)) == {
        (both, Valuation((("r1", second),))),
        (both, Valuation((("r1", first), ("r2", second)))),
        (both, Valuation((("r1", first),))),
    }


def test_derivations_start_from_any_valuation() -> None:
    first, second = word("a1b1")
    held = Valuation((("r1", first),))
    assert derivations(SAME, (second,), held) == {(frozenset({2}), held)}
    assert derivations(SAME, (second,), EMPTY) == frozenset()
    assert derivations(EPSILON, (), held) == {(frozenset(), held)}


def test_the_sides_of_an_intersection_contribute_what_they_write() -> None:
    (event,) = word("a1")
    (other,) = word("b1")
    held = Valuation((("r1", other), ("r3", other)))
    expression = mark(write="r1") & mark(defined("r3"), "r2")
    expected = Valuation((("r1", event), ("r2", event), ("r3", other)))
    assert derivations(expression, (event,), held) == {(frozenset({1}), expected)}


def test_marks_are_absolute_positions() -> None:
    assert matches(A >> B, word("xab")[1:]) == {frozenset({2, 3})}


def test_conditions_are_bound_to_the_schema_of_the_string() -> None:
    with pytest.raises(ConditionTypeError, match="cannot compare string > int64"):
        matches(mark(head().letter > 3), word("a"))
    with pytest.raises(UnknownAttributeError, match="unknown attribute 'lettre'"):
        matches(mark(head().lettre == "a"), word("a"))


def test_accepts() -> None:
    assert accepts(X, word("x"))
    assert not accepts(X, word("a"))
    assert accepts(A.star(), ())


def test_streams_report_at_the_last_mark() -> None:
    stream = word("cab")
    assert [shown(matches_at(A >> B, stream, k)) for k in (1, 2, 3)] == [set(), set(), {"23"}]
    assert shown(matches_at(A >> ANYTHING, word("axx"), 1)) == {"1"}
    assert matches_at(A >> skip(), word("ax"), 2) == frozenset()
    assert stream_matches(A >> skip(), word("ax")) == frozenset()


def test_accepting_runs_live_on() -> None:
    growing = A >> B >> B.star()  # ERRATA A9
    assert shown(matches_at(growing, word("abb"), 2)) == {"12"}
    assert shown(matches_at(growing, word("abb"), 3)) == {"123"}


def test_the_empty_match_is_never_reported() -> None:
    assert matches(X.star(), word("xx")) == {frozenset()}
    assert stream_matches(X.star() | A, word("xa")) == {frozenset({2})}


@pytest.mark.parametrize("k", [0, -1, 3])
def test_streams_have_positions_from_one_to_their_length(k: int) -> None:
    with pytest.raises(StreamError, match=f"a stream of 2 events has no event {k}; count from 1"):
        matches_at(A, word("ab"), k)


def test_partitions_are_streams_of_their_own() -> None:
    stream = word("a1a2b2b1")
    assert shown(stream_matches(A >> B, stream)) == {"23"}
    assert shown(pattern_matches(Pattern(A >> B, ("id",)), stream)) == {"14", "23"}
    assert shown(pattern_matches(Pattern((A >> B).within(events=2), ("id",)), stream)) == {"14", "23"}
    assert shown(pattern_matches(Pattern((A >> B).within(ms=2), ("id",)), stream)) == {"23"}
    assert shown(pattern_matches(Pattern(mark(position("~") == 1), ("id",)), stream)) == {"1", "2"}


def test_events_without_a_key_belong_to_no_partition() -> None:
    stream = word("a1xb1x")
    assert shown(pattern_matches(Pattern(A >> B, ("id",)), stream)) == {"13"}
    assert substreams(Pattern(A, ("id",)), stream) == [[stream[0], stream[2]]]
    assert substreams(Pattern(A), stream) == [list(stream)]
    assert substreams(Pattern(A, ("id", "letter")), stream) == [[stream[0]], [stream[2]]]


def test_patterns_on_an_empty_stream_match_nothing() -> None:
    assert pattern_matches(Pattern(A.star(), ("id",)), ()) == frozenset()


def test_patterns_are_checked_against_the_schema() -> None:
    with pytest.raises(UnknownAttributeError, match="unknown attribute 'key'"):
        pattern_matches(Pattern(A, ("key",)), word("a"))


# --- Def. 17, once more ---


@given(streams(max_size=5), expressions(negations=True, size=4))
def test_matches_lie_in_the_string(stream: Stream, expression: Expression) -> None:
    positions = {event.position for event in stream}
    assert all(marks <= positions for marks in matches(expression, stream))


@given(streams(max_size=5), expressions(), window_bounds())
def test_a_window_keeps_the_matches_that_fit(stream: Stream, expression: Expression, window: Window) -> None:
    kept = {marks for marks in matches(expression, stream) if fits(marks, window, stream)}
    assert matches(Windowed(expression, window), stream) == kept


@given(streams(max_size=4), patterns())
def test_a_pattern_matches_in_each_substream_on_its_own(stream: Stream, pattern: Pattern) -> None:
    found: set[frozenset[int]] = set()
    for own in substreams(pattern, stream):
        moved = tuple(Event(e.schema, e.values, n) for n, e in enumerate(own, start=1))
        for marks in stream_matches(pattern.expression, moved):
            found.add(frozenset(own[n - 1].position for n in marks))
    assert pattern_matches(pattern, stream) == found


@settings(max_examples=30)
@given(streams(min_size=1, max_size=5), expressions(size=4), st.integers(1, 5))
def test_matching_a_slice_only_sees_the_slice(stream: Stream, expression: Expression, start: int) -> None:
    slice_ = stream[start - 1 :]
    assert all(min(marks) >= start for marks in matches(expression, slice_) if marks)
    bound = bound_expression(expression, TICKS)
    assert {marks for marks, _ in derivations(bound, slice_)} == matches(expression, slice_)
