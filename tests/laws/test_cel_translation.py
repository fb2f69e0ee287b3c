"""CEL and SREMO translated into each other keep what they find, on generated formulas and streams."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mnemata.automata.cea import runs
from mnemata.automata.constructions.cea.bridges import cea_of, expression_of
from mnemata.automata.engine.matches import Match
from mnemata.automata.engine.selection import selected
from mnemata.proofs.generators import TICKS, streams
from mnemata.proofs.generators.cea import ceas
from mnemata.proofs.generators.cel import cel_formulas
from mnemata.proofs.generators.sremo import expressions
from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import (
    STRATEGIES,
    Contiguous,
    ContiguousIteration,
    Filter,
    In,
    Iteration,
    Or,
    Relation,
    Sequencing,
    Strict,
    Within,
)
from mnemata.theory.cel.predicates import ForAll, Predicate
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.formulas import conjunction
from mnemata.theory.errors import PatternError, UnsupportedError
from mnemata.theory.sremo.expressions import registers_of
from mnemata.theory.sremo.semantics import matches, matches_at
from mnemata.theory.translation import expression_of_formula, formula_of_expression
from mnemata.theory.trees import walk

FRAGMENT = (In, Filter, Sequencing, Iteration, Contiguous, ContiguousIteration, Or, Strict, Within)
words = streams(min_size=1, max_size=5)


def with_types(stream):
    return TICKS.stream([(event["type"] or "A", *event.values[1:]) for event in stream])


typed = words.map(with_types)


def is_brief(formula):
    return sum(isinstance(n, Predicate) for n in walk(formula)) <= 8


def later(found):
    """Complex events with all positions one greater, as SREMO counts them."""
    return {frozenset(p + 1 for p in event) for event in found}


def stream_for_stream(formula, expression, stream):
    for n, found in enumerate(semantics.complex_events_along(formula, stream)):
        ending = {event for event in found if n in event}
        assert matches_at(expression, stream, n + 1) == later(ending)


@settings(max_examples=200)
@given(cel_formulas(operators=FRAGMENT, depth=3).filter(is_brief), words)
def test_unary_formulas_as_expressions(formula, stream):
    expression = expression_of_formula(formula, TICKS)
    assert not registers_of(expression)
    stream_for_stream(formula, expression, stream)
    found = semantics.complex_events_along(formula, stream)
    assert all(n in event for n, events in enumerate(found) for event in events)


def same_id(*names):
    first, *others = (register(name) for name in names)
    return conjunction(*(first.id == other.id for other in others))


@st.composite
def bound_once(draw, name):
    """One event bound to `name`, perhaps with others before or after it."""
    joined = st.sampled_from((Sequencing, Contiguous))
    leaf = Relation(draw(st.sampled_from("AB"))).bound_to(name)
    shape = draw(st.sampled_from(("leaf", "leaf", "either", "before", "after")))
    if shape == "either":
        return leaf | Relation(draw(st.sampled_from("AB"))).bound_to(name)
    if shape == "before":
        return draw(joined)((Relation("C"), leaf))
    return draw(joined)((leaf, Relation("C"))) if shape == "after" else leaf


@st.composite
def correlated(draw):
    """Formulas with a filter between x and y, some inside iterations, some with another one around."""
    joined = st.sampled_from((Sequencing, Sequencing, Contiguous))
    x, y = draw(bound_once("x")), draw(bound_once("y"))
    rounds = draw(st.sampled_from((None, None, Iteration, ContiguousIteration)))
    pair = draw(joined)((x, y if rounds is None else rounds(y)))
    if rounds is None and draw(st.booleans()):
        pair |= draw(joined)((y, x))
    price = ForAll(register("x").price < register("y").price)
    formula = Filter(pair, draw(st.sampled_from((ForAll(same_id("x", "y")), price))))
    shape = draw(st.sampled_from(("", "", "again", "third", "stricter", "one of two")))
    if shape == "again":
        return Iteration(formula)
    if shape == "third":
        return Filter(draw(joined)((formula, draw(bound_once("z")))), ForAll(same_id("x", "z")))
    if shape == "one of two":
        return Filter(pair, ForAll(same_id("x", "y")) | price)
    return Strict(formula) if shape == "stricter" else formula


@settings(max_examples=300)
@given(correlated(), streams(min_size=3, max_size=6))
def test_correlated_formulas_as_expressions(formula, stream):
    stream_for_stream(formula, expression_of_formula(formula, TICKS), stream)


unary_expressions = expressions(TICKS, (), size=4, windows=False, intersections=False)


def to_formula(expression, **how):
    try:
        return formula_of_expression(expression, TICKS, **how)
    except UnsupportedError:
        return None


@settings(max_examples=150)
@given(expressions(TICKS, (), size=4).filter(lambda e: to_formula(e) is not None), typed)
def test_expressions_as_formulas_stream_for_stream(expression, stream):
    stream_for_stream(to_formula(expression), expression, stream)


@settings(max_examples=150)
@given(expressions(TICKS, (), size=4, negations=True), typed)
def test_expressions_as_formulas_string_for_string(expression, stream):
    formula = to_formula(expression, anchored=True)
    assume(formula is not None)
    for n, found in enumerate(semantics.complex_events_along(formula, stream)):
        assert matches(expression, stream[: n + 1]) == later(found)


@settings(max_examples=100)
@given(cel_formulas(operators=FRAGMENT, depth=2).filter(is_brief), typed)
def test_formulas_as_expressions_and_back(formula, stream):
    again = formula_of_expression(expression_of_formula(formula, TICKS), TICKS)
    assert semantics.complex_events_along(again, stream) == semantics.complex_events_along(formula, stream)


@given(ceas(states=(1, 3), transitions=(1, 6)), words)
def test_automata_as_expressions(cea, stream):
    expression = expression_of(cea)
    for n, found in enumerate(runs.complex_events_along(cea, stream)):
        assert matches(expression, stream[: n + 1]) == later(found)


@settings(max_examples=100)
@given(expressions(TICKS, (), size=4, windows=False, negations=True), words)
def test_expressions_as_automata(expression, stream):
    try:
        cea = cea_of(expression, TICKS)
    except (UnsupportedError, PatternError):
        assume(False)
    for n, found in enumerate(runs.complex_events_along(cea, stream)):
        assert matches(expression, stream[: n + 1]) == later(found)


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(st.sets(st.frozensets(st.integers(0, 5), min_size=1)))
def test_selection_among_matches(strategy, found):
    given_matches = sorted((Match(tuple(sorted(marks))) for marks in found), key=lambda m: m.end)
    kept = {frozenset(match.positions) for match in selected(given_matches, strategy)}
    expected = set()
    for end in range(6):
        ending = [marks for marks in found if max(marks) == end]
        expected |= semantics.select(strategy(Relation("A")), ending)
    assert kept == expected
