"""User-declared relations over the rows of columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from mnemata.automata.engine.columns import Columns
from mnemata.theory.conditions.formulas import Apply, Relation
from mnemata.theory.conditions.terms import Variable
from mnemata.theory.errors import ConditionTypeError, MnemataError, RelationError
from mnemata.theory.schema import Value
from mnemata.theory.trees import Node

Memory: TypeAlias = Sequence[Any]
"""Contents of registers as rows, -1 where a register is empty."""

RowPredicate: TypeAlias = Callable[[int, Memory], bool]
"""Takes the row of the head and the contents of registers."""


def row_predicate(node: Node, columns: Columns, places: Mapping[Variable, int | None]) -> RowPredicate:
    """The truth of a relation applied to the head and registers, as in Def. 13.

    Parameters
    ----------
    node : Apply
        A `Relation` and its arguments.
    columns : Columns
        With the columns of all attributes, or of those that a relation with a compiled form names.
    places : mapping of variable to int or None
        Where the contents of a register are found; ``None`` for the head.
    """
    if not isinstance(node, Apply) or not isinstance(node.relation, Relation):
        raise ConditionTypeError(f"{node!r} is not an application of a declared relation")
    relation = node.relation
    arguments = tuple(places[variable] for variable in node.arguments)
    known = tuple(columns.reader(name) for name in relation.attributes)
    holds = _of_scalars(relation, known) if relation.compiled else _of_events(relation, columns, known)

    def test(row: int, memory: Memory) -> bool:
        rows = [row if place is None else memory[place] for place in arguments]
        return min(rows) >= 0 and holds(rows)

    return test


def needs_events(relation: Relation) -> bool:
    """Whether the relation is evaluated on whole events, so that every attribute needs a column."""
    return relation.compiled is None


def _of_scalars(relation: Relation, known: Sequence[Callable[[int], Value]]) -> Callable[[list[int]], bool]:
    compiled = relation.compiled or relation.predicate

    def holds(rows: list[int]) -> bool:
        scalars = [read(row) for row in rows for read in known]
        return None not in scalars and _asked(relation, compiled, scalars)

    return holds


def _of_events(
    relation: Relation, columns: Columns, known: Sequence[Callable[[int], Value]]
) -> Callable[[list[int]], bool]:
    def holds(rows: list[int]) -> bool:
        if any(read(row) is None for row in rows for read in known):
            return False
        return _asked(relation, relation.predicate, [columns.event(row) for row in rows])

    return holds


def _asked(relation: Relation, function: Callable[..., bool], given: Sequence[object]) -> bool:
    try:
        return bool(function(*given))
    except MnemataError:
        raise
    except Exception as cause:
        message = f"relation '{relation.name}' raised an exception, given {given}"
        raise RelationError(f"{message}: {type(cause).__name__}: {cause}") from cause
