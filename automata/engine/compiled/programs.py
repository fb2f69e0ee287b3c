"""Conditions that read registers, as programs for a small machine.

A program is straight-line code: each part of a condition has a slot, and parts that occur more than once are
computed once. Instructions are rows of an int64 array ``(operation, target, a, b, c)``. It is data, so that a
new pattern needs no new machine code. What it computes agrees with
`mnemata.theory.conditions.evaluation.models`: missing values, 64-bit overflow and the meeting of int64 and
float64 included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Final, NamedTuple, TypeAlias

from mnemata.automata.engine.compiled.native import Native, native
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
    Relation,
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
"""Load column ``a`` of the event in register ``b``; constant ``a``; slot ``a`` as a double."""

ADD_INT, SUBTRACT_INT, MULTIPLY_INT, ADD_FLOAT, SUBTRACT_FLOAT, MULTIPLY_FLOAT = 5, 6, 7, 8, 9, 10
ABSOLUTE_INT, ABSOLUTE_FLOAT = 11, 12
TRUE, FALSE, DEFINED, NOT, AND, OR, REQUIRE, CALL = 13, 14, 15, 16, 17, 18, 19, 20
"""Of slots ``a`` and ``b``; `DEFINED` asks about register ``a``. `REQUIRE` gives up unless ``a`` holds.
`CALL` asks relation ``a`` about the ``c`` slots from ``b`` on."""

COMPARE_INT, COMPARE_FLOAT = 21, 27
"""First of six each: ``= != < <= > >=``."""

REQUIRE_INT, REQUIRE_FLOAT = 33, 39
"""Likewise: compare column ``target`` of register ``a`` with ``b`` of ``c``, and give up unless it holds."""

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
    relations: dict[Relation, Native] = field(default_factory=dict)
    slots: int = 1

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
            When it applies a relation that has no native form (`native`).
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


class _Slot(NamedTuple):
    number: int
    floating: bool


class _Writer:
    def __init__(self, programs: Programs, places: Mapping[Variable, int]) -> None:
        self._programs, self._places = programs, places
        self._next = 0

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
        self._write(REQUIRE, 0, fold(condition, self._visit).number)

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

    def _write(self, operation: int, target: int, a: int = 0, b: int = 0, c: int = 0) -> None:
        self._programs.instructions.append((operation, target, a, b, c))

    def _compute(self, operation: int, *operands: int, floating: bool = False) -> _Slot:
        slot = _Slot(self._next, floating)
        self._next += 1
        self._programs.slots = max(self._programs.slots, self._next)
        self._write(operation, slot.number, *operands)
        return slot

    def _visit(self, node: Node, below: tuple[_Slot, ...]) -> _Slot:
        match node:
            case Attribute() | Position() | Time():
                floating, column = self._read(node)
                load = LOAD_FLOAT if floating else LOAD_INT
                return self._compute(load, column, self._place(node), floating=floating)
            case Constant(value=value):
                return self._constant(value)
            case Arithmetic(operator=operator):
                left, right = self._alike(*below)
                first = ADD_FLOAT if left.floating else ADD_INT
                which = first + _ARITHMETIC[operator]
                return self._compute(which, left.number, right.number, floating=left.floating)
            case Absolute():
                kind = ABSOLUTE_FLOAT if below[0].floating else ABSOLUTE_INT
                return self._compute(kind, below[0].number, floating=below[0].floating)
            case Comparison(operator=operator):
                left, right = self._alike(*below)
                first = COMPARE_FLOAT if left.floating else COMPARE_INT
                return self._compute(first + _COMPARISONS[operator], left.number, right.number)
        return self._formula(node, below)

    def _formula(self, node: Node, below: tuple[_Slot, ...]) -> _Slot:
        match node:
            case Top():
                return self._compute(TRUE)
            case Bottom():
                return self._compute(FALSE)
            case Defined(variable=variable):
                return self._compute(DEFINED, self._places[variable])
            case Not():
                return self._compute(NOT, below[0].number)
            case And() | Or():
                which = AND if isinstance(node, And) else OR
                return reduce(lambda one, other: self._compute(which, one.number, other.number), below)
            case Apply(relation=Relation() as relation, arguments=arguments):
                return self._call(relation, arguments)
        raise UnsupportedError(f"the compiled engine knows no {type(node).__name__}")

    def _call(self, relation: Relation, arguments: tuple[Variable, ...]) -> _Slot:
        relations = self._programs.relations
        relations.setdefault(relation, native(relation, self._programs.schema))
        number = list(relations).index(relation)
        # The scalars stand in slots next to each other.
        reads = [Attribute(variable, name) for variable in arguments for name in relation.attributes]
        given = [self._visit(read, ()) for read in reads]
        first = given[0].number if given else self._next
        result = self._compute(CALL, number, first, len(given))
        for variable in dict.fromkeys(arguments) if not given else ():
            filled = self._compute(DEFINED, self._places[variable])
            result = self._compute(AND, result.number, filled.number)
        return result

    def _constant(self, value: float | bool | str) -> _Slot:
        if isinstance(value, float):
            self._programs.float_constants.append(value)
            return self._compute(FLOAT, len(self._programs.float_constants) - 1, floating=True)
        self._programs.int_constants.append(value)
        return self._compute(INT, len(self._programs.int_constants) - 1)

    def _alike(self, left: _Slot, right: _Slot) -> tuple[_Slot, _Slot]:
        """Both values as doubles when one is."""
        if left.floating == right.floating:
            return left, right
        return self._as_float(left), self._as_float(right)

    def _as_float(self, slot: _Slot) -> _Slot:
        return slot if slot.floating else self._compute(TO_FLOAT, slot.number, floating=True)


def _written_out(node: Node) -> Node:
    """Membership as comparisons."""
    if not isinstance(node, Membership):
        return node
    return disjunction(*(Comparison("=", node.term, value) for value in node.values))
