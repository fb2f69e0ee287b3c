"""Examples: from a Z3 model to an event and a valuation, and the check that makes them witnesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import z3

from mnemata.theory.conditions.evaluation import Valuation, models
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.terms import HEAD, Register, Variable
from mnemata.theory.satisfiability.answers import Signs, Witness
from mnemata.theory.satisfiability.encoding import Encoding
from mnemata.theory.satisfiability.scalars import Kind, kind_of
from mnemata.theory.schema import (
    AttributeType,
    Bool,
    Category,
    Event,
    Float64,
    Schema,
    String,
    Value,
)

Readings: TypeAlias = dict[Variable, dict[str, Value]]


def proposal(encoding: Encoding, model: Any, schema: Schema) -> Witness:
    """The event and valuation that a model describes, still to be checked.

    Attributes that no condition reads get ordinary values: a user's predicate may look at them. Raises
    `SchemaError` when a value does not fit its attribute.
    """
    filled = [r for r, flag in encoding.symbols.registers.items() if _holds(model, flag)]
    positions = _positions(encoding, model, filled)
    read = _readings(encoding, model, schema)
    at: dict[int, dict[str, Value]] = {}
    for variable in (HEAD, *filled):
        at.setdefault(positions[variable], {}).update(read.get(variable, {}))
    events = {p: _event(values, schema, p) for p, values in at.items()}
    contents = tuple((register, events[positions[register]]) for register in filled)
    return Witness(events[positions[HEAD]], Valuation(contents))


def signs(witness: Witness, conditions: Sequence[Condition]) -> Signs:
    """Which of `conditions` a witness satisfies, by Def. 13."""
    return tuple(models(witness.event, witness.valuation, c) for c in conditions)


def _holds(model: Any, flag: Any) -> bool:
    return bool(z3.is_true(model.eval(flag, model_completion=True)))


def _positions(encoding: Encoding, model: Any, filled: list[Register]) -> dict[Variable, int]:
    variables = encoding.symbols.positions
    if not variables:
        return {variable: i for i, variable in enumerate([*sorted(filled), HEAD], start=1)}
    values = {v: encoding.domain.reveal(model, Kind.WHOLE, p) for v, p in variables.items()}
    return {variable: value for variable, value in values.items() if isinstance(value, int)}


def _readings(encoding: Encoding, model: Any, schema: Schema) -> Readings:
    read: Readings = {}
    for (variable, name), (value, missing) in encoding.symbols.values.items():
        revealed = encoding.domain.reveal(model, kind_of(schema[name]), value)
        read.setdefault(variable, {})[name] = None if _holds(model, missing) else revealed
    return read


def _event(read: dict[str, Value], schema: Schema, position: int) -> Event:
    declared = ((a.name, a.type) for a in schema.attributes)
    values = tuple(read[name] if name in read else _ordinary(kind) for name, kind in declared)
    return schema.event(values, position)


def _ordinary(kind: AttributeType) -> Value:
    if isinstance(kind, Category):
        return kind.values[0]
    if isinstance(kind, String):
        return ""
    if isinstance(kind, Bool):
        return False
    return 0.0 if isinstance(kind, Float64) else 0
