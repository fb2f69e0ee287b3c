"""Which automata the kernel may run: those whose runs are told apart by what they mark."""

from __future__ import annotations

import pyarrow as pa
import pytest

from mnemata.automata.compilation import Begins, CompiledPattern, compile_pattern
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.engine.preparation import prepared
from mnemata.automata.engine.recognition import recognise
from mnemata.automata.engine.unambiguity import told_apart_by_marks
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.schema import Int64, Schema
from mnemata.theory.sremo.expressions import EPSILON, EventWindow, Output, Pattern, mark, skip_till_any

SCHEMA = Schema.of(n=Int64())
LOW, HIGH, SMALL = head().n < 5, head().n >= 5, head().n < 9


def forked(one: Condition, other: Condition) -> CompiledPattern:
    """A mark, and then two ways to the end."""
    none: frozenset[str] = frozenset()
    transitions = (
        Transition(0, TOP, Output.MARK, none, 1),
        Transition(1, one, Output.MARK, none, 2),
        Transition(1, other, Output.MARK, none, 3),
    )
    srt = SRT(4, 0, frozenset({2, 3}), transitions)
    return CompiledPattern(Pattern(EPSILON), SCHEMA, srt, (EventWindow(9),), live_registers(srt))


@pytest.mark.parametrize(
    ("one", "other", "apart"), [(LOW, HIGH, True), (LOW, SMALL, False), (TOP, LOW, False)]
)
def test_two_ways_to_the_end(one: Condition, other: Condition, apart: bool) -> None:
    compiled = forked(one, other)
    assert told_apart_by_marks(compiled) == apart
    found = [match.positions for match in recognise(compiled, pa.table({"n": [1, 2, 7]}))]
    assert len(found) == len(set(found))


def test_a_register_that_is_written_again_does_not_tell_the_first_mark() -> None:
    """Counting under a window then needs the first mark besides."""
    rising = mark(head().n > register("r").n)
    pattern = skip_till_any(mark(write="r"), mark(head().n > register("r").n, write="r"), rising)
    stream = pa.table({"n": [1, 2, 3, 4, 5, 6]})
    for size in range(3, 7):
        matches = recognise(pattern.within(events=size), stream)
        assert matches.count() == len(list(matches)) == sum(1 for _ in matches)
    assert recognise(pattern.within(events=3), stream).count() == 4


def test_what_was_prepared_stays_as_it_is() -> None:
    compiled = compile_pattern(mark(LOW) | mark(SMALL), SCHEMA)
    once = prepared(compiled)
    assert once.compiled.begins is Begins.ALONE
    assert prepared(once.compiled).compiled is once.compiled
    stream = pa.table({"n": [1, 7, 9, 1]})
    assert set(recognise(once.compiled, stream)) == set(recognise(compiled, stream))
