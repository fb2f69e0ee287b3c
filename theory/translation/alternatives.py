"""Filters as alternatives: ``f FILTER (P or Q)`` is ``(f FILTER P) OR (f FILTER Q)``."""

from __future__ import annotations

from itertools import product
from typing import Final, TypeAlias

from mnemata.theory.budget import current
from mnemata.theory.cel.predicates import AllOf, AnyOf, Each, Predicate
from mnemata.theory.conditions.formulas import Top
from mnemata.theory.trees import Node, fold

Alternatives: TypeAlias = tuple[tuple[Predicate, ...], ...]
"""Of which one must hold, each a conjunction."""

_ALWAYS: Final[Alternatives] = ((),)


def alternatives(predicate: Predicate) -> Alternatives:
    """A predicate in disjunctive normal form, without what always holds and without superfluous alternatives.

    Raises `LimitError` when there are more than the budget has states.

    >>> from mnemata.theory.conditions.building import head
    >>> low, high = Each("A", head().x < 3), Each("A", head().x > 7)
    >>> alternatives((low | high) & (low | Each("A", Top()))) == ((low,), (high,))
    True
    """
    return fold(predicate, _alternatives)


def _alternatives(node: Node, below: tuple[Alternatives, ...]) -> Alternatives:
    match node:
        case AllOf():
            found: Alternatives = _ALWAYS
            for part in below:
                found = _needed(tuple((*a, *b) for a, b in product(found, part)))
            return found
        case AnyOf():
            return _needed(tuple(each for part in below for each in part))
        case Each(condition=Top()):
            return _ALWAYS
        case Predicate():
            return ((node,),)
    return ()


def _needed(found: Alternatives) -> Alternatives:
    """Without repetitions, and without alternatives that ask for all that another one asks for."""
    current().size(len(found), 0)
    different = {frozenset(each): tuple(dict.fromkeys(each)) for each in reversed(found)}
    kept = {key for key in different if not any(other < key for other in different)}
    return tuple(different[key] for key in reversed(different) if key in kept)
