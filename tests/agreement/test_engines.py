"""One meaning, several engines: semantics, kernel and Python find the same, whatever they are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from mnemata.automata.compilation import Begins, CompiledPattern, compile_pattern
from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.constructions.output_determinization import determinize_outputs
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.engine.columns import columns_of
from mnemata.automata.engine.compiled.pieces import Sizes
from mnemata.automata.engine.compiled.search import Search
from mnemata.automata.engine.futures import Futures
from mnemata.automata.engine.grouping import grouped
from mnemata.automata.engine.matches import Searching
from mnemata.automata.engine.preparation import prepared
from mnemata.automata.engine.reach import known_reach
from mnemata.automata.engine.recognition import LIMITS
from mnemata.automata.engine.substreams import begins_of, substreams
from mnemata.proofs.generators import TICKS, patterns, remembering_patterns, schemas, streams
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.building import head
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import Event, Schema
from mnemata.theory.sremo.expressions import Expression, LengthWindow, Pattern, mark, skip
from mnemata.theory.sremo.semantics import matches, pattern_matches
from mnemata.theory.sremo.semantics import substreams as substreams_of


def too_many(row: int, size: int, what: str) -> LimitError:
    return LimitError(f"{size} {what} at row {row}")


def searching(
    kind: Callable[..., Searching], compiled: CompiledPattern, stream: tuple[Event, ...]
) -> tuple[Searching, np.ndarray]:
    """An engine, and the rows of the stream in the order in which it reads them."""
    columns = columns_of(stream_to_arrow(stream, compiled.schema), compiled.schema, compiled.schema.names)
    found = substreams(columns, compiled.pattern.partition_by)
    order = np.arange(columns.size) if found.order is None else found.order
    read = columns if found.order is None else columns.take(order, begins_of(found))
    return kind(compiled, read, found.bounds, LIMITS, too_many), order


def check(kind: Callable[..., Searching], compiled: CompiledPattern, stream: tuple[Event, ...]) -> None:
    meant = anchored_matches if compiled.begins is Begins.AT_FIRST else pattern_matches
    expected = {tuple(sorted(p - 1 for p in marks)) for marks in meant(compiled.pattern, stream)}
    search, order = searching(kind, compiled, stream)
    found = listed(search, order)
    assert len(set(found)) == len(found)
    assert set(found) == expected
    assert search.count() == len(expected)
    by_end = Counter(positions[-1] for positions in expected)
    assert {int(order[row]): number for row, number in search.counts()} == by_end
    assert sorted(int(order[row]) for rows in search.ends() for row in rows) == sorted(by_end)
    some = listed(search, order, 2)
    assert set(some) <= expected
    assert Counter(positions[-1] for positions in some) == {row: min(n, 2) for row, n in by_end.items()}


Bounded: TypeAlias = Callable[[Expression, int], Expression]
BOUNDED: tuple[Bounded, ...] = (
    lambda expression, size: expression.within(events=size),
    lambda expression, size: expression.within(ms=size),
    lambda expression, size: expression.length(size),
)
LITTLE = partial(Search, sizes=Sizes(first=1, later=2, reaches=1))
"""Lists matches of a piece of one row first, then of pieces of two or a little more."""


@settings(max_examples=300)
@given(patterns(), st.integers(1, 4), st.sampled_from(BOUNDED), streams(min_size=4, max_size=9))
def test_the_kernel_agrees_with_the_semantics_in_pieces(
    pattern: Pattern, size: int, bounded: Bounded, stream: tuple[Event, ...]
) -> None:
    windowed = replace(pattern, expression=bounded(pattern.expression, size))
    compiled, obstacle = prepared(compile_pattern(windowed, TICKS))
    assume(obstacle is None)
    event("bounded" if known_reach(compiled) else "not bounded")
    check(LITTLE, compiled, stream)


def anchored_matches(pattern: Pattern, stream: tuple[Event, ...]) -> set[frozenset[int]]:
    """The matches of runs that begin with each sub-stream."""
    found = set()
    for own in substreams_of(pattern, stream):
        renumbered = [Event(e.schema, e.values, n) for n, e in enumerate(own, start=1)]
        for end in range(1, len(own) + 1):
            ending = (marks for marks in matches(pattern.expression, renumbered[:end]) if end in marks)
            found |= {frozenset(own[n - 1].position for n in marks) for marks in ending}
    return found


def listed(search: Searching, order: np.ndarray, first: int | None = None) -> list[tuple[int, ...]]:
    return [
        tuple(order[block.positions[begin:end]].tolist())
        for block in search.matches(first)
        for begin, end in pairwise(block.offsets.tolist())
    ]


@given(patterns(), streams())
def test_the_kernel_agrees_with_the_semantics(pattern: Pattern, stream: tuple[Event, ...]) -> None:
    compiled, obstacle = prepared(compile_pattern(pattern, TICKS))
    event(str(obstacle))
    assume(obstacle is None)
    check(Search, compiled, stream)
    if compiled.begins is Begins.ALONE:
        event("outputs determinized")
        check(Futures, compiled, stream)


@given(st.data())
def test_the_kernel_agrees_with_the_semantics_under_any_schema(data: st.DataObject) -> None:
    schema: Schema = data.draw(schemas())
    compiled, obstacle = prepared(compile_pattern(data.draw(patterns(schema)), schema))
    assume(obstacle is None)
    check(Search, compiled, data.draw(streams(schema)))


@settings(max_examples=300)
@given(remembering_patterns(), streams(min_size=5, max_size=8))
def test_the_kernel_agrees_with_the_semantics_where_registers_come_and_go(
    pattern: Pattern, stream: tuple[Event, ...]
) -> None:
    compiled, obstacle = prepared(compile_pattern(pattern, TICKS))
    assume(obstacle is None)
    check(Search, compiled, stream)


@given(patterns(), streams())
def test_futures_agree_with_the_semantics(pattern: Pattern, stream: tuple[Event, ...]) -> None:
    check(Futures, grouped(compile_pattern(pattern, TICKS)), stream)


@given(st.data())
def test_futures_agree_with_the_semantics_under_any_schema(data: st.DataObject) -> None:
    schema: Schema = data.draw(schemas())
    check(Futures, grouped(compile_pattern(data.draw(patterns(schema)), schema)), data.draw(streams(schema)))


ONLY_IN_PYTHON = {"registers outlive rounds"}
"""Any of the marked events may be the one in its register: no number of registers holds them (ERRATA C1)."""

SMALL = Budget(states=60, transitions=200, seconds=30)


def with_one_run_each(compiled: CompiledPattern) -> CompiledPattern:
    """With determinized outputs, whether recognition needs that or not."""
    with spending(SMALL):
        srt = merge_equivalent(determinize_outputs(compiled.srt, compiled.schema))
    return replace(compiled, srt=srt, live=live_registers(srt), begins=Begins.ALONE)


@given(patterns(), streams())
def test_determinizing_outputs_leaves_matches_as_they_are(
    pattern: Pattern, stream: tuple[Event, ...]
) -> None:
    compiled = compile_pattern(pattern, TICKS)
    assume(not any(isinstance(window, LengthWindow) for window in compiled.windows))
    try:
        determinized = with_one_run_each(compiled)
    except LimitError:
        assume(False)
    check(Futures, determinized, stream)
    assume(prepared(determinized).obstacle is None)
    check(Search, determinized, stream)


@given(patterns(), streams())
def test_runs_may_begin_with_the_stream_only(pattern: Pattern, stream: tuple[Event, ...]) -> None:
    compiled, obstacle = prepared(replace(compile_pattern(pattern, TICKS), begins=Begins.AT_FIRST))
    assert compiled.begins is Begins.AT_FIRST
    check(Futures, compiled, stream)
    if obstacle is None:
        check(Search, compiled, stream)


def test_runs_on_their_way_stand_for_those_that_would_begin() -> None:
    late = skip(head().id == 1).star() >> skip(head().id == 2).star() >> mark(head().id == 3)
    rows = [("A", number, 1.0, 0) for number in (1, 2, 1, 2, 2, 3, 3, 1)]
    check(Search, with_one_run_each(compile_pattern(late, TICKS)), TICKS.stream(rows))


CODED = st.tuples(
    st.sampled_from("AABC"), st.sampled_from((1, 2)), st.sampled_from((1.0, 2.0)), st.integers(0, 3)
)


@pytest.mark.parametrize("name", CORPUS)
@settings(max_examples=5)
@given(rows=st.lists(CODED, min_size=6, max_size=8))
def test_the_engines_agree_on_the_corpus(name: str, rows: list[tuple[object, ...]]) -> None:
    ordered = [(*row[:-1], time) for row, time in zip(rows, sorted(row[-1] for row in rows), strict=True)]
    compiled, stream = compile_pattern(CORPUS[name], TICKS), TICKS.stream(ordered)
    check(Futures, grouped(compiled), stream)
    if name not in ONLY_IN_PYTHON:
        check(Search, prepared(compiled).compiled, stream)


def test_the_kernel_does_all_of_the_corpus_that_finitely_many_registers_can() -> None:
    obstacles = {name for name in CORPUS if prepared(compile_pattern(CORPUS[name], TICKS)).obstacle}
    assert obstacles == ONLY_IN_PYTHON
