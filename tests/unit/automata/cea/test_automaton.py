"""CEL Def. 5.1 on the paper's own automata, and what the data type refuses."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given

from mnemata.automata.cea.automaton import CEA, UNMARKED, Transition, moved
from mnemata.automata.cea.graph import to_networkx
from mnemata.proofs.generators.cea import ceas
from mnemata.theory.conditions.building import head, position, register
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Definition
from mnemata.theory.conditions.terms import Duration
from mnemata.theory.errors import ConditionTypeError, MnemataError, PatternError, UnknownAttributeError
from mnemata.theory.schema import Int64, Schema, String, Timestamp

SCHEMA = Schema.of(type=String(), id=Int64(), at=Timestamp("ms"), time="at")
u, r1 = head(), register("r1")
R, A = u.type == "R", frozenset({"A"})
FIGURE_5 = CEA(2, (Transition(0, TOP, UNMARKED, 0), Transition(0, R, A, 1)), {0}, {1})


def test_the_parts_of_figure_5() -> None:
    skip, take = FIGURE_5.outgoing(0)
    assert not skip.marking
    assert take.marking
    assert FIGURE_5.outgoing(1) == ()
    assert list(FIGURE_5.states) == [0, 1]
    assert FIGURE_5.variables == {"A"}
    assert FIGURE_5.label_sets == (UNMARKED, A)


def test_a_transition_listed_twice_is_one() -> None:
    take = Transition(0, R, A, 1)
    again = Transition(0, u.type == "R", {"A"}, 1)
    assert CEA(2, (take, again), [0], [1]) == CEA(2, (take,), {0}, {1})


@given(ceas())
def test_is_rebuilt_when_unpickled(cea: CEA) -> None:
    again = pickle.loads(pickle.dumps(cea))
    assert again == cea
    assert hash(again) == hash(cea)
    assert [again.outgoing(state) for state in cea.states] == [cea.outgoing(state) for state in cea.states]


def test_is_checked_when_unpickled() -> None:
    build, arguments = FIGURE_5.__reduce__()
    with pytest.raises(PatternError, match="state 1 is not among the 1 states"):
        build(1, *arguments[1:])


def test_is_immutable() -> None:
    with pytest.raises(FrozenInstanceError):
        FIGURE_5.size = 3  # type: ignore[misc]


def test_binding_gives_literals_the_units_of_the_schema() -> None:
    late = CEA(2, (Transition(0, u["at"] - u["at"] < Duration(1, "s"), A, 1),), {0}, {1})
    (bound,) = late.bind(SCHEMA).transitions
    assert "1000" in repr(bound.predicate)


def test_binding_refuses_what_does_not_fit() -> None:
    with pytest.raises(UnknownAttributeError, match="Did you mean 'type'"):
        CEA(1, (Transition(0, u.typ == "R", A, 0),), {0}, {0}).bind(SCHEMA)
    with pytest.raises(ConditionTypeError):
        CEA(1, (Transition(0, u.type < 3, A, 0),), {0}, {0}).bind(SCHEMA)


def test_the_graph_leaves_out_what_no_run_can_take() -> None:
    never = Transition(1, BOTTOM, A, 0)
    graph = to_networkx(CEA(2, (*FIGURE_5.transitions, never), {0}, {1}))
    assert sorted(graph.edges()) == [(0, 0), (0, 1)]
    assert graph.nodes[0] == {"initial": True, "final": False}
    assert graph.nodes[1] == {"initial": False, "final": True}


def test_moving_adds_to_every_state() -> None:
    assert [(t.source, t.target) for t in moved(FIGURE_5.transitions, 3)] == [(3, 3), (3, 4)]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: CEA(1, (), {1}, set()), r"state 1 is not among the 1 states \(0..0\)"),
        (lambda: CEA(0, (), {0}, set()), r"state 0 is not among the 0 states \(none\)"),
        (lambda: CEA(2, (), {0}, {-1}), "state -1 is not among the 2 states"),
        (lambda: CEA(2, (Transition(0, TOP, A, 2),), {0}, {1}), "state 2 is not among"),
        (lambda: CEA(2, (Transition("a", TOP, A, 1),), {0}, {1}), "state 'a' is not among"),
        (lambda: CEA(2, (), {True}, {1}), "state True is not among"),
        (lambda: CEA(-1, (), set(), set()), "a whole number of states from 0, got -1"),
        (
            lambda: Transition(0, u.id == r1.id, A, 1),
            "reads register 'r1'; what compares events needs an SRT",
        ),
        (lambda: Transition(0, position("~") == 3, A, 1), "not its position"),
        (lambda: Transition(0, Definition("First", ("x",), position("x") == 1)("~"), A, 1), "its position"),
        (lambda: Transition(0, "R", A, 1), "'R' is not a condition"),
        (lambda: Transition(0, TOP, "AB", 1), r"labels are a set of variables such as \{'A'\}, got 'AB'"),
        (lambda: Transition(0, TOP, None, 1), "labels are a set of variables"),
        (lambda: Transition(0, TOP, {3}, 1), "a variable is a non-empty string, got 3"),
    ],
)
def test_says_what_does_not_fit(wrong, message) -> None:
    with pytest.raises(PatternError, match=message) as caught:
        wrong()
    assert isinstance(caught.value, MnemataError)
    assert isinstance(caught.value, ValueError)
