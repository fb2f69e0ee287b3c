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
from mnemata.theory.conditions.terms import Constant, Register, Term
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


def exclude_by_text(one: Condition, other: Condition) -> bool:
    """Whether two conditions exclude each other because they ask one term for different texts.

    It looks at the conjuncts ``term = text`` and ``term in {text, ...}`` only; a *no* means nothing.

    >>> from mnemata.theory.conditions.building import head
    >>> exclude_by_text((head().name == "a") & (head().id > 0), head().name.isin(["b", "c"]))
    True
    """
    texts = _texts(other)
    return any(not found & texts.get(term, found) for term, found in _texts(one).items())


def _texts(condition: Condition) -> dict[Term, frozenset[str]]:
    """The terms that are one of some texts wherever the condition holds."""
    found: dict[Term, frozenset[str]] = {}
    for part in condition.operands if isinstance(condition, And) else (condition,):
        match part:
            case Comparison("=", term, Constant(str(text))) | Comparison("=", Constant(str(text)), term):
                asked = frozenset({text})
            case Membership(term, values) if all(isinstance(value.value, str) for value in values):
                asked = frozenset(str(value.value) for value in values)
            case _:
                continue
        found[term] = found.get(term, asked) & asked
    return found


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
