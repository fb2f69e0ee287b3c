"""CEL formulas and the automata made of them have the same valuations, on generated formulas and streams.

Over every interval of the stream: an automaton reads the interval alone, from its first event on.
"""

from __future__ import annotations

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from mnemata.automata.cea import runs
from mnemata.automata.constructions.cea.compilation import automaton, compile_cel
from mnemata.automata.constructions.cea.compiled import valuations_along
from mnemata.automata.constructions.cea.layers import windows_outward
from mnemata.automata.constructions.cea.products import (
    interleaving,
    interleaving_as_published,
    unless,
    unless_as_published,
)
from mnemata.automata.constructions.cea.sequencing import (
    contiguous_iteration,
    contiguous_iteration_as_published,
)
from mnemata.proofs.generators import TICKS, streams
from mnemata.proofs.generators.cel import OPERATORS, cel_formulas
from mnemata.theory.cel import semantics
from mnemata.theory.cel.binding import bind_formula
from mnemata.theory.cel.formulas import (
    All,
    And,
    Contiguous,
    ContiguousIteration,
    Filter,
    In,
    Iteration,
    Last,
    Max,
    Nxt,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Strict,
    Unless,
    Within,
)
from mnemata.theory.cel.predicates import Predicate
from mnemata.theory.cel.valuations import Valuation
from mnemata.theory.conditions.terms import Duration
from mnemata.theory.sremo.bounds import TimeWindow
from mnemata.theory.trees import transform, walk

pytestmark = pytest.mark.filterwarnings("ignore::mnemata.theory.errors.ContradictionWarning")

words = streams(min_size=1, max_size=6)


def over_intervals(cea, stream):
    """The valuations of an automaton that reads each interval by itself."""
    return {
        (i, i + n): frozenset(moved(mu, i) for mu in found)
        for i in range(len(stream))
        for n, found in enumerate(runs.valuations_along(cea, stream[i:]))
    }


def moved(mu, offset):
    return Valuation((name, [p + offset for p in at]) for name, at in mu.contents)


def meaning(formula, stream):
    size = len(stream)
    return {(i, j): semantics.valuations(formula, stream, i, j) for i in range(size) for j in range(i, size)}


def has_time(formula):
    return any(isinstance(n, Within) and isinstance(n.window, TimeWindow) for n in walk(formula))


def is_brief(formula):
    """Whether its filters are not much longer than what they filter."""
    return sum(isinstance(n, Predicate) for n in walk(formula)) <= 8


def countable(formula):
    return is_brief(formula) and not has_time(formula)


def made(formula):
    return automaton(bind_formula(formula, TICKS), TICKS)


def agree(formula, stream):
    assert over_intervals(made(formula), stream) == meaning(formula, stream)


labelled = cel_formulas(operators=(In, Or, Projection), depth=2)


@st.composite
def outermost(draw, kind):
    """A formula with an operator outermost, over formulas with different labels."""

    def of_kind(formula):
        return isinstance(formula, kind) and countable(formula)

    base = cel_formulas(operators=(kind,), depth=1).filter(of_kind)
    formula = draw(base)
    parts = {name: draw(labelled) for name in ("A", "B", "C")}
    return substituted(formula, parts) if kind is not Filter else formula


def substituted(formula, parts):
    return transform(formula, lambda node: parts[node.name] if isinstance(node, Relation) else node)


@pytest.mark.parametrize("kind", OPERATORS, ids=lambda kind: kind.__name__)
@settings(max_examples=60)
@given(data=st.data())
def test_each_operator_alone(kind, data):
    agree(data.draw(outermost(kind)), data.draw(words))


@settings(max_examples=150)
@given(cel_formulas(depth=4).filter(countable), streams(min_size=1, max_size=5))
def test_operators_nested(formula, stream):
    agree(formula, stream)


MATCHING = (In, Sequencing, Iteration, Contiguous, ContiguousIteration, Or, All, Unless, Projection, Nxt, Max)


@settings(max_examples=150)
@given(cel_formulas(operators=MATCHING, depth=4), streams(min_size=3, max_size=5))
def test_operators_that_seldom_match_nothing_nested(formula, stream):
    agree(formula, stream)


def unwrapped(formula):
    return formula


def shown(formula):
    return Projection(formula, ("A", "X"))


@settings(max_examples=150)
@given(cel_formulas(depth=2).filter(is_brief), st.data())
def test_windows_in_time_and_what_is_around_them_are_kept_aside(formula, data):
    wrap = data.draw(st.sampled_from([unwrapped, Strict, Nxt, Last, Max, shown]))
    size = data.draw(st.integers(1, 4))
    whole = wrap(Within(formula, TimeWindow(Duration(size, "ms"))))
    if has_time(formula):
        return
    stream = data.draw(words)
    compiled = compile_cel(whole, TICKS)
    assert compiled.windows
    assert valuations_along(compiled, stream) == semantics.valuations_along(whole, stream)


@settings(max_examples=150)
@given(cel_formulas(operators=(In, And, Filter, Start, Strict, Unless, Within), depth=3), words)
def test_windows_move_outward(formula, stream):
    moved_out = windows_outward(formula)
    assert semantics.valuations_along(moved_out, stream) == semantics.valuations_along(formula, stream)


parts = cel_formulas(operators=(Start, In, Or, Iteration), depth=1)
few = streams(min_size=1, max_size=3)
SEARCH = settings(max_examples=5_000, phases=[Phase.generate])


def iterated(construction, body, _):
    return construction(made(body))


def paired(construction, body, other):
    return construction(made(body), made(other), TICKS)


PUBLISHED = [
    pytest.param(
        iterated,
        contiguous_iteration_as_published,
        contiguous_iteration,
        lambda body, _: ContiguousIteration(body),
        id="contiguous iteration (B1)",
    ),
    pytest.param(
        paired,
        interleaving_as_published,
        interleaving,
        lambda body, other: All((body, other)),
        id="ALL (B2)",
    ),
    pytest.param(
        paired, unless_as_published, unless, lambda body, other: Unless(body, other), id="UNLESS (B3)"
    ),
]


@pytest.mark.parametrize(("build", "published", "repaired", "formula"), PUBLISHED)
def test_published_constructions_are_refuted(build, published, repaired, formula):
    def wrong(case):
        body, other, stream = case
        found = over_intervals(build(published, body, other), stream)
        return found != meaning(formula(body, other), stream)

    body, other, stream = find(st.tuples(parts, parts, few), wrong, settings=SEARCH)
    assert over_intervals(build(repaired, body, other), stream) == meaning(formula(body, other), stream)


@pytest.mark.parametrize(("build", "published", "repaired", "formula"), PUBLISHED)
@settings(max_examples=200)
@given(case=st.tuples(parts, parts, few))
def test_repaired_constructions_survive_the_same_search(build, published, repaired, formula, case):
    body, other, stream = case
    expected = meaning(formula(body, other), stream)
    assert over_intervals(build(repaired, body, other), stream) == expected
