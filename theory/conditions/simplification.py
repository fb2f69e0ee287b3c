"""Simplifying conditions without asking a solver."""

from __future__ import annotations

from collections.abc import Set

from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    And,
    Apply,
    Bottom,
    Comparison,
    Condition,
    Defined,
    Membership,
    Not,
    Or,
    Top,
    registers,
)
from mnemata.theory.conditions.terms import Register, Term
from mnemata.theory.trees import Node, children, fold, replace_children


def simplified(condition: Condition) -> Condition:
    """An equivalent condition in which ``true`` and ``false`` stand only alone.

    >>> simplified(Not(And((TOP, BOTTOM))))
    Top()
    """
    return _condition(fold(condition, _simplify))


def assume_empty(condition: Condition, empty: Set[Register]) -> Condition:
    """What `condition` says where the registers `empty` hold nothing: atoms that read them are false."""

    def visit(node: Node, below: tuple[Node, ...]) -> Node:
        if isinstance(node, Comparison | Membership | Apply | Defined):
            return BOTTOM if registers(node) & empty else node
        return node if isinstance(node, Term) else _simplify(node, below)

    return _condition(fold(condition, visit)) if registers(condition) & empty else condition


def _simplify(node: Node, below: tuple[Node, ...]) -> Node:
    match node:
        case Not():
            return negation(_condition(below[0]))
        case And():
            return _joined(And, below, neutral=TOP, absorbing=BOTTOM)
        case Or():
            return _joined(Or, below, neutral=BOTTOM, absorbing=TOP)
    return node if isinstance(node, Term) or not children(node) else replace_children(node, below)


def negation(operand: Condition) -> Condition:
    """The negation of a condition, without a double negation or a negated truth value."""
    match operand:
        case Top():
            return BOTTOM
        case Bottom():
            return TOP
        case Not(operand=inner):
            return inner
    return Not(operand)


def _joined(
    kind: type[And] | type[Or], below: tuple[Node, ...], *, neutral: Condition, absorbing: Condition
) -> Condition:
    parts = tuple(dict.fromkeys(_condition(part) for part in below if part != neutral))
    if absorbing in parts:
        return absorbing
    return kind(parts) if len(parts) > 1 else parts[0] if parts else neutral


def _condition(node: Node) -> Condition:
    if not isinstance(node, Condition):
        raise TypeError(f"{node!r} is not a condition")
    return node
