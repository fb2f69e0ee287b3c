"""Making an SRT from its start state and a function that gives the transitions of a state.

Products and unfoldings are described lazily, over states of any hashable kind; only what can be reached
from the start is ever built.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, NamedTuple, TypeVar

from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.budget import current
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.terms import Register
from mnemata.theory.sremo.expressions import Output

Q = TypeVar("Q", bound=Hashable)


class Edge(NamedTuple, Generic[Q]):
    """A transition whose target is a state of some kind `Q`."""

    condition: Condition | None
    output: Output
    writes: frozenset[Register]
    target: Q


def explore(
    start: Q,
    outgoing: Callable[[Q], Iterable[Edge[Q]]],
    is_final: Callable[[Q], bool],
    registers: frozenset[Register] = frozenset(),
) -> SRT:
    """The SRT reachable from `start`, its states numbered in breadth-first order.

    Raises `LimitError` when the budget of `mnemata.theory.budget` is spent.
    """
    return explored(start, outgoing, is_final, registers)[0]


def explored(
    start: Q,
    outgoing: Callable[[Q], Iterable[Edge[Q]]],
    is_final: Callable[[Q], bool],
    registers: frozenset[Register] = frozenset(),
) -> tuple[SRT, tuple[Q, ...]]:
    """What `explore` makes, and what its states stand for, in their order."""
    spent = current()
    numbers: dict[Q, int] = {start: 0}
    order: list[Q] = [start]
    transitions: list[Transition] = []
    for state in order:
        for edge in outgoing(state):
            if edge.target not in numbers:
                numbers[edge.target] = len(order)
                order.append(edge.target)
            target = numbers[edge.target]
            transitions.append(Transition(numbers[state], edge.condition, edge.output, edge.writes, target))
            spent.size(len(order), len(transitions))
    finals = frozenset(numbers[state] for state in order if is_final(state))
    return SRT(len(order), 0, finals, tuple(transitions), registers), tuple(order)


def edge(transition: Transition, target: Q) -> Edge[Q]:
    """The edge of a transition, with another target."""
    return Edge(transition.condition, transition.output, transition.writes, target)
