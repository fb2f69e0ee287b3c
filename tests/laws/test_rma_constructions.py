"""Constructions on RMA keep the matches; `test_claims` refutes those that were published."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, assume, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from mnemata.automata.constructions.rma.closure import (
    concatenated_as_defined,
    concatenation,
    iterated_as_defined,
    plus,
    union,
)
from mnemata.automata.constructions.rma.determinization import (
    determinize,
    determinize_recogniser,
    determinize_recogniser_as_published,
    determinize_window,
    unrolled,
)
from mnemata.automata.constructions.rma.translation import translate, without_epsilon
from mnemata.automata.decisions.rma import is_deterministic_per_output, is_output_agnostic_deterministic
from mnemata.automata.rma.automaton import RMA, with_start
from mnemata.automata.rma.bridges import rma_of, srt_of
from mnemata.automata.rma.runs import matches, matches_at, recognised_at, runs
from mnemata.automata.rma.selections import writes_before_reading
from mnemata.automata.srt import runs as of_srt
from mnemata.automata.srt.runs import Acceptance
from mnemata.proofs.generators.automata import srts
from mnemata.proofs.generators.cepl import RELATIONS, cepl_expressions
from mnemata.theory.budget import Budget
from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.expressions import Atom, Sequence, either
from mnemata.theory.conditions.building import register
from mnemata.theory.errors import LimitError, UnsupportedError
from mnemata.theory.schema import Category, Int64, Schema

EVENTS = Schema.of(type=Category(RELATIONS), id=Int64(), event_type="type")
ROWS = st.tuples(st.sampled_from("AAAB"), st.integers(1, 2)) | st.tuples(st.sampled_from("AB"), st.just(1))
WORDS = st.integers(0, 5).flatmap(lambda n: st.lists(ROWS, min_size=n, max_size=5)).map(EVENTS.stream)
SMALL = cepl_expressions(EVENTS, size=4, windows=False)


@st.composite
def rmas(draw):
    """RMA of any shape, with one start state or several."""
    srt = draw(srts(EVENTS, ("r1", "r2")))
    more = draw(st.frozensets(st.integers(0, srt.size - 1), max_size=2))
    return RMA(srt.size, more | {srt.start}, srt.finals, srt.transitions, srt.registers)


def one_less(found):
    return {frozenset(position - 1 for position in marks) for marks in found}


def splits(stream, parts=2):
    return ((stream[:i], stream[i:]) for i in range(len(stream) + 1))


def all_of(rma, string):
    """The matches of a whole string, as positions."""
    return set(of_srt.matches(rma.srt, string, Acceptance.LAST_EVENT_MARKED))


@given(WORDS, rmas())
def test_the_srt_of_an_rma(stream, rma):
    assert one_less(of_srt.matches(srt_of(rma), stream)) == matches_at(rma, stream, len(stream))


@given(WORDS, srts(EVENTS, ("r1", "r2")))
def test_the_rma_of_an_srt(stream, srt):
    try:
        rma = rma_of(srt)
    except UnsupportedError:
        assume(False)
    assert writes_before_reading(rma)
    assert matches_at(rma, stream, len(stream)) == one_less(of_srt.matches(srt, stream))
    assert one_less(of_srt.matches(srt_of(rma), stream)) == matches_at(rma, stream, len(stream))


@given(WORDS, rmas())
def test_eliminating_epsilon(stream, rma):
    assert matches(without_epsilon(rma), stream) == matches(rma, stream)
    assert not without_epsilon(rma).srt.has_epsilon


@given(WORDS, rmas(), rmas())
def test_union(stream, left, right):
    assert matches(union(left, right), stream) == matches(left, stream) | matches(right, stream)


@given(WORDS, rmas(), rmas())
def test_concatenation(stream, left, right):
    joined = (
        (one, other) for a, b in splits(stream) for one in all_of(left, a) for other in all_of(right, b)
    )
    assert all_of(concatenation(left, right), stream) == {one | other for one, other in joined}


def iterated(rma, string):
    """All unions of matches over consecutive pieces, none of which is empty."""
    found = set(all_of(rma, string))
    for i in range(1, len(string)):
        found |= {a | b for a in all_of(rma, string[:i]) for b in iterated(rma, string[i:])}
    return found


@given(WORDS, rmas())
def test_plus(stream, rma):
    assert all_of(plus(rma), stream) == iterated(rma, stream)


@given(WORDS, cepl_expressions(EVENTS, size=3, windows=False), cepl_expressions(EVENTS, size=2))
def test_of_core_cepl_the_closure_is_what_definition_10_says(stream, one, other):
    left, right = translate(one, EVENTS), translate(other, EVENTS)
    assert matches(concatenation(left, right), stream) == concatenated_as_defined(left, right, stream)
    assert matches(plus(left), stream) == iterated_as_defined(left, stream)
    assert matches(plus(left), stream) == semantics.matches(one.plus(), stream)


@given(WORDS, SMALL, st.integers(1, 4))
def test_unrolling(stream, expression, window):
    rma = unrolled(translate(expression, EVENTS), window)
    assert matches(rma, stream) == semantics.matches(expression.window(window), stream)
    assert writes_before_reading(rma)


@given(WORDS, SMALL, st.integers(1, 4))
@settings(max_examples=40)
def test_determinization_within_a_window(stream, expression, window):
    rma = determinize_window(expression, window, EVENTS)
    assert matches(rma, stream) == semantics.matches(expression.window(window), stream)
    assert writes_before_reading(rma)
    assert len({tuple(t.output for t in run.transitions) for run in runs(rma, stream)}) == len(
        list(runs(rma, stream))
    )


@given(WORDS, SMALL, st.integers(1, 4))
@settings(max_examples=40)
def test_determinization_regardless_of_output(stream, expression, window):
    rma = translate(expression, EVENTS)
    made = determinize_recogniser(rma, window)
    ends = {max(found) for found in semantics.matches(expression.window(window), stream)}
    assert recognised_at(made, stream) == ends
    assert len(list(runs(made, stream))) == 1
    assert writes_before_reading(made)


def separated(rma, stream):
    """Whether no two runs mark the same events."""
    marked = [run.marks for run in runs(rma, stream)]
    return len(marked) == len(set(marked))


@given(WORDS, cepl_expressions(EVENTS, size=3, windows=False))
@settings(max_examples=40)
def test_determinization_where_finitely_many_registers_suffice(stream, expression):
    rma = without_epsilon(translate(expression, EVENTS))
    try:
        made = determinize(rma, EVENTS, budget=Budget(states=60))
    except LimitError:
        assume(False)
    assert matches(made, stream) == matches(rma, stream)
    assert separated(made, stream)


@given(SMALL, st.integers(1, 3))
@settings(max_examples=10)
def test_determinism_is_decided_of_what_determinization_makes(expression, window):
    made = determinize_recogniser(translate(expression, EVENTS), window)
    assert not is_output_agnostic_deterministic(made, EVENTS).no
    assert not is_deterministic_per_output(determinize_window(expression, window, EVENTS), EVENTS).no


# As published.


def counterexample(instances, holds, tries=2000):
    options = settings(
        max_examples=tries,
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),
        report_multiple_bugs=False,
    )
    try:
        return find(instances, lambda instance: not holds(*instance), settings=options)
    except NoSuchExample:
        return None


@st.composite
def orders(draw):
    """A choice between orders in which the same variables are bound, and a filter over two of them."""
    permutations = st.sampled_from(("xzy", "zxy", "xyz", "yzx"))
    some = draw(st.lists(permutations, min_size=2, max_size=2, unique=True))
    kinds = st.sampled_from("AAAAB")
    parts = [Sequence(tuple(Atom(draw(kinds), name) for name in order)) for order in some]
    return either(*parts).filter(register("x").id == register("y").id)


@st.composite
def pairs(draw):
    """Two events that agree, and perhaps one between them."""
    kinds = st.sampled_from("AAB")
    names = draw(st.sampled_from(("xy", "xy", "xzy")))
    parts = Sequence(tuple(Atom(draw(kinds), name) for name in names))
    return parts.filter(register("x").id == register("y").id)


@given(WORDS, orders() | pairs())
@settings(max_examples=60)
def test_the_same_search_does_not_refute_the_repairs(stream, expression):
    found = semantics.matches(expression, stream)
    rma = translate(expression, EVENTS)
    assert matches(rma, stream) == found
    assert matches(determinize_window(expression, 5, EVENTS), stream) == found
    assert recognised_at(determinize_recogniser(rma, 5), stream) == {max(match) for match in found}


def test_two_events_are_too_few_to_refute_the_recogniser():
    def holds(stream, expression):
        made = determinize_recogniser_as_published(translate(expression, EVENTS), 2, EVENTS)
        ends = {max(found) for found in semantics.matches(expression.window(2), stream)}
        return recognised_at(made, stream) == ends

    assert counterexample(st.tuples(WORDS, pairs()), holds, tries=60) is None


def test_a_single_start_state_is_no_restriction_of_with_start():
    srt = with_start(srt_of(RMA(2, {0, 1}, {1}, ()))).srt
    assert srt.size == 3
