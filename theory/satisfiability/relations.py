"""What users say about their relations in Z3's terms.

A user's encoding is ordinary z3py code, which takes its literals from Z3's global context. It is
therefore called with variables of that context, one thread at a time, and its formula is then moved
to the context of the question.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import z3

from mnemata.theory.conditions.formulas import Relation
from mnemata.theory.errors import PatternError
from mnemata.theory.satisfiability.scalars import Expression, Formula, Kind

_global_context: Final = threading.Lock()
_VARIABLES: Final[Mapping[Kind, Callable[[str], Expression]]] = {
    Kind.WHOLE: z3.Int,
    Kind.DOUBLE: lambda name: z3.FP(name, z3.Float64()),
    Kind.TRUTH: z3.Bool,
    Kind.TEXT: z3.String,
}


def encode(
    relation: Relation, kinds: Sequence[Kind], values: Sequence[Expression], context: z3.Context
) -> Formula:
    """The relation's own encoding, of `values` in `context`.

    Raises
    ------
    PatternError
        When the encoding fails, or gives something that is not a Z3 Boolean.
    """
    with _global_context:
        given = [_VARIABLES[kind](f"given{i}") for i, kind in enumerate(kinds)]
        formula = _as_formula(relation, _call(relation, given)).translate(context)
        moved = [one.translate(context) for one in given]
    return z3.substitute(formula, *zip(moved, values, strict=True))


def _call(relation: Relation, given: list[Expression]) -> Any:
    if relation.encode is None:
        raise PatternError(f"relation '{relation.name}' has no Z3 encoding")
    try:
        return relation.encode(*given)
    except Exception as error:
        sorts = ", ".join(str(one.sort()) for one in given)
        raise PatternError(
            f"the Z3 encoding of relation '{relation.name}' failed on variables of sorts {sorts}: {error}"
        ) from error


def _as_formula(relation: Relation, result: Any) -> Formula:
    if isinstance(result, bool):
        return z3.BoolVal(result)
    if not z3.is_bool(result):
        raise PatternError(
            f"the Z3 encoding of relation '{relation.name}' must be a Z3 Boolean, got {result!r}"
        )
    return result
