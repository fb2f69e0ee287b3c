"""Predicates of transitions, and which of them no event satisfies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mnemata.automata.cea.automaton import CEA
from mnemata.theory.conditions.formulas import And, Bottom, Condition, conjunction
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Schema


def conjuncts(predicate: Condition) -> tuple[Condition, ...]:
    """What a predicate is the conjunction of."""
    return predicate.operands if isinstance(predicate, And) else (predicate,)


def both(one: Condition, other: Condition) -> Condition:
    """``P & P'``, without repetition."""
    if one == other:
        return one
    return conjunction(*dict.fromkeys((*conjuncts(one), *conjuncts(other))))


@lru_cache(maxsize=20_000)
def impossible(predicate: Condition, schema: Schema) -> bool:
    """Whether Z3 proves that no event of the schema satisfies a predicate; unknown is not impossible."""
    return isinstance(predicate, Bottom) or satisfiable(predicate, schema).no


def possible_only(cea: CEA, schema: Schema) -> CEA:
    """`cea` without the transitions that no event can take."""
    kept = tuple(t for t in cea.transitions if not impossible(t.predicate, schema))
    return CEA(cea.size, kept, cea.initials, cea.finals)


def unsatisfiable_core(conditions: Sequence[Condition], schema: Schema) -> tuple[Condition, ...]:
    """Some of `conditions`, none superfluous, that no event satisfies together.

    All of them must be impossible together. They are dropped one by one as long as the rest stays so.

    >>> from mnemata.theory.conditions.building import head
    >>> from mnemata.theory.schema import Int64
    >>> x, schema = head().x, Schema.of(x=Int64())
    >>> unsatisfiable_core([x > 3, x != 7, x < 2], schema) == (x > 3, x < 2)
    True
    """
    core = tuple(dict.fromkeys(conditions))
    for condition in core:
        rest = tuple(other for other in core if other is not condition)
        if impossible(conjunction(*rest), schema):
            core = rest
    return core
