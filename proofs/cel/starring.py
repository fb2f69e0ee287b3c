"""Claims about CEL* and the ``*``-property: CEL Section 8.1 (ERRATA B9)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.decisions.cea.star_property import Occurrence, has_star_property
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.cel.compiling import Instance as FormulaAndStream
from mnemata.proofs.cel.compiling import is_brief, made
from mnemata.proofs.cel.enumerating import CORRELATIONS, FILTERS, LETTERS, formulas
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.symbolic import Events, complex_events, over_intervals, valuations_along
from mnemata.proofs.claims import Claim
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS, Stream, streams
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, RELATIONS, cel_formulas, words
from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import (
    Contiguous,
    ContiguousIteration,
    Formula,
    Iteration,
    Last,
    Max,
    Nxt,
    Projection,
    Relation,
    Start,
    Strict,
    Unless,
)
from mnemata.theory.cel.valuations import ComplexEvent
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Condition, Not, disjunction
from mnemata.theory.conditions.formulas import And as Both
from mnemata.theory.schema import Category, Float64, Int64, Schema, Value

Candidate: TypeAlias = tuple[Formula]
Row: TypeAlias = tuple[Value, ...]
Noise: TypeAlias = tuple[tuple[int, Row], ...]
Sampled: TypeAlias = tuple[Formula, Stream, Noise]

TIMELESS: Final = Schema.of(type=Category(RELATIONS), id=Int64(), price=Float64(), event_type="type")
"""Events whose values do not tell where they are."""

CEL_STAR: Final = cel_formulas(operators=CEL_STAR_OPERATORS, depth=3, unary=False)
UNARY_CEL_STAR: Final = cel_formulas(operators=CEL_STAR_OPERATORS, depth=2).filter(is_brief)
ANY: Final = words(max_size=5) | streams(min_size=1, max_size=5)
FORMULAS: st.SearchStrategy[FormulaAndStream] = st.tuples(CEL_STAR, ANY)


def supports_end_with_the_interval() -> Claim[FormulaAndStream]:
    """Lemma 8.2: the last position is in the support, and nothing outside of the interval is."""

    def holds(instance: FormulaAndStream) -> bool:
        formula, stream = instance
        table = semantics.valuations_over_intervals(formula, stream)
        return all(
            j in mu.support and mu.support <= frozenset(range(i, j + 1))
            for (i, j), found in table.items()
            for mu in found
        )

    return Claim("supports end with the interval and lie in it", "Lemma 8.2", FORMULAS, holds)


def beginnings_do_not_matter() -> Claim[FormulaAndStream]:
    """Lemma 8.3: what is found is found from any earlier position on, and from its own first position on."""

    def holds(instance: FormulaAndStream) -> bool:
        formula, stream = instance
        table = semantics.valuations_over_intervals(formula, stream)
        return all(
            mu in table[min(mu.support), max(mu.support)] and all(mu in table[k, j] for k in range(i))
            for (i, j), found in table.items()
            for mu in found
        )

    return Claim("where an interval begins does not matter", "Lemma 8.3", FORMULAS, holds)


def _star_formulas(effort: Effort) -> Iterator[Formula]:
    """All formulas of CEL* with up to ``effort.parts`` operators; filters may compare events."""
    for operators in range(effort.parts + 1):
        yield from formulas(operators, frozenset(CEL_STAR_OPERATORS), (*FILTERS, *CORRELATIONS))


def ends_elsewhere(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That a support ends before its interval or lies outside, for all formulas of few operators."""
    for formula in _star_formulas(effort):
        table = over_intervals(formula, string.events, LETTERS)
        yield disjunction(
            *(
                condition
                for (i, j), found in table.items()
                for mu, condition in found.items()
                if j not in mu.support or not mu.support <= frozenset(range(i, j + 1))
            )
        )


def lost_with_the_beginning(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That a valuation is not found from another beginning, for all formulas of few operators."""
    for formula in _star_formulas(effort):
        table = over_intervals(formula, string.events, LETTERS)
        yield disjunction(
            *(
                and_not(condition, table[other].get(mu, BOTTOM))
                for (i, j), found in table.items()
                for mu, condition in found.items()
                for other in ((min(mu.support), max(mu.support)), *((k, j) for k in range(i)))
            )
        )


proofs_of_lemma_8_2: Final = over_all_streams(ends_elsewhere)
proofs_of_lemma_8_3: Final = over_all_streams(lost_with_the_beginning)


def and_not(one: Condition, other: Condition) -> Condition:
    """``one and not other``, short where that is plain."""
    if one == other or other == TOP:
        return BOTTOM
    return one if other == BOTTOM else Both((one, Not(other)))


@st.composite
def _samples(draw: st.DrawFn) -> Sampled:
    """A formula, a stream, and events to put among those that are found, each before one of them."""
    formula = draw(cel_formulas(TIMELESS, CEL_STAR_OPERATORS, depth=3, unary=False))
    rows = st.tuples(st.sampled_from("ABC"), st.integers(1, 2), st.sampled_from((1.0, 2.0)))
    stream = TIMELESS.stream(draw(st.lists(rows, min_size=1, max_size=4)))
    noise = draw(st.lists(st.tuples(st.integers(0, 3), rows), max_size=3))
    return formula, stream, tuple(noise)


def formulas_have_the_star_property() -> Claim[Sampled]:
    """Prop. 8.5: what is found ends with its stream, and is found wherever its events are."""

    def holds(instance: Sampled) -> bool:
        formula, stream, noise = instance
        for n, found in enumerate(semantics.complex_events_along(formula, stream)):
            for c in found:
                again, moved = _embedded([stream[p].values for p in sorted(c)], noise)
                last = len(again) - 1
                if n not in c or moved not in semantics.complex_events(formula, again, 0, last):
                    return False
        return True

    return Claim("formulas of CEL* have the *-property", "Prop. 8.5", _samples(), holds)


def _embedded(rows: list[Row], noise: Noise) -> tuple[Stream, ComplexEvent]:
    """A stream of some events with others between them, and where the former are; the last is one of them."""
    whole: list[Row] = []
    places = []
    for k, row in enumerate(rows):
        whole += [other for before, other in noise if before % len(rows) == k]
        places.append(len(whole))
        whole.append(row)
    return TIMELESS.stream(whole), frozenset(places)


def dependent_on_others(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That what is found depends on more than its own events, for all formulas of few operators."""
    for formula in _star_formulas(effort):
        yield disjunction(*_dependent(formula, string.events))


proofs_of_the_star_property: Final = over_all_streams(dependent_on_others)


def _dependent(formula: Formula, events: Events) -> Iterator[Condition]:
    """Conditions that what is found at the last position depends on more than its own events.

    A complex event has to be found exactly if all of a stream of its own events is.
    """
    n = len(events) - 1
    found = complex_events(valuations_along(formula, events, LETTERS)[n])
    for size in range(n + 2):
        for places in combinations(range(n + 1), size):
            condition = found.get(frozenset(places), BOTTOM)
            alone: Condition = BOTTOM
            if n in places:
                own = valuations_along(formula, [events[p] for p in places], LETTERS)[-1]
                alone = complex_events(own).get(frozenset(range(size)), BOTTOM)
            yield and_not(condition, alone)
            yield and_not(alone, condition)


_A, _B = Relation("A"), Relation("B")
INEXPRESSIBLE: Final[tuple[Formula, ...]] = (
    Contiguous((_A, _B)),
    ContiguousIteration(_A),
    Projection(_A >> _B, ("A",)),
    Start(_A),
    Unless(_A, _B),
    Nxt(_A >> _B),
    Strict(_A >> _B),
    Last(_A >> _B),
    Max(Iteration(_A)),
)
"""For each operator of Cor. 8.6 a formula that is not in CEL*."""


@cache
def witnesses(formula: Formula) -> tuple[Occurrence, ...]:
    """Streams that tell a formula from all of CEL*: one with a complex event, one that lacks what follows."""
    answer = has_star_property(made(formula), TICKS)
    return tuple(found for found in (answer.found, answer.missing) if found is not None)


def operators_are_not_in_cel_star() -> Claim[Candidate]:
    """Cor. 8.6, the adversary: for each operator a stream on which the candidate of CEL* errs."""

    def holds(instance: Candidate) -> bool:
        (candidate,) = instance
        return all(
            any(_found(candidate, stream) != _found(formula, stream) for stream, _ in witnesses(formula))
            for formula in INEXPRESSIBLE
        )

    return Claim("no formula of CEL* says what the operator says", "Cor. 8.6", st.tuples(CEL_STAR), holds)


def _found(formula: Formula, stream: Stream) -> frozenset[ComplexEvent]:
    return semantics.complex_events(formula, stream, 0, len(stream) - 1)


def operators_break_the_star_property() -> Claim[Candidate]:
    """Cor. 8.6: for each operator there is a formula without the ``*``-property, shown by its definition."""

    def holds(instance: Candidate) -> bool:
        (formula,) = instance
        (stream, c), *missing = witnesses(formula)
        if c not in _found(formula, stream):
            return False
        if not missing:
            return len(stream) - 1 not in c
        other, moved = missing[0]
        alike = [stream[p].values for p in sorted(c)] == [other[p].values for p in sorted(moved)]
        return alike and max(moved) == len(other) - 1 and moved not in _found(formula, other)

    instances = st.tuples(st.sampled_from(INEXPRESSIBLE))
    return Claim("each operator breaks the *-property", "Cor. 8.6", instances, holds)
