"""Writing conditions with Python's own operators: ``stock.price > r1.price``.

`head` and `register` give stand-ins whose attributes are terms. Comparing two of them builds a condition;
nothing is evaluated. The stand-ins exist only while a condition is being written: what they build are the
immutable nodes of `terms` and `formulas`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from mnemata.theory.conditions.formulas import (
    Comparison,
    ComparisonOperator,
    Condition,
    Defined,
    Membership,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    ArithmeticOperator,
    Attribute,
    Constant,
    Position,
    Register,
    Term,
    Time,
    Variable,
)
from mnemata.theory.errors import ConditionTypeError, UnknownAttributeError
from mnemata.theory.schema import Schema

Operand: TypeAlias = "Quantity | Term | int | float | bool | str"


class Quantity:
    """A term under construction; its operators build terms and conditions."""

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("term",)

    def __init__(self, term: Term) -> None:
        self.term = term

    def __repr__(self) -> str:
        return f"Quantity({self.term!r})"

    def __bool__(self) -> bool:
        raise ConditionTypeError("a term has no truth value; compare it with something")

    def __eq__(self, other: Operand) -> Condition:  # type: ignore[override]
        return self._compare("=", other)

    def __ne__(self, other: Operand) -> Condition:  # type: ignore[override]
        return self._compare("!=", other)

    def __lt__(self, other: Operand) -> Condition:
        return self._compare("<", other)

    def __le__(self, other: Operand) -> Condition:
        return self._compare("<=", other)

    def __gt__(self, other: Operand) -> Condition:
        return self._compare(">", other)

    def __ge__(self, other: Operand) -> Condition:
        return self._compare(">=", other)

    def __add__(self, other: Operand) -> Quantity:
        return self._combine("+", self, other)

    def __radd__(self, other: Operand) -> Quantity:
        return self._combine("+", other, self)

    def __sub__(self, other: Operand) -> Quantity:
        return self._combine("-", self, other)

    def __rsub__(self, other: Operand) -> Quantity:
        return self._combine("-", other, self)

    def __mul__(self, other: Operand) -> Quantity:
        return self._combine("*", self, other)

    def __rmul__(self, other: Operand) -> Quantity:
        return self._combine("*", other, self)

    def __abs__(self) -> Quantity:
        return Quantity(Absolute(self.term))

    def isin(self, values: Iterable[int | float | bool | str]) -> Condition:
        """``self in {values}``."""
        return Membership(self.term, tuple(Constant(value) for value in values))

    def _compare(self, operator: ComparisonOperator, other: Operand) -> Condition:
        return Comparison(operator, self.term, as_term(other))

    @staticmethod
    def _combine(operator: ArithmeticOperator, left: Operand, right: Operand) -> Quantity:
        return Quantity(Arithmetic(operator, as_term(left), as_term(right)))


class _NoSuchAttributeError(UnknownAttributeError, AttributeError):
    """Python asks for an `AttributeError` where an object's attribute is not there."""


class Holder:
    """What stands for the event in the head or in a register while a condition is written.

    Attributes of the schema are attributes of the object (``stock.price``); ``stock["my price"]`` reads those
    whose names are not Python's.
    """

    __slots__ = ("_schema", "_variable")

    def __init__(self, variable: Variable, schema: Schema | None) -> None:
        self._variable, self._schema = variable, schema

    def __getitem__(self, name: str) -> Quantity:
        if self._schema is not None:
            self._schema.index(name)
        return Quantity(Attribute(self._variable, name))

    def __getattr__(self, name: str) -> Quantity:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except UnknownAttributeError as error:
            raise _NoSuchAttributeError(str(error)) from None

    def __repr__(self) -> str:
        return f"Holder({self._variable!r})"


def head(schema: Schema | None = None) -> Holder:
    """The event being read, ``~``.

    With a schema, unknown attributes are refused where they are written.

    >>> stock, r1 = head(), register("r1")
    >>> stock.price * 1.1 > r1.price
    Comparison('>', Arithmetic('*', Attribute('~', 'price'), Constant(1.1)), Attribute('r1', 'price'))
    """
    return Holder(HEAD, schema)


def register(name: Register, schema: Schema | None = None) -> Holder:
    """The event that register `name` holds."""
    return Holder(variable_of(name), schema)


def variable_of(holder: Holder | Variable) -> Variable:
    """The variable behind a stand-in or a name."""
    name = holder._variable if isinstance(holder, Holder) else holder
    if not isinstance(name, str) or not name:
        raise ConditionTypeError(f"a register is named by a non-empty string, got {name!r}")
    return name


def position(holder: Holder | Variable) -> Quantity:
    """The position in the stream of the event that `holder` holds."""
    return Quantity(Position(variable_of(holder)))


def time(holder: Holder | Variable) -> Quantity:
    """The timestamp of the event that `holder` holds."""
    return Quantity(Time(variable_of(holder)))


def defined(holder: Holder | Variable) -> Condition:
    """Whether the register holds an event."""
    return Defined(variable_of(holder))


def as_term(operand: Operand) -> Term:
    """A term from a stand-in, a term or a plain value."""
    if isinstance(operand, Quantity):
        return operand.term
    return operand if isinstance(operand, Term) else Constant(operand)
