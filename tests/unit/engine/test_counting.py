"""Numbers of matches: exact however large, also after they have become small again."""

from __future__ import annotations

import operator
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemata.automata.engine.compiled.plan import Mode
from mnemata.automata.engine.compiled.store import WORDS
from mnemata.automata.engine.incremental import Recogniser
from mnemata.automata.engine.recognition import recognise
from mnemata.theory.conditions.building import head, register
from mnemata.theory.schema import Float64, Int64, Schema, String
from mnemata.theory.sremo.expressions import Expression, mark, skip_till_any, union

SCHEMA = Schema.of(kind=String(), n=Int64(), x=Float64())
u, r = head(SCHEMA), register("r", SCHEMA)
WINDOW = 300
Row: TypeAlias = dict[str, Any]
COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def bursts() -> pa.Table:
    """Bursts of events that double all numbers, each followed by more than a window without one."""
    draws = random.Random(7)
    kinds: list[str] = []
    for most in (20, 150, 60, 0, 250, 40):
        kinds += [draws.choice("ABBBBC") if n < most else draws.choice("AXXXC") for n in range(2 * WINDOW)]
    numbers = [draws.choice([None, 1, 2, 3]) for _ in kinds]
    return pa.table({"kind": kinds, "n": numbers, "x": pa.array(numbers, pa.float64())})


def counted(table: pa.Table, sign: str) -> Iterator[tuple[int, int]]:
    """For each C the subsets of the Bs since each A in the window that compares, one B at least."""
    rows = table.to_pylist()
    for k, end in enumerate(rows):
        number = between = 0
        for i in range(k - 1, max(-1, k - WINDOW), -1):
            first = rows[i]
            between += first["kind"] == "B"
            known = None not in (first["n"], end["n"])
            if end["kind"] == "C" and first["kind"] == "A" and known and COMPARED[sign](end["n"], first["n"]):
                number += 2**between - 1
        if number:
            yield k, number


@pytest.mark.parametrize("attribute", ["n", "x"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("sign", COMPARED)
def test_bursts_are_counted_exactly(sign: str, turned: bool, attribute: str) -> None:
    now, held = getattr(u, attribute), getattr(r, attribute)
    swapped = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)
    compares = COMPARED[swapped](held, now) if turned else COMPARED[sign](now, held)
    last = mark((u.kind == "C") & compares)
    pattern = skip_till_any(mark(u.kind == "A", "r"), skip_till_any(mark(u.kind == "B").plus()), last)
    table = bursts()
    found = recognise(pattern.within(events=WINDOW), table, schema=SCHEMA)
    assert list(found.counts()) == list(counted(table, sign))
    assert max(number for _, number in found.counts()) > 2**128


def test_what_only_doubles_is_counted_exactly() -> None:
    """The first B comes right after the A: nothing is added to the numbers of what goes on from there."""
    first = mark(u.kind == "A", "r") >> skip_till_any(mark(u.kind == "B").plus())
    pattern = skip_till_any(first, mark((u.kind == "C") & (u.n > r.n))).within(events=WINDOW)
    table = bursts()
    found = recognise(pattern, table, schema=SCHEMA)
    assert dict(found.counts()) == doubled(table)
    assert max(number for _, number in found.counts()) > 2**128


def doubled(table: pa.Table) -> Counter[int]:
    """For each C that compares, the subsets of the Bs since each A with a B next to it; that B is in all."""
    rows, found = table.to_pylist(), Counter[int]()
    for i, first in enumerate(rows[:-1]):
        if first["kind"] != "A" or rows[i + 1]["kind"] != "B" or first["n"] is None:
            continue
        number = 1
        for k in range(i + 2, min(i + WINDOW, len(rows))):
            number <<= rows[k]["kind"] == "B"
            if rows[k]["kind"] == "C" and (rows[k]["n"] or 0) > first["n"]:
                found[k] += number
    return found


def test_two_ways_into_what_doubles_are_counted_exactly() -> None:
    some = skip_till_any(mark(u.kind == "B").plus())
    way = skip_till_any(mark(u.kind == "A", "r"), skip_till_any(mark(u.kind == "X"), some) | some)
    pattern = skip_till_any(way, mark((u.kind == "C") & (u.n > r.n))).within(events=WINDOW)
    table = bursts()
    assert dict(recognise(pattern, table, schema=SCHEMA).counts()) == with_an_x(table)


def with_an_x(table: pa.Table) -> Counter[int]:
    """For each C that compares, how often an A comes before, perhaps an X, and Bs."""
    rows, found = table.to_pylist(), Counter[int]()
    for i, first in enumerate(rows):
        if first["kind"] != "A" or first["n"] is None:
            continue
        with_x = number = 0
        for k in range(i + 1, min(i + WINDOW, len(rows))):
            with_x += rows[k]["kind"] == "X"
            number += (1 + with_x + number) * (rows[k]["kind"] == "B")
            if rows[k]["kind"] == "C" and (rows[k]["n"] or 0) > first["n"]:
                found[k] += number
    return +found


def mixed() -> pa.Table:
    """Events that double numbers, and others that lead to what doubles, in no order; later on none."""
    draws = random.Random(11)
    kinds = [draws.choice("ABBBBXXC") for _ in range(3 * WINDOW)] + [
        draws.choice("AC") for _ in range(WINDOW)
    ]
    numbers = [draws.choice([None, 1, 2, 3]) for _ in kinds]
    return pa.table({"kind": kinds, "n": numbers, "x": pa.array(numbers, pa.float64())})


SOME = skip_till_any(mark(u.kind == "B").plus())
A, X = mark(u.kind == "A", "r"), mark(u.kind == "X")


@pytest.mark.parametrize(
    ("way", "more"),
    [
        (skip_till_any(A | skip_till_any(A, X), SOME), (1, 1, 0)),
        (skip_till_any(A | X, SOME), (1, 0, 0)),
        (skip_till_any(A, SOME, skip_till_any(X.plus())), (0, 0, 1)),
    ],
    ids=["with or without X", "an empty register", "one after the other"],
)
def test_what_doubles_and_what_is_added_are_counted_exactly(
    way: Expression, more: tuple[int, int, int]
) -> None:
    pattern, table = skip_till_any(way, mark((u.kind == "C") & (u.n > r.n))).within(events=WINDOW), mixed()
    found = dict(recognise(pattern, table, schema=SCHEMA).counts())
    assert found == two_that_double(table, *more)
    assert max(found.values()) > 2**128


def two_that_double(table: pa.Table, alone: int, with_x: int, after: int) -> Counter[int]:
    """For each C that compares, the ways from each A: Bs at once, after one of the Xs, or before Xs."""
    rows, found = table.to_pylist(), Counter[int]()
    for i, first in enumerate(rows):
        if first["kind"] != "A" or first["n"] is None:
            continue
        xs = direct = before = behind = 0
        for k in range(i + 1, min(i + WINDOW, len(rows))):
            kind = rows[k]["kind"]
            if kind == "X":
                xs, behind = xs + 1, 2 * behind + before
            elif kind == "B":
                direct, before = 2 * direct + alone + with_x * xs, 2 * before + 1
            elif kind == "C" and (rows[k]["n"] or 0) > first["n"]:
                found[k] += direct + after * behind
    return +found


def test_what_doubles_behind_a_register_that_is_written_later_is_counted_exactly() -> None:
    """The entries that are in the order of their keys are not in that of their first marks."""
    pattern = skip_till_any(X, A, SOME, mark((u.kind == "C") & (u.n > r.n))).within(events=WINDOW)
    table = mixed()
    rows, expected = table.to_pylist(), Counter[int]()
    for j, held in enumerate(rows):
        if held["kind"] != "A" or held["n"] is None:
            continue
        number = 0
        for k in range(j + 1, min(j + WINDOW, len(rows))):
            number = 2 * number + 1 if rows[k]["kind"] == "B" else number
            if rows[k]["kind"] == "C" and (rows[k]["n"] or 0) > held["n"]:
                expected[k] += number * sum(row["kind"] == "X" for row in rows[max(0, k - WINDOW + 1) : j])
    assert dict(recognise(pattern, table, schema=SCHEMA).counts()) == +expected


def is_b(event: Row, first: Row) -> bool:
    return event["kind"] == "B"


def is_higher(event: Row, first: Row) -> bool:
    return event["kind"] == "C" and event["n"] > first["n"]


def is_b_or_the_same(event: Row, first: Row) -> bool:
    return event["kind"] == "B" or (event["kind"] == "X" and event["n"] == first["n"])


B, HIGHER = mark(u.kind == "B"), mark((u.kind == "C") & (u.n > r.n))
B_OR_THE_SAME = union(B, mark((u.kind == "X") & (u.n == r.n)))


@pytest.mark.parametrize(
    ("later", "meaning"),
    [
        ((*20 * (B,), HIGHER), (*20 * (is_b,), is_higher)),
        ((B_OR_THE_SAME, HIGHER), (is_b_or_the_same, is_higher)),
        ((B_OR_THE_SAME, B_OR_THE_SAME, B), (is_b_or_the_same, is_b_or_the_same, is_b)),
    ],
    ids=["long", "either", "either, twice"],
)
def test_sequences_are_counted_exactly(
    later: tuple[Expression, ...], meaning: tuple[Callable[[Row, Row], bool], ...]
) -> None:
    draws = random.Random(len(later))
    rows = [{"kind": draws.choice("ABBBCX"), "n": draws.randrange(4), "x": 0.0} for _ in range(3 * WINDOW)]
    pattern = skip_till_any(mark(u.kind == "A", "r"), *later).within(events=WINDOW)
    found = recognise(pattern, pa.Table.from_pylist(rows), schema=SCHEMA)
    assert dict(found.counts()) == sequences(rows, meaning)


def sequences(rows: list[Row], meaning: tuple[Callable[[Row, Row], bool], ...]) -> Counter[int]:
    """For each row the sequences that end there, of what is meant, after an A in the window."""
    found: Counter[int] = Counter()
    for place, first in enumerate(rows):
        ways = [int(first["kind"] == "A"), *(0 for _ in meaning)]
        for row in range(place + 1, min(place + WINDOW, len(rows))):
            for stage in reversed(range(len(meaning))):
                if ways[stage] and meaning[stage](rows[row], first):
                    ways[stage + 1] += ways[stage]
                    if stage + 1 == len(meaning):
                        found[row] += ways[stage]
    return found


FORGETTING = (
    "any(A as r, B where n < r.n, C, D)",
    "any(A as r, B where n < r.n, C as s, D where n < s.n)",
    "any(A as r, any((B where n < r.n)+), C, any(D+))",
    "any(A as r, B where n < r.n, A as r, B where n < r.n, D)",
)


@pytest.mark.parametrize("pattern", FORGETTING)
@given(st.lists(st.tuples(st.sampled_from("ABCD"), st.integers(0, 2)), max_size=9), st.integers(1, 8))
@example([("A", 2), ("A", 2), ("B", 1), ("C", 1), ("D", 0)], 4)
def test_windows_close_on_what_began_in_a_register_that_is_dead(
    pattern: str, events: list[tuple[str, int]], size: int
) -> None:
    table = pa.table(
        {
            "kind": pa.array([kind for kind, _ in events], pa.string()),
            "n": pa.array([n for _, n in events], pa.int64()),
        }
    )
    matches = recognise(f"{pattern} within {size} events", table, event_type="kind")
    ends = Counter(match.positions[-1] for match in matches)
    assert dict(matches.counts()) == ends


def test_words_are_taken_into_use_and_given_back_across_batches_and_snapshots() -> None:
    last = mark((u.kind == "C") & (u.n > r.n))
    pattern = skip_till_any(mark(u.kind == "A", "r"), skip_till_any(mark(u.kind == "B").plus()), last)
    recogniser = Recogniser(pattern.within(events=WINDOW), SCHEMA, mode=Mode.COUNT)
    table, found, words = bursts(), [], []
    for begin in range(0, table.num_rows, 53):
        batch = recogniser.push(table.slice(begin, 53))
        found += list(zip(batch.ends.tolist(), batch.counts, strict=True))
        words += [int(lane.store.numbers[WORDS]) for lane in recogniser._lanes.values()]
        after = Recogniser(pattern.within(events=WINDOW), SCHEMA, mode=Mode.COUNT)
        after.restore(recogniser.snapshot())
        recogniser = after
    assert found == list(counted(table, ">"))
    assert max(words) >= 3
    assert min(words[words.index(max(words)) :]) == 1
