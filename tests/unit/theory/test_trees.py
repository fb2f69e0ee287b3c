"""Syntax trees: structural equality and folds, at any depth and with shared sub-trees."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemata.proofs.generators import TICKS, conditions, expressions
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.conditions.formulas import TOP, And, Condition, Defined, Not
from mnemata.theory.conditions.terms import Absolute, Attribute, Constant
from mnemata.theory.conditions.typing import bind
from mnemata.theory.sremo.expressions import (
    EPSILON,
    Concatenation,
    Expression,
    Negation,
    Output,
    Repeat,
    Star,
    Terminal,
    mark,
    registers_of,
    skip,
)
from mnemata.theory.sremo.rewriting import bound_expression, core
from mnemata.theory.sremo.windows import ends, marks_both_ends
from mnemata.theory.trees import (
    Node,
    children,
    depth,
    field_names,
    flatten,
    fold,
    fold_occurrences,
    rebuild,
    replace_children,
    transform,
    walk,
)

DEEP = 6_000


def nested(wrap: Callable[[Node], Node], leaf: Node) -> Node:
    return reduce(lambda node, _: wrap(node), range(DEEP), leaf)


def negations(leaf: Condition) -> Condition:
    tower = nested(Not, leaf)  # type: ignore[arg-type]
    assert isinstance(tower, Condition)
    return tower


TOWERS: dict[str, Callable[[str], Node]] = {
    "conditions": lambda register: negations(Defined(register)),
    "terms": lambda register: nested(Absolute, Attribute(register, "id")),  # type: ignore[arg-type]
    "stars": lambda register: nested(Star, mark(write=register)),  # type: ignore[arg-type]
    "sequences": lambda register: nested(lambda e: Star(e) >> mark(), mark(Defined(register))),  # type: ignore[arg-type]
    "intersections": lambda register: nested(lambda e: e & mark(), mark(write=register)),  # type: ignore[operator]
    "negations": lambda register: nested(Negation, skip(write=register)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("kind", TOWERS)
def test_deep_trees_can_be_compared_hashed_copied_and_shown(kind: str) -> None:
    tower, same = TOWERS[kind]("r1"), TOWERS[kind]("r1")
    assert tower == same
    assert hash(tower) == hash(same)
    assert pickle.loads(pickle.dumps(tower)) == tower
    assert copy.deepcopy(tower) == tower
    assert repr(tower) == repr(same)
    assert depth(tower) >= DEEP
    assert transform(tower, lambda node: node) is tower


@pytest.mark.parametrize("kind", TOWERS)
def test_deep_trees_that_differ_at_the_bottom_differ(kind: str) -> None:
    assert TOWERS[kind]("r1") != TOWERS[kind]("r2")
    assert repr(TOWERS[kind]("r1")) != repr(TOWERS[kind]("r2"))


def test_deep_patterns_pass_through_all_of_theory() -> None:
    tower = nested(lambda e: Star(Repeat(e, 0, 1)) >> skip(), mark())  # type: ignore[arg-type]
    assert isinstance(tower, Expression)
    assert bound_expression(tower, TICKS) == tower
    assert ends(tower).last == {Output.SKIP}
    assert not marks_both_ends(tower)
    assert isinstance(core(tower), Concatenation)
    assert registers_of(tower) == frozenset()


def test_deep_conditions_are_bound_and_evaluated() -> None:
    event = TICKS.event({})
    assert not models(event, EMPTY, bind(negations(Defined("r1")), TICKS))
    assert models(event, EMPTY, bind(Not(negations(Defined("r1"))), TICKS))


def doubled(times: int) -> Expression:
    """A graph of `times` shared nodes whose tree has 2**times leaves."""
    found: Expression = mark()
    for _ in range(times):
        found = Star(Concatenation((found, found)))
    return found


def test_shared_sub_trees_are_visited_once() -> None:
    shared, same = doubled(60), doubled(60)
    visits = 0

    def visit(_node: Node, below: tuple[int, ...]) -> int:
        nonlocal visits
        visits += 1
        return sum(below) or 1

    assert fold(shared, visit) == 2**60
    assert visits == len(list(walk(shared))) == 2 * 60 + 2
    assert shared == same
    assert hash(shared) == hash(same)
    assert pickle.loads(pickle.dumps(shared)) == shared
    assert len(flatten(shared)) == visits
    assert depth(shared) == 2 * 60 + 2


def test_fold_occurrences_visits_shared_sub_trees_once_for_each_parent() -> None:
    entered: list[Node] = []
    leaves = fold_occurrences(
        doubled(3), lambda _node, below: sum(below) or 1, enter=lambda node: entered.append(node)
    )
    assert leaves == 2**3
    assert sum(isinstance(node, Terminal) for node in entered) == 2**3


def test_fold_gives_each_node_the_results_of_its_children_from_left_to_right() -> None:
    spelled = fold(
        mark() >> Star(skip()) >> EPSILON,
        lambda node, below: f"{type(node).__name__}[{','.join(below)}]",
    )
    assert spelled == "Concatenation[Terminal[Top[]],Star[Terminal[Top[]]],Epsilon[]]"


def test_walk_lists_nodes_before_their_children() -> None:
    kinds = [type(node).__name__ for node in walk(mark() >> Star(skip(Defined("r1"))))]
    assert kinds == ["Concatenation", "Terminal", "Top", "Star", "Terminal", "Defined"]


def test_walk_can_stop_at_kinds_of_nodes() -> None:
    kinds = [type(node).__name__ for node in walk(Star(skip()) >> mark(), down_to=(Star,))]
    assert kinds == ["Concatenation", "Star", "Terminal", "Top"]


def test_repr_shows_the_constructor_calls() -> None:
    assert repr(mark() >> Star(EPSILON)) == ("Concatenation((Terminal(Top(), •, None), Star(Epsilon())))")
    assert repr(Attribute("~", "price")) == "Attribute('~', 'price')"


def test_replace_children_keeps_the_node_when_nothing_changed() -> None:
    node = mark() >> EPSILON
    assert replace_children(node, children(node)) is node
    assert replace_children(node, (EPSILON, EPSILON)) == EPSILON >> EPSILON


def test_values_of_different_types_differ() -> None:
    assert Constant(1) != Constant(1.0)
    assert Constant(1) != Constant(True)
    assert Star(EPSILON) != EPSILON
    assert And((TOP, TOP)) != And((TOP, TOP, TOP))
    assert Constant(1) != 1
    assert len({Constant(1), Constant(1.0), Constant(True), Constant(1)}) == 3


def test_nodes_are_immutable() -> None:
    with pytest.raises((FrozenInstanceError, AttributeError)):
        Constant(1).value = 2  # type: ignore[misc]


def test_field_names_leave_out_what_is_derived() -> None:
    assert field_names(Terminal) == ("condition", "output", "write")


@given(st.one_of(expressions(), conditions()))
def test_trees_survive_pickling_and_flattening(node: Node) -> None:
    assert pickle.loads(pickle.dumps(node)) == node
    assert rebuild(flatten(node)) == node
    assert hash(rebuild(flatten(node))) == hash(node)
    assert repr(rebuild(flatten(node))) == repr(node)


@given(expressions(size=3), expressions(size=3))
def test_trees_are_equal_exactly_when_they_look_equal(one: Expression, other: Expression) -> None:
    assert (one == other) == (repr(one) == repr(other))
    assert one != other or hash(one) == hash(other)
