"""Patterns, expressions and conditions as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Final

from mnemata.theory.conditions.formulas import (
    And,
    Apply,
    Comparison,
    Condition,
    Definition,
    Relation,
    Top,
)
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant, Term
from mnemata.theory.errors import PatternError, UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import (
    Absent,
    Concatenation,
    Empty,
    Epsilon,
    EventWindow,
    Expression,
    Intersection,
    LengthWindow,
    Negation,
    Optional,
    Output,
    Pattern,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    Union,
    Window,
    Windowed,
)
from mnemata.theory.syntax.condition_printer import (
    CONDITIONS,
    Binding,
    Piece,
    Pieces,
    Printer,
    Rope,
    Style,
    conjunction,
    flat,
    joined,
    relation_text,
)
from mnemata.theory.syntax.lexicon import Notation, name_text
from mnemata.theory.trees import Node, fold, walk


class Grip(IntEnum):
    """How tightly an expression holds together; what binds less is put in parentheses."""

    LOOSEST = 0
    UNION = 1
    INTERSECTION = 2
    CONCATENATION = 3
    TERMINAL = 4
    NEGATION = 5
    POSTFIX = 6


def show(
    what: Pattern | Expression | Condition | Term,
    *,
    notation: Notation = "readable",
    ascii: bool = False,
    schema: Schema | None = None,
) -> str:
    """Write a pattern, or a part of one, as text.

    Parameters
    ----------
    what : Pattern, Expression, Condition or Term
        Definitions are written before a pattern or an expression, in the order of their first use and
        each after those that it rests on. A condition or term is written alone.
    notation : {"readable", "paper"}
        NOTATION.md describes both.
    ascii : bool
        Write ASCII characters only. The readable notation differs in quoted texts and in names alone.
    schema : Schema, optional
        The readable notation writes ``SELL where ...`` instead of ``event where type = 'SELL' and ...`` when
        the schema says that ``type`` is the event type.

    Returns
    -------
    str
        `parse` reads it back to an equal pattern (whose name is not part of the text), given the same
        schema and every `Relation` that it applies.

    Raises
    ------
    PatternError
        When two different relations share a name, or a name is empty: no text can say that.

    Examples
    --------
    >>> from mnemata.theory.sremo.expressions import mark, skip_till_any
    >>> show(skip_till_any(mark(write="r1"), mark().plus()).within(ms=500), notation="paper")
    '↻(⊤ ↑ • ↓ r1, (⊤ ↑ •)⁺)^[<500 ms]'
    """
    if notation not in ("readable", "paper"):
        raise PatternError(f"unknown notation {notation!r}; use 'readable' or 'paper'")
    style = Style(notation, ascii, None if schema is None else schema.event_type)
    if isinstance(what, Condition | Term):
        return _text(what, style)
    pattern = what if isinstance(what, Pattern) else Pattern(what)
    lines = [definition_text(definition, style) for definition in definitions(pattern.expression)]
    names = ", ".join(name_text(name, ascii=ascii) for name in pattern.partition_by)
    partition = f" partition by {names}" if names else ""
    return "\n".join([*lines, _text(pattern.expression, style) + partition])


def definitions(root: Node) -> tuple[Definition, ...]:
    """The definitions that a node rests on: in the order of first use, each after those it uses.

    Raises `PatternError` when two different relations share a name.
    """
    found: list[Definition] = []
    named: dict[str, Relation | Definition] = {}
    stack = [(relation, False) for relation in reversed(_applied(root))]
    while stack:
        relation, finished = stack.pop()
        if finished and isinstance(relation, Definition):
            found.append(relation)
        elif relation.name not in named:
            named[relation.name] = relation
            if isinstance(relation, Definition):
                stack.append((relation, True))
                stack.extend((used, False) for used in reversed(_applied(relation.body)))
        elif named[relation.name] is not relation and named[relation.name] != relation:
            raise PatternError(
                f"two different relations are called '{relation.name}', and text cannot tell them apart; "
                "rename one"
            )
    return tuple(found)


def _applied(root: Node) -> list[Relation | Definition]:
    return [node.relation for node in walk(root) if isinstance(node, Apply)]


def definition_text(definition: Definition, style: Style) -> str:
    """``let Name(x, y) := ...;``."""
    name = relation_text(definition.name, style)
    parameters = ", ".join(style.variable(parameter) for parameter in definition.parameters)
    return f"let {name}({parameters}) := {_text(definition.body, style)};"


def _text(root: Node, style: Style) -> str:
    def visit(node: Node, below: Pieces) -> Piece:
        printer = _PRINTERS.get(type(node))
        if printer is None:
            raise UnsupportedError(f"{type(node).__name__} has no notation; write its printer in printing.py")
        return printer(node, below, style)

    return flat(fold(root, visit).rope)


def _terminal(node: Terminal, below: Pieces, style: Style) -> Piece:
    if style.notation == "readable":
        return _readable_terminal(node, below[0], style)
    sign = style.symbol("o" if node.output is Output.MARK else "x")
    written = "" if node.write is None else f" {style.symbol('v')} {style.variable(node.write)}"
    rope = (below[0].within(Binding.OPERAND), f" {style.symbol('^')} {sign}{written}")
    return Piece(rope, Grip.LOOSEST)


def _readable_terminal(node: Terminal, condition: Piece, style: Style) -> Piece:
    event, rest = _event_type(node.condition, condition, style)
    skip = "" if node.output is Output.MARK else "skip "
    written = "" if node.write is None else f" as {style.variable(node.write)}"
    where: Rope = () if rest is None else (" where ", rest.rope)
    bare = not skip and not written and rest is None
    return Piece((skip, event, written, where), Grip.POSTFIX if bare else Grip.TERMINAL)


def _event_type(condition: Condition, piece: Piece, style: Style) -> tuple[str, Piece | None]:
    """The event type that a condition asks for, or ``event``, and what else it asks."""
    if isinstance(condition, Top):
        return "event", None
    first = condition.operands[0] if isinstance(condition, And) else condition
    match first:
        case Comparison(
            operator="=", left=Attribute(variable=variable, name=name), right=Constant(value=str(value))
        ) if variable == HEAD and name == style.event_type and value:
            rest = conjunction(piece.parts[1:], style) if isinstance(condition, And) else None
            return name_text(value, ascii=style.ascii), rest
    return "event", piece


def _union(_node: Union, below: Pieces, style: Style) -> Piece:
    sign = "+" if style.notation == "paper" else "|"
    parts = (part.within(Grip.INTERSECTION) for part in below)
    return Piece(joined(f" {sign} ", parts), Grip.UNION)


def _intersection(_node: Intersection, below: Pieces, style: Style) -> Piece:
    left, right = below[0].within(Grip.INTERSECTION), below[1].within(Grip.CONCATENATION)
    return Piece((left, f" {style.symbol('&')} ", right), Grip.INTERSECTION)


def _concatenation(_node: Concatenation, below: Pieces, style: Style) -> Piece:
    sign = f" {style.symbol('.')} " if style.notation == "paper" else "; "
    parts = (part.within(Grip.TERMINAL) for part in below)
    return Piece(joined(sign, parts), Grip.CONCATENATION)


def _postfix(sign: Callable[[Style], str]) -> Printer:
    return lambda _node, below, style: Piece((below[0].within(Grip.POSTFIX), sign(style)), Grip.POSTFIX)


def _repeat(node: Repeat, below: Pieces, _style: Style) -> Piece:
    maximum = "" if node.maximum is None else node.maximum
    return Piece((below[0].within(Grip.POSTFIX), f"{{{node.minimum},{maximum}}}"), Grip.POSTFIX)


def _applied_to(paper: str, readable: str) -> Printer:
    def show(_node: Node, below: Pieces, style: Style) -> Piece:
        name = style.symbol(paper) if style.notation == "paper" else readable
        return Piece((f"{name}(", joined(", ", (part.rope for part in below)), ")"), Grip.POSTFIX)

    return show


def _negation(_node: Negation, below: Pieces, style: Style) -> Piece:
    sign = "!" if style.notation == "paper" else "not "
    return Piece((sign, below[0].within(Grip.NEGATION)), Grip.NEGATION)


def _windowed(node: Windowed, below: Pieces, style: Style) -> Piece:
    if style.notation == "paper":
        return Piece((below[0].within(Grip.POSTFIX), f"^[{_paper_window(node.window)}]"), Grip.POSTFIX)
    return Piece((below[0].rope, f" {_readable_window(node.window)}"), Grip.LOOSEST)


def _paper_window(window: Window) -> str:
    match window:
        case EventWindow(size=size):
            return f"1..{size}"
        case LengthWindow(size=size):
            return f"length {size}"
    return f"<{window.duration.amount} {window.duration.unit}"


def _readable_window(window: Window) -> str:
    match window:
        case EventWindow(size=size):
            return f"within {size} events"
        case LengthWindow(size=size):
            return f"length {size}"
    return f"within {window.duration.amount} {window.duration.unit}"


def _constant_expression(paper: str, readable: str) -> Printer:
    return lambda _node, _below, style: Piece(
        style.symbol(paper) if style.notation == "paper" else readable, Grip.POSTFIX
    )


_PRINTERS: Final[Mapping[type[Node], Printer]] = {
    **CONDITIONS,
    Epsilon: _constant_expression("eps", "nothing"),
    Empty: _constant_expression("empty", "never"),
    Terminal: _terminal,
    Union: _union,
    Concatenation: _concatenation,
    Star: _postfix(lambda _style: "*"),
    Plus: _postfix(lambda style: style.symbol("^+") if style.notation == "paper" else "+"),
    Optional: _postfix(lambda _style: "?"),
    Repeat: _repeat,
    Intersection: _intersection,
    SkipTillAny: _applied_to("any", "any"),
    SkipTillNext: _applied_to("@", "next"),
    Negation: _negation,
    Absent: _applied_to("absent", "absent"),
    Windowed: _windowed,
}
