"""Refusing expressions that no automaton with finitely many registers recognises by the rules of Def. 2."""

from __future__ import annotations

from typing import Final

from mnemata.theory.cepl.checks import Rule, Violation, ill_formed_parts, unbounded_parts
from mnemata.theory.cepl.expressions import Expression
from mnemata.theory.errors import UnknownVariableError, UnsupportedError
from mnemata.theory.syntax.cepl_printer import show_cepl

_WIDEST: Final = 90


def check_well_formed(expression: Expression) -> None:
    """Raise `UnknownVariableError` at the first variable that a filter reads and nothing around it binds."""
    for found in ill_formed_parts(expression):
        raise UnknownVariableError(told(found))


def check_bounded(expression: Expression) -> None:
    """Raise an error at the first part that keeps an expression from being bounded (Def. 2).

    Raises
    ------
    UnknownVariableError
        The expression is not even well-formed.
    UnsupportedError
        It is well-formed, but not bounded.
    """
    for found in unbounded_parts(expression):
        kind = UnknownVariableError if found.rule is Rule.WELL_FORMED else UnsupportedError
        raise kind(told(found))


def told(violation: Violation) -> str:
    """The sentence about a violation, with the part of the expression that is to blame."""
    shown = show_cepl(violation.node)
    part = shown if len(shown) <= _WIDEST else f"{shown[:_WIDEST]} ..."
    return f"in '{part}': {violation.message}"
