"""Streams in pieces: what is read for the matches that end in one."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.engine.columns import columns_of
from mnemata.automata.engine.compiled.pieces import Sizes, pieces, whole
from mnemata.automata.engine.compiled.search import Search
from mnemata.automata.engine.reach import Reach
from mnemata.automata.engine.recognition import LIMITS
from mnemata.automata.engine.substreams import begins_of, substreams
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.conditions.building import head, register
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Int64, Schema
from mnemata.theory.sremo.expressions import Pattern, mark, skip_till_any

Ints = npt.NDArray[np.int64]
LEAST = np.iinfo(np.int64).min
LENGTHS = st.lists(st.integers(1, 6), min_size=1, max_size=4)
REACHES = st.one_of(
    st.builds(Reach, st.integers(1, 5), st.none()),
    st.builds(Reach, st.none(), st.integers(1, 5)),
    st.builds(Reach, st.integers(1, 5), st.integers(1, 5)),
)


def times_of(lengths: list[int], draw: random.Random) -> Ints:
    """Timestamps that never decrease within a sub-stream; the earliest is the least there is."""
    return np.array([t for n in lengths for t in sorted(LEAST + draw.randrange(8) for _ in range(n))])


def needed(row: int, bounds: Ints, reach: Reach, times: Ints) -> set[int]:
    """The rows of its sub-stream that a match which ends at a row can reach."""
    begin = max(bound for bound in bounds.tolist() if bound <= row)
    events = reach.events is None
    ticks = reach.ticks is None
    return {
        other
        for other in range(begin, row + 1)
        if (events or row - other < (reach.events or 0))
        and (ticks or int(times[row]) - int(times[other]) < (reach.ticks or 0))
    }


def rows_of(parts: Ints) -> list[int]:
    return [row for begin, end in parts.tolist() for row in range(begin, end)]


@given(LENGTHS, REACHES, st.randoms(use_true_random=False), st.data())
def test_what_matches_can_reach_is_read_once_and_nothing_else(
    lengths: list[int], reach: Reach, draw: random.Random, data: st.DataObject
) -> None:
    bounds, times = np.cumsum([0, *lengths]), times_of(lengths, draw)
    ends = sorted(data.draw(st.sets(st.integers(0, int(bounds[-1]) - 1))))
    parts = whole(bounds).around(np.array(ends, np.int64), reach, times).parts
    expected = {row for end in ends for row in needed(end, bounds, reach, times)}
    assert rows_of(parts) == sorted(expected)
    own = {row: number for number, (a, b) in enumerate(pairwise(bounds.tolist())) for row in range(a, b)}
    assert all(own[begin] == own[end - 1] for begin, end in parts.tolist())
    assert all(
        needed(end, bounds, reach, times) <= {*range(*part)} for end in ends for part in [part_of(parts, end)]
    )


def part_of(parts: Ints, row: int) -> tuple[int, int]:
    """The part that a row is in."""
    return next((begin, end) for begin, end in parts.tolist() if begin <= row < end)


@given(
    LENGTHS,
    REACHES,
    st.randoms(use_true_random=False),
    st.builds(Sizes, st.integers(1, 4), st.integers(1, 4), st.integers(1, 3)),
)
def test_every_row_is_in_one_piece_with_all_that_its_matches_can_reach(
    lengths: list[int], reach: Reach, draw: random.Random, sizes: Sizes
) -> None:
    bounds, times = np.cumsum([0, *lengths]), times_of(lengths, draw)
    made = list(pieces(bounds, reach, times, sizes))
    begins = [piece.begin for piece in made]
    assert begins[0] == 0
    assert begins == sorted(set(begins))
    for piece, after in zip(made, [*begins[1:], int(bounds[-1])], strict=True):
        rows = rows_of(piece.parts)
        assert rows[-1] == after - 1
        assert set(rows) >= {*range(piece.begin, after)}
        assert set(rows) >= needed(piece.begin, bounds, reach, times)


def test_matches_of_many_keys_are_those_of_one_piece() -> None:
    draw, schema = random.Random(1), Schema.of(key=Int64(), n=Int64())
    rows = [(draw.randrange(40), draw.randrange(30)) for _ in range(4000)]
    u, r = head(schema), register("r", schema)
    rise = skip_till_any(mark(u.n == 1, "r"), mark((u.n > r.n) & (u.n < 4)), mark(u.n == 9))
    compiled = compile_pattern(Pattern(rise.within(events=30), ("key",)), schema)
    stream = columns_of(stream_to_arrow(schema.stream(rows), schema), schema, schema.names)
    found = substreams(stream, ["key"])
    assert found.order is not None
    columns = stream.take(found.order, begins_of(found))
    at_once, in_pieces = (
        matches_of(Search(compiled, columns, found.bounds, LIMITS, LimitError, sizes=sizes))
        for sizes in (Sizes(first=4000), Sizes(first=1, later=200, reaches=1))
    )
    assert len(at_once) > 20
    assert sorted(in_pieces) == sorted(at_once)


def matches_of(search: Search) -> list[tuple[int, ...]]:
    return [
        tuple(block.positions[begin:end].tolist())
        for block in search.matches()
        for begin, end in pairwise(block.offsets.tolist())
    ]
