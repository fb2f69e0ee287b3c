"""Conditions that read registers, as programs for a small stack machine.

A program is a run of instructions, rows of an int64 array ``(operation, a, b, c, d)``. It is data, so that
a new pattern needs no new machine code. What it computes agrees with
`mnemata.theory.conditions.evaluation.models`: missing values, 64-bit overflow and the meeting of int64 and
float64 included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from mnemata.theory.conditions.formulas import (
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
    disjunction,
    expand,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Position,
    Term,
    Time,
    Variable,
)
from mnemata.theory.conditions.typing import type_of
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Float64, Schema
from mnemata.theory.trees import Node, fold, transform

Instruction: TypeAlias = tuple[int, int, int, int, int]

NOW: Final = -1
"""In place of the number of a register: the event that is being read."""

LOAD_INT, LOAD_FLOAT, INT, FLOAT, TO_FLOAT = 0, 1, 2, 3, 4
ADD_INT, SUBTRACT_INT, MULTIPLY_INT, ADD_FLOAT, SUBTRACT_FLOAT, MULTIPLY_FLOAT = 5, 6, 7, 8, 9, 10
ABSOLUTE_INT, ABSOLUTE_FLOAT = 11, 12
TRUE, FALSE, DEFINED, NOT, AND, OR, REQUIRE = 13, 14, 15, 16, 17, 18, 19
COMPARE_INT, COMPARE_FLOAT = 20, 26
"""First of six each: ``= != < <= > >=``."""
REQUIRE_INT, REQUIRE_FLOAT = 32, 38
"""Likewise: compare column ``a`` of register ``b`` with ``c`` of ``d``, and give up unless it holds."""

_COMPARISONS: Final = {"=": 0, "!=": 1, "<": 2, "<=": 3, ">": 4, ">=": 5}
_ARITHMETIC: Final = {"+": 0, "-": 1, "*": 2}

POSITION: Final = ""
"""The name of the column of positions; no attribute has an empty name."""


@dataclass
class Programs:
    """The programs of the conditions of a pattern, and the columns and constants that they read.

    Text constants are kept apart: their codes are known only when a stream is.
    """

    schema: Schema
    instructions: list[Instruction] = field(default_factory=list)
    ints: dict[str, int] = field(default_factory=dict)
    floats: dict[str, int] = field(default_factory=dict)
    int_constants: list[int | str] = field(default_factory=list)
    float_constants: list[float] = field(default_factory=list)
    deepest: int = 1

    def add(self, condition: Condition, places: Mapping[Variable, int]) -> tuple[int, int]:
        """Append the program of a condition; where it begins and ends.

        Parameters
        ----------
        condition : Condition
            Bound to the schema.
        places : mapping of variable to int
            The number of each register that it reads.

        Raises
        ------
        UnsupportedError
            When it applies a relation that is a Python function.
        """
        begin = len(self.instructions)
        writer = _Writer(self, {**places, HEAD: NOW})
        parts = condition.operands if isinstance(condition, And) else (condition,)
        written = (transform(expand(part), _written_out) for part in parts)
        for part in sorted(written, key=writer.is_plain, reverse=True):  # cheap ones first
            writer.require(part)
        return begin, len(self.instructions)

    def column(self, name: str) -> tuple[bool, int]:
        """The number of a column among those of its kind, and whether its values are doubles."""
        floating = name != POSITION and isinstance(self.schema[name], Float64)
        numbers = self.floats if floating else self.ints
        return floating, numbers.setdefault(name, len(numbers))


_Typed: TypeAlias = bool
"""Whether what stands on the stack is a double."""


class _Writer:
    def __init__(self, programs: Programs, places: Mapping[Variable, int]) -> None:
        self._programs, self._places = programs, places
        self._depth = 0

    def is_plain(self, condition: Node) -> bool:
        """Whether it compares two attributes of one kind, which takes a single instruction."""
        if not isinstance(condition, Comparison):
            return False
        sides = (condition.left, condition.right)
        if not all(isinstance(side, Attribute | Position | Time) for side in sides):
            return False
        return self._is_float(condition.left) == self._is_float(condition.right)

    def require(self, condition: Node) -> None:
        if self.is_plain(condition) and isinstance(condition, Comparison):
            (floating, a), (_, c) = self._read(condition.left), self._read(condition.right)
            first = REQUIRE_FLOAT if floating else REQUIRE_INT
            b, d = self._place(condition.left), self._place(condition.right)
            self._write(first + _COMPARISONS[condition.operator], a, b, c, d)
            return
        fold(condition, self._visit)
        self._write(REQUIRE)
        self._grow(-1)

    def _is_float(self, term: Term) -> bool:
        return isinstance(type_of(term, self._programs.schema), Float64)

    def _name(self, term: Node) -> str:
        match term:
            case Attribute(name=name):
                return name
            case Time():
                return self._programs.schema.time or ""
        return POSITION

    def _read(self, term: Node) -> tuple[bool, int]:
        return self._programs.column(self._name(term))

    def _place(self, term: Node) -> int:
        return self._places[term.variable] if isinstance(term, Attribute | Position | Time) else NOW

    def _write(self, operation: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
        self._programs.instructions.append((operation, a, b, c, d))

    def _grow(self, by: int) -> None:
        self._depth += by
        self._programs.deepest = max(self._programs.deepest, self._depth)

    def _visit(self, node: Node, below: tuple[_Typed, ...]) -> _Typed:
        match node:
            case Attribute() | Position() | Time():
                floating, column = self._read(node)
                self._write(LOAD_FLOAT if floating else LOAD_INT, column, self._place(node))
                self._grow(1)
                return floating
            case Constant(value=value):
                return self._constant(value)
            case Arithmetic(operator=operator):
                floating = self._alike(*below)
                self._write((ADD_FLOAT if floating else ADD_INT) + _ARITHMETIC[operator])
                self._grow(-1)
                return floating
            case Absolute():
                self._write(ABSOLUTE_FLOAT if below[0] else ABSOLUTE_INT)
                return below[0]
            case Comparison(operator=operator):
                floating = self._alike(*below)
                self._write((COMPARE_FLOAT if floating else COMPARE_INT) + _COMPARISONS[operator])
                self._grow(-1)
                return False
        return self._formula(node, below)

    def _formula(self, node: Node, below: tuple[_Typed, ...]) -> _Typed:
        match node:
            case Top():
                self._push(TRUE)
            case Bottom():
                self._push(FALSE)
            case Defined(variable=variable):
                self._push(DEFINED, self._places[variable])
            case Not():
                self._write(NOT)
            case And() | Or():
                for _ in below[1:]:
                    self._write(AND if isinstance(node, And) else OR)
                    self._grow(-1)
                if not below:
                    self._push(TRUE if isinstance(node, And) else FALSE)
            case Apply(relation=relation):
                raise UnsupportedError(
                    f"relation '{relation.name}' is a Python function of several events, which the compiled "
                    "engine cannot call"
                )
            case _:
                raise UnsupportedError(f"the compiled engine knows no {type(node).__name__}")
        return False

    def _push(self, operation: int, a: int = 0) -> None:
        self._write(operation, a)
        self._grow(1)

    def _constant(self, value: float | bool | str) -> _Typed:
        if isinstance(value, float):
            self._push(FLOAT, len(self._programs.float_constants))
            self._programs.float_constants.append(value)
            return True
        self._push(INT, len(self._programs.int_constants))
        self._programs.int_constants.append(value)
        return False

    def _alike(self, left: _Typed, right: _Typed) -> _Typed:
        """Make doubles of both values on top of the stack when one is; ``b`` says which of the two."""
        if left != right:
            self._write(TO_FLOAT, 0, 1 if right else 0)
        return left or right


def _written_out(node: Node) -> Node:
    """Membership as comparisons."""
    if not isinstance(node, Membership):
        return node
    return disjunction(*(Comparison("=", node.term, value) for value in node.values))
