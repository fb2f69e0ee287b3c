"""Intersection (SRT Thm 34): the product as published, and the repair of ERRATA A4."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.exploration import Edge, explore
from mnemata.automata.constructions.registers import apart
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.formulas import conjunction
from mnemata.theory.sremo.expressions import Output

Pair: TypeAlias = tuple[State, State]


def intersection(left: SRT, right: SRT) -> SRT:
    """``Match(T, S) = Match(T1, S) & Match(T2, S)`` for every string (Thm 34).

    Registers that both use are renamed in `right`.
    """
    left, right = apart(eliminate_epsilon(left), eliminate_epsilon(right))
    return product(left, right)


def product(left: SRT, right: SRT) -> SRT:
    """Both SRT side by side over the same registers, on transitions with equal outputs (ERRATA A4).

    Precondition: no epsilon transitions, and neither writes a register that the other uses.
    """

    def outgoing(pair: Pair) -> Iterator[Edge[Pair]]:
        for one in left.outgoing(pair[0]):
            for other in right.outgoing(pair[1]):
                if one.output is other.output and one.condition is not None and other.condition is not None:
                    yield Edge(
                        conjunction(one.condition, other.condition),
                        one.output,
                        one.writes | other.writes,
                        (one.target, other.target),
                    )

    return _explore(left, right, outgoing)


def intersection_as_published(left: SRT, right: SRT) -> SRT:
    """The product of Thm 34 to the letter; wrong in general (ERRATA A4).

    It pairs any two transitions and marks an event when both mark it; epsilon pairs with epsilon only.
    """
    left, right = apart(left, right)

    def outgoing(pair: Pair) -> Iterator[Edge[Pair]]:
        for one in left.outgoing(pair[0]):
            for other in right.outgoing(pair[1]):
                if one.is_epsilon == other.is_epsilon:
                    yield _paired_as_published(one, other)

    return _explore(left, right, outgoing)


def _paired_as_published(one: Transition, other: Transition) -> Edge[Pair]:
    both = Output.MARK if one.output is Output.MARK and other.output is Output.MARK else Output.SKIP
    guard = None
    if one.condition is not None and other.condition is not None:
        guard = conjunction(one.condition, other.condition)
    return Edge(guard, both, one.writes | other.writes, (one.target, other.target))


def _explore(left: SRT, right: SRT, outgoing: Callable[[Pair], Iterator[Edge[Pair]]]) -> SRT:
    return explore(
        (left.start, right.start),
        outgoing,
        lambda pair: pair[0] in left.finals and pair[1] in right.finals,
        left.registers | right.registers,
    )
