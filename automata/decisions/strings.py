"""Symbolic strings: all strings of a given length at once.

The events of a symbolic string are variables. The last is the head, the others are registers that hold
what was read before, so that "this string is accepted" becomes an ordinary condition, and a witness of that
condition is a concrete string.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from mnemata.theory.conditions.formulas import Comparison, Condition, Defined, conjunction
from mnemata.theory.conditions.terms import HEAD, Constant, Position, Time, Variable
from mnemata.theory.satisfiability.answers import Witness
from mnemata.theory.schema import Event, Schema

PREFIX = "#event"


@dataclass(frozen=True, slots=True)
class SymbolicString:
    """All strings of `length` events under `schema`, at positions 1, 2, ...; `length` is at least 1."""

    length: int
    schema: Schema

    @property
    def events(self) -> tuple[Variable, ...]:
        """The variables of the events, in order; the last one is the head."""
        return (*(f"{PREFIX}{i}" for i in range(1, self.length)), HEAD)

    @property
    def known(self) -> Condition:
        """What is true of every string: the positions, and the order of the timestamps."""
        events = self.events
        facts: list[Condition] = [Defined(event) for event in events[:-1]]
        facts += [Comparison("=", Position(e), Constant(i)) for i, e in enumerate(events, start=1)]
        if self.schema.time is not None:
            facts.append(Comparison("=", Time(events[0]), Time(events[0])))
            facts += [Comparison("<=", Time(a), Time(b)) for a, b in pairwise(events)]
        return conjunction(*facts)

    def decode(self, witness: Witness) -> tuple[Event, ...]:
        """The concrete string of a witness of a condition over `events` that also satisfies `known`."""
        held = (witness.valuation[event] for event in self.events[:-1])
        found = (*held, witness.event)
        return tuple(Event(self.schema, e.values, i) for i, e in enumerate(found, start=1))
