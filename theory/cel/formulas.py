"""CEL as syntax trees (CEL Fig. 2), with the selection strategies of Section 7.1 and windows.

A formula carries no meaning here: `mnemata.theory.cel.semantics` says what it matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias, TypeVar

from mnemata.theory.cel.predicates import Predicate
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.terms import HEAD, Duration
from mnemata.theory.errors import PatternError, brief
from mnemata.theory.sremo.bounds import EventWindow, TimeWindow
from mnemata.theory.trees import Node, fold, set_field

Window: TypeAlias = EventWindow | TimeWindow
"""What a window of CEL bounds is the support of a valuation, so there is no `LengthWindow`."""

F = TypeVar("F", bound="Formula")


class Formula(Node):
    """Base of all CEL formulas.

    ``a >> b`` is ``a ; b``, ``a | b`` is ``a OR b``, ``a & b`` is ``a AND b``; methods build the rest.
    """

    __slots__ = ()

    def __rshift__(self, other: Formula) -> Formula:
        return Sequencing((self, other))

    def __or__(self, other: Formula) -> Formula:
        return Or((self, other))

    def __and__(self, other: Formula) -> Formula:
        return And((self, other))

    def bound_to(self, *variables: Variable) -> Formula:
        """``self IN A IN B ...``: also bind each of `variables` to all that is matched."""
        return reduce(In, variables, self)

    def filter(self, predicate: Predicate) -> Formula:
        """``self FILTER predicate``."""
        return Filter(self, predicate)

    def plus(self) -> Formula:
        """``self+``: one or more times, with anything in between."""
        return Iteration(self)

    def contiguous_plus(self) -> Formula:
        """``self (+)``: one or more times, each round right after the one before."""
        return ContiguousIteration(self)

    def project(self, *variables: Variable) -> Formula:
        """``PI_{variables}(self)``: forget all other variables."""
        return Projection(self, variables)

    def unless(self, other: Formula) -> Formula:
        """``self UNLESS other``."""
        return Unless(self, other)

    def within(self, *, events: int | None = None, **durations: int) -> Formula:
        """Bound the support: ``within(events=100)``, ``within(s=5)``, and the other units of time."""
        windows: list[Window] = [] if events is None else [EventWindow(events)]
        windows += [TimeWindow(Duration(amount, unit)) for unit, amount in durations.items()]
        if len(windows) != 1:
            raise PatternError("within() takes one bound: events=, or a time such as s= or ms=")
        return Within(self, windows[0])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Relation(Formula):
    """One event of type `name`, the last of the interval; it is bound to the variable `name`."""

    name: str

    def validate(self) -> None:
        _check_names("an event type", self.name)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unary(Formula):
    """Base of the operators over a single formula."""

    body: Formula

    def validate(self) -> None:
        _check_formulas(self.body)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Nary(Formula):
    """Base of the associative operators over two or more formulas; equal ones nested are flattened."""

    parts: tuple[Formula, ...]

    def validate(self) -> None:
        set_field(self, "parts", _flat(type(self), self.parts))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class In(Unary):
    """``body IN variable``: the variable is bound to all that `body` matches, whatever it was bound to."""

    variable: Variable

    def validate(self) -> None:
        _check_formulas(self.body)
        _check_names("a variable", self.variable)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Filter(Unary):
    """``body FILTER predicate``."""

    predicate: Predicate

    def validate(self) -> None:
        _check_formulas(self.body)
        if not isinstance(self.predicate, Predicate):
            raise PatternError(
                f"{brief(self.predicate)} is not a predicate over variables; wrap a condition in for_all(...)"
            )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sequencing(Nary):
    """``a ; b``: one after the other, with anything in between."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Contiguous(Nary):
    """``a : b``: the first marked event of `b` comes right after the last one of `a`."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Iteration(Unary):
    """``body+``: one or more times, with anything in between the rounds."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ContiguousIteration(Unary):
    """``body (+)``: one or more times, each round joined to the next as by ``:``."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Projection(Unary):
    """``PI_L(body)``: only the variables of L stay bound; the positions of others leave the complex event."""

    variables: tuple[Variable, ...]

    def validate(self) -> None:
        _check_formulas(self.body)
        if isinstance(self.variables, str):
            raise PatternError(f"a projection takes a tuple of variables, got {brief(self.variables)}")
        _check_names("a variable", *self.variables)
        set_field(self, "variables", tuple(sorted(set(self.variables))))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Start(Unary):
    """``START(body)``: the first event of the interval is marked."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Or(Nary):
    """``a OR b``: what one of them matches."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class And(Nary):
    """``a AND b``: the valuations, variables included, that all of them have over the same interval."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class All(Nary):
    """``a ALL b``: all of them, in any order and interleaved; they may share events."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unless(Formula):
    """``body UNLESS guard``: `body`, where `guard` matches nowhere inside the interval (ERRATA B3)."""

    body: Formula
    guard: Formula

    def validate(self) -> None:
        _check_formulas(self.body, self.guard)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Strategy(Unary):
    """Base of the selection strategies (Section 7.1)."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Strict(Strategy):
    """``STRICT(body)``: the marked events follow one another without a gap (ERRATA B6)."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Nxt(Strategy):
    """``NXT(body)``: of the complex events over one interval, the one that marks the earliest events first.

    It is the maximum of each interval by itself, not greedy consumption (ERRATA B8).
    """


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Last(Strategy):
    """``LAST(body)``: of the complex events over one interval, the one with the most recent events."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Max(Strategy):
    """``MAX(body)``: of the complex events over one interval, those that no other contains."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Within(Unary):
    """``body WITHIN window``: last and first marked event lie within the window (ERRATA B7).

    In events ``last - first + 1 <= size``, in time ``ts(last) - ts(first) < duration``. The empty
    complex event fits every window.
    """

    window: Window

    def validate(self) -> None:
        _check_formulas(self.body)
        if not isinstance(self.window, EventWindow | TimeWindow):
            raise PatternError(f"{brief(self.window)} is not a window of CEL; bound events or time")


STRATEGIES = (Strict, Nxt, Last, Max)


def sequence(*parts: Formula) -> Formula:
    """``a ; b ; ...``; of one formula, itself."""
    return parts[0] if len(parts) == 1 else Sequencing(parts)


def contiguous(*parts: Formula) -> Formula:
    """``a : b : ...``; of one formula, itself."""
    return parts[0] if len(parts) == 1 else Contiguous(parts)


def either(*parts: Formula) -> Formula:
    """``a OR b OR ...``; of one formula, itself. Raises `PatternError` when there is none."""
    return parts[0] if len(parts) == 1 else Or(parts)


def variables_of(formula: Formula) -> frozenset[Variable]:
    """``vdef``: the variables that some valuation of the formula may bind to an event.

    An event type is itself a variable, which its `Relation` binds. A conjunction binds only what all of its
    parts do, ``UNLESS`` only what is on its left.

    >>> sorted(variables_of(Relation("T").bound_to("X") >> Relation("H")))
    ['H', 'T', 'X']
    """
    return fold(formula, defined_by)


def defined_by(node: Node, below: tuple[frozenset[Variable], ...]) -> frozenset[Variable]:
    """``vdef`` of a formula from those of its children; a predicate binds nothing."""
    match node:
        case Relation(name=name):
            return frozenset({name})
        case In(variable=variable):
            return below[0] | {variable}
        case Projection(variables=variables):
            return below[0].intersection(variables)
        case And():
            return frozenset.intersection(*below)
        case Nary():
            return frozenset().union(*below)
        case Unary() | Unless():
            return below[0]
    return frozenset()


def _check_names(what: str, *names: object) -> None:
    for name in names:
        if not isinstance(name, str) or not name or name == HEAD:
            raise PatternError(f"{what} is named by a non-empty string other than ~, got {brief(name)}")


def _check_formulas(*parts: object) -> None:
    for part in parts:
        if not isinstance(part, Formula):
            remedy = "; name an event type with Relation(...)" if isinstance(part, str) else ""
            raise PatternError(f"{brief(part)} is not a formula{remedy}")


def _flat(kind: type[Nary], parts: Iterable[Formula]) -> tuple[Formula, ...]:
    given = tuple(parts)
    _check_formulas(*given)
    flat: list[Formula] = []
    for part in given:
        flat += part.parts if isinstance(part, Nary) and type(part) is kind else [part]
    if len(flat) < 2:
        raise PatternError(f"{kind.__name__} joins at least two formulas, got {len(flat)}")
    return tuple(flat)
