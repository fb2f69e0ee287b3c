"""CEL predicates: what a filter says of the sets of events that variables are bound to (CEL Section 4).

A predicate relates whole sets. The second-order extension of a condition on single events (`Each`) is what
unary CEL and CEA are about; the others are for the denotational semantics and for register automata.

Events are told apart by their positions: two events with equal values are two members of a set, so that
``count(A)`` counts positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import (
    COMPARISONS,
    ComparisonOperator,
    Condition,
    expand,
    registers,
    rename,
    variables,
)
from mnemata.theory.conditions.terms import HEAD, Constant, Position
from mnemata.theory.errors import PatternError, brief
from mnemata.theory.trees import Node, set_field, transform, walk

CEAPredicate: TypeAlias = Condition
"""A set of events, given by a condition on the head ``~`` alone (CEL Section 4)."""

Function: TypeAlias = Literal["count", "sum", "min", "max", "avg", "first", "last"]
FUNCTIONS: Final = ("count", "sum", "min", "max", "avg", "first", "last")


class Predicate(Node):
    """Base of all CEL predicates, applied to variables; ``&``, ``|`` and ``~`` combine them."""

    __slots__ = ()

    def __and__(self, other: Predicate) -> Predicate:
        return AllOf((self, other))

    def __or__(self, other: Predicate) -> Predicate:
        return AnyOf((self, other))

    def __invert__(self) -> Predicate:
        return Negated(self)

    def __bool__(self) -> bool:
        raise PatternError("a predicate has no truth value of its own; use &, | and ~, not and, or, not")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Each(Predicate):
    """``P^SO(variable)``: every event that the variable is bound to satisfies `condition`.

    It holds of a variable that is bound to nothing.
    """

    variable: Variable
    condition: CEAPredicate

    def validate(self) -> None:
        _check_variables(self.variable)
        _check_condition(self.condition)
        for name in sorted(registers(self.condition)):
            raise PatternError(
                f"the condition on each event of '{self.variable}' reads '{name}'; it may read ~ only, "
                "what compares several variables is a ForAll"
            )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Quantified(Predicate):
    """Base of the extensions of conditions on one event of each of several variables."""

    condition: Condition

    def validate(self) -> None:
        _check_condition(self.condition)
        read = variables(self.condition)
        if not read or HEAD in read:
            raise PatternError(
                "a predicate compares events of variables, as in x.price < y.price; this condition reads "
                + ("the head ~, which is no variable" if read else "no variable")
            )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ForAll(Quantified):
    """`condition` holds whichever event is taken of each variable; its registers are the variables.

    It holds where one of them is bound to nothing.
    """


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ForSome(Quantified):
    """`condition` holds for some choice of one event of each variable; its registers are the variables.

    It does not hold where one of them is bound to nothing.
    """


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Measure(Node):
    """A number or value computed from the whole set that a variable is bound to.

    ``count(A)`` is its size. ``sum``, ``min``, ``max`` and ``avg`` are over an attribute of its events,
    ``first`` and ``last`` take the attribute of the first and last of them in stream order. Of the empty set
    ``count`` and ``sum`` are 0 and the others missing; ``sum``, ``min``, ``max`` and ``avg`` are missing as
    soon as one of the events lacks the attribute.
    """

    function: Function
    variable: Variable
    attribute: str | None = None

    def validate(self) -> None:
        _check_variables(self.variable)
        if self.function not in FUNCTIONS:
            raise PatternError(f"unknown function {brief(self.function)}; use {', '.join(FUNCTIONS)}")
        if (self.function == "count") != (self.attribute is None):
            raise PatternError(f"{self.function} is of {_OPERAND[self.function == 'count']}")


_OPERAND: Final = {True: "a variable, as in count(A)", False: "an attribute, as in sum(A.price)"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Compared(Predicate):
    """``left operator right`` between measures and constants; false where a side is missing."""

    operator: ComparisonOperator
    left: Measure | Constant
    right: Measure | Constant

    def validate(self) -> None:
        if self.operator not in COMPARISONS:
            raise PatternError(f"unknown comparison {self.operator!r}; use {' '.join(COMPARISONS)}")
        sides = (self.left, self.right)
        if not all(isinstance(side, Measure | Constant) for side in sides):
            raise PatternError("measures such as count(A) are compared with measures and constants only")
        if not any(isinstance(side, Measure) for side in sides):
            raise PatternError("a comparison of two constants reads no variable; compare a measure")


@dataclass(frozen=True, slots=True)
class SetRelation:
    """A relation over sets of events that the user declares by a Python function.

    Parameters
    ----------
    name : str
        How formulas refer to it.
    arity : int
        How many variables it relates.
    predicate : callable
        Takes `arity` tuples of events, each in stream order, and returns a truth value.
    attributes : tuple of str
        What it reads of each event. Where one of them is missing the relation does not hold and
        `predicate` is not called.

    Examples
    --------
    >>> wide = SetRelation("Wide", 1, lambda events: len(events) > 10)
    >>> wide("A")
    Holds(Wide, ('A',))
    """

    name: str
    arity: int
    predicate: Callable[..., bool]
    attributes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.arity < 1:
            raise PatternError(f"relation '{self.name}' relates at least one set, got {self.arity}")

    def __repr__(self) -> str:
        return self.name

    def __call__(self, *arguments: Variable) -> Predicate:
        return Holds(self, arguments)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Holds(Predicate):
    """A declared relation applied to the sets of `arguments`."""

    relation: SetRelation
    arguments: tuple[Variable, ...]

    def validate(self) -> None:
        set_field(self, "arguments", tuple(self.arguments))
        _check_variables(*self.arguments)
        if len(self.arguments) != self.relation.arity:
            raise PatternError(
                f"relation '{self.relation.name}' relates {self.relation.arity} sets, "
                f"got {len(self.arguments)}"
            )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Joined(Predicate):
    """Base of conjunctions and disjunctions of two or more predicates; equal ones nested are flattened."""

    operands: tuple[Predicate, ...]

    def validate(self) -> None:
        flat: list[Predicate] = []
        for operand in self.operands:
            _check_predicates(operand)
            same = isinstance(operand, Joined) and type(operand) is type(self)
            flat += operand.operands if same and isinstance(operand, Joined) else [operand]
        if len(flat) < 2:
            raise PatternError(f"{type(self).__name__} joins at least two predicates, got {len(flat)}")
        set_field(self, "operands", tuple(flat))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AllOf(Joined):
    """``P and Q``: ``f FILTER (P and Q)`` is ``(f FILTER P) FILTER Q``."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnyOf(Joined):
    """``P or Q``: ``f FILTER (P or Q)`` is ``(f FILTER P) OR (f FILTER Q)``.

    Not the same as one extension of a disjunction: ``A[p] or A[q]`` says that all events of A satisfy p or
    all of them satisfy q, ``A[p or q]`` that each of them satisfies one.
    """


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Negated(Predicate):
    """``not P``: of the valuations, exactly those of which P does not hold.

    Not the same as the extension of a negation: ``not A[p]`` says that some event of A violates p (so A is
    bound to something), ``A[not p]`` that each of them does.
    """

    operand: Predicate

    def validate(self) -> None:
        _check_predicates(self.operand)


def for_all(condition: Condition) -> Predicate:
    """The extension of a condition over variables: `Each` of a single one, else `ForAll`.

    >>> from mnemata.theory.conditions.building import register
    >>> for_all(register("A").price > 10)
    Each('A', Comparison('>', Attribute('~', 'price'), Constant(10)))
    """
    _check_condition(condition)
    read = variables(condition)
    if len(read) == 1 and HEAD not in read:
        (variable,) = read
        return Each(variable, rename(condition, {variable: HEAD}))
    return ForAll(condition)


def variables_read(predicate: Node) -> frozenset[Variable]:
    """The variables whose sets a predicate is about."""
    found: set[Variable] = set()
    for node in walk(predicate, down_to=(Condition,)):
        match node:
            case Each(variable=variable) | Measure(variable=variable):
                found.add(variable)
            case ForAll(condition=condition) | ForSome(condition=condition):
                found |= registers(condition)
            case Holds(arguments=arguments):
                found.update(arguments)
    return frozenset(found)


def rename_variables(predicate: Predicate, names: Mapping[Variable, Variable]) -> Predicate:
    """`predicate` about other variables; those not in `names` stay."""

    def renamed(node: Node) -> Node:
        match node:
            case Each(variable=variable, condition=condition):
                return Each(names.get(variable, variable), condition)
            case ForAll(condition=condition):
                return ForAll(rename(condition, dict(names)))
            case ForSome(condition=condition):
                return ForSome(rename(condition, dict(names)))
            case Measure(function=function, variable=variable, attribute=attribute):
                return Measure(function, names.get(variable, variable), attribute)
            case Holds(relation=relation, arguments=arguments):
                return Holds(relation, tuple(names.get(name, name) for name in arguments))
        return node

    found = transform(predicate, renamed)
    return found if isinstance(found, Predicate) else predicate


def reads_position(condition: Condition) -> bool:
    """Whether a condition depends on where in the stream an event stands, not on its values alone."""
    return any(isinstance(node, Position) for node in walk(expand(condition)))


def _check_condition(condition: object) -> None:
    if not isinstance(condition, Condition):
        raise PatternError(f"{brief(condition)} is not a condition; compare an attribute with something")


def _check_predicates(*operands: object) -> None:
    for operand in operands:
        if not isinstance(operand, Predicate):
            remedy = "; wrap a condition in for_all(...)" if isinstance(operand, Condition) else ""
            raise PatternError(f"{brief(operand)} is not a predicate over variables{remedy}")


def _check_variables(*names: object) -> None:
    for name in names:
        if not isinstance(name, str) or not name or name == HEAD:
            raise PatternError(f"a variable is named by a non-empty string, got {brief(name)}")
