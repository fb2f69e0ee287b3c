"""Binding conditions to a schema: every typing rule, what breaks it, and the units of time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.proofs.generators import REGISTERS, TICKS, conditions, schemas, streams
from mnemata.theory.conditions.building import Quantity, head, position, register, time
from mnemata.theory.conditions.evaluation import Valuation, models
from mnemata.theory.conditions.formulas import (
    TOP,
    Comparison,
    Condition,
    Defined,
    Definition,
    Relation,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Arithmetic,
    Constant,
    Duration,
    Instant,
    Time,
)
from mnemata.theory.conditions.typing import Span, TermType, bind, type_of
from mnemata.theory.errors import ConditionTypeError, MnemataError, UnknownAttributeError
from mnemata.theory.schema import Bool, Category, Float64, Int64, Schema, String, Timestamp
from mnemata.theory.trees import walk

SCHEMA = Schema.of(
    kind=Category(("BUY", "SELL")),
    side=Category(("BUY", "HOLD")),
    name=String(),
    n=Int64(),
    x=Float64(),
    flag=Bool(),
    at=Timestamp("ms"),
    due=Timestamp("ms"),
    day=Timestamp("s"),
    time="at",
)
H, R = head(), register("r1")


def lasting(amount: int, unit: str) -> Quantity:
    return Quantity(Duration(amount, unit))


def moment(text: str) -> Quantity:
    return Quantity(Instant(text))


@pytest.mark.parametrize(
    "condition",
    [
        H.n > R.x,
        H.n * 2 + H.x - 1 == abs(R.n),
        H.n.isin([1, 2.5]),
        H.x.isin([1]),
        position(H) - position(R) < H.n,
        H.name == "anything",
        H.name != R.kind,
        H.kind == "SELL",
        H.kind != R.side,
        H.kind.isin(["SELL", "BUY"]),
        H.name.isin(["a"]),
        H.flag == True,  # noqa: E712
        H.flag != R.flag,
        H.flag.isin([True]),
        H.at < R.due,
        H.day >= R.day,
        H.at - R.due > R.at - H.at,
        H.at + (H.due - R.at) > R.at,
        (H.due - R.at) + H.at > R.at,
        (H.due - R.at) * H.n == H.n * (H.due - R.at),
        (H.due - R.at) * 2 > 3 * (H.at - R.at),
        (H.due - R.at) + (H.at - R.at) >= abs(H.due - R.at),
        TOP,
        Defined("r9"),
    ],
)
def test_well_typed_conditions_without_literals_of_time_stay_as_they_are(condition: Condition) -> None:
    assert bind(condition, SCHEMA) == condition


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (H.name > 3, "cannot compare string > int64; compare values of the same kind"),
        (H.name > "a", "cannot compare string > string; text has no order: use =, != or in"),
        (H.kind > 3, r"cannot compare category\[BUY, SELL\] > int64; compare values of the same kind"),
        (H.kind == 3, r"cannot compare category\[BUY, SELL\] = int64; compare values of the same kind"),
        (H.kind < "zzz", r"cannot compare category\[BUY, SELL\] < string; text has no order"),
        (H.kind < R.kind, r"category\[BUY, SELL\] < category\[BUY, SELL\]; text has no order"),
        (H.flag < R.flag, "cannot compare bool < bool"),
        (H.flag == 1, "cannot compare bool = int64"),
        (H.n == True, "cannot compare int64 = bool"),  # noqa: E712
        (H.n == "1", "cannot compare int64 = string"),
        (H.n.isin([1, "2"]), "cannot compare int64 in string"),
        (H.kind == "BYU", r"'BYU' is not a value of category\[BUY, SELL\]\. Did you mean 'BUY'\?"),
        (H.kind == "zzz", r"'zzz' is not a value of category\[BUY, SELL\]\.$"),
        (H.side.isin(["BUY", "SELL"]), r"'SELL' is not a value of category\[BUY, HOLD\]"),
        (H.name + 1 == 2, r"cannot compute string \+ int64"),
        (H.flag * 2 == 2, r"cannot compute bool \* int64"),
        (abs(H.name) == 2, r"abs\(\) takes a number, not string"),
        (abs(H.at) == H.at, r"abs\(\) takes a number, not timestamp\[ms\]"),
        (H.at == H.day, r"cannot compare timestamp\[ms\] = timestamp\[s\]"),
        (H.at + H.due > H.at, r"cannot compute timestamp\[ms\] \+ timestamp\[ms\]"),
        (H.at - H.day > H.at - H.due, r"cannot compute timestamp\[ms\] - timestamp\[s\]"),
        (H.at - R.at > H.day - R.day, r"cannot compare duration\[ms\] > duration\[s\]"),
        ((H.at - R.at) + (H.day - R.day) > H.at - R.at, r"duration\[ms\] \+ duration\[s\]"),
        (H.at + (H.day - R.day) > R.at, r"cannot compute timestamp\[ms\] \+ duration\[s\]"),
        (H.at == 1.5, r"cannot compare timestamp\[ms\] = float64"),
        (H.at == H.n, r"cannot compare timestamp\[ms\] = int64"),
        (H.at == "2020-01-01", r"cannot compare timestamp\[ms\] = string"),
        (H.at > lasting(1, "s"), r"cannot compare timestamp\[ms\] > duration"),
        (H.at - R.at > moment("2020-01-01"), r"cannot compare duration\[ms\] > timestamp"),
        (lasting(1, "s") * 1.5 > H.at - R.at, r"cannot compute duration \* float64"),
        (lasting(1, "s") * lasting(1, "s") > H.at - R.at, r"cannot compute duration \* duration"),
        (moment("2020-01-01") == moment("2020-01-01"), "cannot compare instant = instant"),
        (moment("2020-01-01") + lasting(1, "s") > H.at, r"cannot compute instant \+ duration"),
        (H.name == lasting(1, "s"), "cannot compare string = duration"),
    ],
)
def test_type_errors_name_both_sides(condition: Condition, message: str) -> None:
    with pytest.raises(ConditionTypeError, match=message) as caught:
        bind(condition, SCHEMA)
    assert isinstance(caught.value, MnemataError)
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (H.at - R.at < lasting(2, "s"), H.at - R.at < 2000),
        (H.day - R.day < lasting(1, "h"), H.day - R.day < 3600),
        (lasting(2, "ms") < H.at - R.at, H.at - R.at > 2),
        (H.at > R.at + lasting(1, "min"), H.at > R.at + 60_000),
        (H.at > R.at - lasting(1, "min"), H.at > R.at - 60_000),
        (H.at - R.at < 2 * lasting(5, "s"), H.at - R.at < Quantity(Constant(2)) * 5000),
        (H.at - R.at < H.n * lasting(5, "s"), H.at - R.at < H.n * 5000),
        (H.at - R.at < lasting(1, "s") + lasting(1, "ms"),
         H.at - R.at < Quantity(Constant(1000)) + 1),
        (H.at - R.at < abs(lasting(1, "s")), H.at - R.at < abs(Quantity(Constant(1000)))),
        (H.at > moment("1970-01-01T00:00:01"), H.at > 1000),
        (H.day > moment("1970-01-02"), H.day > 86_400),
        (H.at > moment("1970-01-01T01:00:00+01:00"), H.at > 0),
        (moment("1969-12-31T23:59:59.999") < H.at, H.at > -1),
        (H.at - moment("1970-01-01T00:00:01") > lasting(1, "s"), H.at - 1000 > 1000),
        (H.at > 5, H.at > 5),
        (time(H) - time(R) < lasting(1, "s"), H.at - R.at < 1000),
        (lasting(2, "s") > lasting(1, "s"), Quantity(Constant(2 * 10**9)) > 10**9),
    ],
)  # fmt: skip
def test_durations_and_instants_become_ticks(condition: Condition, expected: Condition) -> None:
    bound = bind(condition, SCHEMA)
    assert bound == (expected if bound == expected else _swapped(expected))
    assert bind(bound, SCHEMA) == bound


def _swapped(condition: Condition) -> Condition:
    """The same comparison, read from right to left."""
    assert isinstance(condition, Comparison)
    swapped = {"<": ">", ">": "<"}[condition.operator]
    return Comparison(swapped, condition.right, condition.left)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (H.day - R.day < lasting(1, "ms"), "'1 ms' is not a whole number of s, the unit of the timestamps"),
        (H.at - R.at < lasting(1, "ns"), "'1 ns' is not a whole number of ms"),
        (H.day > moment("2020-01-01T00:00:00.5"), "'2020-01-01T00:00:00.5' is not a whole number of s"),
        (H.at - R.at < lasting(10**30, "d"), "d' in ms, the unit of the timestamps, does not fit 64 bits"),
    ],
)
def test_literals_of_time_that_ticks_cannot_express(condition: Condition, message: str) -> None:
    with pytest.raises(ConditionTypeError, match=message):
        bind(condition, SCHEMA)


@pytest.mark.parametrize(
    ("text", "ticks"),
    [
        ("1970-01-01T00:00:00.123456789", 123_456_789),
        ("1970-01-01T00:00:00.1234567", 123_456_700),
        ("1970-01-01T00:00:00.123456+00:00", 123_456_000),
        ("1970-01-01T00:00:00,123456789Z", 123_456_789),
        ("1969-12-31T23:59:59.999999999", -1),
        ("19700101T000001.0000000010", 10**9 + 1),
    ],
)
def test_instants_are_exact_to_the_nanosecond(text: str, ticks: int) -> None:
    schema = Schema.of(at=Timestamp("ns"), time="at")
    assert bind(H.at > moment(text), schema) == (H.at > ticks)


def test_instants_and_durations_out_of_range() -> None:
    schema = Schema.of(at=Timestamp("ns"), time="at")
    longest = 2**63 - 1
    assert bind(H.at - R.at < lasting(longest, "ns"), schema) == (H.at - R.at < longest)
    with pytest.raises(ConditionTypeError, match=r"'9223372036854775808 ns' in ns, .* does not fit 64 bits"):
        bind(H.at - R.at < lasting(longest + 1, "ns"), schema)
    earliest, second = "1677-09-21T00:12:43.145224192", "1677-09-21T00:12:43.145224191"
    assert bind(H.at > moment(earliest), schema) == (H.at > -(2**63))
    with pytest.raises(ConditionTypeError, match="does not fit 64 bits"):
        bind(H.at > moment(second), schema)
    with pytest.raises(ConditionTypeError, match=r"'9999-01-01' in ns, .* does not fit 64 bits"):
        bind(H.at > moment("9999-01-01"), schema)
    bind(H.at > moment("9999-01-01"), Schema.of(at=Timestamp("us"), time="at"))


def test_unknown_attributes_are_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownAttributeError, match=r"unknown attribute 'nmae'.*Did you mean 'name'\?"):
        bind(H.nmae == "x", SCHEMA)
    with pytest.raises(UnknownAttributeError, match="relation 'Near': unknown attribute 'z'"):
        bind(Relation("Near", 1, lambda event: True, attributes=("x", "z"))("~"), SCHEMA)
    bind(Relation("Near", 1, lambda event: True, attributes=("x",))("~"), SCHEMA)


def test_time_needs_a_time_attribute() -> None:
    timeless = Schema.of(at=Timestamp())
    with pytest.raises(ConditionTypeError, match=r"no time attribute; name one with Schema\(.*time='...'\)"):
        bind(time(H) < time(R), timeless)


def test_definitions_are_bound_inside() -> None:
    x, y = register("x"), register("y")
    soon = Definition("Soon", ("x", "y"), time(x) - time(y) < lasting(1, "s"))
    bound = bind(soon("~", "r1"), SCHEMA)
    assert bound == Definition("Soon", ("x", "y"), x.at - y.at < 1000)("~", "r1")
    assert bind(bound, SCHEMA) == bound
    with pytest.raises(UnknownAttributeError, match="unknown attribute 'zzz'"):
        bind(Definition("D", ("x",), x.zzz > 1)("~"), SCHEMA)


@pytest.mark.parametrize(
    ("term", "kind"),
    [
        (H.n + 1, Int64()),
        (H.n + 1.0, Float64()),
        (H.x * H.n, Float64()),
        (abs(H.x), Float64()),
        (H.name, String()),
        (H.kind, Category(("BUY", "SELL"))),
        (H.at - R.at, Span("ms")),
        (H.at - lasting(1, "s"), Timestamp("ms")),
        (lasting(1, "s") + (H.day - R.day), Span("s")),
        (lasting(1, "s"), Span(None)),
        (time(H), Timestamp("ms")),
        (position(H), Int64()),
        (Quantity(Constant(True)), Bool()),
        (Quantity(Constant("x")), String()),
    ],
)
def test_types_of_terms(term: Quantity, kind: TermType) -> None:
    assert type_of(term.term, SCHEMA) == kind


def test_type_of_asks_for_terms() -> None:
    with pytest.raises(ConditionTypeError, match=r"Top\(\) is not a term"):
        type_of(TOP, SCHEMA)  # type: ignore[arg-type]
    with pytest.raises(ConditionTypeError, match="is not a condition"):
        bind(Constant(1), SCHEMA)  # type: ignore[arg-type]


@given(st.data())
def test_binding_leaves_nothing_to_bind(data: st.DataObject) -> None:
    schema = data.draw(schemas() | st.just(TICKS))
    bound = bind(data.draw(conditions(schema)), schema)
    assert not any(isinstance(node, Duration | Instant | Time) for node in walk(bound))
    assert bind(bound, schema) == bound


@given(st.data())
def test_bound_conditions_can_be_evaluated(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    stream = data.draw(streams(schema, min_size=1, max_size=4))
    valuation = Valuation(tuple(zip(REGISTERS, stream[1:], strict=False)))
    assert models(stream[0], valuation, bind(data.draw(conditions(schema)), schema)) in (True, False)


def test_a_duration_means_the_same_in_every_unit() -> None:
    within = Comparison("<", Arithmetic("-", Time(HEAD), Time("r1")), Duration(2, "s"))
    for unit, second in (("ns", 10**9), ("us", 10**6), ("ms", 1000), ("s", 1)):
        schema = Schema.of(at=Timestamp(unit), time="at")  # type: ignore[arg-type]
        start, early, late = schema.stream([{"at": 0}, {"at": 2 * second - 1}, {"at": 2 * second}])
        held = Valuation((("r1", start),))
        assert models(early, held, bind(within, schema))
        assert not models(late, held, bind(within, schema))
