"""Conditions that read registers, as Python functions of a row and the contents of registers.

A condition becomes closures over the columns it reads, built bottom-up from its tree; no text is ever
evaluated. Where the tree is deeper than Python's call stack likes, a part is computed first and passed
on like the contents of a register.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from mnemata.automata.engine.columns import Columns
from mnemata.automata.engine.relations import Memory, RowPredicate, row_predicate
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
    expand,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Position,
    Register,
    Term,
    Time,
    Variable,
)
from mnemata.theory.conditions.values import absolute, calculate
from mnemata.theory.errors import ConditionTypeError
from mnemata.theory.schema import Float64
from mnemata.theory.trees import Node, fold

DEEPEST: Final = 50
"""Closures that call one another, before a part is computed in advance."""

Reader: TypeAlias = Callable[[int, Memory], Any]


class _Part(NamedTuple):
    """A term or condition: its function, whether it is a float64, and how deep its calls go."""

    read: Reader
    is_float: bool = False
    depth: int = 1


def compile_condition(condition: Condition, columns: Columns, places: Mapping[Register, int]) -> RowPredicate:
    """``(u, v) |= phi`` as a function of the row of `u` and the rows that the registers hold.

    Parameters
    ----------
    condition : Condition
        Bound to the schema of `columns`.
    columns : Columns
        With the columns that it reads; all attributes when it applies a relation that is a Python
        function.
    places : mapping of register to int
        Where in the second argument the row in a register is found, -1 standing for an empty register.
        Registers that are not there are empty. That argument must have an entry for each place.

    Returns
    -------
    callable
        Agrees with `mnemata.theory.conditions.evaluation.models`.
    """
    return _Compiler(columns, places).compile(expand(condition))


class _Compiler:
    def __init__(self, columns: Columns, places: Mapping[Register, int]) -> None:
        self._columns = columns
        self._places: dict[Variable, int | None] = {**places, HEAD: None}
        self._size = len(places)
        self._first: list[Reader] = []

    def compile(self, condition: Condition) -> RowPredicate:
        whole = fold(condition, self._visit).read
        if not self._first:
            return whole
        first = tuple(self._first)

        def test(row: int, memory: Memory) -> bool:
            longer = list(memory)
            for read in first:
                longer.append(read(row, longer))
            return bool(whole(row, longer))

        return test

    def _visit(self, node: Node, below: tuple[_Part, ...]) -> _Part:
        depth = 1 + max((part.depth for part in below), default=0)
        part = self._term(node, below) if isinstance(node, Term) else _Part(self._truth(node, below))
        return self._in_advance(part) if depth > DEEPEST else part._replace(depth=depth)

    def _in_advance(self, part: _Part) -> _Part:
        place = self._size + len(self._first)
        self._first.append(part.read)
        return _Part(lambda row, memory: memory[place], part.is_float)

    def _term(self, node: Term, below: tuple[_Part, ...]) -> _Part:
        match node:
            case Constant(value=str() as text):
                code = self._columns.texts.code(text)
                return _Part(lambda row, memory: code)
            case Constant(value=value):
                return _Part(lambda row, memory: value, isinstance(value, float))
            case Attribute(variable=variable, name=name):
                return self._attribute(variable, name)
            case Time(variable=variable):
                return self._attribute(variable, self._columns.schema.time or "")
            case Position(variable=variable):
                return _Part(self._at(variable, self._columns.position))
            case Arithmetic(operator=symbol):
                return _calculate(symbol, *below)
            case Absolute():
                read = below[0].read
                return _Part(lambda row, memory: absolute(read(row, memory)), below[0].is_float)
        raise ConditionTypeError(f"{node} has no value before it is bound to a schema; call bind() first")

    def _attribute(self, variable: Variable, name: str) -> _Part:
        read = self._at(variable, self._columns[name].read())
        return _Part(read, isinstance(self._columns.schema[name], Float64))

    def _at(self, variable: Variable, read: Callable[[int], Any]) -> Reader:
        """`read` at the row that a variable holds, ``None`` when it holds none."""
        if variable not in self._places:
            return lambda row, memory: None
        place = self._places[variable]
        if place is None:
            return lambda row, memory: read(row)

        def at(row: int, memory: Memory) -> Any:
            held = memory[place]
            return read(held) if held >= 0 else None

        return at

    def _truth(self, node: Node, below: tuple[_Part, ...]) -> Reader:
        match node:
            case Top() | Bottom():
                return _always(isinstance(node, Top))
            case Defined(variable=variable):
                return self._defined(variable)
            case Comparison(operator=symbol):
                return _compare(symbol, *below)
            case Membership():
                return self._member(below[0], node.values)
            case Apply(arguments=arguments):
                return self._related(node, arguments)
            case Not():
                negated = below[0].read
                return lambda row, memory: not negated(row, memory)
            case And():
                return _all([part.read for part in below])
            case Or():
                return _any([part.read for part in below])
        raise ConditionTypeError(f"{node} is not a condition")

    def _defined(self, variable: Variable) -> Reader:
        place = self._places.get(variable, -1)
        if place is None or place < 0:
            return _always(place is None)
        return lambda row, memory: memory[place] >= 0

    def _member(self, term: _Part, constants: tuple[Constant, ...]) -> Reader:
        read, code = term.read, self._columns.texts.code
        values = [code(c.value) if isinstance(c.value, str) else c.value for c in constants]
        exact = frozenset(v for v in values if not (term.is_float or isinstance(v, float)))
        rounded = frozenset(float(v) for v in values if term.is_float or isinstance(v, float))

        def test(row: int, memory: Memory) -> bool:
            value = read(row, memory)
            return value is not None and (value in exact or (bool(rounded) and float(value) in rounded))

        return test

    def _related(self, node: Apply, arguments: tuple[Variable, ...]) -> Reader:
        if any(variable not in self._places for variable in arguments):
            return _always(False)
        return row_predicate(node, self._columns, self._places)


def _always(value: bool) -> Reader:
    return lambda row, memory: value


def _all(parts: list[Reader]) -> Reader:
    if len(parts) == 2:
        one, other = parts
        return lambda row, memory: one(row, memory) and other(row, memory)

    def test(row: int, memory: Memory) -> bool:
        return all(part(row, memory) for part in parts)

    return test


def _any(parts: list[Reader]) -> Reader:
    def test(row: int, memory: Memory) -> bool:
        return any(part(row, memory) for part in parts)

    return test


def _alike(left: _Part, right: _Part) -> tuple[Reader, Reader]:
    if left.is_float == right.is_float:
        return left.read, right.read
    return _as_float(left), _as_float(right)


def _as_float(part: _Part) -> Reader:
    read = part.read
    if part.is_float:
        return read

    def widened(row: int, memory: Memory) -> float | None:
        value = read(row, memory)
        return None if value is None else float(value)

    return widened


def _calculate(symbol: str, left: _Part, right: _Part) -> _Part:
    a, b = left.read, right.read
    return _Part(
        lambda row, memory: calculate(symbol, a(row, memory), b(row, memory)),
        left.is_float or right.is_float,
    )


_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _compare(symbol: str, left: _Part, right: _Part) -> Reader:
    holds = _COMPARE[symbol]
    one, other = _alike(left, right)

    def test(row: int, memory: Memory) -> bool:
        a = one(row, memory)
        if a is None:
            return False
        b = other(row, memory)
        return b is not None and holds(a, b)

    return test
