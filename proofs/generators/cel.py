"""Formulas of complex event logic."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from mnemata.proofs.generators.formulas import conditions
from mnemata.proofs.generators.signature import TICKS, Stream, choices
from mnemata.theory.cel.formulas import (
    All,
    And,
    Contiguous,
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Last,
    Max,
    Nary,
    Nxt,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Strict,
    Unary,
    Unless,
    Within,
    variables_of,
)
from mnemata.theory.cel.predicates import (
    FUNCTIONS,
    AllOf,
    AnyOf,
    Compared,
    Each,
    Measure,
    Negated,
    Predicate,
    for_all,
    reads_position,
)
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import COMPARISONS, Comparison, Condition
from mnemata.theory.conditions.terms import Attribute, Constant, Duration
from mnemata.theory.schema import Schema, Timestamp
from mnemata.theory.sremo.bounds import EventWindow, TimeWindow

RELATIONS: Final = ("A", "B", "C")
VARIABLES: Final = ("X", "Y")

OPERATORS: Final[tuple[type[Formula], ...]] = (
    *(In, Filter, Sequencing, Iteration, Contiguous, ContiguousIteration, Projection, Start, Or, And, All),
    *(Unless, Strict, Nxt, Last, Max, Within),
)
"""Everything that formulas are built of besides event types, the simpler first."""

CEL_STAR_OPERATORS: Final[tuple[type[Formula], ...]] = (In, Filter, Sequencing, Iteration, Or)
"""The operators of CEL* (Def. 8.1)."""


@st.composite
def words(draw: st.DrawFn, *, min_size: int = 1, max_size: int = 5) -> Stream:
    """Streams over `TICKS` of few different events, so that formulas match; no value is missing.

    Nothing but the event type and the id varies, and time passes evenly.
    """
    size = draw(st.integers(min_size, max_size))
    rows = [(draw(choices(RELATIONS)), draw(choices((1, 2)))) for _ in range(size)]
    return TICKS.stream([(kind, number, 1.0, at) for at, (kind, number) in enumerate(rows)])


@st.composite
def cel_formulas(
    draw: st.DrawFn,
    schema: Schema = TICKS,
    operators: tuple[type[Formula], ...] = OPERATORS,
    *,
    depth: int = 3,
    unary: bool = True,
) -> Formula:
    """Formulas over the event types A, B, C; not bound to `schema`.

    Parameters
    ----------
    schema : Schema
        With an event type whose values include A, B and C; windows in time need a time attribute.
    operators : tuple
        What formulas are built of besides event types.
    depth : int
        How many operators may be nested.
    unary : bool
        Whether all filters are unary (Def. 4.1).
    """
    if depth == 0 or not operators or draw(choices((False, False, False, True))):
        return Relation(draw(choices(RELATIONS)))
    kind = draw(choices(operators))
    below = cel_formulas(schema, operators, depth=depth - 1, unary=unary)
    return draw(_applied(kind, draw(below), below, schema, unary))


def _applied(
    kind: type[Formula], body: Formula, below: st.SearchStrategy[Formula], schema: Schema, unary: bool
) -> st.SearchStrategy[Formula]:
    if kind is In:
        return choices(VARIABLES).map(lambda name: In(body, name))
    if kind is Filter:
        known = tuple(sorted(variables_of(body)))
        if not known:
            return st.just(body)  # a filter about a variable that is bound nowhere is a mistake
        return predicates_over(known, schema, unary=unary).map(lambda found: Filter(body, found))
    if kind is Projection:
        names = st.lists(choices((*VARIABLES, *RELATIONS)), max_size=3)
        return names.map(lambda chosen: Projection(body, tuple(chosen)))
    if kind is Within:
        lengths = st.integers(1, 4)
        windows: st.SearchStrategy[EventWindow | TimeWindow] = lengths.map(EventWindow)
        if schema.time is not None and isinstance(schema[schema.time], Timestamp):
            windows |= lengths.map(lambda n: TimeWindow(Duration(n, "ms")))
        return windows.map(lambda window: Within(body, window))
    if issubclass(kind, Nary):
        joined = kind
        return below.map(lambda other: joined((body, other)))
    if kind is Unless:
        return below.map(lambda guard: Unless(body, guard))
    if not issubclass(kind, Unary):
        raise ValueError(f"{kind.__name__} is no operator")
    return st.just(kind(body))


@st.composite
def predicates_over(
    draw: st.DrawFn,
    known: tuple[Variable, ...],
    schema: Schema = TICKS,
    *,
    unary: bool = True,
    depth: int = 2,
) -> Predicate:
    """Predicates over some of the variables `known`, connectives `depth` deep; unary ones, or all kinds."""
    kinds: tuple[str, ...] = (
        ("each", "each", "and", "or") if unary else ("each", "correlated", "measure", "and", "or", "not")
    )
    kind = draw(choices(kinds if depth else tuple(k for k in kinds if k not in ("and", "or", "not"))))
    below = predicates_over(known, schema, unary=unary, depth=depth - 1)
    match kind:
        case "and" | "or":
            parts = (draw(below), draw(below))
            return AllOf(parts) if kind == "and" else AnyOf(parts)
        case "not":
            return Negated(draw(below))
        case "measure":
            return draw(_measures(known, schema))
        case "correlated":
            return draw(_correlated(known, schema))
    return Each(draw(choices(known)), draw(conditions(schema, (), size=2).filter(_of_values)))


def _of_values(condition: Condition) -> bool:
    return not reads_position(condition)


@st.composite
def _correlated(draw: st.DrawFn, known: tuple[Variable, ...], schema: Schema) -> Predicate:
    name = draw(choices(tuple(n for n in ("id", "price") if n in schema) or schema.names))
    left, right = draw(choices(known)), draw(choices(known))
    sign = draw(choices(("=", "<") if name in ("id", "price") else ("=", "!=")))
    return for_all(Comparison(sign, Attribute(left, name), Attribute(right, name)))


@st.composite
def _measures(draw: st.DrawFn, known: tuple[Variable, ...], schema: Schema) -> Predicate:
    function = draw(choices(FUNCTIONS))
    numbers = tuple(n for n in ("id", "price") if n in schema)
    if not numbers:
        function = "count"
    attribute = None if function == "count" else draw(choices(numbers))
    measure = Measure(function, draw(choices(known)), attribute)
    return Compared(draw(choices(COMPARISONS)), measure, Constant(draw(st.integers(0, 4))))
