"""Conditions over columns, whole or row by row, agree with Def. 13 (`evaluation.models`) on nasty values."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st

from mnemata.automata.engine.classes import _coded, classify
from mnemata.automata.engine.closures import compile_condition
from mnemata.automata.engine.columns import Columns, columns_of
from mnemata.automata.engine.compiled.machine import holds
from mnemata.automata.engine.compiled.programs import Programs
from mnemata.automata.engine.compiled.search import memory_of
from mnemata.automata.engine.thresholds import threshold_of
from mnemata.automata.engine.vectors import Masks
from mnemata.theory.arrow import stream_to_arrow
from mnemata.theory.conditions.building import head, position, register
from mnemata.theory.conditions.evaluation import Valuation, models
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    COMPARISONS,
    TOP,
    Apply,
    Comparison,
    Condition,
    Defined,
    Definition,
    Membership,
    Not,
    Relation,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Instant,
    Position,
    Term,
)
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import ConditionTypeError, PatternError, UnsupportedError
from mnemata.theory.schema import (
    INT64_MAX,
    INT64_MIN,
    Bool,
    Category,
    Event,
    Float64,
    Int64,
    Schema,
    String,
    Timestamp,
)

NASTY = Schema.of(
    i=Int64(), j=Int64(), x=Float64(), y=Float64(), b=Bool(), s=String(), t=String(),
    c=Category(("", "a", "ä")), at=Timestamp("ms"), to=Timestamp("ms"), time="at",
)  # fmt: skip
REGISTERS = ("r1", "r2")

INTEGERS = (
    0,
    1,
    -1,
    2,
    2**53,
    2**53 + 1,
    -(2**53) - 1,
    2**62,
    3037000500,
    INT64_MAX,
    INT64_MIN,
    INT64_MIN + 1,
)
FLOATS = (0.0, -0.0, 1.0, 0.5, 2.0**53, 2.0**63, -(2.0**63), 1e308, -1e308, 5e-324, math.inf, -math.inf)
TEXTS = ("", "a", "A", "ä", "a\u0308", "日本", "\x00", "a'b")


@st.composite
def streams(draw: st.DrawFn) -> tuple[Event, ...]:
    def cells(values: tuple[object, ...]) -> st.SearchStrategy[object]:
        return st.none() | st.sampled_from(values)

    integers, ticks = (
        cells(INTEGERS) | st.integers(INT64_MIN, INT64_MAX),
        cells((0, 1, -1, INT64_MAX, INT64_MIN)),
    )
    floats, texts = cells((*FLOATS, math.nan)) | st.floats(), cells(TEXTS)
    rows = st.tuples(
        integers, integers, floats, floats, cells((False, True)), texts, texts, cells(("", "a", "ä")),
        st.sampled_from((0,)), ticks,
    )  # fmt: skip
    return NASTY.stream(draw(st.lists(rows, min_size=1, max_size=5)))


def numbers(variables: tuple[str, ...]) -> st.SearchStrategy[Term]:
    holders = st.sampled_from(variables)
    leaves = (
        st.builds(Attribute, holders, st.sampled_from(("i", "j", "x", "y")))
        | st.sampled_from((*INTEGERS, *FLOATS)).map(Constant)
        | holders.map(Position)
    )
    return st.recursive(
        leaves,
        lambda inner: (
            st.builds(Arithmetic, st.sampled_from("+-*"), inner, inner) | st.builds(Absolute, inner)
        ),
        max_leaves=4,
    )


def atoms(variables: tuple[str, ...]) -> st.SearchStrategy[Condition]:
    holders = st.sampled_from(variables)
    texts = st.builds(Attribute, holders, st.sampled_from("st")) | st.sampled_from((*TEXTS, "?")).map(
        Constant
    )
    moments = st.builds(Attribute, holders, st.sampled_from(("at", "to")))
    instants = st.sampled_from(("1970-01-01", "2262-04-11T23:47:16Z", "1969-12-31T23:59:59.999+00:00")).map(
        Instant
    )
    spans = st.builds(Arithmetic, st.just("-"), moments, moments)
    chosen = st.lists(st.sampled_from((*INTEGERS, *FLOATS)).map(Constant), max_size=4).map(tuple)
    symbols = st.sampled_from(COMPARISONS)
    return st.one_of(
        st.builds(Comparison, symbols, numbers(variables), numbers(variables)),
        st.builds(Membership, numbers(variables), chosen),
        st.builds(Comparison, st.sampled_from(("=", "!=")), texts, texts),
        st.builds(
            Comparison, st.just("="), st.builds(Attribute, holders, st.just("c")), texts.filter(_in_category)
        ),
        st.builds(Membership, texts, st.lists(st.sampled_from(TEXTS).map(Constant), max_size=3).map(tuple)),
        st.builds(
            Comparison, st.just("="), st.builds(Attribute, holders, st.just("b")), st.just(Constant(True))
        ),
        st.builds(Comparison, symbols, spans, st.sampled_from((0, 1)).map(lambda n: Duration(n, "ms"))),
        st.builds(Comparison, symbols, moments, instants),
        st.sampled_from((TOP, BOTTOM)),
        holders.map(Defined),
        applications(variables),
    )


def _in_category(term: Term) -> bool:
    return not isinstance(term, Constant) or term.value in ("", "a", "ä")


def _twice(left: Event, right: Event) -> bool:
    return left["i"] == 2 * right["j"]  # type: ignore[operator]


RELATIONS = (
    Definition("Low", ("u",), Comparison("<", Attribute("u", "x"), Attribute("u", "i"))),
    Definition("Apart", ("u", "v"), Not(Comparison("=", Attribute("u", "s"), Attribute("v", "t")))),
    Relation("Odd", 1, lambda event: event["i"] % 2 == 1 and event.position > 1, ("i",)),
    Relation("Known", 1, lambda event: event["s"] is None or len(event["s"]) > 0),
    Relation("Twice", 2, _twice, ("i", "j")),
    Relation("Sum", 2, lambda u, v: u["x"] + v["x"] > 0, ("x", "i"), compiled=lambda x, i, y, j: x + y > 0),
)


def applications(variables: tuple[str, ...]) -> st.SearchStrategy[Condition]:
    @st.composite
    def application(draw: st.DrawFn) -> Condition:
        relation = draw(st.sampled_from(RELATIONS))
        return Apply(relation, tuple(draw(st.sampled_from(variables)) for _ in range(relation.arity)))

    return application()


def conditions(variables: tuple[str, ...]) -> st.SearchStrategy[Condition]:
    combined = st.recursive(
        atoms(variables),
        lambda inner: (
            inner.map(Not)
            | st.builds(Condition.__and__, inner, inner)
            | st.builds(Condition.__or__, inner, inner)
        ),
        max_leaves=4,
    )
    return combined.map(lambda condition: bind(condition, NASTY))


def in_columns(stream: tuple[Event, ...]) -> Columns:
    return columns_of(stream_to_arrow(stream, NASTY), NASTY, NASTY.names)


u, r1 = head(NASTY), register("r1", NASTY)
ROUNDED = NASTY.stream([{"i": 2**53 + 1, "x": 2.0**53, "at": 0}])


@given(st.lists(conditions((HEAD,)), min_size=1, max_size=3), streams())
@example(
    [bind(c, NASTY) for c in (u.i * u.j != 0, u.j * u.i != 0, abs(u.i) != 0, u.i + u.j < 0, u.i - u.x < 0)],
    NASTY.stream([{"i": INT64_MIN, "j": -1, "x": math.inf, "at": 0}]),
)
@example([bind(c, NASTY) for c in (u.i == u.x, u.i.isin([2.0**53, 7]))], ROUNDED)
def test_whole_columns(chosen: list[Condition], stream: tuple[Event, ...]) -> None:
    found = [mask.tolist() for mask in Masks(chosen, in_columns(stream)).evaluate()]
    assert found == [[models(event, Valuation(), condition) for event in stream] for condition in chosen]


@st.composite
def contents(draw: st.DrawFn) -> dict[str, int]:
    """Rows that registers hold, -1 where they are empty."""
    return {name: draw(st.integers(-1, 4)) for name in REGISTERS}


@given(conditions((HEAD, *REGISTERS)), streams(), contents())
@example(bind(u.i == r1.x, NASTY), ROUNDED, {"r1": 0, "r2": -1})
@example(bind(r1.i.isin([2.0**53, 7]), NASTY), ROUNDED, {"r1": 0, "r2": -1})
def test_row_by_row(condition: Condition, stream: tuple[Event, ...], held: dict[str, int]) -> None:
    held = {name: row if row < len(stream) else -1 for name, row in held.items()}
    valuation = Valuation(tuple((name, stream[row]) for name, row in held.items() if row >= 0))
    test = compile_condition(condition, in_columns(stream), {"r1": 0, "r2": 1})
    for row, event in enumerate(stream):
        assert test(row, tuple(held.values())) == models(event, valuation, condition)


@st.composite
def sharing(draw: st.DrawFn) -> Condition:
    """Conditions in which parts occur more than once."""
    one, other = draw(conditions((HEAD, *REGISTERS))), draw(conditions((HEAD, *REGISTERS)))
    both = one & other
    return draw(st.sampled_from((one, both | (both & ~one), ~(both | one) | (one & ~other), (~one) | one)))


@given(sharing(), streams(), contents())
@example(bind(u.i == r1.x, NASTY), ROUNDED, {"r1": 0, "r2": -1})
@example(bind(r1.i.isin([2.0**53, 7]), NASTY), ROUNDED, {"r1": 0, "r2": -1})
@example(
    bind((r1.i + u.i == r1.i + u.i) & ~(u.i < r1.i + u.i), NASTY),
    NASTY.stream([{"i": -1, "at": 0}]),
    {"r1": 0, "r2": -1},
)
def test_programs(condition: Condition, stream: tuple[Event, ...], held: dict[str, int]) -> None:
    rows = np.array([row if row < len(stream) else -1 for row in held.values()])
    valuation = Valuation(tuple((n, stream[row]) for n, row in zip(held, rows, strict=True) if row >= 0))
    programs = Programs(NASTY)
    try:
        begin, end = programs.add(condition, {"r1": 0, "r2": 1})
    except UnsupportedError:
        reject()
    memory = memory_of(programs, in_columns(stream))
    with np.errstate(all="ignore"):
        found = [bool(holds(memory, begin, end, row, rows)) for row in range(len(stream))]
    assert found == [models(event, valuation, condition) for event in stream]


@given(st.lists(conditions((HEAD,)), max_size=3), streams())
def test_event_classes(chosen: list[Condition], stream: tuple[Event, ...]) -> None:
    classes = classify(chosen, in_columns(stream))
    holds = classes.holds[classes.of_rows]
    for row, event in enumerate(stream):
        assert holds[row].tolist() == [models(event, Valuation(), condition) for condition in chosen]


@given(st.lists(conditions((HEAD,)), min_size=1, max_size=4), streams())
@example([bind((u.s == "a") & (u.i > 0), NASTY), bind(~(u.s == "a") & (u.b != False), NASTY)], ROUNDED)  # noqa: E712
def test_event_classes_by_lookup(chosen: list[Condition], stream: tuple[Event, ...]) -> None:
    """In long streams combinations of codes are looked up; the first rows stand for all."""
    columns = in_columns(stream)
    rows = np.tile(np.arange(len(stream)), 500)
    classes = classify(chosen, columns.take(rows, np.zeros(len(rows), np.int64)))
    holds = classes.holds[classes.of_rows[: len(stream)]]
    for row, event in enumerate(stream):
        assert holds[row].tolist() == [models(event, Valuation(), condition) for condition in chosen]


@st.composite
def thresholds(draw: st.DrawFn) -> Condition:
    """A number compared with a constant, on either side."""
    attribute = Attribute(HEAD, draw(st.sampled_from("ix")))
    constant = Constant(draw(st.sampled_from((*INTEGERS, *FLOATS))))
    sides = draw(st.permutations((attribute, constant)))
    return bind(Comparison(draw(st.sampled_from(COMPARISONS)), *sides), NASTY)


@given(
    st.lists(thresholds(), min_size=1, max_size=9),
    st.lists(st.tuples(st.sampled_from(INTEGERS), st.sampled_from(FLOATS)), min_size=1, max_size=9),
)
@example([bind(u.i >= 2.0**53, NASTY), bind(u.x <= 2**53 + 1, NASTY)], [(2**53 + 1, 2.0**53)])
def test_thresholds(chosen: list[Condition], rows: list[tuple[int, float]]) -> None:
    stream = NASTY.stream([{"i": i, "x": x, "at": 0} for i, x in rows])
    columns = in_columns(stream)
    assert all(threshold_of(condition, columns) is not None for condition in chosen)
    classes = classify(chosen, columns)
    expected = [[models(event, Valuation(), condition) for condition in chosen] for event in stream]
    assert classes.holds[classes.of_rows].tolist() == expected


def test_what_is_missing_or_no_number_has_no_threshold() -> None:
    columns = in_columns(NASTY.stream([{"i": 1, "s": "a", "b": True, "at": 0}]))
    for condition in (u.x > 0, u.s == "a", u.b == True, u.i > u.i, u.i + 1 > 0, ~(u.i > 0)):  # noqa: E712
        assert threshold_of(bind(condition, NASTY), columns) is None


def test_few_conditions_have_the_same_classes_in_all_streams() -> None:
    asked = [bind(u.i > 5, NASTY), bind(u.i + u.j > 0, NASTY)]
    streams = [[{"i": i, "j": 0, "at": 0} for i in some] for some in ([7, 0, 1], [0, 7], [9])]
    first, *others = (classify(asked, in_columns(NASTY.stream(some))) for some in streams)
    assert all(np.array_equal(first.holds, other.holds) for other in others)


def test_integers_of_a_large_range_are_compared() -> None:
    stream = NASTY.stream([{"i": i, "at": 0} for i in (INT64_MIN, -1, 0, INT64_MAX)])
    asked = [bind(u.i == i, NASTY) for i in (INT64_MIN, 0, INT64_MAX)]
    classes = classify(asked, in_columns(stream))
    assert classes.holds[classes.of_rows].tolist() == [
        [e["i"] == i for i in (INT64_MIN, 0, INT64_MAX)] for e in stream
    ]


def test_more_conditions_than_bits() -> None:
    stream = NASTY.stream([{"i": n % 150, "at": 0} for n in range(1000)])
    classes = classify([bind(u.i == n, NASTY) for n in range(130)], in_columns(stream))
    assert classes.holds.shape == (131, 130)
    assert np.array_equal(np.argmax(classes.holds[classes.of_rows[:130]], axis=1), np.arange(130))
    assert not classes.holds[classes.of_rows[130:150]].any()


def deep_sum(levels: int) -> Condition:
    return reduce(lambda total, _: total + r1.i, range(levels), u.i) == u.j


def deep_negation(levels: int) -> Condition:
    return reduce(lambda inner, n: Not(inner) if n % 2 else inner | (u.i == n), range(levels), r1.i == 1)


@pytest.mark.parametrize("deep", [deep_sum, deep_negation])
def test_deep_conditions_do_not_recurse(deep: Callable[[int], Condition]) -> None:
    stream = NASTY.stream([{"i": n, "j": 3_000 + n, "at": 0} for n in (1, 7)])
    condition = bind(deep(3_000), NASTY)
    test = compile_condition(condition, in_columns(stream), {"r1": 0})
    for row, event in enumerate(stream):
        for held in (0, 1):
            valuation = Valuation((("r1", stream[held]),))
            assert test(row, (held,)) == models(event, valuation, condition)


def test_deep_conditions_in_columns() -> None:
    stream = NASTY.stream([{"i": n, "at": 0} for n in (1, 2_999)])
    condition = reduce(lambda inner, n: Not(inner) | (u.i == n), range(3_000), u.i == 1)
    [mask] = Masks([condition], in_columns(stream)).evaluate()
    assert mask.tolist() == [models(event, Valuation(), condition) for event in stream]


def test_chunks_of_a_large_condition_are_small() -> None:
    columns = in_columns(NASTY.stream([{"at": 0}]))
    few, many = Masks([TOP], columns), Masks([u.i == n for n in range(5000)], columns)
    assert many.chunk < few.chunk


def test_registers_cannot_be_read_in_columns() -> None:
    with pytest.raises(PatternError, match="reads registers"):
        Masks([u.i == r1.i], in_columns(NASTY.stream([{"at": 0}])))


def test_unbound_literals_are_refused() -> None:
    columns = in_columns(NASTY.stream([{"at": 0}]))
    masks = Masks([Comparison("<", Attribute(HEAD, "at"), Instant("2020-01-01"))], columns)
    with pytest.raises(ConditionTypeError, match="bind"):
        masks.evaluate()
    with pytest.raises(ConditionTypeError, match="bind"):
        compile_condition(Comparison("<", Attribute("r1", "at"), Instant("2020-01-01")), columns, {"r1": 0})


def test_registers_without_a_place_are_empty() -> None:
    columns = in_columns(NASTY.stream([{"i": 1, "at": 0}]))
    assert not compile_condition(u.i == r1.i, columns, {})(0, ())
    assert compile_condition(~Defined("r1"), columns, {})(0, ())
    assert not compile_condition(RELATIONS[4]("~", "r1"), columns, {})(0, ())
    assert compile_condition(position("~") == 1, columns, {})(0, ())


@pytest.mark.parametrize("relation", [r for r in RELATIONS if r.arity == 2], ids=repr)
def test_relations_do_not_hold_of_empty_registers(relation: Relation | Definition) -> None:
    columns = in_columns(NASTY.stream([{"i": 2, "j": 1, "x": 1.0, "s": "a", "t": "b", "at": 0}]))
    assert compile_condition(relation("~", "r1"), columns, {"r1": 0})(0, (0,))
    assert not compile_condition(relation("~", "r1"), columns, {"r1": 0})(0, (-1,))
    assert not compile_condition(relation("r1", "~"), columns, {"r1": 0})(0, (-1,))


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("chunks", [1, 3])
def test_texts_are_looked_up_as_they_are_given(chunks: int, missing: bool) -> None:
    schema = Schema.of(s=String(), t=String())
    draw = random.Random(chunks)
    texts = [*"abcde", *([None] * missing)]
    rows = [(draw.choice(texts), draw.choice(texts[2:])) for _ in range(300)]
    u = head(schema)
    asked = [
        u.s == "a",
        u.s == "e",
        u.t == "e",
        u.s == u.t,
        (u.s == "c") & (u.t != "d"),
        u.t.isin(["c", "x"]),
    ]
    conditions = [bind(condition, schema) for condition in asked]
    table = stream_to_arrow(schema.stream(rows), schema)
    parts = [
        table.set_column(1, "t", pc.dictionary_encode(table["t"])).slice(begin, 300 // chunks)
        for begin in range(0, 300, 300 // chunks)
    ]
    columns = columns_of(pa.concat_tables(parts), schema, schema.names)
    assert {name for name, _ in _coded(tuple(conditions), columns)} == {"s", "t"}
    assert (columns["t"].meaning is not None) == (chunks == 1 and not missing)
    classes = classify(conditions, columns)
    expected = [[models(event, Valuation(), c) for c in conditions] for event in schema.stream(rows)]
    assert classes.holds[classes.of_rows].tolist() == expected


@pytest.mark.parametrize("absent", [(), (None,)], ids=["complete", "with gaps"])
@pytest.mark.parametrize("least", [INT64_MIN, -3, 0, 2**62])
def test_integers_of_a_small_range_are_looked_up(least: int, absent: tuple[None, ...]) -> None:
    schema = Schema.of(n=Int64(), m=Int64(), x=Float64())
    draw = random.Random(least)
    near = range(least, least + 5)
    rows = [(draw.choice((*absent, *near)), draw.choice(near[:3]), draw.random()) for _ in range(300)]
    stream = schema.stream(rows)
    u = head(schema)
    asked = [u.n == least, u.n == least + 1, u.n > least + 2, u.n - u.m < 2, (u.n != least) & (u.x > 0.5)]
    asked += [~(u.m == least + 1), u.m < least + 2, u.m + u.m > 2]
    conditions = [bind(condition, schema) for condition in asked]
    columns = columns_of(stream_to_arrow(stream, schema), schema, schema.names)
    assert {name for name, _ in _coded(tuple(conditions), columns)} == {"n", "m"}
    classes = classify(conditions, columns)
    expected = [[models(event, Valuation(), condition) for condition in conditions] for event in stream]
    assert classes.holds[classes.of_rows].tolist() == expected
    assert classes.of_rows.dtype == np.uint8
