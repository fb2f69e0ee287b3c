"""The Z3 variables behind what conditions read, and what is always true of them.

For every attribute that is read of the head or a register there is a value and a flag that says
whether it is missing; for every register a flag that says whether it is filled. Positions are there
when a condition reads any. Then a filled register holds an event that is earlier than the head's,
and two registers at the same position hold the same event: both follow from how valuations arise
(SRT Def. 12, 23), and nothing else is assumed. Positions count from 0 or 1; 0 is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import z3

from mnemata.theory.conditions.formulas import Relation
from mnemata.theory.conditions.terms import HEAD, Register, Variable
from mnemata.theory.satisfiability.scalars import (
    Domain,
    Expression,
    Formula,
    Kind,
    all_of,
    kind_of,
    truth,
)
from mnemata.theory.satisfiability.texts import Texts
from mnemata.theory.schema import Category, Schema


class Symbols:
    """Makes each variable once; iterates in the order in which they were first met."""

    def __init__(self, domain: Domain, texts: Texts, schema: Schema) -> None:
        self.values: dict[tuple[Variable, str], tuple[Expression, Formula]] = {}
        self.registers: dict[Register, Formula] = {}
        self.positions: dict[Variable, Expression] = {}
        self.unknown: dict[tuple[Relation, tuple[Variable, ...]], Formula] = {}
        self._domain, self._texts, self._schema = domain, texts, schema
        self._categories: list[Formula] = []

    def attribute(self, variable: Variable, name: str) -> tuple[Expression, Formula]:
        """The value of an attribute, and whether it is missing."""
        key = (variable, name)
        if key not in self.values:
            declared, number = self._schema[name], len(self.values)
            value = self._domain.variable(kind_of(declared), f"value{number}")
            self.values[key] = (value, self._flag(f"missing{number}"))
            if isinstance(declared, Category):
                one_of = self._texts.among(value, declared.values, self._domain.context)
                self._categories.append(one_of)
        return self.values[key]

    def filled(self, variable: Variable) -> Formula:
        """Whether `variable` holds an event; the head always does."""
        if variable == HEAD:
            return truth(True, self._domain.context)
        if variable not in self.registers:
            self.registers[variable] = self._flag(f"filled{len(self.registers)}")
        return self.registers[variable]

    def present(self, variable: Variable, name: str) -> Formula:
        """Whether an attribute can be read: the register is filled and the value not missing."""
        _, missing = self.attribute(variable, name)
        return all_of([self.filled(variable), z3.Not(missing)], self._domain.context)

    def position(self, variable: Variable) -> Expression:
        """The position of the event that `variable` holds."""
        if variable not in self.positions:
            number = len(self.positions)
            self.positions[variable] = self._domain.variable(Kind.WHOLE, f"position{number}")
        return self.positions[variable]

    def relates(self, relation: Relation, arguments: tuple[Variable, ...]) -> Formula:
        """Whether a relation that Z3 knows nothing about holds."""
        key = (relation, arguments)
        if key not in self.unknown:
            self.unknown[key] = self._flag(f"relates{len(self.unknown)}")
        return self.unknown[key]

    def axioms(self) -> list[Formula]:
        """What holds of all variables made so far, apart from the domain's own axioms."""
        return [*self._categories, *(self._stream_axioms() if self.positions else ())]

    def _stream_axioms(self) -> Iterator[Formula]:
        head = self.position(HEAD)
        yield head >= 0
        for register, filled in self.registers.items():
            position = self.position(register)
            yield z3.Implies(filled, z3.And(position >= 0, position < head))
        for one, other in combinations(self.registers, 2):
            both = [self.registers[one], self.registers[other]]
            same = all_of([*both, self.positions[one] == self.positions[other]], self._domain.context)
            yield from (z3.Implies(same, equal) for equal in self._equal(one, other))

    def _equal(self, one: Register, other: Register) -> Iterator[Formula]:
        for (variable, name), (value, missing) in self.values.items():
            if variable == one and (other, name) in self.values:
                other_value, other_missing = self.values[other, name]
                yield missing == other_missing
                yield value == other_value  # whatever stands for a missing value

    def _flag(self, name: str) -> Formula:
        return z3.Bool(name, self._domain.context)
