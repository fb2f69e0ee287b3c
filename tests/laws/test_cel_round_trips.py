"""From complex event automata to formulas and back, and the ``*``-semantics, on generated automata."""

from __future__ import annotations

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from mnemata.automata.cea import runs, star_runs
from mnemata.automata.constructions.cea.compilation import automaton
from mnemata.automata.constructions.cea.formulas import (
    formula_of,
    formula_of_as_published,
    star_formula_of,
    star_formula_of_as_published,
)
from mnemata.automata.constructions.cea.star import star_automaton
from mnemata.automata.decisions.cea.star_property import has_star_property
from mnemata.proofs.generators import TICKS, streams
from mnemata.proofs.generators.cea import ceas
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, cel_formulas
from mnemata.theory.cel import semantics
from mnemata.theory.cel.binding import bind_formula
from mnemata.theory.cel.formulas import (
    ContiguousIteration,
    Filter,
    In,
    Iteration,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Unless,
)
from mnemata.theory.cel.predicates import Predicate
from mnemata.theory.cel.rewriting import is_in_fragment
from mnemata.theory.trees import walk

pytestmark = pytest.mark.filterwarnings("ignore::mnemata.theory.errors.ContradictionWarning")


def with_types(stream):
    """The stream with a type for events that have none, which formulas cannot read."""
    return TICKS.stream([(event["type"] or "A", *event.values[1:]) for event in stream])


small = ceas(states=(1, 3), transitions=(1, 6))
typed = streams(min_size=1, max_size=5).map(with_types)
few = streams(min_size=1, max_size=4).map(with_types)
SEARCH = settings(max_examples=5_000, phases=[Phase.generate])


def is_brief(formula):
    return sum(isinstance(n, Predicate) for n in walk(formula)) <= 6


def star_events_along(cea, stream):
    return [star_runs.star_complex_events(cea, stream, n) for n in range(len(stream))]


@settings(max_examples=150)
@given(small, typed)
def test_formulas_have_the_valuations_of_the_automaton(cea, stream):
    formula = formula_of(cea, TICKS)
    assert semantics.valuations_along(formula, stream) == runs.valuations_along(cea, stream)
    allowed = (In, Filter, ContiguousIteration, Projection, Start, Or, Relation)
    kinds = {type(n).__name__ for n in walk(formula, down_to=(Predicate,)) if not isinstance(n, Predicate)}
    assert kinds <= {kind.__name__ for kind in allowed} | {"Contiguous"}


@settings(max_examples=100)
@given(small, few)
def test_automata_of_formulas_of_automata(cea, stream):
    again = automaton(bind_formula(formula_of(cea, TICKS), TICKS), TICKS)
    assert runs.valuations_along(again, stream) == runs.valuations_along(cea, stream)


@settings(max_examples=100)
@given(cel_formulas(operators=(Sequencing, Iteration, Unless, In, Start), depth=2).filter(is_brief), few)
def test_formulas_of_automata_of_formulas(formula, stream):
    again = formula_of(automaton(bind_formula(formula, TICKS), TICKS), TICKS)
    assert semantics.valuations_along(again, stream) == semantics.valuations_along(formula, stream)


def test_published_formulas_are_refuted_by_unmarked_transitions():
    """ERRATA B4."""

    def wrong(case):
        cea, stream = case
        found = semantics.complex_events_along(formula_of_as_published(cea, TICKS), stream)
        return found != runs.complex_events_along(cea, stream)

    cea, stream = find(st.tuples(small, few), wrong, settings=SEARCH)
    assert not all(t.marking for t in cea.transitions)
    found = semantics.valuations_along(formula_of(cea, TICKS), stream)
    assert found == runs.valuations_along(cea, stream)


@settings(max_examples=100)
@given(small, few)
def test_published_formulas_are_right_without_unmarked_transitions(cea, stream):
    marking = type(cea)(cea.size, [t for t in cea.transitions if t.marking], cea.initials, cea.finals)
    found = semantics.valuations_along(formula_of_as_published(marking, TICKS), stream)
    assert found == runs.valuations_along(marking, stream)


@given(small, typed)
def test_star_formulas_have_the_star_complex_events(cea, stream):
    formula = star_formula_of(cea, TICKS)
    assert is_in_fragment(formula)
    assert semantics.complex_events_along(formula, stream) == star_events_along(cea, stream)


def test_published_star_formulas_are_refuted():
    """ERRATA B9: loops are taken once at most."""

    def wrong(case):
        cea, stream = case
        found = semantics.complex_events_along(star_formula_of_as_published(cea, TICKS), stream)
        return found != star_events_along(cea, stream)

    cea, stream = find(st.tuples(small, few), wrong, settings=SEARCH)
    assert semantics.complex_events_along(star_formula_of(cea, TICKS), stream) == star_events_along(
        cea, stream
    )


@given(small, streams(min_size=1, max_size=5))
def test_star_automata_have_the_star_valuations(cea, stream):
    found = runs.valuations_along(star_automaton(cea), stream)
    assert found == [star_runs.star_valuations(cea, stream, n) for n in range(len(stream))]


@settings(max_examples=60)
@given(cel_formulas(operators=CEL_STAR_OPERATORS, depth=2).filter(is_brief), streams(min_size=1, max_size=4))
def test_formulas_of_cel_star_have_the_star_property(formula, stream):
    """Prop. 8.5, and with it Prop. 8.8."""
    cea = automaton(bind_formula(formula, TICKS), TICKS)
    assert has_star_property(cea, TICKS).yes
    assert runs.complex_events_along(cea, stream) == star_events_along(cea, stream)


def test_the_star_semantics_as_published_refutes_prop_8_8():
    """ERRATA B9: with ``0 < i_1`` the first event of a stream is never read."""
    stars = cel_formulas(operators=CEL_STAR_OPERATORS, depth=1).filter(is_brief)

    def wrong(case):
        formula, stream = case
        cea = automaton(bind_formula(formula, TICKS), TICKS)
        return any(
            star_runs.star_valuations_as_published(cea, stream, n) != runs.valuations(cea, stream, n)
            for n in range(len(stream))
        )

    assert find(st.tuples(stars, few), wrong, settings=SEARCH)


@settings(max_examples=150)
@given(small, streams(min_size=1, max_size=4))
def test_counterexamples_to_the_star_property(cea, stream):
    """Def. 8.4 to the letter, for what the answer shows, and for the generated stream."""
    answer = has_star_property(cea, TICKS)
    if answer.no:
        assert at_last(answer.found, cea)
        events, found = answer.found
        if answer.missing is None:
            assert len(events) - 1 not in found
        else:
            assert not at_last(answer.missing, cea)
            assert values(answer.missing) == values(answer.found)
            assert max(answer.missing[1]) == len(answer.missing[0]) - 1
    if answer.yes:
        assert runs.complex_events_along(cea, stream) == star_events_along(cea, stream)


def at_last(occurrence, cea):
    stream, event = occurrence
    return event in runs.complex_events(cea, stream, len(stream) - 1)


def values(occurrence):
    stream, event = occurrence
    return [stream[p].values for p in sorted(event)]
