"""Conditions as Z3 formulas (SRT Def. 13, two-valued), over any domain of values.

An atom is the conjunction of what it says with "everything it reads is there": false, and its
negation true, when a register is empty, a value missing, or a result not representable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import z3

from mnemata.theory.budget import current
from mnemata.theory.conditions.formulas import (
    And,
    Apply,
    Bottom,
    Comparison,
    Condition,
    Defined,
    Membership,
    Not,
    Or,
    Relation,
    Top,
)
from mnemata.theory.conditions.terms import (
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Position,
    Term,
    Time,
    Variable,
)
from mnemata.theory.conditions.values import absolute, calculate, compare
from mnemata.theory.errors import ConditionTypeError
from mnemata.theory.satisfiability.relations import encode
from mnemata.theory.satisfiability.scalars import (
    NUMBERS,
    Domain,
    Expression,
    Formula,
    Kind,
    Scalar,
    all_of,
    any_of,
    kind_of,
    kind_of_literal,
    truth,
)
from mnemata.theory.satisfiability.symbols import Symbols
from mnemata.theory.satisfiability.texts import Texts
from mnemata.theory.schema import Schema, Value
from mnemata.theory.trees import Node, fold

# Deeper parts of a formula get names: Z3 recurses, and overflows the stack of a thread.
DEEPEST: Final = 64


@dataclass(frozen=True, slots=True)
class Nested:
    """A formula and a bound on its nesting."""

    formula: Formula
    depth: int = 0


Encoded: TypeAlias = Scalar | Nested


class Encoding:
    """Encodes the conditions of one question over one set of Z3 variables.

    Literals with units must be bound and definitions expanded. After the last condition, `axioms` is what
    Z3 may assume.
    """

    def __init__(self, domain: Domain, texts: Texts, schema: Schema) -> None:
        self.domain, self.symbols = domain, Symbols(domain, texts, schema)
        self.user_encoded = False
        self._texts, self._schema, self._context = texts, schema, domain.context
        self._definitions: list[Formula] = []

    @property
    def unknown_relations(self) -> tuple[str, ...]:
        """Names of the relations about which Z3 knows nothing, sorted."""
        return tuple(sorted({relation.name for relation, _ in self.symbols.unknown}))

    @property
    def needs_theories(self) -> bool:
        """Whether the formulas go beyond what bit-blasting decides, in a machine domain."""
        return self.user_encoded or self._texts.spelled

    def formula(self, condition: Condition) -> Formula:
        """The Z3 formula that is true exactly where `condition` is."""
        spent = current()

        def visit(node: Node, below: tuple[Any, ...]) -> Encoded:
            spent.check()
            return self._visit(node, below)

        encoded = fold(condition, visit)
        if not isinstance(encoded, Nested):
            raise ConditionTypeError(f"{condition!r} is not a condition")
        return encoded.formula

    def axioms(self) -> list[Formula]:
        """What holds of all variables used so far."""
        return [*self._definitions, *self.symbols.axioms(), *self.domain.axioms()]

    def _visit(self, node: Node, below: tuple[Any, ...]) -> Encoded:
        encoded = self._term(node, below) if isinstance(node, Term) else self._truth(node, below)
        return self._flattened(encoded) if encoded.depth > DEEPEST else encoded

    def _flattened(self, encoded: Encoded) -> Encoded:
        if isinstance(encoded, Nested):
            return Nested(self._name(encoded.formula))
        value, defined = self._name(encoded.value), self._name(encoded.defined)
        return Scalar(encoded.kind, value, defined, encoded.literal)

    def _name(self, expression: Expression) -> Expression:
        """A variable defined to equal `expression`."""
        name = z3.Const(f"part{len(self._definitions)}", expression.sort())
        self._definitions.append(name == expression)
        return name

    def _term(self, node: Term, below: tuple[Scalar, ...]) -> Scalar:
        match node:
            case Constant(value=value):
                return self._literal(value)
            case Attribute(variable=variable, name=name):
                return self._attribute(variable, name)
            case Time(variable=variable):
                return self._attribute(variable, self._time())
            case Position(variable=variable):
                position = self.symbols.position(variable)
                return Scalar(Kind.WHOLE, position, self.symbols.filled(variable))
            case Arithmetic(operator=symbol):
                return self._arithmetic(symbol, *below)
            case Absolute():
                return self._absolute(below[0])
        raise ConditionTypeError(f"{node} has no value before it is bound to a schema; call bind() first")

    def _literal(self, value: Value) -> Scalar:
        kind = kind_of_literal(value)
        there = truth(True, self._context)
        return Scalar(kind, self.domain.literal(kind, value), there, value)

    def _missing(self, kind: Kind) -> Scalar:
        return Scalar(kind, self.domain.literal(kind, 0), truth(False, self._context))

    def _attribute(self, variable: Variable, name: str) -> Scalar:
        value, _ = self.symbols.attribute(variable, name)
        return Scalar(kind_of(self._schema[name]), value, self.symbols.present(variable, name))

    def _time(self) -> str:
        if self._schema.time is None:
            raise ConditionTypeError("time(...) needs a schema with a time attribute")
        return self._schema.time

    def _arithmetic(self, symbol: str, left: Scalar, right: Scalar) -> Scalar:
        if not {left.kind, right.kind} <= NUMBERS:
            raise ConditionTypeError(f"cannot compute {left.kind.value} {symbol} {right.kind.value}")
        kind = Kind.WHOLE if left.kind is right.kind is Kind.WHOLE else Kind.DOUBLE
        if left.literal is not None and right.literal is not None:
            return self._folded(kind, calculate(symbol, left.literal, right.literal))
        return self._result(kind, self.domain.calculate(symbol, left, right), (left, right))

    def _absolute(self, operand: Scalar) -> Scalar:
        if operand.kind not in NUMBERS:
            raise ConditionTypeError(f"abs() takes a number, not {operand.kind.value}")
        if operand.literal is not None:
            return self._folded(operand.kind, absolute(operand.literal))
        return self._result(operand.kind, self.domain.absolute(operand), (operand,))

    def _folded(self, kind: Kind, value: Value) -> Scalar:
        return self._missing(kind) if value is None else self._literal(value)

    def _result(self, kind: Kind, result: tuple[Expression, Formula], operands: tuple[Scalar, ...]) -> Scalar:
        value, representable = result
        defined = all_of([*(o.defined for o in operands), representable], self._context)
        return Scalar(kind, value, defined, depth=1 + max(o.depth for o in operands))

    def _truth(self, node: Node, below: tuple[Any, ...]) -> Nested:
        match node:
            case Top():
                return Nested(truth(True, self._context))
            case Bottom():
                return Nested(truth(False, self._context))
            case Comparison(operator=symbol):
                return self._comparison(symbol, *below)
            case Membership():
                return self._membership(*below)
            case Defined(variable=variable):
                return Nested(self.symbols.filled(variable))
            case Apply(relation=Relation() as relation, arguments=arguments):
                return Nested(self._application(relation, arguments))
        return self._connective(node, below)

    def _connective(self, node: Node, below: tuple[Nested, ...]) -> Nested:
        parts = [part.formula for part in below]
        depth = 1 + max((part.depth for part in below), default=0)
        match node:
            case Not():
                return Nested(z3.Not(parts[0]), depth)
            case And():
                return Nested(all_of(parts, self._context), depth)
            case Or():
                return Nested(any_of(parts, self._context), depth)
        raise ConditionTypeError(f"{node} is not a condition")

    def _comparison(self, symbol: str, left: Scalar, right: Scalar) -> Nested:
        _check_comparable(symbol, left, right)
        if left.literal is not None and right.literal is not None:
            return Nested(truth(compare(symbol, left.literal, right.literal), self._context))
        holds = self.domain.compare(symbol, left, right)
        depth = max(left.depth, right.depth)
        return Nested(all_of([left.defined, right.defined, holds], self._context), depth)

    def _membership(self, term: Scalar, *values: Scalar) -> Nested:
        for value in values:
            _check_comparable("=", term, value)
        if term.kind is Kind.TEXT and term.literal is None:
            texts = [str(value.literal) for value in values]
            holds = self._texts.among(term.value, texts, self._context)
            return Nested(all_of([term.defined, holds], self._context), term.depth)
        equal = [self._comparison("=", term, value).formula for value in values]
        return Nested(any_of(equal, self._context), term.depth)

    def _application(self, relation: Relation, arguments: tuple[Variable, ...]) -> Formula:
        reads = [self._attribute(a, name) for a in arguments for name in relation.attributes]
        filled = [self.symbols.filled(argument) for argument in arguments]
        holds = self._relates(relation, arguments, reads)
        return all_of([*filled, *(scalar.defined for scalar in reads), holds], self._context)

    def _relates(self, relation: Relation, arguments: tuple[Variable, ...], reads: list[Scalar]) -> Formula:
        values = [self.domain.argument(scalar.kind, scalar.value) for scalar in reads]
        if relation.encode is None or any(value is None for value in values):
            return self.symbols.relates(relation, arguments)
        self.user_encoded = True
        return encode(relation, [scalar.kind for scalar in reads], values, self._context)


def _check_comparable(symbol: str, left: Scalar, right: Scalar) -> None:
    if {left.kind, right.kind} <= NUMBERS:
        return
    if left.kind is not right.kind or symbol not in ("=", "!="):
        raise ConditionTypeError(f"cannot compare {left.kind.value} {symbol} {right.kind.value}")
