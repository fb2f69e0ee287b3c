"""A stream that comes in batches, with snapshots in between, has the matches that it has as a whole."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from unittest import mock

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from mnemata.automata.compilation import Begins, CompiledPattern, compile_pattern
from mnemata.automata.engine import incremental
from mnemata.automata.engine.compiled.plan import Mode
from mnemata.automata.engine.incremental import Recogniser
from mnemata.automata.engine.preparation import prepared
from mnemata.automata.engine.queries import keeping
from mnemata.automata.engine.recognition import recognise
from mnemata.proofs.generators import TICKS, patterns, schemas, streams
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.cel.formulas import Last, Max, Nxt, Strategy, Strict
from mnemata.theory.cel.query import Consumption
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Event, Schema
from mnemata.theory.sremo.expressions import Pattern


def in_batches(
    pattern: Pattern | CompiledPattern, schema: Schema, stream: tuple[Event, ...], cuts: list[int], mode: Mode
) -> list[tuple[object, ...]]:
    recogniser = Recogniser(pattern, schema, mode=mode)
    found: list[tuple[object, ...]] = []
    table = stream_to_arrow(stream, schema)
    bounds = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    for begin, end in pairwise(bounds):
        snapshot = recogniser.snapshot()
        recogniser = Recogniser(pattern, schema, mode=mode)
        recogniser.restore(snapshot)
        batch = recogniser.push(table.slice(begin, end - begin))
        if mode is Mode.ENUMERATE:
            assert len(batch.matches) == batch.count
            found += [(match.key, match.positions) for match in batch.matches]
        else:
            found += zip(batch.ends.tolist(), batch.counts or [None] * len(batch.ends), strict=True)
    return found


def check(
    pattern: Pattern | CompiledPattern, schema: Schema, stream: tuple[Event, ...], cuts: list[int]
) -> None:
    try:
        Recogniser(pattern, schema)
    except UnsupportedError:
        assume(False)
    whole = recognise(pattern, stream_to_arrow(stream, schema), schema=schema)
    found = in_batches(pattern, schema, stream, cuts, Mode.ENUMERATE)
    assert len(set(found)) == len(found)
    assert set(found) == {(match.key, match.positions) for match in whole}
    counted = in_batches(pattern, schema, stream, cuts, Mode.COUNT)
    assert sorted(counted) == sorted(whole.counts())
    detected = in_batches(pattern, schema, stream, cuts, Mode.DETECT)
    assert sorted(row for row, _ in detected) == sorted(whole.ends().tolist())


CUTS = st.lists(st.integers(0, 8), max_size=4)


@given(patterns(), streams(max_size=8), CUTS)
def test_any_division_where_texts_are_forgotten(
    pattern: Pattern, stream: tuple[Event, ...], cuts: list[int]
) -> None:
    with mock.patch.object(incremental, "FEWEST_TEXTS", 1):
        check(pattern, TICKS, stream, cuts)


@given(patterns(), streams(max_size=8), st.lists(st.integers(0, 8), max_size=4))
def test_any_division_where_runs_begin_with_the_stream_only(
    pattern: Pattern, stream: tuple[Event, ...], cuts: list[int]
) -> None:
    check(replace(compile_pattern(pattern, TICKS), begins=Begins.AT_FIRST), TICKS, stream, cuts)


def is_for_the_kernel(pattern: Pattern) -> bool:
    return prepared(compile_pattern(pattern, TICKS)).obstacle is None


@given(patterns(), streams(max_size=8), CUTS)
def test_any_division_where_matches_use_up_events_of_all_substreams(
    pattern: Pattern, stream: tuple[Event, ...], cuts: list[int]
) -> None:
    compiled = compile_pattern(Pattern(pattern.expression, ("id",)), TICKS)
    check(replace(compiled, consumes=Consumption.ANY), TICKS, stream, cuts)


KEPT = st.sampled_from(((), (Nxt,), (Last,), (Max,), (Strict,), (Max, Last)))


@given(patterns(), streams(max_size=8), CUTS, KEPT, st.booleans())
def test_any_division_where_only_some_matches_are_kept(
    pattern: Pattern,
    stream: tuple[Event, ...],
    cuts: list[int],
    kept: tuple[type[Strategy], ...],
    consume: bool,
) -> None:
    check(keeping(compile_pattern(pattern, TICKS), *kept, consume=consume), TICKS, stream, cuts)


@given(patterns(), streams(max_size=8), CUTS)
def test_any_division_into_batches(pattern: Pattern, stream: tuple[Event, ...], cuts: list[int]) -> None:
    check(pattern, TICKS, stream, cuts)


@given(st.data())
def test_any_division_into_batches_under_any_schema(data: st.DataObject) -> None:
    schema: Schema = data.draw(schemas())
    check(data.draw(patterns(schema)), schema, data.draw(streams(schema, max_size=8)), data.draw(CUTS))


class Interrupted(RuleBasedStateMachine):
    """Pushes, snapshots and restores in any order; compared with the whole after each push."""

    @initialize(pattern=patterns().filter(is_for_the_kernel), kept=KEPT, consume=st.booleans())
    def begin(self, pattern: Pattern, kept: tuple[type[Strategy], ...], consume: bool) -> None:
        self.pattern = keeping(compile_pattern(pattern, TICKS), *kept, consume=consume)
        self.stream, self.found = (), set()
        self.saved: list[tuple[bytes, tuple[Event, ...], set[tuple[int, ...]]]] = []
        self.recogniser = Recogniser(self.pattern, TICKS)

    @rule(more=streams(max_size=3))
    def push(self, more: tuple[Event, ...]) -> None:
        latest = self.stream[-1]["at"] if self.stream else 0
        later = [(*event.values[:-1], event["at"] + latest) for event in more]
        whole = TICKS.stream([*(event.values for event in self.stream), *later])
        table = stream_to_arrow(whole, TICKS)
        batch = self.recogniser.push(table.slice(len(self.stream)))
        self.stream = whole
        self.found |= {match.positions for match in batch.matches}
        assert self.found == {match.positions for match in recognise(self.pattern, table, schema=TICKS)}

    @rule()
    def save(self) -> None:
        self.saved.append((self.recogniser.snapshot(), self.stream, set(self.found)))

    @precondition(lambda self: self.saved)
    @rule(data=st.data())
    def take_up(self, data: st.DataObject) -> None:
        snapshot, self.stream, found = data.draw(st.sampled_from(self.saved))
        self.found = set(found)
        self.recogniser = Recogniser(self.pattern, TICKS)
        self.recogniser.restore(snapshot)


TestInterrupted = Interrupted.TestCase
TestInterrupted.settings = settings(max_examples=50, stateful_step_count=12)
