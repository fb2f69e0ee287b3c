"""Making a CEA from its initial states and a function that gives the transitions of a state."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, NamedTuple, TypeVar

from mnemata.automata.cea.automaton import CEA, Labels, Transition
from mnemata.theory.budget import current
from mnemata.theory.conditions.formulas import Condition

Q = TypeVar("Q", bound=Hashable)


class Edge(NamedTuple, Generic[Q]):
    """A transition whose target is a state of some kind `Q`."""

    predicate: Condition
    labels: Labels
    target: Q


def explore(
    initials: Iterable[Q], outgoing: Callable[[Q], Iterable[Edge[Q]]], is_final: Callable[[Q], bool]
) -> CEA:
    """The CEA reachable from `initials`, its states numbered in breadth-first order.

    Raises `LimitError` when the budget of `mnemata.theory.budget` is spent.
    """
    spent = current()
    order: list[Q] = list(dict.fromkeys(initials))
    numbers: dict[Q, int] = {state: number for number, state in enumerate(order)}
    starts = frozenset(numbers.values())
    transitions: list[Transition] = []
    for state in order:
        for edge in outgoing(state):
            if edge.target not in numbers:
                numbers[edge.target] = len(order)
                order.append(edge.target)
            transitions.append(Transition(numbers[state], edge.predicate, edge.labels, numbers[edge.target]))
            spent.size(len(order), len(transitions))
    finals = frozenset(numbers[state] for state in order if is_final(state))
    return CEA(len(order), tuple(transitions), starts, finals)


def edge(transition: Transition, target: Q) -> Edge[Q]:
    """The edge of a transition, with another target."""
    return Edge(transition.predicate, transition.labels, target)
