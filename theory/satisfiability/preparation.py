"""What happens to a condition before it is encoded: definitions expanded, literals with units bound."""

from __future__ import annotations

from mnemata.theory.conditions.formulas import Comparison, Condition, Membership, expand
from mnemata.theory.conditions.terms import Duration, Instant
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import ConditionTypeError
from mnemata.theory.schema import Schema
from mnemata.theory.trees import Node, transform, walk


def prepared(condition: Condition, schema: Schema) -> Condition:
    """An equivalent condition without definitions, durations and instants.

    Atoms that have none are left alone, so a condition that is bound already may be joined with one that
    is not. Their types are checked when they are encoded.
    """
    if not isinstance(condition, Condition):
        raise ConditionTypeError(f"{condition!r} is not a condition")
    bound = transform(expand(condition), lambda node: _bound(node, schema))
    if not isinstance(bound, Condition):
        raise ConditionTypeError(f"{condition!r} is not a condition")
    return bound


def _bound(node: Node, schema: Schema) -> Node:
    if isinstance(node, Comparison | Membership) and _has_units(node):
        return bind(node, schema)
    return node


def _has_units(atom: Node) -> bool:
    return any(isinstance(node, Duration | Instant) for node in walk(atom))
