"""``(u, v) |= phi`` (SRT Def. 12, 13), with missing values and empty registers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from mnemata.proofs.generators import REGISTERS, TICKS, Stream, conditions, events, streams
from mnemata.theory.conditions.building import defined, head, position, register
from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    COMPARISONS,
    TOP,
    And,
    Apply,
    Bottom,
    Comparison,
    Condition,
    Defined,
    Definition,
    Membership,
    Not,
    Or,
    Relation,
    Top,
)
from mnemata.theory.conditions.terms import HEAD, Arithmetic, Attribute, Constant, Duration, Time
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import ConditionTypeError, MnemataError
from mnemata.theory.schema import Event, Float64, Int64, Schema

TICK, R1, R2 = head(TICKS), register("r1", TICKS), register("r2", TICKS)
CALLS: list[tuple[Event, ...]] = []


def _recorded(*arguments: Event) -> bool:
    CALLS.append(arguments)
    return True


RECORDED = Relation("Recorded", 2, _recorded, attributes=("price",))
UNDECLARED = Relation("Undeclared", 2, _recorded)


def tick(kind: str | None = "A", number: int | None = 1, price: float | None = 1.0, at: int = 0) -> Event:
    return TICKS.event((kind, number, price, at), position=at + 1)


def holding(**contents: Event) -> Valuation:
    return Valuation(tuple(contents.items()))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (TOP, True),
        (BOTTOM, False),
        (TICK.type == "A", True),
        (TICK.type != "A", False),
        (TICK.price * 2 > R1.price, False),
        (TICK.price * 2 >= R1.price, True),
        (abs(TICK.price - R1.price) == 1.0, True),
        (TICK.id.isin([2, 3]), False),
        (TICK.id.isin([1.0]), True),
        (TICK.id.isin([]), False),
        (defined("r1"), True),
        (defined("r2"), False),
        (defined("~"), True),
        (position("~") - position("r1") == 3, True),
        (~(TICK.type == "B") & (TICK.id == 1), True),
        ((TICK.type == "B") | (TICK.id == 2), False),
        (Comparison("<=", Arithmetic("-", Time(HEAD), Time("r1")), Duration(3, "ms")), True),
        (Comparison("<", Arithmetic("-", Time(HEAD), Time("r1")), Duration(3, "ms")), False),
    ],
)
def test_conditions_over_head_and_register(condition: Condition, expected: bool) -> None:
    event, valuation = tick(at=4), holding(r1=tick(price=2.0, at=1))
    assert models(event, valuation, bind(condition, TICKS)) is expected


ATOMS = {
    "empty register": R2.price,
    "missing attribute of the head": TICK.price,
    "arithmetic on nothing": TICK.price * 0.0,
    "absolute value of nothing": abs(R2.price),
    "position of an empty register": position("r2"),
    "infinity minus infinity": R1.price - R1.price,
}


@pytest.mark.parametrize("operator", COMPARISONS)
@pytest.mark.parametrize("what", ATOMS)
def test_an_atom_that_reads_nothing_is_false_and_its_negation_true(what: str, operator: str) -> None:
    event, valuation = tick(price=None), holding(r1=tick(price=math.inf))
    reading = ATOMS[what].term
    for atom in (
        Comparison(operator, reading, Constant(0)),  # type: ignore[arg-type]
        Comparison(operator, Constant(0), reading),  # type: ignore[arg-type]
        Comparison(operator, reading, reading),  # type: ignore[arg-type]
    ):
        assert not models(event, valuation, atom)
        assert models(event, valuation, Not(atom))


def test_nothing_is_a_member_of_no_set() -> None:
    assert not models(tick(price=None), EMPTY, TICK.price.isin([1.0]))
    assert models(tick(price=None), EMPTY, ~TICK.price.isin([1.0]))
    assert not models(tick(), EMPTY, Membership(Attribute("r1", "id"), (Constant(1),)))


def test_not_equal_and_negated_equality_differ_on_missing_values() -> None:
    event = tick(number=None)
    assert not models(event, EMPTY, TICK.id != 1)
    assert models(event, EMPTY, ~(TICK.id == 1))


def test_user_relations_are_not_asked_about_nothing() -> None:
    CALLS.clear()
    full, hollow = tick(), tick(price=None)
    assert not models(full, EMPTY, RECORDED("~", "r1"))
    assert not models(full, holding(r1=hollow), RECORDED("~", "r1"))
    assert not models(hollow, holding(r1=full), RECORDED("~", "r1"))
    assert not models(full, EMPTY, UNDECLARED("~", "r1"))
    assert not CALLS
    assert models(full, EMPTY, ~RECORDED("~", "r1"))
    assert models(full, holding(r1=full), RECORDED("~", "r1"))
    assert models(full, holding(r1=hollow), UNDECLARED("r1", "~"))
    assert list(CALLS) == [(full, full), (hollow, full)]


def test_user_relations_may_answer_anything_with_a_truth_value() -> None:
    some = Relation("Some", 1, lambda event: event["price"])  # type: ignore[arg-type, return-value]
    assert models(tick(price=2.0), EMPTY, some("~")) is True
    assert models(tick(price=0.0), EMPTY, some("~")) is False


def test_a_definition_is_false_of_an_empty_register_whatever_its_body_says() -> None:
    x, y = register("x"), register("y")
    other = Definition("Other", ("x", "y"), ~(x.id == y.id))
    anything = Definition("Anything", ("x", "y"), TOP)
    assert not models(tick(), EMPTY, other("~", "r1"))
    assert models(tick(), EMPTY, ~other("~", "r1"))
    assert models(tick(), holding(r1=tick(number=None)), other("~", "r1"))
    assert not models(tick(), EMPTY, anything("r1", "~"))
    assert models(tick(), holding(r1=tick()), anything("r1", "~"))


def test_unbound_literals_have_no_value() -> None:
    with pytest.raises(ConditionTypeError, match=r"Duration\(1, 's'\) has no value .* call bind\(\)"):
        models(tick(), EMPTY, Comparison("<", Time(HEAD), Duration(1, "s")))


def test_time_needs_a_time_attribute() -> None:
    timeless = Schema.of(price=Float64()).event([1.0])
    with pytest.raises(ConditionTypeError, match="needs a schema with a time attribute"):
        models(timeless, EMPTY, Comparison("=", Time(HEAD), Constant(0)))
    assert models(tick(at=3), EMPTY, Comparison("=", Time(HEAD), Constant(3)))


def test_reading_an_attribute_that_is_not_there_is_an_error_not_a_missing_value() -> None:
    with pytest.raises(MnemataError, match="unknown attribute 'prize'"):
        models(tick(), EMPTY, head().prize > 1)


def test_integers_beyond_double_precision_stay_apart() -> None:
    numbers = Schema.of(n=Int64())
    event, held = numbers.event([2**53 + 1]), numbers.event([2**53])
    n, m = head(numbers).n, register("r1", numbers).n
    assert models(event, holding(r1=held), n > m)
    assert not models(event, holding(r1=held), n > m * 1.0)


def test_valuations_are_partial_functions() -> None:
    a, b = tick(), tick("B")
    valuation = holding(r2=b, r1=a)
    assert dict(valuation) == {"r1": a, "r2": b}
    assert list(valuation) == ["r1", "r2"]
    assert len(valuation) == 2
    assert "r3" not in valuation
    with pytest.raises(KeyError):
        valuation["r3"]
    assert holding(r1=a, r2=b) == valuation
    assert hash(holding(r1=a, r2=b)) == hash(valuation)
    assert len(EMPTY) == 0


def test_writing_replaces_the_contents_of_exactly_those_registers() -> None:
    a, b = tick(), tick("B")
    written = holding(r1=a, r2=a).write({"r2", "r3"}, b)
    assert dict(written) == {"r1": a, "r2": b, "r3": b}
    assert written.write(frozenset(), a) == written


def by_definition(event: Event, valuation: Valuation, condition: Condition) -> bool:
    """Def. 13, once more and recursively, for what has Boolean structure."""
    match condition:
        case Top():
            return True
        case Bottom():
            return False
        case Not(operand=operand):
            return not by_definition(event, valuation, operand)
        case And(operands=operands):
            return all(by_definition(event, valuation, operand) for operand in operands)
        case Or(operands=operands):
            return any(by_definition(event, valuation, operand) for operand in operands)
        case Defined(variable=variable):
            return variable == HEAD or variable in valuation
        case Apply(relation=Definition() as relation, arguments=arguments):
            held: dict[str, Event] = {**valuation, HEAD: event}
            if any(argument not in held for argument in arguments):
                return False
            own = Valuation(tuple((p, held[a]) for p, a in zip(relation.parameters, arguments, strict=True)))
            return by_definition(event, own, relation.body)
    return models(event, valuation, condition)


@given(streams(min_size=1, max_size=4), conditions())
def test_boolean_structure_means_what_definition_13_says(stream: Stream, condition: Condition) -> None:
    *held, event = stream
    valuation = Valuation(tuple(zip(REGISTERS, held, strict=False)))
    bound = bind(condition, TICKS)
    assert models(event, valuation, bound) is by_definition(event, valuation, bound)


@given(events(), conditions(registers=()))
def test_conditions_on_the_head_do_not_depend_on_registers(event: Event, condition: Condition) -> None:
    bound = bind(condition, TICKS)
    assert models(event, EMPTY, bound) == models(event, holding(r1=tick(), r2=event), bound)
