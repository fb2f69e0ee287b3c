"""Terms over the automaton's head ``~`` and registers (SRT Def. 4, 10, 12).

A variable is the name of a register, or `HEAD`. A term reads one attribute of the event that a variable
holds, or computes with such readings. Terms compare structurally and carry no types: the same term
may be used under several schemas, and `mnemata.theory.conditions.typing` checks it against one.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from mnemata.theory.errors import ConditionTypeError, PatternError, brief
from mnemata.theory.schema import INT64_MAX, INT64_MIN, NANOSECONDS
from mnemata.theory.trees import Node, set_field

Register: TypeAlias = str
Variable: TypeAlias = str
ArithmeticOperator: TypeAlias = Literal["+", "-", "*"]

HEAD: Final[Variable] = "~"


class Term(Node):
    """Base of all terms."""

    __slots__ = ()


def check_terms(*parts: object) -> None:
    """Raise `ConditionTypeError` unless all of `parts` are terms."""
    for part in parts:
        if not isinstance(part, Term):
            raise ConditionTypeError(f"{brief(part)} is not a term; wrap a plain value in Constant(...)")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Attribute(Term):
    """The attribute `name` of the event that `variable` holds."""

    variable: Variable
    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Position(Term):
    """The position in the stream of the event that `variable` holds; never missing."""

    variable: Variable


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Time(Term):
    """The timestamp (the schema's time attribute) of the event that `variable` holds."""

    variable: Variable


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant(Term):
    """A literal value: int64, float64 (not NaN), bool or string."""

    value: int | float | bool | str

    def validate(self) -> None:
        value = self.value
        if isinstance(value, float) and math.isnan(value):
            raise ConditionTypeError("NaN means a missing value and cannot be a constant")
        if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
            raise ConditionTypeError(f"the constant {brief(value)} does not fit 64 bits; write it as a float")
        if not isinstance(value, int | float | bool | str):
            raise ConditionTypeError(f"{brief(value)} is not a constant: use a number, a bool or a string")
        if isinstance(value, float):
            set_field(self, "value", float(value))  # not a subclass, which would compare unequal


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Duration(Term):
    """A length of time: a whole number of ns, us, ms, s, min, h or d."""

    amount: int
    unit: str

    def validate(self) -> None:
        if self.unit not in NANOSECONDS:
            raise PatternError(f"unknown unit of time '{self.unit}'; use {', '.join(NANOSECONDS)}")
        if not isinstance(self.amount, int) or isinstance(self.amount, bool) or self.amount < 0:
            raise PatternError(f"a duration is a whole number of {self.unit}, got {brief(self.amount)}")

    @property
    def nanoseconds(self) -> int:
        """Its length in nanoseconds."""
        return self.amount * NANOSECONDS[self.unit]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Instant(Term):
    """A point in time in ISO 8601; without an offset it is UTC."""

    text: str

    def validate(self) -> None:
        try:
            datetime.fromisoformat(self.text)
        except ValueError:
            raise PatternError(f"'{self.text}' is not a date or time in ISO 8601") from None
        if self._beyond_microseconds()[3:].strip("0"):
            raise PatternError(f"'{self.text}' is finer than a nanosecond")

    @property
    def nanoseconds(self) -> int:
        """The nanoseconds past its last whole microsecond, which `datetime` leaves out."""
        return int(self._beyond_microseconds()[:3].ljust(3, "0"))

    def _beyond_microseconds(self) -> str:
        fraction = re.search(r"[.,]\d{6}(\d+)", self.text)
        return fraction[1] if fraction else ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Arithmetic(Term):
    """``left + right``, ``left - right`` or ``left * right``.

    An int64 result that does not fit 64 bits, and a float64 result that is NaN, is missing.
    """

    operator: ArithmeticOperator
    left: Term
    right: Term

    def validate(self) -> None:
        if self.operator not in ("+", "-", "*"):
            raise PatternError(f"unknown arithmetic operator {self.operator!r}; use +, - or *")
        check_terms(self.left, self.right)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Absolute(Term):
    """The absolute value of a number."""

    operand: Term

    def validate(self) -> None:
        check_terms(self.operand)
