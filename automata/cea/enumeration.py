"""Enumerating a compact complex event set with output-linear delay (CEL Alg. 1).

As a plain recursion Alg. 1 does not keep the delay it claims: it goes along a list by recursive calls, so
that after the last set of a long list it returns through all of them before anything else is output
(ERRATA B12 a). `enumerate_set` goes along lists in a loop; `enumerate_as_published` shows the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from mnemata.automata.cea.compact_sets import BOTTOM, CompactSet, Listed, Node
from mnemata.theory.cel.valuations import ComplexEvent, Position

Collected: TypeAlias = "tuple[Position, Collected] | None"
"""Positions collected on the way, the last first; extended without copying."""


@dataclass(slots=True)
class Steps:
    """Counts elementary steps: of each, a fixed number of instructions of a random access machine."""

    count: int = 0


def enumerate_set(compact: CompactSet, nodes: Listed, steps: Steps | None = None) -> Iterator[ComplexEvent]:
    """``CE(n, n')``: the complex events of a list, one after the other (Alg. 1 as a loop).

    Parameters
    ----------
    compact : CompactSet
        Where the list is.
    nodes : pair of Node
        First and last node of the list.
    steps : Steps, optional
        Counts what is done: the visit of a node, and each position that is output.

    Yields
    ------
    frozenset of int
        Without repetition, as long as the set was built by evaluating an I/O-deterministic CEA. Between
        two of them at most ``2 * |C| + 1`` steps are taken, ``C`` being the second.
    """
    counted = Steps() if steps is None else steps
    stack: list[tuple[Listed, Collected]] = [(nodes, None)]
    while stack:
        (node, end), collected = stack.pop()
        counted.count += 1
        if node != end:
            stack.append(((compact.following(node), end), collected))
        if node == BOTTOM:
            yield _written(collected, counted)
        else:
            stack.append((compact.children(node), (compact.position(node), collected)))


class _Call(NamedTuple):
    """A call of ENUMERATE, and how far it is: before line 2, before line 6, or done."""

    node: Node
    end: Node
    collected: Collected
    line: int = 2


def enumerate_as_published(
    compact: CompactSet, nodes: Listed, steps: Steps | None = None
) -> Iterator[ComplexEvent]:
    """Alg. 1 with its recursive calls, on a stack of its own so that none is too deep for Python.

    Parameters and results as for `enumerate_set`. Every call and every return is a step.
    """
    counted = Steps() if steps is None else steps
    calls = [_Call(*nodes, None)]
    while calls:
        call = calls.pop()
        counted.count += 1
        if call.line == 2:
            calls.append(call._replace(line=6))
            if call.node == BOTTOM:
                yield _written(call.collected, counted)
            else:
                collected = (compact.position(call.node), call.collected)
                calls.append(_Call(*compact.children(call.node), collected))
        elif call.line == 6 and call.node != call.end:
            calls.append(call._replace(line=8))
            calls.append(_Call(compact.following(call.node), call.end, call.collected))


def _written(collected: Collected, steps: Steps) -> ComplexEvent:
    positions = []
    while collected is not None:
        position, collected = collected
        positions.append(position)
        steps.count += 1
    return frozenset(positions)
