"""Laws of complex event logic: equivalences on generated formulas and streams.

Those that the paper states are in `mnemata.proofs.cel`.
"""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.proofs.generators.cel import cel_formulas
from mnemata.proofs.generators.signature import TICKS, streams
from mnemata.theory.cel.binding import bind_formula
from mnemata.theory.cel.formulas import (
    All,
    And,
    Contiguous,
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
    variables_of,
)
from mnemata.theory.cel.predicates import AllOf, AnyOf, Compared, Measure, Negated, for_all
from mnemata.theory.cel.rewriting import (
    binding_at_leaves,
    filters_at_event_types,
    regrouped,
)
from mnemata.theory.cel.semantics import complex_events, valuations
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.terms import Constant
from mnemata.theory.schema import Schema, String

A, B, C = (Relation(name) for name in "ABC")
formulas = cel_formulas(depth=2)
correlated = cel_formulas(depth=2, unary=False)
# Few different events, so that formulas match; those of `streams` also have values missing.
rows = st.tuples(st.sampled_from("AABBC"), st.integers(1, 2), st.sampled_from((1.0, 2.0)))
dense = st.lists(rows, min_size=1, max_size=5).map(
    lambda drawn: TICKS.stream([(*row, at) for at, row in enumerate(drawn)])
)
words = dense | dense | streams(min_size=1, max_size=5)
LETTERS = Schema.of(type=String(), event_type="type")


def word(letters):
    return LETTERS.stream([(letter,) for letter in letters])


def equal(left, right, stream, variables=None):
    """Equal valuations over all intervals, on some variables or on all."""
    for i in range(len(stream)):
        for j in range(i, len(stream)):
            sides = (valuations(side, stream, i, j) for side in (left, right))
            if variables is not None:
                sides = ({mu.restrict(variables) for mu in side} for side in sides)
            one, other = sides
            assert one == other, (i, j)


@pytest.mark.parametrize("kind", [Sequencing, Contiguous, Or, And, All])
@given(words, correlated, correlated, correlated)
def test_associative(kind, stream, a, b, c):
    equal(kind((kind((a, b)), c)), _right_nested(kind, a, b, c), stream)


def _right_nested(kind, a, b, c):
    """``a o (b o c)`` that stays nested: the inner part is hidden from flattening by an OR."""
    inner = kind((b, c))
    return kind((a, Or((inner, inner))))


@pytest.mark.parametrize("kind", [Or, And, All])
@given(words, correlated, correlated)
def test_commutative(kind, stream, a, b):
    equal(kind((a, b)), kind((b, a)), stream)


@given(words, formulas, formulas, formulas)
def test_sequencing_distributes_over_or(stream, a, b, c):
    for kind in (Sequencing, Contiguous, All):
        equal(kind((a, b | c)), kind((a, b)) | kind((a, c)), stream)
        equal(kind((b | c, a)), kind((b, a)) | kind((c, a)), stream)


@given(words, correlated)
def test_iteration_unfolds(stream, a):
    equal(a.plus(), a | (a >> a.plus()), stream)
    equal(a.plus(), a | (a.plus() >> a), stream)
    plus = a.contiguous_plus()
    equal(plus, a | Contiguous((a, plus)), stream)
    equal(plus, a | Contiguous((plus, a)), stream)


@given(words, st.sampled_from("ABC"))
def test_an_event_type_is_its_own_variable(stream, name):
    equal(Relation(name), In(Relation(name), name), stream)


@given(words, correlated, correlated)
def test_what_is_binary_in_variables(stream, a, b):
    equal(In(In(a, "X"), "X"), In(a, "X"), stream)
    equal(In(a | b, "X"), In(a, "X") | In(b, "X"), stream)
    equal(Projection(Projection(a, ("X", "A")), ("X", "B")), Projection(a, ("X",)), stream)
    equal(Start(Start(a)), Start(a), stream)
    equal(Unless(a, b), Unless(Unless(a, b), b), stream)
    equal(Unless(a | b, b), Unless(a, b), stream)
    equal(a & a, a, stream)


@given(words, correlated)
def test_strategies_choose_among_what_there_is(stream, a):
    for kind in (Strict, Nxt, Last, Max):
        equal(kind(kind(a)), kind(a), stream)
        equal(kind(a) & a, kind(a), stream)
    equal(Max(Nxt(a)), Nxt(a), stream)
    equal(Max(a) & Nxt(a), Nxt(a), stream)  # the first and the last are maximal
    equal(Max(a) & Last(a), Last(a), stream)


@given(words, correlated)
def test_the_variables_that_may_be_defined_are_those_that_are(stream, a):
    bound = {name for mu in valuations(a, stream, 0, len(stream) - 1) for name in mu.variables}
    assert bound <= variables_of(a)


@given(words, correlated)
def test_binding_to_a_schema_twice_is_binding_once(stream, a):
    once = bind_formula(a, TICKS)
    assert bind_formula(once, TICKS) == once
    equal(a, once, stream)


PREDICATES = (
    for_all(register("A").price < register("B").price),
    for_all(register("A").id == 1),
    Compared(">", Measure("count", "A"), Constant(1)),
)


@given(words, formulas, st.sampled_from(PREDICATES), st.sampled_from(PREDICATES))
def test_filters_with_and_or_not(stream, a, p, q):
    equal(Filter(a, AllOf((p, q))), Filter(Filter(a, p), q), stream)
    equal(Filter(a, AnyOf((p, q))), Filter(a, p) | Filter(a, q), stream)
    equal(Filter(a, p) | Filter(a, Negated(p)), a, stream)


# Section 8.2 and its appendices.


@given(words, correlated, correlated, correlated, st.data())
def test_sequencing_of_both_kinds_regroups(stream, a, b, c, data):
    inner, outer = (data.draw(st.sampled_from((Sequencing, Contiguous))) for _ in range(2))
    one = outer((inner((a, b)), c))
    if isinstance(one.parts[0], Sequencing | Contiguous):
        equal(one, regrouped(one), stream)


@pytest.mark.parametrize("formula", [Contiguous((A >> B, A)), Sequencing((Contiguous((A, B)), A))])
def test_regrouping_keeps_each_operator_in_its_place(formula):
    for letters in ALL_WORDS:
        equal(formula, regrouped(formula), letters)


ALL_WORDS = [word(letters) for n in (5, 6) for letters in product("AB", repeat=n)]


COUNT_X = Compared("=", Measure("count", "X"), Constant(1))
ONE_OR_TWO = AnyOf((for_all(register("X").id == 1), for_all(register("X").id == 2)))


@pytest.mark.parametrize(
    "formula",
    [
        In(Filter(In(A, "X") >> B, COUNT_X), "X"),
        Filter(In(Filter(In(A, "X") >> B, COUNT_X), "X"), Compared("=", Measure("count", "X"), Constant(2))),
        In(Filter(In(A, "X") >> In(B, "X"), Compared("=", Measure("count", "A"), Constant(1))), "A"),
    ],
)
def test_what_is_bound_anew_was_filtered_before(formula):
    """ERRATA B10: filters inside read what a variable was bound to before."""
    for letters in ALL_WORDS:
        equal(formula, binding_at_leaves(formula), letters, variables_of(formula))
    assert complex_events(formula, word("AB"), 0, 1)


def test_a_disjunction_of_filters_is_not_a_filter_of_each_event():
    formula = Filter(In(Iteration(A), "X"), ONE_OR_TWO)
    stream = TICKS.stream([("A", 1, 1.0, 0), ("A", 2, 1.0, 1), ("A", 2, 1.0, 2)])
    expected = {frozenset({1, 2}), frozenset({2})}
    assert complex_events(formula, stream, 0, 2) == expected
    assert complex_events(filters_at_event_types(formula), stream, 0, 2) == expected


def test_iteration_is_all_subsets():
    stream = word("A" * 7)
    found = complex_events(Iteration(A), stream, 0, 6)
    assert len(found) == 64
    assert all(6 in marks for marks in found)
