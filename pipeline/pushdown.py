"""Events that do not matter, left out by Spark before it moves rows to where they belong.

`mnemata.automata.engine.relevance` says on what events depends what is found. Of that, Spark is told what it
decides as the engine does: comparisons of numbers, truth values and text with constants. It keeps every event
that anything else might ask for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce
from operator import and_, eq, ge, gt, le, lt, ne, or_
from typing import Any, Final, NamedTuple

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import BooleanType, DataType, DoubleType, LongType, StringType, StructType

from mnemata.automata.engine.relevance import bounded, relevant
from mnemata.pipeline.recognition import Task
from mnemata.pipeline.sources.frames import quoted
from mnemata.theory.conditions.formulas import (
    TOP,
    And,
    Comparison,
    Condition,
    Membership,
    Not,
    Or,
)
from mnemata.theory.conditions.simplification import simplified
from mnemata.theory.conditions.terms import Attribute, Constant
from mnemata.theory.schema import (
    INT64_MAX,
    INT64_MIN,
    AttributeType,
    Bool,
    Category,
    Float64,
    Int64,
    Schema,
    String,
)
from mnemata.theory.trees import Node, fold

_OPERATORS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip
_TURNED: Final = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_EXACT: Final = 2**53
"""Whole numbers below this are the same as doubles."""


class _Truth(NamedTuple):
    """Where a condition holds and where it does not; either column may be null where the other is true."""

    holds: Column
    fails: Column


def that_matter(events: DataFrame, task: Task, *, besides: Column | None = None) -> DataFrame:
    """The events that matter to some pattern of a task.

    Parameters
    ----------
    events : DataFrame
        ``#row`` and the attributes of the task, as `mnemata.pipeline.sources.Stream.rows` returns them,
        without faulty rows. They are numbered, and nothing is to be found out about those left out: their
        numbers are distinct, and they are in the order of time, or are yet to be brought into it.
    task : Task
        What to find.
    besides : Column, optional
        Which events to keep besides.
    """
    wanted = wanted_of(relevant(task.patterns), task.schema, events.schema)
    if wanted is None:
        return events
    return events.where(wanted if besides is None else wanted | besides)


def wanted_of(condition: Condition, schema: Schema, columns: StructType) -> Column | None:
    """A column that is true wherever a condition on events holds; ``None`` for one that is true everywhere.

    Parameters
    ----------
    condition : Condition
        Reads the head only.
    schema : Schema
        Of the events.
    columns : StructType
        Their columns in Spark.
    """
    fits = {a.name for a in schema.attributes if columns[a.name].dataType == _COLUMNS.get(type(a.type))}
    decided = simplified(bounded(condition, lambda atom: _question(atom, schema, fits) is not None).may)
    if decided == TOP:
        return None

    def visit(node: Node, below: tuple[_Truth, ...]) -> _Truth:
        match node:
            case Not():
                return _Truth(below[0].fails, below[0].holds)
            case And():
                return _Truth(_all(part.holds for part in below), _any(part.fails for part in below))
            case Or():
                return _Truth(_any(part.holds for part in below), _all(part.fails for part in below))
        found = _question(node, schema, fits)
        return _Truth(F.lit(node == TOP), F.lit(node != TOP)) if found is None else _answer(found, schema)

    truth: _Truth = fold(decided, visit)
    return truth.holds


def _all(columns: Iterable[Column]) -> Column:
    return reduce(and_, columns)


def _any(columns: Iterable[Column]) -> Column:
    return reduce(or_, columns)


_COLUMNS: Final[Mapping[type[AttributeType], DataType]] = {
    Int64: LongType(),
    Float64: DoubleType(),
    Bool: BooleanType(),
    String: StringType(),
    Category: StringType(),
}


class _Question(NamedTuple):
    """Whether the value of an attribute compares to some of these constants."""

    name: str
    operator: str
    constants: tuple[Any, ...]


def _question(node: Node, schema: Schema, names: Collection[str]) -> _Question | None:
    """What an atom asks; ``None`` for what Spark might answer otherwise than the engine."""
    match node:
        case Comparison(operator=operator, left=Attribute(name=name), right=Constant(value=value)):
            asked = _Question(name, operator, (value,))
        case Comparison(operator=operator, left=Constant(value=value), right=Attribute(name=name)):
            asked = _Question(name, _TURNED[operator], (value,))
        case Membership(term=Attribute(name=name), values=values):
            asked = _Question(name, "=", tuple(constant.value for constant in values))
        case _:
            return None
    if name not in names or not asked.constants:
        return None
    constants = tuple(_literal(value, schema[name], asked.operator) for value in asked.constants)
    return None if None in constants else asked._replace(constants=constants)


def _literal(value: object, kind: AttributeType, operator: str) -> Any:
    """A constant in the type of an attribute, if comparing them there means the same; else ``None``."""
    same = operator in ("=", "!=")
    match kind, value:
        case (Bool(), bool()) | (String() | Category(), str()):
            return value if same else None
        case (_, bool()):
            return None
        case (Int64(), int()):
            return value if INT64_MIN <= value <= INT64_MAX else None
        case (Int64(), float()):
            return int(value) if value.is_integer() and abs(value) < _EXACT else None
        case (Float64(), int()):
            return float(value) if abs(value) < _EXACT else None
        case (Float64(), float()):
            return None if math.isnan(value) else value
    return None


def _answer(asked: _Question, schema: Schema) -> _Truth:
    column = quoted(asked.name)
    compare = _OPERATORS[asked.operator]
    holds = _any(compare(column, F.lit(constant)) for constant in asked.constants)
    absent = column.isNull()
    if isinstance(schema[asked.name], Float64):
        absent = absent | F.isnan(column)
        # To Spark NaN is equal to itself and greater than all else. What files hold is not asked about NaN.
        holds = holds & ~F.isnan(column) if asked.operator in (">", ">=", "!=") else holds
    return _Truth(holds, ~holds | absent)
