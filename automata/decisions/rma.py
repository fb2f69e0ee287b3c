"""The two notions of determinism of RMA (Def. 9 and 12) as decisions."""

from __future__ import annotations

from mnemata.automata.compilation import bind_guards
from mnemata.automata.decisions.determinism import UP_TO, Determinism, is_deterministic
from mnemata.automata.rma.automaton import RMA
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.budget import Budget
from mnemata.theory.conditions.evaluation import Valuation
from mnemata.theory.conditions.formulas import Comparison, conjunction
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant
from mnemata.theory.satisfiability.answers import Witness
from mnemata.theory.schema import AttributeDeclaration, Bool, Event, Schema
from mnemata.theory.sremo.expressions import Output


def is_output_agnostic_deterministic(
    rma: RMA, schema: Schema, *, up_to: int = UP_TO, budget: Budget | None = None
) -> Determinism:
    """Whether at most one transition can be taken at each step, whatever its output (Def. 12).

    As for SRT (ERRATA A8): of register contents only those count that some stream leads to, and several start
    states or epsilon transitions are not deterministic.
    """
    return is_deterministic(rma.srt, schema, up_to=up_to, budget=budget)


def is_deterministic_per_output(
    rma: RMA, schema: Schema, *, up_to: int = UP_TO, budget: Budget | None = None
) -> Determinism:
    """Whether at most one transition with each output can be taken at each step (Def. 9).

    Determinism per output is determinism regardless of output once each event says how it is to be marked:
    the question is asked of an automaton whose transitions read their output off an attribute of the event.
    """
    name = _unused(schema)
    declared = (*schema.attributes, AttributeDeclaration(name, Bool()))
    wider = Schema(declared, schema.event_type, schema.time)
    bound = bind_guards(rma.srt, schema)
    asking = {_asked(t, name): t for t in bound.transitions}
    srt = SRT(bound.size, bound.start, bound.finals, tuple(asking), bound.registers)
    found = is_deterministic(srt, wider, up_to=up_to, budget=budget)
    return Determinism(
        found.verdict,
        tuple(asking.get(t, t) for t in found.transitions),
        None if found.witness is None else _narrowed(found.witness, schema),
        found.reason,
        None if found.stream is None else tuple(_without(event, schema) for event in found.stream),
    )


def _asked(t: Transition, name: str) -> Transition:
    if t.condition is None:
        return t
    marked = Comparison("=", Attribute(HEAD, name), Constant(t.output is Output.MARK))
    return Transition(t.source, conjunction(t.condition, marked), t.output, t.writes, t.target)


def _unused(schema: Schema) -> str:
    name = "#marked"
    while name in schema:
        name = f"#{name}"
    return name


def _without(event: Event, schema: Schema) -> Event:
    return Event(schema, event.values[: len(schema.attributes)], event.position)


def _narrowed(witness: Witness, schema: Schema) -> Witness:
    held = tuple((name, _without(event, schema)) for name, event in witness.valuation.contents)
    return Witness(_without(witness.event, schema), Valuation(held))
