"""Values as Z3 sees them: four kinds of scalars, and what a domain must offer to compute with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, TypeAlias

import z3

from mnemata.theory.schema import AttributeType, Bool, Float64, Int64, Timestamp, Value

Formula: TypeAlias = Any
Expression: TypeAlias = Any


class Kind(Enum):
    """What a scalar is: int64 and timestamps are one kind, strings and categories another."""

    WHOLE = "int64"
    DOUBLE = "float64"
    TRUTH = "bool"
    TEXT = "text"


NUMBERS = frozenset({Kind.WHOLE, Kind.DOUBLE})


@dataclass(frozen=True, slots=True)
class Scalar:
    """The value of a term: `value` is meaningful where `defined` holds, elsewhere the term is missing.

    `literal` is the value itself when it does not depend on any event. `depth` bounds the nesting of both
    expressions.
    """

    kind: Kind
    value: Expression
    defined: Formula
    literal: Value = None
    depth: int = 0


class Domain(Protocol):
    """A way to represent scalars in Z3.

    A domain is *sound*: for any values of the engine there is an assignment to its variables under
    which the axioms hold and every comparison has the truth value that `values.compare` gives.
    """

    context: z3.Context

    @property
    def conclusive(self) -> bool:
        """Whether a more precise domain would find out no more than this one."""

    def variable(self, kind: Kind, name: str) -> Expression:
        """A new variable that ranges over all values of its kind."""

    def literal(self, kind: Kind, value: Any) -> Expression:
        """A constant."""

    def calculate(self, symbol: str, left: Scalar, right: Scalar) -> tuple[Expression, Formula]:
        """The result of ``+``, ``-`` or ``*``, and whether it is representable (not missing)."""

    def absolute(self, operand: Scalar) -> tuple[Expression, Formula]:
        """The absolute value, and whether it is representable."""

    def compare(self, symbol: str, left: Scalar, right: Scalar) -> Formula:
        """Whether ``left symbol right``, both defined."""

    def axioms(self) -> list[Formula]:
        """What holds of all variables and results."""

    def guesses(self) -> list[Formula]:
        """What is not certain but usually leads to an example."""

    def reveal(self, model: Any, kind: Kind, value: Expression) -> Value:
        """The engine's value nearest to what a model assigns."""

    def argument(self, kind: Kind, value: Expression) -> Expression | None:
        """The value as a user's encoding takes it; ``None`` when this domain cannot offer it."""


def kind_of(declared: AttributeType) -> Kind:
    """The kind of an attribute's values."""
    if isinstance(declared, Int64 | Timestamp):
        return Kind.WHOLE
    if isinstance(declared, Float64):
        return Kind.DOUBLE
    return Kind.TRUTH if isinstance(declared, Bool) else Kind.TEXT


def kind_of_literal(value: Value) -> Kind:
    """The kind of a constant."""
    if isinstance(value, bool):
        return Kind.TRUTH
    if isinstance(value, str):
        return Kind.TEXT
    return Kind.DOUBLE if isinstance(value, float) else Kind.WHOLE


def truth(value: bool, context: z3.Context) -> Formula:
    """A Boolean constant."""
    return z3.BoolVal(value, context)


def all_of(parts: Iterable[Formula], context: z3.Context) -> Formula:
    """The conjunction of formulas; true when there are none."""
    kept = [part for part in parts if not z3.is_true(part)]
    if any(z3.is_false(part) for part in kept):
        return truth(False, context)
    return z3.And(*kept) if len(kept) > 1 else kept[0] if kept else truth(True, context)


def any_of(parts: Iterable[Formula], context: z3.Context) -> Formula:
    """The disjunction of formulas; false when there are none."""
    kept = [part for part in parts if not z3.is_false(part)]
    if any(z3.is_true(part) for part in kept):
        return truth(True, context)
    return z3.Or(*kept) if len(kept) > 1 else kept[0] if kept else truth(False, context)
