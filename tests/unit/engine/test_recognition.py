"""Recognition on examples: what is found, in which order, and what is refused."""

from __future__ import annotations

import threading
from dataclasses import replace

import pyarrow as pa
import pytest

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.engine.compiled.search import Limits
from mnemata.automata.engine.grouping import group_by_label, grouped
from mnemata.automata.engine.ingestion import names_read
from mnemata.automata.engine.recognition import recognise
from mnemata.automata.srt.transducer import SRT, Transition, epsilon
from mnemata.theory.conditions.building import head, position, register
from mnemata.theory.conditions.formulas import TOP, Condition, Relation
from mnemata.theory.errors import (
    ConditionTypeError,
    LimitError,
    PatternError,
    SchemaError,
    StreamError,
    UnknownAttributeError,
)
from mnemata.theory.schema import Float64, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import (
    EMPTY_SET,
    EPSILON,
    Expression,
    Output,
    Pattern,
    mark,
    skip,
    skip_till_any,
    union,
)

SCHEMA = Schema.of(
    type=String(), id=Int64(), price=Float64(), at=Timestamp("s"), event_type="type", time="at"
)
u, r1 = head(SCHEMA), register("r1", SCHEMA)
A, B, C = (u.type == letter for letter in "ABC")
SAME = u.id == r1.id


def word(letters: str, ids: list[int | None] | None = None, at: list[int] | None = None) -> pa.Table:
    size = len(letters)
    return pa.table(
        {
            "type": pa.array(list(letters), pa.string()),
            "id": pa.array(ids or [1] * size, pa.int64()),
            "price": pa.array([float(n) for n in range(size)], pa.float64()),
            "at": pa.array(at or list(range(size)), pa.timestamp("s")),
        }
    )


def found(expression: Expression | Pattern, table: pa.Table) -> list[tuple[int, ...]]:
    """The marked rows of matches, by last row and then by the others."""
    matches = [match.positions for match in recognise(expression, table, schema=SCHEMA)]
    return sorted(matches, key=lambda positions: (positions[-1], positions))


def test_table_1() -> None:
    """SRT Table 1 and expression (2): matches {1,4} and {1,5}; positions here are 0-based."""
    table = pa.table(
        {
            "type": ["B", "B", "B", "S", "S", "B"],
            "id": [1, 1, 2, 1, 1, 2],
            "price": [22, 24, 32, 70, 68, 33],
            "volume": [300, 225, 1210, 760, 2000, 95],
        }
    )
    bought = mark((head().type == "B") & (head().price == 22), write="r1")
    sold = mark((head().type == "S") & (head().id == register("r1").id))
    assert [m.positions for m in recognise(skip_till_any(bought, sold), table)] == [(0, 3), (0, 4)]
    windowed = skip_till_any(bought, sold).within(events=4)
    assert [m.positions for m in recognise(windowed, table)] == [(0, 3)]


@pytest.mark.parametrize(
    ("expression", "letters", "expected"),
    [
        (mark(A), "", []),
        (mark(A), "A", [(0,)]),
        (mark(A), "B", []),
        (EPSILON, "AB", []),
        (EMPTY_SET, "AB", []),
        (skip(A), "A", []),
        (mark(A) >> mark(B), "AABAB", [(1, 2), (3, 4)]),
        (mark(A) >> mark(B), "ACB", []),
        (mark(A) >> skip().star() >> mark(B), "ACB", [(0, 2)]),
        (mark(A).star(), "AAB", [(0,), (0, 1), (1,)]),
        (mark(A) >> mark(B) >> mark(B).star(), "ABB", [(0, 1), (0, 1, 2)]),
        (skip(A) >> mark(B), "AB", [(1,)]),
        (mark(A) >> skip(B), "AB", []),
        (mark(A) | mark(A) >> mark(B) | mark(A), "AB", [(0,), (0, 1)]),
        (mark(A).repeat(2, 3), "AAAA", [(0, 1), (0, 1, 2), (1, 2), (1, 2, 3), (2, 3)]),
        (skip_till_any(mark(A).plus()), "ABA", [(0,), (0, 2), (2,)]),
        (mark(A) & mark(TOP), "AB", [(0,)]),
        (skip(A).star() >> mark(B), "AAB", [(2,)]),
    ],
)
def test_contiguity_and_gaps(expression: Expression, letters: str, expected: list[tuple[int, ...]]) -> None:
    assert found(expression, word(letters)) == expected


def test_the_published_algorithm_would_lose_these() -> None:
    """ERRATA E4: any(A, B, any(B*)) on A B B B."""
    pattern = skip_till_any(mark(A), mark(B), skip_till_any(mark(B).star()))
    assert found(pattern, word("ABBB")) == [
        (0, 1), (0, 1, 2), (0, 2), (0, 1, 2, 3), (0, 1, 3), (0, 2, 3), (0, 3),
    ]  # fmt: skip


def test_skipping_loops_do_not_merge_with_conditions_that_always_hold() -> None:
    """ERRATA E4: any(A, true, B) on A X Y B."""
    assert found(skip_till_any(mark(A), mark(), mark(B)), word("AXYB")) == [(0, 1, 3), (0, 2, 3)]


def test_windows() -> None:
    pair = skip_till_any(mark(A), mark(B))
    letters, at = "AABCB", [0, 5, 5, 9, 10]
    table = word(letters, at=at)
    assert found(pair, table) == [(0, 2), (1, 2), (0, 4), (1, 4)]
    assert found(pair.within(events=2), table) == [(1, 2)]
    assert found(pair.within(events=4), table) == [(0, 2), (1, 2), (1, 4)]
    assert found(pair.within(s=5), table) == [(1, 2)]
    assert found(pair.within(s=6), table) == [(0, 2), (1, 2), (1, 4)]
    assert found(pair.within(ms=10_000), table) == [(0, 2), (1, 2), (1, 4)]
    assert found(pair.within(d=1).within(events=4).within(events=3), table) == [(0, 2), (1, 2)]
    late = skip(A) >> skip().star() >> mark(B)
    assert found(late.within(events=1), table) == [(2,), (4,)]
    assert found(late.length(2), table) == [(2,)]
    assert found(late.length(4), table) == [(2,), (4,)]
    assert found(skip_till_any(mark(A), mark(B).within(events=1)), table) == found(pair, table)


def test_a_window_on_length_keeps_the_latest_of_runs_that_merge() -> None:
    late = skip().star() >> mark(A) >> skip().star() >> mark(B)
    assert found(late.length(2), word("XXAB")) == [(2, 3)]


def test_it_keeps_the_latest_whatever_the_order_of_arrival() -> None:
    waiting = skip(B) >> skip().star()
    late = (waiting | (skip(A) >> skip())) >> skip(C) >> mark(C)
    assert found(late.length(3), word("BABCC")) == [(4,)]


def test_a_timestamp_far_back_does_not_overflow() -> None:
    table = word("AB", at=[-(2**62), 2**62])
    pair = skip_till_any(mark(A), mark(B))
    assert found(pair.within(s=2**63 // 10**9), table) == []
    schema = Schema.of(type=String(), at=Timestamp("ns"), time="at")
    ticks = pa.table({"type": ["A", "B", "B"], "at": pa.array([-(2**63), -(2**63) + 4, -(2**63) + 5])})
    matches = recognise(skip_till_any(mark(A), mark(B)).within(ns=5), ticks, schema=schema)
    assert [m.positions for m in matches] == [(0, 1)]


def test_partition_by() -> None:
    table = word("AABAB", ids=[2, 1, 1, None, 2])
    pattern = Pattern(mark(A) >> mark(B), ("id",))
    matches = recognise(pattern, table, schema=SCHEMA)
    assert [(m.key, m.positions) for m in matches] == [((2,), (0, 4)), ((1,), (1, 2))]
    windowed = replace(pattern, expression=(mark(A) >> mark(B)).within(events=2))
    assert found(windowed, table) == [(1, 2), (0, 4)]
    assert found(replace(windowed, expression=windowed.expression.within(s=4)), table) == [(1, 2)]
    second = Pattern(mark(position("~") == 2), ("id",))
    assert found(second, table) == [(2,), (4,)]
    both = recognise(replace(pattern, partition_by=("type", "id")), table, schema=SCHEMA)
    assert (list(both), both.count()) == ([], 0)
    assert found(Pattern(mark(), ("id",)), word("AA", ids=[None, None])) == []
    assert found(Pattern(mark(), ("id",)), word("")) == []


def test_windows_in_time_look_at_their_own_substream() -> None:
    table = word("XABXXX", ids=[1, 2, 2, 1, 1, 1], at=[0, 1, 50, 100, 200, 300])
    assert found(Pattern(skip_till_any(mark(A), mark(B)).within(s=10), ("id",)), table) == []


def test_keys_are_plain_values() -> None:
    matches = recognise(Pattern(mark(B), ("type", "at", "price")), word("AB"), schema=SCHEMA)
    assert [m.key for m in matches] == [("B", 1, 1.0)]


def test_registers() -> None:
    pair = skip_till_any(mark(A, write="r1"), mark(B & SAME))
    assert found(pair, word("AABB", ids=[1, 2, 2, None])) == [(1, 2)]
    assert found(mark(~SAME), word("A")) == [(0,)]
    assert found(mark(SAME), word("A")) == []
    rewritten = mark(A, write="r1") >> mark(A, write="r1").star() >> mark(B & SAME)
    assert found(rewritten, word("AAB", ids=[1, 2, 2])) == [(0, 1, 2), (1, 2)]


def test_loops_that_write_or_read_registers() -> None:
    rewriting = mark(C) >> skip(A, write="r1").star() >> mark(B & SAME)
    assert found(rewriting, word("CAAB", ids=[9, 1, 2, 2])) == [(0, 3)]
    assert found(rewriting, word("CAAB", ids=[9, 2, 1, 2])) == []
    reading = mark(C, write="r1") >> skip(SAME).star() >> mark(B)
    assert found(reading, word("CAAB", ids=[1, 1, 1, 2])) == [(0, 3)]
    assert found(reading, word("CAAB", ids=[1, 1, 2, 2])) == []


def test_two_registers_written_at_once() -> None:
    both = SAME & (u.id == register("r2", SCHEMA).id)
    first = Transition(0, A, Output.MARK, frozenset({"r1", "r2"}), 1)
    srt = SRT(3, 0, frozenset({2}), (first, Transition(1, both, Output.MARK, frozenset(), 2)))
    compiled = replace(compile_pattern(mark(), SCHEMA), srt=srt, live=live_registers(srt))
    assert [m.positions for m in recognise(compiled, word("AB", ids=[7, 7]))] == [(0, 1)]
    assert recognise(compiled, word("AB", ids=[7, 8])).count() == 0


def same_parity(left: object, right: object) -> bool:
    return (left["id"] - right["id"]) % 2 == 0  # type: ignore[index]


@pytest.mark.parametrize(
    "relation",
    [
        Relation("Parity", 2, same_parity, ("id",)),
        Relation("Parity", 2, same_parity, ("id",), compiled=lambda left, right: (left - right) % 2 == 0),
    ],
)
def test_relations(relation: Relation) -> None:
    pair = skip_till_any(mark(A, write="r1"), mark(relation("~", "r1")))
    assert found(pair, word("AABB", ids=[1, 2, 3, None])) == [(0, 2)]


def test_only_columns_that_matter_are_read() -> None:
    def read(condition: Condition) -> list[str]:
        return list(names_read(compile_pattern(Pattern(mark(condition), ("id",)), SCHEMA)))

    assert read(A) == ["type", "id", "at"]
    assert read(Relation("Any", 1, lambda event: True)("~")) == list(SCHEMA.names)
    compiled = Relation("Any", 1, lambda event: True, ("price",), compiled=lambda price: True)
    assert read(compiled("~")) == ["id", "price", "at"]


def test_extra_columns_and_record_batches() -> None:
    table = word("AB").append_column("extra", pa.array([{"x": 1}, None]))
    assert found(mark(B), table) == [(1,)]
    assert [m.positions for m in recognise(mark(B), table.to_batches()[0], schema=SCHEMA)] == [(1,)]


def test_a_schema_from_the_table() -> None:
    assert [m.positions for m in recognise(mark(head().n > 1), pa.table({"n": [1, 2]}))] == [(1,)]
    with pytest.raises(ConditionTypeError, match="needs a schema with a time attribute"):
        recognise(mark().within(s=1), pa.table({"n": [1, 2]}))


def test_compiled_patterns() -> None:
    compiled = compile_pattern(mark(B), SCHEMA)
    assert [m.positions for m in recognise(compiled, word("AB"))] == [(1,)]
    assert recognise(compiled, word("AB"), schema=SCHEMA).count() == 1
    unread = word("AB").append_column("unread", pa.array([b"x", None]))  # no attribute can have this type
    assert recognise(compiled, unread).count() == 1
    with pytest.raises(SchemaError, match="no column 'type'"):
        recognise(compiled, word("AB").drop_columns(["type"]))
    with pytest.raises(SchemaError, match="another schema"):
        recognise(compiled, word("AB"), schema=Schema.of(type=String()))
    with_epsilon = SRT(2, 0, frozenset({1}), (epsilon(0, 1),))
    with pytest.raises(PatternError, match="epsilon"):
        recognise(replace(compiled, srt=with_epsilon, live=(frozenset(),) * 2), word("AB")).count()


def test_input_that_is_refused_at_once() -> None:
    with pytest.raises(SchemaError, match=r"got dict; pyarrow\.table"):
        recognise(mark(), {"a": [1]})  # type: ignore[arg-type]
    with pytest.raises(UnknownAttributeError, match="Did you mean 'price'"):
        recognise(mark(head().prize > 1), word("A"), schema=SCHEMA)
    with pytest.raises(SchemaError, match="no column 'type'"):
        recognise(mark(), pa.table({"id": [1]}), schema=SCHEMA)
    with pytest.raises(StreamError, match="row 2 is out of order"):
        recognise(mark(), word("AAA", at=[1, 3, 2]), schema=SCHEMA)
    with pytest.raises(StreamError, match="row 1 has no timestamp"):
        recognise(mark(), word("AA", at=[1, None]), schema=SCHEMA)  # type: ignore[list-item]


def test_limits() -> None:
    subsets = Pattern(skip_till_any(mark(A).plus()), name="subsets")
    assert recognise(subsets, word("A" * 40), schema=SCHEMA).count() == 2**40 - 1
    matches = recognise(subsets, word("A" * 400), schema=SCHEMA, limits=Limits(nodes=1000))
    assert matches.count() == 2**400 - 1
    message = r"pattern 'subsets' has 1,00\d nodes of the match graph at row \d+, and the limit is 1,000"
    with pytest.raises(LimitError, match=message):
        next(iter(matches))
    bounded = replace(subsets, expression=subsets.expression.within(events=8))
    assert recognise(bounded, word("A" * 40), schema=SCHEMA).count() == 255 + 32 * 128


def test_the_limit_names_the_row_of_the_table() -> None:
    later = mark(head().at > register("r").at)
    pattern = Pattern(skip_till_any(mark(A, write="r"), later), ("id",))
    stream, few = word("B" + "A" * 20, ids=[1] + [2] * 20), Limits(configurations=10)
    with pytest.raises(LimitError, match="has 11 configurations at row 11, and the limit is 10"):
        recognise(pattern, stream, schema=SCHEMA, limits=few).count()


def test_runs_that_a_window_has_closed_on_do_not_count() -> None:
    """They are in a state that no event moves, and would pile up."""
    pair = skip_till_any(mark(A), mark(B)).within(events=5)
    letters = "A" * 10_000 + "B"
    assert recognise(pair, word(letters), schema=SCHEMA, limits=Limits(configurations=100)).count() == 4
    unmarked = (mark(A) >> skip().star() >> mark(B)).length(5)
    assert recognise(unmarked, word(letters), schema=SCHEMA, limits=Limits(configurations=100)).count() == 4


def test_many_sets_of_states_in_one_chunk() -> None:
    """More sets of states with runs than the schedule lists; rows that matter to none are still harmless."""
    letters = [u.type == chr(ord("a") + n) for n in range(8)]
    pattern = skip_till_any(mark(letters[0] | letters[1]), *(mark(letter) for letter in letters[1:]))
    text = "".join(chr(ord("a") + (n * n + n // 3) % 9) for n in range(300))
    union = pattern | (mark(letters[2]) >> mark(letters[3]) >> mark(letters[4]))
    gone = union.within(events=20)
    assert found(gone, word(text)) == brute_force_union(text)


def brute_force_union(text: str) -> list[tuple[int, ...]]:
    matches = {
        (n, n + 1, n + 2) for n in range(len(text) - 2) if text[n : n + 3] == "cde"
    }  # fmt: skip

    def extend(chosen: tuple[int, ...]) -> None:
        if len(chosen) == 8:
            matches.add(chosen)
            return
        for n in range(chosen[-1] + 1, min(chosen[0] + 20, len(text))):
            if text[n] == chr(ord("a") + len(chosen)):
                extend((*chosen, n))

    for n, letter in enumerate(text):
        if letter in "ab":
            extend((n,))
    return sorted(matches, key=lambda positions: (positions[-1], positions))


def test_sparse_events_far_apart() -> None:
    """Chunks without anything of interest are passed over."""
    letters = "A" + "X" * 50_000 + "B" + "X" * 40_000 + "AB"
    assert found(skip_till_any(mark(A), mark(B)), word(letters)) == [
        (0, 50_001), (0, 90_003), (90_002, 90_003),
    ]  # fmt: skip
    assert found(mark(A) >> mark(B), word(letters)) == [(90_002, 90_003)]


def test_interleaved_and_concurrent_iteration() -> None:
    pattern = skip_till_any(mark(A, write="r1"), mark(B & SAME), mark(B & SAME)).within(events=12)
    matches = recognise(pattern, word("AABXB" * 400, ids=[n % 3 for n in range(2000)]), schema=SCHEMA)
    alone = list(matches)
    assert len(alone) == 399
    one, other = iter(matches), iter(matches)
    assert [next(one) for _ in range(100)] == alone[:100]
    assert list(other) == alone
    assert list(one) == alone[100:]
    fresh = recognise(pattern, word("AABXB" * 400, ids=[n % 3 for n in range(2000)]), schema=SCHEMA)
    results: list[list[object]] = []
    threads = [threading.Thread(target=lambda: results.append(list(fresh))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [alone] * 4


def test_grouping_joins_what_skip_till_any_keeps_apart() -> None:
    pattern = skip_till_any(mark(A, write="r1"), skip_till_any(mark(B).plus()), mark(C & SAME))
    compiled = compile_pattern(pattern, SCHEMA)
    assert grouped(compiled).srt.size < compiled.srt.size


def test_grouping_gives_up_where_subsets_multiply() -> None:
    """The n-th letter from the end: subsets of all n states."""
    n = 12
    ways = [Transition(0, A, Output.SKIP, frozenset(), 0), Transition(0, B, Output.SKIP, frozenset(), 0)]
    ways.append(Transition(0, A, Output.SKIP, frozenset(), 1))
    for state in range(1, n):
        ways += [Transition(state, letter, Output.SKIP, frozenset(), state + 1) for letter in (A, B)]
    srt = SRT(n + 1, 0, frozenset({n}), tuple(ways))
    assert group_by_label(srt) is srt


def test_many_alternatives() -> None:
    """More conditions than fit a word of bits, and a start state with thousands of ways to go on."""
    ways = [mark((u.id == n) | (u.price == 5_000.0 + n)) for n in range(2_000)]
    assert found(union(*ways), word("ABC", ids=[1_999, 2_000, 0])) == [(0,), (2,)]
