"""Windows of CEL formulas are kept aside of automata or moved outward, on generated formulas and streams.

That formulas without windows in time have their valuations is the claim of `mnemata.proofs.cel.theorem_6_2`.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemata.automata.constructions.cea.compilation import compile_cel
from mnemata.automata.constructions.cea.compiled import valuations_along
from mnemata.automata.constructions.cea.layers import windows_outward
from mnemata.proofs.generators import TICKS, streams
from mnemata.proofs.generators.cel import cel_formulas
from mnemata.theory.cel import semantics
from mnemata.theory.cel.formulas import (
    And,
    Filter,
    In,
    Last,
    Max,
    Nxt,
    Projection,
    Start,
    Strict,
    Unless,
    Within,
)
from mnemata.theory.cel.predicates import Predicate
from mnemata.theory.conditions.terms import Duration
from mnemata.theory.sremo.bounds import TimeWindow
from mnemata.theory.trees import walk

pytestmark = pytest.mark.filterwarnings("ignore::mnemata.theory.errors.ContradictionWarning")

words = streams(min_size=1, max_size=6)


def has_time(formula):
    return any(isinstance(n, Within) and isinstance(n.window, TimeWindow) for n in walk(formula))


def is_brief(formula):
    """Whether its filters are not much longer than what they filter."""
    return sum(isinstance(n, Predicate) for n in walk(formula)) <= 8


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
