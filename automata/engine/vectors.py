"""Conditions that read only the head, for whole columns at once.

The result agrees with `mnemata.theory.conditions.evaluation.models` row by row, missing values, 64-bit
overflow and the meeting of int64 and float64 included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from mnemata.automata.engine.columns import Array, Columns, Truth
from mnemata.automata.engine.compiled.native import holds_for_rows, native
from mnemata.automata.engine.relations import RowPredicate, row_predicate
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
    expand,
    registers,
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
)
from mnemata.theory.errors import ConditionTypeError, PatternError, UnsupportedError
from mnemata.theory.schema import INT64_MIN, Schema
from mnemata.theory.trees import Node, fold

LARGEST_CHUNK: Final = 1 << 17
MOST_VALUES: Final = 1 << 24


class _Vector(NamedTuple):
    """Values of a term in some rows, or one value for all; `missing` says where there is none."""

    values: Array
    missing: Truth | None = None


_Result: TypeAlias = Any  # a _Vector for a term, a Truth for a condition


class _Step(NamedTuple):
    node: Node
    operands: tuple[int, ...]
    done_with: tuple[int, ...]


class Masks:
    """A program that evaluates conditions over the rows of columns, sharing what they have in common.

    Parameters
    ----------
    conditions : sequence of Condition
        Bound to the schema of `columns`; they read the head only.
    columns : Columns
        With a column for each attribute that they read; all attributes when they apply a relation
        that is a Python function.

    Raises
    ------
    PatternError
        When a condition reads a register.
    """

    def __init__(self, conditions: Sequence[Condition], columns: Columns) -> None:
        self._columns = columns
        self._steps, self._outputs = _program_of(tuple(conditions))
        self._relations: dict[Node, RowPredicate] = {
            step.node: row_predicate(step.node, columns, {HEAD: None})
            for step in self._steps
            if isinstance(step.node, Apply) and not _is_native(step.node, columns.schema)
        }

    @property
    def size(self) -> int:
        """How many conditions there are."""
        return len(self._outputs)

    @property
    def chunk(self) -> int:
        """How many rows to evaluate at a time, so that intermediate results stay small."""
        return max(1, min(LARGEST_CHUNK, MOST_VALUES // max(1, len(self._steps))))

    def evaluate(self, start: int = 0, stop: int | None = None) -> list[Truth]:
        """For each condition, where it holds: arrays of bool of shape ``(stop - start,)``."""
        rows = slice(start, self._columns.size if stop is None else stop)
        results: dict[int, _Result] = {}
        with np.errstate(all="ignore"):
            for number, (node, operands, done_with) in enumerate(self._steps):
                results[number] = self._visit(node, [results[o] for o in operands], rows)
                for operand in done_with:
                    del results[operand]
        size = rows.stop - rows.start
        return [np.broadcast_to(results[output], (size,)) for output in self._outputs]

    def _visit(self, node: Node, below: list[_Result], rows: slice) -> _Result:
        if isinstance(node, Term):
            return self._term(node, below, rows)
        if isinstance(node, Apply):
            return self._related(node, rows)
        return _truth(node, below)

    def _term(self, node: Term, below: list[_Result], rows: slice) -> _Vector:
        match node:
            case Constant(value=str() as text):
                return _Vector(np.asarray(self._columns.texts.code(text)))
            case Constant(value=value):
                return _Vector(np.asarray(value))
            case Attribute(name=name):
                return self._attribute(name, rows)
            case Time():
                return self._attribute(self._columns.schema.time or "", rows)
            case Position():
                return _Vector(self._columns.positions[rows])
            case Arithmetic(operator=operator):
                return _calculate(operator, *below)
            case Absolute():
                return _absolute(below[0])
        raise ConditionTypeError(f"{node} has no value before it is bound to a schema; call bind() first")

    def _attribute(self, name: str, rows: slice) -> _Vector:
        some = self._columns[name].rows(rows)
        return _Vector(some.values, some.missing)

    def _related(self, node: Apply, rows: slice) -> Truth:
        holds = self._relations.get(node)
        if holds is None:
            return self._natively(node, rows)
        found = (holds(row, ()) for row in range(rows.start, rows.stop))
        return np.fromiter(found, np.bool_, rows.stop - rows.start)

    def _natively(self, node: Apply, rows: slice) -> Truth:
        """The truth of a relation that has machine code, which is asked only where nothing is missing."""
        relation = node.relation
        if not isinstance(relation, Relation):
            raise ConditionTypeError(f"{node!r} is not an application of a declared relation")
        read = [self._attribute(name, rows) for name in relation.attributes]
        absent = [vector.missing for vector in read if vector.missing is not None]
        present = slice(None) if not absent else ~reduce(np.logical_or, absent)
        given = [vector.values[present] for vector in read] * len(node.arguments)
        found = np.zeros(rows.stop - rows.start, np.bool_)
        found[present] = holds_for_rows(relation, self._columns.schema, given)
        return found


def _is_native(node: Apply, schema: Schema) -> bool:
    """Whether machine code can be had for a relation that reads something."""
    if not isinstance(node.relation, Relation) or not node.relation.attributes:
        return False
    try:
        native(node.relation, schema)
    except UnsupportedError:
        return False
    return True


@lru_cache(maxsize=256)
def _program_of(conditions: tuple[Condition, ...]) -> tuple[list[_Step], list[int]]:
    expanded = [expand(condition) for condition in conditions]
    for condition in expanded:
        if registers(condition):
            raise PatternError(f"{condition!r} reads registers; only the head can be read in columns")
    return _program(expanded)


def _program(conditions: Sequence[Condition]) -> tuple[list[_Step], list[int]]:
    """Straight-line code in which equal parts occur once, and results are dropped after their last use."""
    numbers: dict[Node, int] = {}
    nodes: list[tuple[Node, tuple[int, ...]]] = []

    def number(node: Node, below: tuple[int, ...]) -> int:
        if node not in numbers:
            numbers[node] = len(nodes)
            nodes.append((node, below))
        return numbers[node]

    outputs = [fold(condition, number) for condition in conditions]
    last_use = {o: step for step, (_, operands) in enumerate(nodes) for o in operands}
    done: dict[int, list[int]] = {}
    for operand, step in last_use.items():
        if operand not in outputs:
            done.setdefault(step, []).append(operand)
    return [_Step(n, ops, tuple(done.get(i, ()))) for i, (n, ops) in enumerate(nodes)], outputs


def _truth(node: Node, below: list[_Result]) -> Truth:
    match node:
        case Top() | Defined():
            return np.asarray(True)
        case Bottom():
            return np.asarray(False)
        case Comparison(operator=operator):
            return _compare(operator, *below)
        case Membership():
            return _member(below[0], below[1:])
        case Not():
            return np.asarray(~below[0])
        case And():
            return reduce(np.logical_and, below)
        case Or():
            return reduce(np.logical_or, below)
    raise ConditionTypeError(f"{node} is not a condition")


_COMPARE: Final[Mapping[str, Callable[[Array, Array], Truth]]] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def _compare(operator: str, left: _Vector, right: _Vector) -> Truth:
    return _unless(_COMPARE[operator](*_alike(left.values, right.values)), _either(left, right))


def _member(term: _Vector, constants: Sequence[_Vector]) -> Truth:
    found: Truth = np.asarray(False)
    for kind in "fib":
        chosen = [c.values for c in constants if c.values.dtype.kind == kind]
        if chosen:
            found = found | np.isin(*_alike(term.values, np.stack(chosen)))
    return _unless(found, term.missing)


def _calculate(operator: str, left: _Vector, right: _Vector) -> _Vector:
    a, b = _alike(left.values, right.values)
    missing = _either(left, right)
    if a.dtype.kind == "f":
        return _defined(_FLOAT[operator](a, b), missing)
    values, overflow = _INTEGER[operator](a, b)
    return _Vector(values, _also(missing, overflow))


def _absolute(operand: _Vector) -> _Vector:
    values, missing = operand
    if values.dtype.kind == "f":
        return _Vector(np.abs(values), missing)
    return _Vector(np.abs(values), _also(missing, values == INT64_MIN))


def _defined(values: Array, missing: Truth | None) -> _Vector:
    undefined = np.isnan(values)
    return _Vector(np.where(undefined, 0.0, values), _also(missing, undefined))


def _add(a: Array, b: Array) -> tuple[Array, Truth]:
    total = np.add(a, b)
    return total, ((a ^ total) & (b ^ total)) < 0


def _subtract(a: Array, b: Array) -> tuple[Array, Truth]:
    total = np.subtract(a, b)
    return total, ((a ^ b) & (a ^ total)) < 0


def _multiply(a: Array, b: Array) -> tuple[Array, Truth]:
    """The product, and where it wrapped around: there dividing by a factor does not give the other."""
    product = np.multiply(a, b)
    divisor = np.where((a == 0) | (a == -1), 1, a)
    wrapped = np.where(a == -1, b == INT64_MIN, product // divisor != np.where(a == 0, product, b))
    return product, wrapped


_INTEGER: Final[Mapping[str, Callable[[Array, Array], tuple[Array, Truth]]]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
}
_FLOAT: Final[Mapping[str, Callable[[Array, Array], Array]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
}


def _alike(left: Array, right: Array) -> tuple[Array, Array]:
    """Both as doubles when one of them is."""
    if (left.dtype.kind == "f") == (right.dtype.kind == "f"):
        return left, right
    return left.astype(np.float64), right.astype(np.float64)


def _either(left: _Vector, right: _Vector) -> Truth | None:
    if left.missing is None or right.missing is None:
        return left.missing if right.missing is None else right.missing
    return left.missing | right.missing


def _also(missing: Truth | None, more: Truth) -> Truth | None:
    if not more.any():
        return missing
    return more if missing is None else missing | more


def _unless(truth: Truth, missing: Truth | None) -> Truth:
    return truth if missing is None else truth & ~missing
