"""Relations that users declare: Python functions, and the machine code that the kernel calls for them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.engine.compiled.jit import INTERPRETED
from mnemata.automata.engine.incremental import Recogniser
from mnemata.automata.engine.recognition import recognise
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import Condition, Not, Relation
from mnemata.theory.errors import RelationError, SlowRecognitionWarning
from mnemata.theory.schema import Bool, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.sremo.expressions import Expression, mark, skip_till_any

SCHEMA = Schema.of(n=Int64(), x=Float64(), yes=Bool(), word=String(), at=Timestamp("ms"))
Row = tuple[int | None, float | None, bool | None]


def table(rows: list[Row]) -> pa.Table:
    names = ("n", "x", "yes")
    types = (pa.int64(), pa.float64(), pa.bool_())
    columns = {name: pa.array([row[i] for row in rows], types[i]) for i, name in enumerate(names)}
    times = pa.array([datetime.fromtimestamp(i, UTC) for i in range(len(rows))], pa.timestamp("ms"))
    return pa.table({**columns, "word": ["a"] * len(rows), "at": times})


def pair(condition: Condition) -> Expression:
    return skip_till_any(mark(write="r"), mark(condition))


def found(expression: Expression, rows: list[Row]) -> set[tuple[int, ...]]:
    return {match.positions for match in recognise(expression, table(rows), schema=SCHEMA)}


CLOSE = Relation(
    "Close",
    2,
    lambda u, v: abs(u["n"] - v["n"]) < 2 and u["x"] > v["x"] and not v["yes"],
    ("n", "x", "yes"),
    compiled=lambda n, x, yes, m, y, no: abs(n - m) < 2 and x > y and not no,
)
SAME = (
    ((head().n - register("r").n) < 2)
    & ((register("r").n - head().n) < 2)
    & (head().x > register("r").x)
    & (register("r").yes == False)  # noqa: E712 - it builds a condition
)
IN_PYTHON = Relation("Close", 2, CLOSE.predicate, CLOSE.attributes)
ODD = Relation("Odd", 1, lambda u: u["n"] % 2 == 1, ("n",), compiled=lambda n: n % 2 == 1)
ODD_IN_PYTHON = Relation("Odd", 1, ODD.predicate, ("n",))

NUMBERS = st.none() | st.integers(0, 3)
ROWS = st.lists(
    st.tuples(NUMBERS, st.none() | st.sampled_from((0.5, 1.5)), st.none() | st.booleans()), max_size=7
)


@given(ROWS)
def test_a_relation_with_machine_code_is_what_it_says(rows: list[Row]) -> None:
    assert found(pair(CLOSE("~", "r")), rows) == found(pair(SAME), rows)


@given(ROWS)
def test_machine_code_and_python_agree_also_when_negated(rows: list[Row]) -> None:
    for condition in (CLOSE("~", "r"), Not(CLOSE("r", "~"))):
        native = found(pair(condition), rows)
        other = IN_PYTHON("~", "r") if condition == CLOSE("~", "r") else Not(IN_PYTHON("r", "~"))
        with pytest.warns(SlowRecognitionWarning, match="without a compiled form"):
            assert native == found(pair(other), rows)


@given(ROWS)
def test_a_relation_on_single_events(rows: list[Row]) -> None:
    expected = [i for i, (n, _, _) in enumerate(rows) if n is not None and n % 2 == 1]
    assert found(mark(ODD("~")), rows) == found(mark(ODD_IN_PYTHON("~")), rows) == {(i,) for i in expected}


def test_an_empty_register_is_in_no_relation() -> None:
    always = Relation("Always", 2, lambda u, v: True, ("n",), compiled=lambda n, m: True)
    reads_nothing = Relation("Always", 2, lambda u, v: True, compiled=lambda: True)
    for relation in (always, reads_nothing):
        optional = mark(head().n == 0, "r").optional() >> mark(relation("~", "r"))
        assert found(optional, [(1, None, None), (0, None, None), (2, None, None)]) == {(1, 2)}
        negated = mark(head().n == 0, "r").optional() >> mark(~relation("~", "r"))
        assert found(negated, [(1, None, None)]) == {(0,)}


def test_timestamps_are_ticks_and_three_events_may_be_related() -> None:
    even = Relation(
        "Evenly",
        3,
        lambda u, v, w: True,
        ("at",),
        compiled=lambda first, second, third: third - second == second - first,
    )
    three = skip_till_any(mark(write="r"), mark(write="s"), mark(even("r", "s", "~")))
    assert found(three, [(0, None, None)] * 5) == {(0, 1, 2), (1, 2, 3), (2, 3, 4), (0, 2, 4)}


def test_the_same_relation_twice_in_one_pattern() -> None:
    less = Relation("Less", 2, lambda u, v: u["n"] < v["n"], ("n",), compiled=lambda n, m: n < m)
    falls = skip_till_any(mark(write="r"), mark(less("~", "r"), "s"), mark(less("~", "r") & ~less("s", "~")))
    assert found(falls, [(5, None, None), (3, None, None), (4, None, None), (2, None, None)]) == {
        (0, 1, 3),
        (0, 2, 3),
    }


@pytest.mark.parametrize("variables", [("~",), ("~", "r")])
def test_what_a_relation_raises_is_told(variables: tuple[str, ...]) -> None:
    inverse = Relation("Inverse", len(variables), lambda *u: True, ("n",), compiled=lambda *n: 1 // n[-1] > 0)
    with pytest.raises(RelationError, match=r"'Inverse'.*given \[.*0\]: ZeroDivisionError") as raised:
        found(pair(inverse(*variables)), [(1, None, None), (0, None, None), (1, None, None)])
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_a_batch_in_which_a_relation_raises_changes_nothing() -> None:
    inverse = Relation("Inverse", 2, lambda u, v: True, ("n",), compiled=lambda n, m: 1 // n > 0)
    recogniser = Recogniser(pair(inverse("~", "r")), SCHEMA)
    recogniser.push(table([(1, None, None)]))
    before = recogniser.snapshot()
    later = table([(1, None, None), (0, None, None)])
    later = later.set_column(4, "at", pa.array([datetime(2000, 1, 1)] * 2, pa.timestamp("ms")))
    with pytest.raises(RelationError):
        recogniser.push(later)
    assert recogniser.snapshot() == before
    assert [match.positions for match in recogniser.push(later.slice(0, 1)).matches] == [(0, 1)]


@pytest.mark.parametrize(
    ("attribute", "compiled", "reason"),
    [
        ("n", None, "without a compiled form"),
        ("word", lambda u, v: True, "'word', which is text"),
        pytest.param(
            "n",
            lambda u, v: u.bit_length() > 0,
            "attribute 'bit_length'",
            marks=pytest.mark.skipif(INTERPRETED, reason="numba is not asked without JIT"),
        ),
    ],
    ids=["no compiled form", "text", "not for numba"],
)
def test_without_machine_code_python_is_asked(
    attribute: str, compiled: Callable[..., bool] | None, reason: str
) -> None:
    relation = Relation("Any", 2, lambda u, v: True, (attribute,), compiled=compiled)
    matches = recognise(pair(relation("~", "r")), table([(1, 1.0, True)] * 2), schema=SCHEMA)
    with pytest.warns(SlowRecognitionWarning, match=reason):
        assert matches.count() == 1


def test_what_a_relation_raises_in_python_is_told() -> None:
    inverse = Relation("Inverse", 2, lambda u, v: 1 // u["n"] > 0, ("n",))
    matches = recognise(pair(inverse("~", "r")), table([(1, 1.0, True), (0, 1.0, True)]), schema=SCHEMA)
    with (
        pytest.warns(SlowRecognitionWarning),
        pytest.raises(RelationError, match=r"'Inverse' raised an exception, given .*: ZeroDivisionError"),
    ):
        matches.count()
