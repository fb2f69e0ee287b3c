"""Which variables an expression defines, which it certainly binds, and which it reads (after Grez et al.)."""

from __future__ import annotations

from mnemata.theory.cepl.expressions import (
    Atom,
    Expression,
    Filter,
    Iteration,
    Or,
    Sequence,
    Unary,
    Variable,
)
from mnemata.theory.conditions.formulas import Condition, variables
from mnemata.theory.trees import Node, fold, walk

Variables = frozenset[Variable]


def defined(expression: Expression) -> Variables:
    """``vdef``: the variables of all ``R AS x`` in it."""
    return frozenset(
        node.variable for node in walk(expression, down_to=(Condition,)) if isinstance(node, Atom)
    )


def read(expression: Expression) -> Variables:
    """The variables that its filters read."""
    filters = (node for node in walk(expression, down_to=(Condition,)) if isinstance(node, Filter))
    return frozenset(name for node in filters for name in variables(node.condition))


def occurring(expression: Expression) -> Variables:
    """``var``: the variables that it defines or reads."""
    return defined(expression) | read(expression)


def rebound(expression: Expression) -> Variables:
    """``vdef+``: the variables defined outside all iterations, which each round of ``expression+`` rebinds.

    >>> from mnemata.theory.cepl.expressions import atom
    >>> sorted(rebound(atom("T", "x") >> atom("H", "y").plus()))
    ['x']
    """
    return fold(expression, _rebound)


def _rebound(node: Node, below: tuple[Variables, ...]) -> Variables:
    match node:
        case Atom(variable=variable):
            return frozenset({variable})
        case Iteration():
            return frozenset()
    return frozenset().union(*below)


def bound(expression: Expression) -> Variables:
    """``bound``: the variables that every match binds to one event, whichever way it takes.

    >>> from mnemata.theory.cepl.expressions import atom
    >>> sorted(bound((atom("T", "x") | atom("T", "x") >> atom("H", "y")) >> atom("H", "z").plus()))
    ['x']
    """
    return fold(expression, bound_by)


def bound_by(node: Node, below: tuple[Variables, ...]) -> Variables:
    """``bound`` of an expression from those of its children; a condition binds nothing."""
    match node:
        case Atom(variable=variable):
            return frozenset({variable})
        case Or():
            return frozenset.intersection(*below)
        case Sequence():
            return frozenset().union(*below)
        case Iteration():
            return frozenset()
        case Unary():
            return below[0]
    return frozenset()
