"""Core-CEPL as text."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from mnemata.theory.cepl.expressions import (
    Atom,
    Expression,
    Filter,
    Iteration,
    Or,
    Sequence,
    Windowed,
)
from mnemata.theory.cepl.query import Query
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.syntax.condition_printer import (
    CONDITIONS,
    Piece,
    Pieces,
    Printer,
    Style,
    flat,
    joined,
)
from mnemata.theory.syntax.printing import definition_text, definitions
from mnemata.theory.trees import Node, fold


class Grip(IntEnum):
    """How tightly an expression holds together; what binds less is put in parentheses."""

    WINDOW = 0
    OR = 1
    FILTER = 2
    SEQUENCE = 3
    BINDING = 4
    POSTFIX = 5


def show_cepl(what: Query | Expression | Condition, *, ascii: bool = False) -> str:
    """Write a query, an expression or the condition of a filter as text.

    Parameters
    ----------
    what : Query, Expression or Condition
        Definitions are written before a query or an expression.
    ascii : bool
        Write ASCII characters only; this concerns quoted texts and names.

    Returns
    -------
    str
        `parse_cepl` reads it back to an equal query (whose name is not part of the text), given every
        relation that it applies.

    Raises
    ------
    PatternError
        When two different relations share a name: no text can say that.

    Examples
    --------
    >>> from mnemata.theory.cepl.expressions import atom
    >>> from mnemata.theory.conditions.building import register
    >>> cold, hot = (atom("T", "x").filter(c) for c in (register("x").value < -40, register("x").value > 50))
    >>> show_cepl((cold | hot) >> atom("T", "y").plus())
    '(T AS x FILTER x.value < -40 OR T AS x FILTER x.value > 50); (T AS y)+'
    """
    style = Style("cepl", ascii)
    query = Query(what) if isinstance(what, Expression) else what
    if not isinstance(query, Query):
        return _text(query, style)
    lines = [definition_text(definition, style) for definition in definitions(query.expression)]
    names = ", ".join(map(style.name, query.partition_by))
    partition = f" PARTITION BY {names}" if names else ""
    return "\n".join([*lines, _text(query.expression, style) + partition])


def _text(root: Node, style: Style) -> str:
    def visit(node: Node, below: Pieces) -> Piece:
        printer = _PRINTERS.get(type(node))
        if printer is None:
            raise UnsupportedError(f"{type(node).__name__} has no notation; write one in cepl_printer.py")
        return printer(node, below, style)

    return flat(fold(root, visit).rope)


def _atom(node: Atom, _below: Pieces, style: Style) -> Piece:
    return Piece(f"{style.name(node.relation)} AS {style.name(node.variable)}", Grip.BINDING)


def _filter(_node: Filter, below: Pieces, _style: Style) -> Piece:
    return Piece((below[0].within(Grip.FILTER), " FILTER ", below[1].rope), Grip.FILTER)


def _nary(sign: str, grip: Grip) -> Printer:
    def show(_node: Node, below: Pieces, _style: Style) -> Piece:
        return Piece(joined(sign, (part.within(grip + 1) for part in below)), grip)

    return show


def _iteration(_node: Iteration, below: Pieces, _style: Style) -> Piece:
    return Piece((below[0].within(Grip.POSTFIX), "+"), Grip.POSTFIX)


def _windowed(node: Windowed, below: Pieces, _style: Style) -> Piece:
    return Piece((below[0].rope, f" WINDOW {node.size.size}"), Grip.WINDOW)


_PRINTERS: Final[Mapping[type[Node], Printer]] = {
    **CONDITIONS,
    Atom: _atom,
    Filter: _filter,
    Or: _nary(" OR ", Grip.OR),
    Sequence: _nary("; ", Grip.SEQUENCE),
    Iteration: _iteration,
    Windowed: _windowed,
}
