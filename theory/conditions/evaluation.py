"""Whether an event and a valuation satisfy a condition (SRT Def. 12 and 13), written as defined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

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
    expand,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Position,
    Register,
    Term,
    Time,
    Variable,
)
from mnemata.theory.conditions.values import absolute, calculate, compare
from mnemata.theory.errors import ConditionTypeError
from mnemata.theory.schema import Event, Value
from mnemata.theory.trees import Node, fold

Contents: TypeAlias = tuple[tuple[Register, Event], ...]


@dataclass(frozen=True, slots=True)
class Valuation(Mapping[Register, Event]):
    """A partial function from registers to events (Def. 12); registers it lacks are empty."""

    contents: Contents = ()

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "contents", tuple(sorted(dict(self.contents).items(), key=lambda item: item[0]))
        )

    def __getitem__(self, register: Register) -> Event:
        return dict(self.contents)[register]

    def __iter__(self) -> Iterator[Register]:
        return (register for register, _ in self.contents)

    def __len__(self) -> int:
        return len(self.contents)

    def write(self, registers: frozenset[Register] | set[Register], event: Event) -> Valuation:
        """``v[W <- u]``: the valuation in which all of `registers` hold `event`."""
        kept = tuple(item for item in self.contents if item[0] not in registers)
        return Valuation(kept + tuple((register, event) for register in registers))


EMPTY = Valuation()


def models(event: Event, valuation: Valuation, condition: Condition) -> bool:
    """``(u, v) |= phi``.

    The condition must be bound to the event's schema (`mnemata.theory.conditions.typing.bind`), or use
    no literal whose meaning depends on a schema.
    """
    holder = {**valuation, HEAD: event}
    result = fold(expand(condition), lambda node, below: _visit(node, below, holder))
    return bool(result)


def _visit(node: Node, below: tuple[Value, ...], holder: Mapping[Variable, Event]) -> Value:
    return _term(node, below, holder) if isinstance(node, Term) else _truth(node, below, holder)


def _term(node: Term, below: tuple[Value, ...], holder: Mapping[Variable, Event]) -> Value:
    match node:
        case Constant(value=value):
            return value
        case Attribute(variable=variable, name=name):
            return holder[variable][name] if variable in holder else None
        case Position(variable=variable):
            return holder[variable].position if variable in holder else None
        case Time(variable=variable):
            return _timestamp(holder[variable]) if variable in holder else None
        case Arithmetic(operator=operator):
            return calculate(operator, *below)
        case Absolute():
            return absolute(below[0])
    raise ConditionTypeError(f"{node} has no value before it is bound to a schema; call bind() first")


def _timestamp(event: Event) -> Value:
    if event.schema.time is None:
        raise ConditionTypeError("time(...) needs a schema with a time attribute")
    return event[event.schema.time]


def _truth(node: Node, below: tuple[Value, ...], holder: Mapping[Variable, Event]) -> bool:
    match node:
        case Top():
            return True
        case Bottom():
            return False
        case Comparison(operator=operator):
            return compare(operator, *below)
        case Membership():
            return any(compare("=", below[0], value) for value in below[1:])
        case Defined(variable=variable):
            return variable in holder
        case Apply(relation=Relation() as relation, arguments=arguments):
            return _related(relation, arguments, holder)
        case Not():
            return not below[0]
        case And():
            return all(below)
        case Or():
            return any(below)
    raise ConditionTypeError(f"{node} is not a condition")


def _related(relation: Relation, arguments: tuple[Variable, ...], holder: Mapping[Variable, Event]) -> bool:
    if any(variable not in holder for variable in arguments):
        return False
    events = [holder[variable] for variable in arguments]
    if any(event[name] is None for event in events for name in relation.attributes):
        return False
    return bool(relation.predicate(*events))
