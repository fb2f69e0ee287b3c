"""What is known of register contents in each state: facts that held when they were written, and still do.

An event that is written satisfies the condition of the transition that writes it, so each part of that
condition, read as one about the register, is a candidate for a fact. The facts of a state are those
candidates which every transition into it preserves: the greatest fixed point, with Z3 deciding each step.
They say less than the truth in general, and never more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from mnemata.automata.srt.occupancy import occupancies
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.budget import current
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    And,
    Comparison,
    Condition,
    Defined,
    Not,
    Top,
    conjunction,
    disjunction,
    registers,
    rename,
    variables,
)
from mnemata.theory.conditions.terms import HEAD, Attribute, Position, Register, Time
from mnemata.theory.satisfiability.decisions import implied
from mnemata.theory.schema import Schema

MOST_FACTS: Final = 50
"""How many candidates are followed; those beyond are not known."""


def known_contents(srt: SRT, schema: Schema) -> tuple[Condition | None, ...]:
    """For each state a condition on registers that every run which is there satisfies; ``None``: no run is.

    Parameters
    ----------
    srt : SRT
        Its conditions bound to `schema`.
    schema : Schema
        Of the events; time does not decrease from one to the next.
    """
    return _Facts(srt, schema).states()


def order_of_events(read: frozenset[Register], schema: Schema) -> Condition:
    """What is true of registers at every step: they hold events that are not later than the head."""
    if schema.time is None:
        return conjunction()
    earlier = (disjunction(Not(Defined(r)), Comparison("<=", Time(r), Time(HEAD))) for r in sorted(read))
    return conjunction(*earlier)


class _Facts:
    """The candidates, and which of them are still believed of each state."""

    def __init__(self, srt: SRT, schema: Schema) -> None:
        self.srt, self.schema = srt, schema
        self.filled = occupancies(srt)
        self.candidates = tuple(dict.fromkeys(_candidates(srt, schema)))[:MOST_FACTS]
        self.believed: dict[State, tuple[Condition, ...]] = {}

    def states(self) -> tuple[Condition | None, ...]:
        empty = conjunction(*(Not(Defined(register)) for register in sorted(self.srt.registers)))
        self.believed[self.srt.start] = self.true_after(empty, self.candidates, frozenset())
        pending = [self.srt.start]
        while pending:
            for transition in self.srt.outgoing(pending.pop()):
                if self.narrowed(transition):
                    pending.append(transition.target)
        return tuple(self.known(state) for state in self.srt.states)

    def known(self, state: State) -> Condition | None:
        filled = self.filled[state]
        if filled is None or state not in self.believed:
            return None
        return conjunction(filled.known, *self.believed[state])

    def narrowed(self, transition: Transition) -> bool:
        """Give up what `transition` does not preserve; returns whether anything changed at its target."""
        current().check()
        known = self.known(transition.source)
        before = self.believed.get(transition.target)
        if known is None:
            return False
        condition = TOP if transition.condition is None else transition.condition
        premise = conjunction(known, condition, order_of_events(transition.reads, self.schema))
        if before == () or self.true_after(premise, (BOTTOM,), frozenset()):
            return False
        asked = self.candidates if before is None else before
        kept = self.true_after(premise, asked, transition.writes)
        self.believed[transition.target] = kept
        return kept != before

    def true_after(
        self, premise: Condition, facts: Sequence[Condition], writes: frozenset[Register]
    ) -> tuple[Condition, ...]:
        """Those of `facts` that hold wherever `premise` held, once the head is written."""
        written = dict.fromkeys(writes, HEAD)
        answers = implied(premise, [rename(fact, written) for fact in facts], self.schema)
        return tuple(fact for fact, answer in zip(facts, answers, strict=True) if answer.yes)


def _candidates(srt: SRT, schema: Schema) -> Iterator[Condition]:
    for register in sorted(srt.registers):
        yield from (Defined(register), Not(Defined(register)))
    for transition in srt.transitions:
        for part in _parts(transition.condition):
            holders = transition.writes if HEAD in variables(part) else {HEAD}
            for register in sorted(holders):
                fact = rename(part, {HEAD: register})
                if registers(fact):
                    yield fact
        for one, other in combinations(sorted(transition.writes), 2):
            yield _same_event(one, other, schema)


def _parts(condition: Condition | None) -> tuple[Condition, ...]:
    match condition:
        case None | Top():
            return ()
        case And(operands=operands):
            return tuple(part for operand in operands for part in _parts(operand))
    return (condition,)


def _same_event(one: Register, other: Register, schema: Schema) -> Condition:
    """That two registers hold the same event, as far as a condition can tell."""
    same: list[Condition] = [Comparison("=", Position(one), Position(other))]
    for name in schema.names:
        left, right = Attribute(one, name), Attribute(other, name)
        missing = (Not(Comparison("=", side, side)) for side in (left, right))
        same.append(disjunction(Comparison("=", left, right), conjunction(*missing)))
    return conjunction(*same)
