"""The formulas of CEL Section 3 and 7.1 over the stream of Fig. 1."""

import pytest

from mnemata.theory.cel.binding import is_unary, not_unary_parts
from mnemata.theory.cel.formulas import (
    All,
    Contiguous,
    ContiguousIteration,
    Filter,
    Iteration,
    Last,
    Max,
    Nxt,
    Relation,
    Strict,
    sequence,
)
from mnemata.theory.cel.predicates import AllOf, for_all
from mnemata.theory.cel.semantics import complex_events, complex_events_along
from mnemata.theory.conditions.building import register

T, H = Relation("T"), Relation("H")
t, h, h1, h2 = (register(name) for name in ("T", "H", "H1", "H2"))


def filtered(formula, *conditions):
    return Filter(formula, AllOf(tuple(map(for_all, conditions))))


FIRE = (t.value > 40, h.value <= 25, t.id == 0, h.id == 0)
PHI_1 = filtered(T >> H, *FIRE)
PHI_1_PRIME = filtered(Contiguous((T, H)), *FIRE)
PHI_2 = filtered((T >> H) | (H >> T), *FIRE)
PHI_2_PRIME = filtered(All((T, H)), *FIRE)


def increase(iteration, *conditions):
    found = sequence(H.bound_to("H1"), iteration(T), H.bound_to("H2"))
    return filtered(found, h1.value < 30, h2.value > 60, *conditions)


PHI_3 = increase(Iteration, h.id == 1, t.id == 1)
PHI_3_PRIME = increase(ContiguousIteration, h.id == 1, t.id == 1)
PHI_4 = PHI_3.project("T")
PHI_5 = increase(Iteration, h.id == t.id)


def everything(formula, stream):
    return sorted(sorted(c) for found in complex_events_along(formula, stream) for c in found)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (PHI_1, [[1, 2], [1, 8], [5, 8]]),
        (PHI_1_PRIME, [[1, 2]]),
        (PHI_2, [[1, 2], [1, 8], [2, 5], [5, 8]]),
        (PHI_2_PRIME, [[1, 2], [1, 8], [2, 5], [5, 8]]),
        (PHI_3, [[3, 4, 6, 7], [3, 4, 7], [3, 6, 7]]),
        (PHI_3_PRIME, [[3, 4, 7], [3, 6, 7]]),
        (PHI_4, [[4], [4, 6], [6]]),
        (PHI_5, [[3, 4, 6, 7], [3, 4, 7], [3, 6, 7]]),
        (Strict(PHI_1), [[1, 2]]),
        (Nxt(PHI_3), [[3, 4, 6, 7]]),
        (Last(PHI_3), [[3, 4, 6, 7]]),
        (Max(PHI_3), [[3, 4, 6, 7]]),
        (Max(PHI_1), [[1, 2], [1, 8], [5, 8]]),
    ],
    ids=lambda value: None,
)
def test_the_complex_events_that_the_paper_claims(formula, expected, fig1):
    assert everything(formula, fig1) == expected


def test_strategies_at_one_position(fig1):
    at_8 = {kind: complex_events(kind(PHI_1), fig1, 0, 8) for kind in (Nxt, Last, Max)}
    assert at_8 == {
        Nxt: {frozenset({1, 8})},
        Last: {frozenset({5, 8})},
        Max: {frozenset({1, 8}), frozenset({5, 8})},
    }


def test_next_is_no_consumption(fig1):
    """ERRATA B8: Section 7 motivates NXT by saying that {1, 8} should not be output after {1, 2}. It is."""
    assert everything(Nxt(PHI_1), fig1) == [[1, 2], [1, 8]]


def test_all_but_the_correlated_one_are_unary():
    unary = (PHI_1, PHI_1_PRIME, PHI_2, PHI_2_PRIME, PHI_3, PHI_3_PRIME, PHI_4)
    assert all(map(is_unary, unary))
    assert not is_unary(PHI_5)
    (part,) = not_unary_parts(PHI_5)
    assert part.reason == "it compares events of different variables: H, T"
