"""All formulas and automata up to a size, for proofs that go through every one of them.

The predicates are about an attribute of any whole value, independent of the event type; what is proved with
them for all values holds for other predicates too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import combinations, product
from typing import Final

from mnemata.automata.cea.automaton import CEA, UNMARKED, Labels, Transition
from mnemata.automata.constructions.cea.trimming import trim
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
    variables_of,
)
from mnemata.theory.cel.predicates import ForAll, Predicate, for_all, variables_read
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.conditions.typing import bind
from mnemata.theory.schema import Category, Int64, Schema

LETTERS: Final = Schema.of(type=Category(("A", "B")), x=Int64(), event_type="type")
"""Events of two types with a whole number."""

UNARY: Final[tuple[type[Unary], ...]] = (Iteration, ContiguousIteration, Start, Strict, Nxt, Last, Max)
BINARY: Final[tuple[type[Formula], ...]] = (Sequencing, Contiguous, Or, And, All, Unless)
EVERYTHING: Final[frozenset[type[Formula]]] = frozenset((*UNARY, *BINARY, In, Filter, Projection))

FILTERS: Final[tuple[Predicate, ...]] = tuple(for_all(register(name).x > 0) for name in ("A", "B", "X"))
CORRELATIONS: Final[tuple[Predicate, ...]] = tuple(
    ForAll(register(one).x == register(other).x) for one, other in (("A", "B"), ("A", "X"), ("B", "X"))
)
"""Filters that compare events, besides those that test them."""


@cache
def formulas(
    operators: int, kinds: frozenset[type[Formula]] = EVERYTHING, filters: tuple[Predicate, ...] = FILTERS
) -> tuple[Formula, ...]:
    """All formulas with exactly so many operators, of some kinds, over the event types A and B.

    `kinds` are operators; `filters` is what ``FILTER`` may ask of variables that are bound somewhere.
    Formulas that begin with B are left out: they are others with A and B exchanged.
    """
    return tuple(f for f in _formulas(operators, kinds, filters) if _first(f) == "A")


@cache
def _formulas(
    operators: int, kinds: frozenset[type[Formula]], filters: tuple[Predicate, ...]
) -> tuple[Formula, ...]:
    if operators == 0:
        return Relation("A"), Relation("B")
    found = [
        made
        for body in _formulas(operators - 1, kinds, filters)
        for made in _with_one_part(body, kinds, filters)
    ]
    for left in range(operators):
        parts = (_formulas(n, kinds, filters) for n in (left, operators - 1 - left))
        found += [made for a, b in product(*parts) for made in _with_two_parts(a, b, kinds)]
    return tuple(dict.fromkeys(found))


def _with_one_part(
    body: Formula, kinds: Collection[type[Formula]], filters: tuple[Predicate, ...]
) -> Iterator[Formula]:
    yield from (kind(body) for kind in UNARY if kind in kinds)
    if In in kinds:
        yield In(body, "X")
    if Projection in kinds:
        yield from (Projection(body, kept) for kept in ((), ("A",), ("B",), ("X",)))
    if Filter in kinds:
        known = variables_of(body)
        yield from (Filter(body, asked) for asked in filters if variables_read(asked) <= known)


def _with_two_parts(left: Formula, right: Formula, kinds: Collection[type[Formula]]) -> Iterator[Formula]:
    for kind in BINARY:
        if kind in kinds:
            yield kind((left, right)) if issubclass(kind, Nary) else Unless(left, right)


def _first(formula: Formula) -> str:
    """The event type that is written first."""
    while not isinstance(formula, Relation):
        match formula:
            case Nary(parts=(first, *_)):
                formula = first
            case Unary(body=body) | Unless(body=body):
                formula = body
    return formula.name


def automata(
    transitions: int, label_sets: tuple[Labels, ...], predicates: tuple[Condition, ...] | None = None
) -> Iterator[CEA]:
    """All automata with exactly so many transitions between two states, none of them useless.

    Runs begin in state 0, and end in state 1 or in either.

    Parameters
    ----------
    transitions : int
        How many.
    label_sets : tuple of sets of variables
        What they mark with.
    predicates : tuple of Condition, optional
        What they ask; a test of the number, or nothing.
    """
    asked = (TOP, bind(head().x > 0, LETTERS)) if predicates is None else predicates
    pool = [
        Transition(p, ask, labels, q)
        for p, q in product((0, 1), repeat=2)
        for labels, ask in product(label_sets, asked)
    ]
    for taken in combinations(pool, transitions):
        for finals in ({1}, {0, 1}):
            cea = CEA(2, taken, frozenset({0}), frozenset(finals))
            if len(trim(cea).transitions) == transitions:
                yield cea


ONE_LABEL: Final[tuple[Labels, ...]] = (UNMARKED, frozenset({"X"}))
TWO_LABELS: Final[tuple[Labels, ...]] = (*ONE_LABEL, frozenset({"Y"}))
