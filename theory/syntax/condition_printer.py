"""Conditions and terms as text, with exactly the parentheses that their precedence asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, TypeAlias

from mnemata.theory.conditions.formulas import (
    And,
    Apply,
    Bottom,
    Comparison,
    Defined,
    Membership,
    Not,
    Or,
    Top,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Instant,
    Position,
    Time,
    Variable,
)
from mnemata.theory.syntax.lexicon import BUILT_IN, Grammar, field_text, name_text, quoted
from mnemata.theory.trees import Node

Rope: TypeAlias = "str | tuple[Rope, ...]"
"""Text in pieces, so that a tree thousands deep is not copied once per level."""

_SYMBOLS: Final = {
    **{"and": "∧", "or": "∨", "true": "⊤", "false": "⊥", "!=": "≠", "<=": "≤", ">=": "≥", "in": "∈"},
    **{"not ": "¬", "^": "↑", "o": "•", "x": "⊗", "v": "↓", ".": "·", "^+": "⁺", "&": "∩"},
    **{"eps": "ε", "empty": "∅", "any": "↻"},
}


class Binding(IntEnum):
    """How tightly a piece of text holds together; what binds less is put in parentheses."""

    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    SUM = 5
    PRODUCT = 6
    OPERAND = 7


@dataclass(frozen=True, slots=True)
class Style:
    """How to write: the notation, ASCII only or not, and the attribute that event types stand for.

    `built_in` are the words that are not applied like a relation of the user's unless in backquotes.
    """

    notation: Grammar = "readable"
    ascii: bool = False
    event_type: str | None = None
    built_in: tuple[str, ...] = BUILT_IN

    def symbol(self, ascii: str) -> str:
        """The symbol with this ASCII spelling."""
        return ascii if self.ascii or self.notation != "paper" else _SYMBOLS.get(ascii, ascii)

    def name(self, name: str) -> str:
        """A name, in backquotes where it needs them."""
        return name_text(name, ascii=self.ascii, grammar=self.notation)

    def field(self, name: str) -> str:
        """A name after a dot."""
        return field_text(name, ascii=self.ascii)

    def variable(self, variable: Variable) -> str:
        """The head or a register."""
        return HEAD if variable == HEAD else self.name(variable)


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that holds together as tightly as `binding` says.

    `parts` are the operands of a conjunction, for those who want to write some of them only.
    """

    rope: Rope
    binding: int
    parts: tuple[Piece, ...] = ()

    def within(self, binding: int) -> Rope:
        """The text, in parentheses if it binds less tightly than `binding`."""
        return self.rope if self.binding >= binding else ("(", self.rope, ")")


Pieces: TypeAlias = tuple[Piece, ...]
Printer: TypeAlias = Callable[[Any, Pieces, Style], Piece]


def flat(rope: Rope) -> str:
    """The text of a rope, put together in time linear in its length."""
    text: list[str] = []
    stack: list[Rope] = [rope]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            text.append(piece)
        else:
            stack.extend(reversed(piece))
    return "".join(text)


def joined(separator: str, ropes: Iterable[Rope]) -> Rope:
    """Ropes with a separator in between."""
    first, *rest = ropes
    return (first, *(piece for rope in rest for piece in (separator, rope)))


def conjunction(parts: Pieces, style: Style) -> Piece:
    """The conjunction of one or more pieces."""
    if len(parts) == 1:
        return parts[0]
    ropes = (part.within(Binding.NOT) for part in parts)
    return Piece(joined(f" {style.symbol('and')} ", ropes), Binding.AND, parts)


def _attribute(node: Attribute, _below: Pieces, style: Style) -> Piece:
    if node.variable == HEAD and style.notation != "paper":
        return Piece(style.name(node.name), Binding.OPERAND)
    return Piece(f"{style.variable(node.variable)}.{style.field(node.name)}", Binding.OPERAND)


def _constant(node: Constant, _below: Pieces, style: Style) -> Piece:
    return Piece(constant_text(node.value, ascii=style.ascii), Binding.OPERAND)


def constant_text(value: int | float | bool | str, *, ascii: bool = False) -> str:
    """A constant as it is written.

    >>> [constant_text(value) for value in (True, -3, 2.0, float("-inf"), "INTC")]
    ['true', '-3', '2.0', '-inf', "'INTC'"]
    """
    if isinstance(value, str):
        return quoted(value, ascii=ascii)
    if isinstance(value, bool):
        return "true" if value else "false"
    return int.__repr__(value) if isinstance(value, int) else float.__repr__(value)


def _duration(node: Duration, _below: Pieces, _style: Style) -> Piece:
    return Piece(f"{node.amount} {node.unit}", Binding.OPERAND)


def _instant(node: Instant, _below: Pieces, style: Style) -> Piece:
    return Piece(f"@{quoted(node.text, ascii=style.ascii)}", Binding.OPERAND)


def _of_variable(called: str) -> Printer:
    def show(node: Position | Time | Defined, _below: Pieces, style: Style) -> Piece:
        return Piece(f"{called}({style.variable(node.variable)})", Binding.OPERAND)

    return show


def _absolute(_node: Absolute, below: Pieces, _style: Style) -> Piece:
    return Piece(("abs(", below[0].rope, ")"), Binding.OPERAND)


def _arithmetic(node: Arithmetic, below: Pieces, _style: Style) -> Piece:
    binding = Binding.PRODUCT if node.operator == "*" else Binding.SUM
    left, right = below[0].within(binding), below[1].within(binding + 1)
    return Piece((left, f" {node.operator} ", right), binding)


def _comparison(node: Comparison, below: Pieces, style: Style) -> Piece:
    left, right = (side.within(Binding.SUM) for side in below)
    return Piece((left, f" {style.symbol(node.operator)} ", right), Binding.COMPARISON)


def _membership(_node: Membership, below: Pieces, style: Style) -> Piece:
    term, *values = below
    listed = joined(", ", (value.rope for value in values)) if values else ""
    rope = (term.within(Binding.SUM), f" {style.symbol('in')} {{", listed, "}")
    return Piece(rope, Binding.COMPARISON)


def _apply(node: Apply, _below: Pieces, style: Style) -> Piece:
    arguments = ", ".join(style.variable(argument) for argument in node.arguments)
    return Piece(f"{relation_text(node.relation.name, style)}({arguments})", Binding.OPERAND)


def relation_text(name: str, style: Style) -> str:
    """The name of a relation as it is written."""
    return quoted(name, "`", ascii=style.ascii) if name in style.built_in else style.name(name)


def _not(_node: Not, below: Pieces, style: Style) -> Piece:
    return Piece((style.symbol("not "), below[0].within(Binding.NOT)), Binding.NOT)


def _and(_node: And, below: Pieces, style: Style) -> Piece:
    return conjunction(below, style)


def _or(_node: Or, below: Pieces, style: Style) -> Piece:
    ropes = (part.within(Binding.AND) for part in below)
    return Piece(joined(f" {style.symbol('or')} ", ropes), Binding.OR)


def _fixed(ascii: str) -> Printer:
    return lambda _node, _below, style: Piece(style.symbol(ascii), Binding.OPERAND)


CONDITIONS: Final[Mapping[type[Node], Printer]] = {
    Attribute: _attribute,
    Position: _of_variable("position"),
    Time: _of_variable("time"),
    Constant: _constant,
    Duration: _duration,
    Instant: _instant,
    Arithmetic: _arithmetic,
    Absolute: _absolute,
    Top: _fixed("true"),
    Bottom: _fixed("false"),
    Comparison: _comparison,
    Membership: _membership,
    Defined: _of_variable("defined"),
    Apply: _apply,
    Not: _not,
    And: _and,
    Or: _or,
}
"""How each kind of term and condition is written, given its parts."""
