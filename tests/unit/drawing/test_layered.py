"""The layout of automata that Graphviz cannot lay out in time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemata.automata.drawing.layered import COLUMN, last_states, positions

EDGES = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)))


def test_columns_are_distances_from_the_start() -> None:
    places = positions(0, range(5), [(0, 1), (0, 2), (1, 3), (2, 3), (3, 0)])
    assert [places[state][0] // COLUMN for state in range(5)] == [0, 1, 1, 2, 3]


@given(EDGES)
def test_every_state_has_a_place_of_its_own(edges: set[tuple[int, int]]) -> None:
    places = positions(0, range(7), sorted(edges))
    assert sorted(places) == list(range(7))
    assert len(set(places.values())) == 7


def test_arrows_that_need_not_cross_do_not() -> None:
    """In the order in which they are found, 4 lies above 5, and 3 -> 4 crosses 1 -> 5."""
    places = positions(0, range(6), [(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (3, 4)])
    height = {state: y for state, (_, y) in places.items()}
    assert (height[1] > height[3]) == (height[5] > height[4])


def test_last_states() -> None:
    assert last_states(0, range(3), [(0, 1), (1, 2), (2, 0), (2, 2)]) == [2]
    assert last_states(0, range(4), [(0, 1), (0, 2)]) == [1, 2, 3]
    assert last_states(0, [1, 2], [(1, 2), (2, 1)]) == [2]


@given(EDGES)
def test_some_state_is_always_last(edges: set[tuple[int, int]]) -> None:
    assert last_states(0, range(7), sorted(edges))
