"""Simplifying conditions with the help of a solver; each law is one function.

Every law keeps the meaning of a condition wherever `known` holds. What the solver cannot decide stays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    And,
    Bottom,
    Condition,
    Or,
    conjunction,
    disjunction,
)
from mnemata.theory.conditions.simplification import simplified
from mnemata.theory.satisfiability.asking import inquiry
from mnemata.theory.satisfiability.decisions import entails
from mnemata.theory.schema import Schema

Law: TypeAlias = Callable[[Condition, Condition, Schema], Condition]


def settled(condition: Condition, known: Condition, schema: Schema) -> Condition:
    """``phi = false`` where phi is unsatisfiable, ``phi = true`` where it always holds."""
    if isinstance(condition, Bottom) or condition == known == TOP:
        return condition
    asked = inquiry((condition,), schema, known=known)
    if asked.ask(((0, True),)).answer.no:
        return BOTTOM
    return TOP if asked.ask(((0, False),)).answer.no else condition


def implied_conjunct(condition: Condition, known: Condition, schema: Schema) -> Condition:
    """``phi & psi = phi`` where phi entails psi."""
    if not isinstance(condition, And):
        return condition
    kept = list(condition.operands)
    for operand in condition.operands[::-1]:
        others = [other for other in kept if other is not operand]
        if others and entails(conjunction(*others), operand, schema, known=known).yes:
            kept = others
    return conjunction(*kept)


def implied_disjunct(condition: Condition, known: Condition, schema: Schema) -> Condition:
    """``phi | psi = phi`` where psi entails phi."""
    if not isinstance(condition, Or):
        return condition
    kept = list(condition.operands)
    for operand in condition.operands[::-1]:
        others = [other for other in kept if other is not operand]
        if others and entails(operand, disjunction(*others), schema, known=known).yes:
            kept = others
    return disjunction(*kept)


LAWS: Final[tuple[Law, ...]] = (settled, implied_conjunct, implied_disjunct)


def simplify_under(condition: Condition, known: Condition, schema: Schema) -> Condition:
    """A condition that agrees with `condition` wherever `known` holds, and has no needless parts.

    Parameters
    ----------
    condition, known : Condition
        Bound to `schema` or not.
    schema : Schema
        Types of the attributes.

    Examples
    --------
    >>> from mnemata.theory.conditions.building import head
    >>> from mnemata.theory.schema import Int64, Schema
    >>> x = head().x
    >>> simplify_under((x > 1) & (x > 0), TOP, Schema.of(x=Int64())) == (x > 1)
    True
    """
    condition = simplified(condition)
    for law in LAWS:
        condition = law(condition, known, schema)
    return condition
