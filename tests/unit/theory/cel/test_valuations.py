"""Valuations: which positions each variable is bound to."""

import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.theory.cel.valuations import EMPTY, Valuation
from mnemata.theory.errors import PatternError

VARIABLES = ("A", "B", "C")
bindings = st.dictionaries(st.sampled_from(VARIABLES), st.frozensets(st.integers(0, 4)))
valuations = bindings.map(Valuation)


@given(bindings)
def test_binds_every_variable_to_what_was_given(given_bindings):
    mu = Valuation(given_bindings)
    assert {variable: mu[variable] for variable in VARIABLES} == {
        variable: given_bindings.get(variable, frozenset()) for variable in VARIABLES
    }
    assert mu.support == frozenset().union(*given_bindings.values())
    assert mu.variables == {variable for variable, positions in given_bindings.items() if positions}


@given(valuations, valuations)
def test_union_is_pointwise(left, right):
    joined = left.union(right)
    assert all(joined[variable] == left[variable] | right[variable] for variable in VARIABLES)
    assert joined == right.union(left)
    assert joined.support == left.support | right.support


@given(valuations, st.frozensets(st.sampled_from(VARIABLES)))
def test_restriction_forgets_the_other_variables(mu, kept):
    restricted = mu.restrict(kept)
    assert all(restricted[v] == (mu[v] if v in kept else frozenset()) for v in VARIABLES)


@given(valuations, st.frozensets(st.integers(0, 4)))
def test_binding_replaces_what_one_variable_is_bound_to(mu, positions):
    bound = mu.bind("A", positions)
    assert bound["A"] == positions
    assert bound.restrict({"B", "C"}) == mu.restrict({"B", "C"})


@given(valuations)
def test_survives_pickling_and_is_hashable(mu):
    assert pickle.loads(pickle.dumps(mu)) == mu
    assert len({mu, pickle.loads(pickle.dumps(mu))}) == 1


def test_a_variable_bound_to_nothing_is_not_mentioned():
    assert Valuation({"A": (), "B": {1}}) == Valuation({"B": [1]})
    assert Valuation({"A": ()}) == EMPTY
    assert repr(Valuation({"B": {2, 10, 1}, "A": {0}})) == "{A: {0}, B: {1, 2, 10}}"


def test_is_immutable():
    with pytest.raises(FrozenInstanceError):
        EMPTY.contents = ()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"A": [-1]}, "whole number from 0, got -1"),
        ({"A": ["0"]}, "whole number from 0, got '0'"),
        ({"A": [True]}, "whole number from 0, got True"),
        ({"": [0]}, "non-empty string, got ''"),
        ({3: [0]}, "non-empty string, got 3"),
    ],
)
def test_says_what_it_cannot_bind(wrong, message):
    with pytest.raises(PatternError, match=message):
        Valuation(wrong)
