"""Patterns in the language of CORE, as its documentation and the published experiments have them."""

from __future__ import annotations

from typing import Final

from mnemata.paper_figures.peers.chains import Step, chain_of
from mnemata.paper_figures.peers.conditions import Dialect, quoted, written
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.theory.conditions.formulas import TOP, And, Comparison, Condition, conjunction, registers
from mnemata.theory.conditions.terms import Attribute, Constant
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Pattern

CORE: Final = "the language of CORE"
_BRACKETS: Final = Dialect(CORE, text=quoted, conjunction="AND", disjunction="OR")


def core_query(pattern: Pattern, schema: Schema) -> str:
    """A chain as a query of CORE, whose filters are about single events."""
    chain = chain_of(pattern, CORE)
    events, filters = [], []
    for step in chain.steps:
        if registers(step.condition):
            raise InexpressibleError(CORE, "a condition on several events")
        if step.between != TOP:
            raise InexpressibleError(CORE, "a contiguous part of a sequence")
        kind, rest = _typed(step)
        events.append(f"({kind} as {step.name})+" if step.repeated else f"{kind} as {step.name}")
        if rest:
            condition = written(conjunction(*rest), _BRACKETS, lambda _, name: name, schema)
            filters.append(f"{step.name}[{condition}]")
    kept = f"\nFILTER {' AND '.join(filters)}" if filters else ""
    return f"SELECT *\nFROM S\nWHERE ({'; '.join(events)}){kept}\nWITHIN {chain.window_ms} [{schema.time}]"


def _typed(step: Step) -> tuple[str, tuple[Condition, ...]]:
    """The event type that a step asks for, and what else it asks."""
    operands = step.condition.operands if isinstance(step.condition, And) else (step.condition,)
    for place, operand in enumerate(operands):
        match operand:
            case Comparison(
                operator="=", left=Attribute(variable="~", name="type"), right=Constant(value=str(kind))
            ):
                return kind, (*operands[:place], *operands[place + 1 :])
    raise InexpressibleError(CORE, "an event of any type")
