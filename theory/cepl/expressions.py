"""Core-CEPL as syntax trees (RMA Def. 1), with the windows of Def. 14.

An expression carries no meaning here: `mnemata.theory.cepl.semantics` says what it matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from mnemata.theory.conditions.formulas import Condition, variables
from mnemata.theory.conditions.terms import HEAD
from mnemata.theory.errors import PatternError, brief
from mnemata.theory.sremo.bounds import EventWindow
from mnemata.theory.trees import Node, set_field

Variable: TypeAlias = str
"""Stands for one event; in the condition of a filter it is what a register is elsewhere."""


class Expression(Node):
    """Base of all core-CEPL expressions.

    ``a >> b`` is ``a ; b`` and ``a | b`` is ``a OR b``; methods build the rest.
    """

    __slots__ = ()

    def __rshift__(self, other: Expression) -> Expression:
        return Sequence((self, other))

    def __or__(self, other: Expression) -> Expression:
        return Or((self, other))

    def filter(self, condition: Condition) -> Expression:
        """``self FILTER condition``, a condition over variables."""
        return Filter(self, condition)

    def plus(self) -> Expression:
        """``self+``: one or more times, with anything in between."""
        return Iteration(self)

    def window(self, size: int) -> Expression:
        """``self WINDOW size``: all of a match among `size` consecutive events."""
        return Windowed(self, EventWindow(size))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Atom(Expression):
    """``relation AS variable``: one event of type `relation`, which `variable` stands for."""

    relation: str
    variable: Variable

    def validate(self) -> None:
        for what, name in (("an event type", self.relation), ("a variable", self.variable)):
            if not isinstance(name, str) or not name or name == HEAD:
                raise PatternError(f"{what} is named by a non-empty string other than ~, got {brief(name)}")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unary(Expression):
    """Base of the operators over a single expression."""

    body: Expression

    def validate(self) -> None:
        _check_expressions(self.body)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Nary(Expression):
    """Base of the associative operators over two or more expressions; equal ones nested are flattened."""

    parts: tuple[Expression, ...]

    def validate(self) -> None:
        set_field(self, "parts", _flat(type(self), self.parts))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Filter(Unary):
    """``body FILTER condition``: the events that the variables of `condition` stand for satisfy it."""

    condition: Condition

    def validate(self) -> None:
        _check_expressions(self.body)
        if not isinstance(self.condition, Condition):
            raise PatternError(f"{brief(self.condition)} is not a condition; compare attributes of variables")
        read = variables(self.condition)
        if HEAD in read:
            raise PatternError("a filter is about variables, and ~ is none; name the variable that is meant")
        if not read:
            raise PatternError("this condition reads no variable; a filter is about variables")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sequence(Nary):
    """``a ; b``: one after the other, with anything in between."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Or(Nary):
    """``a OR b``: what one of them matches."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Iteration(Unary):
    """``body+``: one or more times, with anything in between the rounds."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Windowed(Unary):
    """``body WINDOW w``: last minus first position is less than `w` (Def. 14).

    The paper has windows around whole expressions only; inside one they mean the same.
    """

    size: EventWindow

    def validate(self) -> None:
        _check_expressions(self.body)
        if not isinstance(self.size, EventWindow):
            raise PatternError(f"{brief(self.size)} is not a window of events; use EventWindow(size)")


def atom(relation: str, variable: Variable) -> Expression:
    """``relation AS variable``."""
    return Atom(relation, variable)


def sequence(*parts: Expression) -> Expression:
    """``a ; b ; ...``; of one expression, itself."""
    return parts[0] if len(parts) == 1 else Sequence(parts)


def either(*parts: Expression) -> Expression:
    """``a OR b OR ...``; of one expression, itself."""
    return parts[0] if len(parts) == 1 else Or(parts)


def _check_expressions(*parts: object) -> None:
    for part in parts:
        if not isinstance(part, Expression):
            remedy = "; bind an event type to a variable: atom('T', 'x')" if isinstance(part, str) else ""
            raise PatternError(f"{brief(part)} is not an expression{remedy}")


def _flat(kind: type[Nary], parts: Iterable[Expression]) -> tuple[Expression, ...]:
    given = tuple(parts)
    _check_expressions(*given)
    flat: list[Expression] = []
    for part in given:
        flat += part.parts if isinstance(part, Nary) and type(part) is kind else [part]
    if len(flat) < 2:
        raise PatternError(f"{kind.__name__} joins at least two expressions, got {len(flat)}")
    return tuple(flat)
