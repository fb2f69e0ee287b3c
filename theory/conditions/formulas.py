"""Conditions: Boolean combinations of relations over terms (SRT Def. 5, 10).

Two-valued: an atom that reads an empty register or a missing value is false, so its negation is true
(ERRATA A6). Hence ``a != b`` and ``not (a = b)`` differ where a value is missing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from mnemata.theory.conditions.terms import (
    HEAD,
    Attribute,
    Constant,
    Position,
    Register,
    Term,
    Time,
    Variable,
    check_terms,
)
from mnemata.theory.errors import LimitError, PatternError, brief
from mnemata.theory.trees import Node, set_field, transform, walk

ComparisonOperator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]
COMPARISONS: Final = ("=", "!=", "<", "<=", ">", ">=")
MIRRORED: Final = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The comparison that says the same with its sides exchanged."""

DEEPEST_DEFINITION: Final = 100
"""How many definitions may rest on one another."""

LARGEST_DEFINITION: Final = 100_000
"""How many nodes a definition may stand for when the definitions it uses are written out."""


class Condition(Node):
    """Base of all conditions; ``&``, ``|`` and ``~`` build conjunction, disjunction and negation."""

    __slots__ = ()

    def __and__(self, other: Condition) -> Condition:
        return conjunction(self, other)

    def __or__(self, other: Condition) -> Condition:
        return disjunction(self, other)

    def __invert__(self) -> Condition:
        return Not(self)

    def __bool__(self) -> bool:
        raise PatternError("a condition has no truth value of its own; use &, | and ~, not and, or, not")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Top(Condition):
    """True of every event and valuation."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bottom(Condition):
    """True of nothing."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Condition):
    """``left operator right``; false when either side is missing."""

    operator: ComparisonOperator
    left: Term
    right: Term

    def validate(self) -> None:
        if self.operator not in COMPARISONS:
            raise PatternError(f"unknown comparison {self.operator!r}; use {' '.join(COMPARISONS)}")
        check_terms(self.left, self.right)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Membership(Condition):
    """``term in {value, ...}``; false when the term is missing."""

    term: Term
    values: tuple[Constant, ...]

    def validate(self) -> None:
        check_terms(self.term, *self.values)
        set_field(self, "values", tuple(dict.fromkeys(self.values)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Defined(Condition):
    """The register holds an event; always true of the head."""

    variable: Variable


@dataclass(frozen=True, slots=True)
class Relation:
    """An n-ary relation that the user declares by a Python function.

    Parameters
    ----------
    name : str
        How patterns refer to it.
    arity : int
        How many events it relates.
    predicate : callable
        Takes `arity` events (`mnemata.theory.schema.Event`) and returns a truth value.
    attributes : tuple of str
        What it reads of each event. Where one of them is missing the relation does not hold
        and `predicate` is not called.
    encode : callable, optional
        Takes the Z3 values of `attributes` of the first event, then of the second, and so on, and
        returns a Z3 Boolean equivalent to `predicate`. Without it Z3 treats the relation as unknown.
    compiled : callable, optional
        Takes the same scalars as `encode`, as numbers, and returns a truth value. The compiled engine calls
        it, so numba must be able to compile it, and `attributes` must not be texts; without it, or
        where it cannot be, patterns that relate several events by it are recognised in Python.

    Examples
    --------
    >>> rises = Relation("Rises", 2, lambda x, y: x["price"] > y["price"], attributes=("price",))
    >>> rises("~", "r1")
    Apply(Rises, ('~', 'r1'))
    """

    name: str
    arity: int
    predicate: Callable[..., bool]
    attributes: tuple[str, ...] = ()
    encode: Callable[..., Any] | None = None
    compiled: Callable[..., bool] | None = None

    def __post_init__(self) -> None:
        if self.arity < 1:
            raise PatternError(f"relation '{self.name}' relates at least one event, got {self.arity}")

    def __repr__(self) -> str:
        return self.name

    def __call__(self, *arguments: Variable) -> Condition:
        return Apply(self, tuple(arguments))


@dataclass(frozen=True, slots=True)
class Definition:
    """A relation defined by a formula over its parameters: ``name(x, y) := body``.

    Like every relation (Def. 13) it does not hold when an argument is an empty register. It may use
    other definitions; `depth` is the length of the longest chain of them, and `size` the number of nodes
    when all of them are written out. Raises `PatternError` when the parameters are wrong, and
    `LimitError` beyond ``DEEPEST_DEFINITION`` or ``LARGEST_DEFINITION``.
    """

    name: str
    parameters: tuple[Variable, ...]
    body: Condition
    depth: int = field(init=False, compare=False, repr=False)
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.parameters or len(set(self.parameters)) != len(self.parameters):
            raise PatternError(f"relation '{self.name}' needs parameters with different names")
        for variable in sorted(variables(self.body) - set(self.parameters)):
            raise PatternError(f"'{variable}' in relation '{self.name}' is not one of its parameters")
        self._measure()

    def _measure(self) -> None:
        depth, size = 0, 0
        for node in walk(self.body):
            used = node.relation if isinstance(node, Apply) else None
            if isinstance(used, Definition):
                depth, size = max(depth, used.depth), size + used.size
            size += 1
        object.__setattr__(self, "depth", depth + 1)
        object.__setattr__(self, "size", size)
        if self.depth > DEEPEST_DEFINITION or size > LARGEST_DEFINITION:
            raise LimitError(
                f"definition '{self.name}' is too large; it is number {self.depth} of a chain and stands for "
                f"{size} nodes, and the limits are {DEEPEST_DEFINITION} and {LARGEST_DEFINITION}"
            )

    def __repr__(self) -> str:
        return self.name

    @property
    def arity(self) -> int:
        """How many events it relates."""
        return len(self.parameters)

    def __call__(self, *arguments: Variable) -> Condition:
        return Apply(self, tuple(arguments))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Apply(Condition):
    """A declared relation applied to the head and registers: ``P(~, r1)``."""

    relation: Relation | Definition
    arguments: tuple[Variable, ...]

    def validate(self) -> None:
        if len(self.arguments) != self.relation.arity:
            raise PatternError(
                f"relation '{self.relation.name}' relates {self.relation.arity} events, "
                f"got {len(self.arguments)}"
            )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Not(Condition):
    """Negation."""

    operand: Condition

    def validate(self) -> None:
        _check_conditions(self.operand)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class And(Condition):
    """Conjunction of two or more conditions; nested conjunctions are flattened."""

    operands: tuple[Condition, ...]

    def validate(self) -> None:
        set_field(self, "operands", _flat(And, self.operands))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Or(Condition):
    """Disjunction of two or more conditions; nested disjunctions are flattened."""

    operands: tuple[Condition, ...]

    def validate(self) -> None:
        set_field(self, "operands", _flat(Or, self.operands))


TOP: Final = Top()
BOTTOM: Final = Bottom()


def _flat(kind: type[And] | type[Or], operands: tuple[Condition, ...]) -> tuple[Condition, ...]:
    _check_conditions(*operands)
    flat: list[Condition] = []
    for operand in operands:
        flat += operand.operands if isinstance(operand, And | Or) and type(operand) is kind else [operand]
    if len(flat) < 2:
        raise PatternError(f"{kind.__name__} joins at least two conditions; use conjunction()/disjunction()")
    return tuple(flat)


def _check_conditions(*operands: object) -> None:
    for operand in operands:
        if not isinstance(operand, Condition):
            raise PatternError(f"{brief(operand)} is not a condition; compare a term with something")


def conjunction(*operands: Condition) -> Condition:
    """All of `operands`: true when there are none; ``true`` operands disappear.

    >>> conjunction(TOP, BOTTOM)
    Bottom()
    """
    kept = tuple(operand for operand in operands if operand != TOP)
    return And(kept) if len(kept) > 1 else kept[0] if kept else TOP


def disjunction(*operands: Condition) -> Condition:
    """At least one of `operands`: false when there are none; ``false`` operands disappear."""
    kept = tuple(operand for operand in operands if operand != BOTTOM)
    return Or(kept) if len(kept) > 1 else kept[0] if kept else BOTTOM


def variables(node: Node) -> frozenset[Variable]:
    """The head and the registers that a term or condition reads."""
    found: set[Variable] = set()
    for part in walk(node):
        if isinstance(part, Apply):
            found.update(part.arguments)
        elif isinstance(part, Attribute | Position | Time | Defined):
            found.add(part.variable)
    return frozenset(found)


@lru_cache(maxsize=10_000)
def registers(node: Node) -> frozenset[Register]:
    """The registers that a term or condition reads."""
    return variables(node) - {HEAD}


def rename(condition: Condition, names: dict[Variable, Variable]) -> Condition:
    """Replace variables; those not in `names` stay."""

    def replaced(node: Node) -> Node:
        if isinstance(node, Apply):
            return Apply(node.relation, tuple(names.get(a, a) for a in node.arguments))
        if isinstance(node, Attribute | Position | Time | Defined):
            return dataclasses.replace(node, variable=names.get(node.variable, node.variable))
        return node

    renamed = transform(condition, replaced)
    return renamed if isinstance(renamed, Condition) else condition


def expand(condition: Condition) -> Condition:
    """Replace every application of a `Definition` by its body; any `Relation` stays.

    The body is guarded by `Defined`, so that an empty register still makes the atom false.
    """
    while any(isinstance(n, Apply) and isinstance(n.relation, Definition) for n in walk(condition)):
        expanded = transform(condition, _unfold)
        condition = expanded if isinstance(expanded, Condition) else condition
    return condition


def _unfold(node: Node) -> Node:
    if not isinstance(node, Apply) or not isinstance(node.relation, Definition):
        return node
    names = dict(zip(node.relation.parameters, node.arguments, strict=True))
    guards = (Defined(a) for a in dict.fromkeys(node.arguments) if a != HEAD)
    return conjunction(*guards, rename(node.relation.body, names))
