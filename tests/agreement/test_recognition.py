"""Recognition over columns, the denotational semantics and Algorithm 1 find the same matches."""

from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.compilation import CompiledPattern, bind_guards, compile_pattern
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.engine.algorithm_1 import algorithm_1
from mnemata.automata.engine.recognition import recognise
from mnemata.automata.srt import runs
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.generators import TICKS, patterns, schemas, srts, streams, window_bounds
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.schema import Event, Schema
from mnemata.theory.sremo.expressions import EPSILON, Output, Pattern
from mnemata.theory.sremo.semantics import matches_at, pattern_matches
from mnemata.theory.sremo.windows import fits


def expected(pattern: Pattern, stream: tuple[Event, ...]) -> set[tuple[int, ...]]:
    return {tuple(sorted(p - 1 for p in marks)) for marks in pattern_matches(pattern, stream)}


def check(pattern: Pattern, schema: Schema, stream: tuple[Event, ...]) -> None:
    matches = recognise(pattern, stream_to_arrow(stream, schema), schema=schema)
    found = [match.positions for match in matches]
    assert set(found) == expected(pattern, stream)
    assert len(set(found)) == len(found) == matches.count()


@given(patterns(), streams())
def test_recognition_agrees_with_the_semantics(pattern: Pattern, stream: tuple[Event, ...]) -> None:
    check(pattern, TICKS, stream)


@given(st.data())
def test_recognition_agrees_with_the_semantics_under_any_schema(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    check(data.draw(patterns(schema)), schema, data.draw(streams(schema)))


@given(patterns(), streams())
def test_algorithm_1_agrees_with_the_semantics(pattern: Pattern, stream: tuple[Event, ...]) -> None:
    compiled = compile_pattern(pattern, TICKS)
    for k, found in enumerate(algorithm_1(compiled.srt, stream, compiled.windows), start=1):
        assert found == matches_at(pattern.expression, stream, k)


def by_runs(compiled: CompiledPattern, stream: tuple[Event, ...]) -> list[tuple[int, ...]]:
    """The rows of all matches, straight from Def. 26 and 32."""
    expected = set()
    for end in range(1, len(stream) + 1):
        for string in (stream[begin:end] for begin in range(end)):
            for marks in runs.matches(compiled.srt, string):
                if end in marks and all(fits(marks, window, string) for window in compiled.windows):
                    expected.add(tuple(sorted(p - 1 for p in marks)))
    return sorted(expected)


@st.composite
def compiled(draw: st.DrawFn, automata: st.SearchStrategy[SRT]) -> CompiledPattern:
    """Automata with up to two outermost windows."""
    srt = bind_guards(draw(automata), TICKS)
    windows = draw(st.lists(window_bounds(TICKS), max_size=2))
    return CompiledPattern(Pattern(EPSILON), TICKS, srt, tuple(windows), live_registers(srt))


@given(compiled(srts(TICKS, epsilons=False)), streams())
def test_recognition_agrees_with_runs(compiled: CompiledPattern, stream: tuple[Event, ...]) -> None:
    matches = recognise(compiled, stream_to_arrow(stream, TICKS))
    assert sorted(match.positions for match in matches) == by_runs(compiled, stream)
    assert matches.count() == len(matches)


stock = head()
LABELS = [
    TOP,
    stock.type == "A",
    stock.type != "A",
    stock.id == register("r1").id,
    ~(stock.id == register("r1").id),
    stock.id == register("r2").id,
    register("r1").id < register("r2").id,
    (stock.type == "A") & (stock.id >= register("r1").id),
]


@st.composite
def dense(draw: st.DrawFn) -> SRT:
    """Automata with many ambiguous runs, gaps and merging registers."""
    size = draw(st.integers(2, 4))
    states = st.integers(0, size - 1)
    transition = st.builds(
        Transition,
        states,
        st.sampled_from(LABELS),
        st.sampled_from(Output),
        st.sampled_from([frozenset(), *map(frozenset, ("", ["r1"], ["r2"], ["r1", "r2"]))]),
        states,
    )
    finals = draw(st.frozensets(states, min_size=1))
    return SRT(size, 0, finals, tuple(draw(st.lists(transition, min_size=4, max_size=10))))


@given(compiled(dense()), streams(max_size=7))
def test_recognition_agrees_with_runs_of_ambiguous_automata(
    compiled: CompiledPattern, stream: tuple[Event, ...]
) -> None:
    matches = recognise(compiled, stream_to_arrow(stream, TICKS))
    assert sorted(match.positions for match in matches) == by_runs(compiled, stream)
    assert matches.count() == len(matches)
