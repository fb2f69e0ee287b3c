"""What is left of a stream without the events that do not matter has the same matches."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.engine.queries import compile_for_engine
from mnemata.automata.engine.recognition import recognise
from mnemata.automata.engine.relevance import relevant
from mnemata.proofs.generators import TICKS, patterns, streams
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.conditions.evaluation import models
from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.schema import Event, Float64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.syntax import parse_either, show

SCHEMA = Schema.of(kind=String(), key=String(), x=Float64(), at=Timestamp("ms"), event_type="kind", time="at")
SAME = {
    "any(A as a, B where x > a.x)": "kind = 'A' or kind = 'B'",
    "any(A as a, any((B where x > a.x)+), C) within 5 ms": "kind = 'A' or kind = 'B' or kind = 'C'",
    "next(A as a, B where x > a.x)": "kind = 'A' or kind = 'B'",
    "any(A, B where x in {1.0, 2.0} or x < 0.0) within 3 ms": None,
    "any(A as a, event where x > a.x and not kind = 'B')": None,
    "A as a; (skip event where kind != 'C')*; B where x > a.x": None,
    "any(A as a, B where x > a.x) partition by key": None,
    "SELECT * WHERE A AS a; B AS b FILTER b.x > a.x CONSUME BY ANY": None,
    "SELECT MAX * WHERE A AS a; (B AS b)+; C AS c WITHIN 4 ms": None,
    "SELECT a WHERE A AS a; B AS b WITHIN 3 ms": None,
}
ALL_MATTER = (
    "A as a; B where x > a.x",
    "any(A, B) within 3 events",
    "(any(A, B)) length 4",
    "any(A as a, B where position(~) - position(a) = 2)",
    "any(A as a, event where x > a.x)",
    "SELECT STRICT * WHERE A; B",
)


def kept(condition: Condition, stream: tuple[Event, ...]) -> list[int]:
    """The 0-based places of events of which a condition holds."""
    return [place for place, event in enumerate(stream) if models(event, {}, condition)]


def positions(compiled: CompiledPattern, stream: tuple[Event, ...]) -> list[tuple[int, ...]]:
    table = stream_to_arrow(stream, compiled.schema)
    return sorted(match.positions for match in recognise(compiled, table, schema=compiled.schema))


def agrees(compiled: CompiledPattern, stream: tuple[Event, ...]) -> int:
    """How many events were left out."""
    places = kept(relevant([compiled]), stream)
    left = compiled.schema.stream([stream[place].values for place in places])
    found = [tuple(places[p] for p in match) for match in positions(compiled, tuple(left))]
    assert found == positions(compiled, stream)
    return len(stream) - len(places)


@given(patterns(), streams())
def test_any_pattern(pattern: Pattern, stream: tuple[Event, ...]) -> None:
    agrees(compile_for_engine(pattern, TICKS), stream)


@st.composite
def events(draw: st.DrawFn) -> tuple[Event, ...]:
    now, rows = 0, []
    for _ in range(draw(st.integers(0, 9))):
        now += draw(st.integers(0, 2))
        kind, key = draw(st.sampled_from(["A", "B", "C", "D", None])), draw(st.sampled_from("pq"))
        rows.append((kind, key, draw(st.sampled_from([0.0, 1.0, 2.0, None])), now))
    return tuple(SCHEMA.stream(rows))


@pytest.mark.filterwarnings("ignore::mnemata.theory.errors.SlowRecognitionWarning")
@pytest.mark.parametrize("text", SAME)
def test_patterns_that_pass_events_by(text: str) -> None:
    compiled = compile_for_engine(parse_either(text, schema=SCHEMA), SCHEMA)
    left_out = set[int]()

    @settings(max_examples=30)
    @given(events())
    def run(stream: tuple[Event, ...]) -> None:
        left_out.add(agrees(compiled, stream))

    run()
    assert max(left_out) >= 3
    shown = SAME[text]
    assert shown is None or show(relevant([compiled])) == shown


@pytest.mark.parametrize("text", ALL_MATTER)
def test_patterns_that_need_all_events(text: str) -> None:
    assert relevant([compile_for_engine(parse_either(text, schema=SCHEMA), SCHEMA)]) == TOP


def test_of_several_patterns_each_has_its_events() -> None:
    some = [
        compile_for_engine(parse_either(f"any({a}, {b})", schema=SCHEMA), SCHEMA) for a, b in ("AB", "BC")
    ]
    assert show(relevant(some)) == "kind = 'A' or kind = 'B' or kind = 'C'"
    every = compile_for_engine(parse_either("A; B", schema=SCHEMA), SCHEMA)
    assert relevant([*some, every]) == TOP
