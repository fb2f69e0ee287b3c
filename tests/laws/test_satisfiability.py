"""Z3 against Def. 13: nothing possible is refuted, and every witness is one.

Points are concrete events and valuations. The encoding is compared with `models` at single points, in both
domains, and the decisions with brute force over a small grid.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any, TypeAlias

import z3
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemata.proofs.generators import conditions
from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models
from mnemata.theory.conditions.formulas import (
    COMPARISONS,
    TOP,
    Apply,
    Comparison,
    Condition,
    Defined,
    Membership,
    Not,
    Relation,
    conjunction,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Position,
    Variable,
)
from mnemata.theory.conditions.values import absolute, calculate, compare
from mnemata.theory.satisfiability import Verdict, entails, equivalent, minterms, satisfiable
from mnemata.theory.satisfiability.encoding import Encoding
from mnemata.theory.satisfiability.inquiry import machine_solver
from mnemata.theory.satisfiability.machine import Machine
from mnemata.theory.satisfiability.mathematics import Mathematics
from mnemata.theory.satisfiability.preparation import prepared
from mnemata.theory.satisfiability.texts import texts_of
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
    Value,
)
from mnemata.theory.trees import children, walk

Point: TypeAlias = tuple[Event, Valuation]

SCHEMA = Schema.of(
    a=Int64(),
    b=Int64(),
    x=Float64(),
    y=Float64(),
    flag=Bool(),
    name=String(),
    kind=Category(("A", "B", "C")),
    at=Timestamp("ms"),
    event_type="kind",
    time="at",
)
REGISTERS = ("r1", "r2")
TIMEOUT = 60_000  # never reached, however busy the machine
VARIABLES = (HEAD, *REGISTERS)
WHOLES = (0, 1, -1, 2, 3, 2**53, 2**53 + 1, -(2**53) - 1, 2**62, INT64_MAX, INT64_MAX - 1, INT64_MIN)
DOUBLES = (0.0, -0.0, 1.0, -1.0, 0.1, 0.2, 0.30000000000000004, 2.5, 5e-324, 1e308, 2.0**53, 2.0**63)
POOLS: dict[str, tuple[Value, ...]] = {
    "a": WHOLES,
    "b": WHOLES,
    "x": (*DOUBLES, math.inf, -math.inf),
    "y": (*DOUBLES, math.inf, -math.inf),
    "flag": (False, True),
    "name": ("", "A", "x", "it's", "unmentioned"),
    "kind": ("A", "B", "C"),
    "at": (0, 1, 2, 1000, INT64_MAX, INT64_MIN),
}

rows = st.fixed_dictionaries({n: st.sampled_from((*pool, *pool, None)) for n, pool in POOLS.items()})


@st.composite
def points(draw: st.DrawFn) -> Point:
    """An event and a valuation of earlier events; registers may be empty or share an event."""
    earlier = [SCHEMA.event(draw(rows), i) for i in range(1, draw(st.integers(1, 3)) + 1)]
    head = SCHEMA.event(draw(rows), len(earlier) + draw(st.integers(1, 2)))
    held = [(r, draw(st.sampled_from((*earlier, None)))) for r in REGISTERS]
    return head, Valuation(tuple((r, event) for r, event in held if event is not None))


readings = st.builds(Attribute, st.sampled_from(VARIABLES), st.sampled_from(("a", "b", "x", "y")))
numbers = readings | st.sampled_from((*WHOLES, *DOUBLES, math.inf, -math.inf)).map(Constant)
numbers |= st.sampled_from(VARIABLES).map(Position)
sums = st.builds(Arithmetic, st.sampled_from(("+", "-", "*")), numbers, numbers)
computed = numbers | sums | sums.map(Absolute) | st.builds(Arithmetic, st.just("+"), sums, numbers)
symbols = st.sampled_from(COMPARISONS)
wild_atoms = st.builds(Comparison, symbols, computed, computed)
formulas = conditions(SCHEMA, REGISTERS, size=4) | wild_atoms | wild_atoms.map(Not)


def holds(point: Point, condition: Condition) -> bool:
    return models(*point, prepared(condition, SCHEMA))


def signed(point: Point, parts: list[Condition]) -> Condition:
    """Each of `parts` or its negation, whichever `point` satisfies."""
    return conjunction(*(part if holds(point, part) else Not(part) for part in parts))


def pinned(point: Point) -> Iterator[Condition]:
    """Conditions that only `point` satisfies, up to -0.0."""
    head, valuation = point
    held: dict[Variable, Event | None] = {HEAD: head, **{r: valuation.get(r) for r in REGISTERS}}
    for variable, event in held.items():
        if event is None:
            yield Not(Defined(variable))
            continue
        yield Defined(variable)
        yield Comparison("=", Position(variable), Constant(event.position))
        for name in SCHEMA.names:
            yield _pin(Attribute(variable, name), event[name])


def _pin(term: Any, value: Value) -> Condition:
    return Not(Comparison("=", term, term)) if value is None else Comparison("=", term, Constant(value))


def check(domain: type[Mathematics] | type[Machine], parts: list[Condition]) -> Any:
    """What Z3 says of a conjunction in one domain, without guesses and without a check of the model."""
    ready = [prepared(part, SCHEMA) for part in parts]
    texts, context = texts_of(ready, SCHEMA), z3.Context()
    encoding = Encoding(domain(context, texts), texts, SCHEMA)
    solver = machine_solver(encoding, TIMEOUT) if domain is Machine else z3.SimpleSolver(context)
    solver.add(*[encoding.formula(part) for part in ready], *encoding.axioms())
    return solver.check()


def opaque(condition: Condition) -> bool:
    """Whether Z3 knows nothing about some relation in `condition`."""
    applied = (n.relation for n in walk(prepared(condition, SCHEMA)) if isinstance(n, Apply))
    return any(isinstance(relation, Relation) and relation.encode is None for relation in applied)


@settings(max_examples=60)
@given(points(), formulas)
def test_the_machine_domain_is_def_13_at_every_point(point: Point, condition: Condition) -> None:
    here, true = list(pinned(point)), signed(point, [condition])
    assert check(Machine, [*here, true]) == z3.sat
    assert opaque(condition) or check(Machine, [*here, Not(true)]) == z3.unsat


@given(points(), formulas)
def test_the_mathematical_domain_refutes_no_point(point: Point, condition: Condition) -> None:
    assert check(Mathematics, [*pinned(point), signed(point, [condition])]) == z3.sat


@given(points(), st.lists(formulas, min_size=1, max_size=4))
def test_nothing_that_a_point_satisfies_is_refuted(point: Point, parts: list[Condition]) -> None:
    condition = signed(point, parts)
    answer = satisfiable(condition, SCHEMA, timeout_ms=2_000)
    assert not answer.no
    if answer.witness is not None:
        witness = answer.witness
        assert holds((witness.event, witness.valuation), condition)
        assert all(held.position < witness.event.position for held in witness.valuation.values())


@given(points(), st.lists(formulas, min_size=1, max_size=3), formulas)
def test_entailments_hold_at_every_point(
    point: Point, premises: list[Condition], conclusion: Condition
) -> None:
    premise = signed(point, premises)
    answer = entails(premise, conclusion, SCHEMA, timeout_ms=1_000)
    assert not (answer.yes and not holds(point, conclusion))
    if answer.witness is not None:
        assert answer.no
        counterexample = (answer.witness.event, answer.witness.valuation)
        assert holds(counterexample, premise)
        assert not holds(counterexample, conclusion)


@settings(max_examples=50)
@given(points(), st.lists(formulas, min_size=1, max_size=4))
def test_a_point_satisfies_exactly_one_minterm_and_it_is_found(point: Point, parts: list[Condition]) -> None:
    found = minterms(parts, SCHEMA, timeout_ms=300)
    assert len(set(found.vectors)) == len(found)
    assert tuple(holds(point, part) for part in parts) in found.vectors
    assert [holds(point, found.guard(minterm)) for minterm in found].count(True) == 1
    for minterm in found:
        if minterm.witness is not None:
            witness = (minterm.witness.event, minterm.witness.valuation)
            assert tuple(holds(witness, part) for part in parts) == minterm.signs


@settings(max_examples=30)
@given(st.lists(formulas, min_size=1, max_size=3))
def test_minterms_are_the_combinations_not_refuted_one_by_one(parts: list[Condition]) -> None:
    found = minterms(parts, SCHEMA, timeout_ms=300)
    for signs in product((True, False), repeat=len(parts)):
        together = conjunction(*(p if sign else Not(p) for p, sign in zip(parts, signs, strict=True)))
        answer = satisfiable(together, SCHEMA, timeout_ms=300)
        assert not (answer.yes and signs not in found.vectors)
        certain = any(m.signs == signs and m.certain for m in found)
        assert not (answer.no and certain)


# --- Brute force over a small grid ---

GRID = Schema.of(n=Int64(), w=Float64(), flag=Bool())
CELLS: tuple[tuple[Value, ...], ...] = ((0, 1, None), (0.0, 0.1, math.inf, None), (False, True, None))
ROWS = tuple(product(*CELLS))
EVERYWHERE = tuple(
    (GRID.event(now, 2), Valuation((("r1", GRID.event(then, 1)),)) if then else EMPTY)
    for now in ROWS
    for then in (*ROWS, None)
)


def _within(variable: Variable) -> Condition:
    """Whether an attribute has a value of the grid, or none."""
    found: list[Condition] = []
    for name, cells in zip(GRID.names, CELLS, strict=True):
        read = Attribute(variable, name)
        values = tuple(Constant(value) for value in cells if value is not None)
        found.append(Membership(read, values) | Not(Comparison("=", read, read)))
    return conjunction(*found)


ON_GRID = conjunction(
    _within(HEAD),
    _within("r1"),
    Comparison("=", Position(HEAD), Constant(2)),
    Not(Defined("r1")) | Comparison("=", Position("r1"), Constant(1)),
)
grid_readings = st.builds(Attribute, st.sampled_from((HEAD, "r1")), st.sampled_from(("n", "w")))
grid_numbers = grid_readings | st.sampled_from((0, 1, 2, 0.1, 0.2, math.inf)).map(Constant)
grid_terms = grid_numbers | st.builds(
    Arithmetic, st.sampled_from(("+", "-", "*")), grid_numbers, grid_numbers
)
flags = st.builds(Attribute, st.sampled_from((HEAD, "r1")), st.just("flag"))
grid_atoms = st.builds(Comparison, symbols, grid_terms, grid_terms)
grid_atoms |= st.builds(Comparison, st.sampled_from(("=", "!=")), flags, flags)
grid_atoms |= st.builds(Defined, st.just("r1"))
grid_literals = grid_atoms | grid_atoms.map(Not)
grid_formulas = st.lists(grid_literals, min_size=1, max_size=5).map(lambda parts: conjunction(*parts))


@settings(max_examples=50)
@given(grid_formulas)
def test_satisfiable_is_brute_force_on_a_grid(condition: Condition) -> None:
    answer = satisfiable(condition, GRID, known=ON_GRID, timeout_ms=TIMEOUT)
    possible = any(models(*point, condition) for point in EVERYWHERE)
    assert answer.verdict is (Verdict.YES if possible else Verdict.NO)


@settings(max_examples=30)
@given(grid_formulas, grid_formulas)
def test_equivalence_is_brute_force_on_a_grid(left: Condition, right: Condition) -> None:
    answer = equivalent(left, right, GRID, known=ON_GRID, timeout_ms=TIMEOUT)
    same = all(models(*point, left) == models(*point, right) for point in EVERYWHERE)
    assert answer.verdict is (Verdict.YES if same else Verdict.NO)


# --- Arithmetic in both domains ---

wholes = st.sampled_from(WHOLES) | st.integers(INT64_MIN, INT64_MAX)
doubles = st.sampled_from((*DOUBLES, math.inf, -math.inf)) | st.floats(allow_nan=False, width=64)
A, B = Attribute(HEAD, "a"), Attribute(HEAD, "b")
X, Y = Attribute(HEAD, "x"), Attribute(HEAD, "y")


@settings(max_examples=40)
@given(wholes | doubles, wholes | doubles, st.sampled_from(("+", "-", "*")))
@example(INT64_MAX, 1, "+")
@example(INT64_MIN, -1, "+")
@example(INT64_MIN, 1, "-")
@example(INT64_MAX, -1, "-")
@example(2**62, 2, "*")
@example(2**62, -3, "*")
@example(INT64_MIN, -1, "*")
@example(0.1, 0.2, "+")
@example(math.inf, math.inf, "-")
@example(math.inf, 0.0, "*")
@example(1e308, 1e308, "+")
@example(5e-324, 0.5, "*")
@example(2**53 + 1, 1.0, "+")
def test_arithmetic_is_that_of_values(left: float, right: float, symbol: Any) -> None:
    reads = A if isinstance(left, int) else X, B if isinstance(right, int) else Y
    _check_result(Arithmetic(symbol, *reads), (left, right), calculate(symbol, left, right))


@settings(max_examples=40)
@given(wholes | doubles)
@example(INT64_MIN)
def test_absolute_values_are_those_of_values(number: float) -> None:
    _check_result(Absolute(A if isinstance(number, int) else X), (number,), absolute(number))


def _check_result(result: Absolute | Arithmetic, operands: tuple[float, ...], value: Value) -> None:
    here = [_pin(read, operand) for read, operand in zip(children(result), operands, strict=True)]
    is_value = _pin(result, value)
    assert check(Mathematics, [*here, is_value]) == z3.sat
    assert check(Machine, [*here, is_value]) == z3.sat
    assert check(Machine, [*here, Not(is_value)]) == z3.unsat
    if all(isinstance(operand, int) for operand in operands):
        assert check(Mathematics, [*here, Not(is_value)]) == z3.unsat


def test_no_double_is_nan() -> None:
    for symbol in ("!=", "<", ">"):
        assert check(Machine, [Comparison(symbol, X, X)]) == z3.unsat  # type: ignore[arg-type]


@settings(max_examples=40)
@given(wholes, symbols, doubles, st.booleans())
@example(2**53 + 1, "=", 2.0**53, False)
@example(2**53 + 1, "<", 2.0**53, False)
@example(INT64_MAX, ">=", 2.0**63, False)
@example(INT64_MIN, ">", -math.inf, False)
def test_whole_numbers_against_doubles(whole: int, symbol: Any, double: float, alike: bool) -> None:
    double = float(whole) if alike else double
    for right, pin in ((Constant(double), TOP), (X, _pin(X, double))):
        comparison = Comparison(symbol, A, right)
        truth = comparison if compare(symbol, whole, double) else Not(comparison)
        here = [_pin(A, whole), pin]
        assert check(Mathematics, [*here, truth]) == z3.sat
        assert check(Machine, [*here, truth]) == z3.sat
        assert check(Machine, [*here, Not(truth)]) == z3.unsat
        if right is not X:
            assert check(Mathematics, [*here, Not(truth)]) == z3.unsat
