"""SREMO as core-CEPL, for the fragment in which all events asked for are marked, with any others between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, product
from math import prod
from typing import Final, NamedTuple, NoReturn

from mnemata.theory.cepl.expressions import Atom, Expression, Filter, Iteration, Windowed, either
from mnemata.theory.cepl.expressions import Sequence as Sequencing
from mnemata.theory.cepl.query import Query
from mnemata.theory.cepl.refusals import check_bounded
from mnemata.theory.cepl.variables import bound, defined
from mnemata.theory.conditions.formulas import And, Condition, conjunction, registers, rename, variables
from mnemata.theory.conditions.terms import HEAD, Register
from mnemata.theory.errors import LimitError, UnsupportedError
from mnemata.theory.schema import Category, Schema
from mnemata.theory.sremo.expressions import (
    EventWindow,
    Output,
    Pattern,
    Plus,
    SkipTillAny,
    Terminal,
    Union,
    registers_of,
)
from mnemata.theory.sremo.expressions import Expression as Sremo
from mnemata.theory.sremo.expressions import Windowed as WindowedSremo
from mnemata.theory.sremo.rewriting import bound_expression
from mnemata.theory.translation.event_types import event_types, is_of_type
from mnemata.theory.trees import Node, fold_occurrences, walk


def query_of(pattern: Pattern | Sremo, schema: Schema) -> Query:
    """The core-CEPL query with the matches of a pattern, all positions one less.

    Parameters
    ----------
    pattern : Pattern or Expression
        Of marked events, ``any(...)`` of several parts or of one ``e+``, unions and windows in events. A
        register is read only after it was written once on every way in the same round of an iteration.
    schema : Schema
        Of the streams. Its event type is a `Category` unless every event asks for its type.

    Returns
    -------
    Query
        Bounded. A register becomes the variable of the event that is written to it.

    Raises
    ------
    UnsupportedError
        When the pattern is outside the fragment: which part, and why.
    PatternError
        One of its subclasses, when it does not fit the schema.

    Examples
    --------
    >>> from mnemata.theory.schema import Category, Int64
    >>> from mnemata.theory.syntax import parse, show_cepl
    >>> schema = Schema.of(type=Category(("T", "H")), id=Int64(), event_type="type")
    >>> pattern = parse("any(T as x, any(H+), H where id = x.id)", schema=schema)
    >>> show_cepl(query_of(pattern, schema))
    'T AS x; (H AS e1)+; H AS e2 FILTER e2.id = x.id'
    """
    given = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
    whole = bound_expression(given.expression, schema)
    building = _Building(schema, frozenset(registers_of(whole)))
    found = fold_occurrences(whole, building.visit)
    if found.loose:
        _outside(_GAPS)
    expression = found.settled()
    check_bounded(expression)
    return Query(expression, given.partition_by, given.name)


_GAPS: Final = "e+ without any(...) around it repeats without gaps"


class _Way(NamedTuple):
    """An expression, and filters that wait for variables which it does not bind."""

    expression: Expression
    waiting: tuple[Condition, ...] = ()


class _Found(NamedTuple):
    """A choice of ways, and whether it is an ``e+`` without gaps."""

    ways: tuple[_Way, ...]
    loose: bool = False

    def settled(self) -> Expression:
        """The expression, when no filter waits."""
        for way in self.ways:
            for test in way.waiting:
                _unwritten(test)
        return either(*(way.expression for way in self.ways))


_CONDITION: Final = _Found(())
"""Stands for conditions, which are read where their terminal is."""

MOST_WAYS: Final = 1_000


def _choice(ways: Iterable[_Way]) -> _Found:
    """A choice in which the ways without waiting filters are one."""
    given = tuple(ways)
    free = [way.expression for way in given if not way.waiting]
    joined = (_Way(either(*free)),) if free else ()
    return _Found((*joined, *(way for way in given if way.waiting)))


class _Building:
    def __init__(self, schema: Schema, used: frozenset[Register]) -> None:
        self.schema = schema
        self.fresh = (name for n in count(1) if (name := f"e{n}") not in used)

    def visit(self, node: Node, below: tuple[_Found, ...]) -> _Found:
        if not isinstance(node, Sremo):
            return _CONDITION
        match node:
            case Terminal():
                return self.event(node)
            case SkipTillAny(parts=(_,)):
                return below[0]._replace(loose=False)
        if any(found.loose for found in below):
            _outside(_GAPS)
        match node:
            case Plus():
                return _Found((_Way(Iteration(below[0].settled())),), loose=True)
            case SkipTillAny():
                return _choice(map(_joined, _products([found.ways for found in below])))
            case Union():
                return _choice(way for found in below for way in found.ways)
            case WindowedSremo(window=EventWindow() as size):
                return _Found(tuple(_Way(Windowed(e, size), waiting) for e, waiting in below[0].ways))
        _outside(f"{type(node).__name__} is no operator of core-CEPL")

    def event(self, node: Terminal) -> _Found:
        if node.output is not Output.MARK:
            _outside("an event that must be passed over cannot be asked for")
        variable = next(self.fresh) if node.write is None else node.write
        parts = node.condition.operands if isinstance(node.condition, And) else (node.condition,)
        kinds, rest = self.kinds(parts)
        atoms = either(*(Atom(kind, variable) for kind in kinds))
        test = rename(conjunction(*rest), {HEAD: variable})
        if node.write in registers(node.condition):
            _outside(f"an event is compared with what '{node.write}' held before it is written there")
        read = variables(test)
        if read <= {variable}:
            return _Found((_Way(Filter(atoms, test) if read else self.constant(atoms, test)),))
        return _Found((_Way(atoms, (test,)),))

    def kinds(self, parts: tuple[Condition, ...]) -> tuple[tuple[str, ...], list[Condition]]:
        """The event types that a condition asks for, and what else it asks."""
        for name in self.named(parts):
            asked = is_of_type(name, self.schema)
            if asked in parts:
                return (name,), [part for part in parts if part != asked]
        return event_types(self.schema), list(parts)

    def named(self, parts: tuple[Condition, ...]) -> Iterator[str]:
        kind = None if self.schema.event_type is None else self.schema[self.schema.event_type]
        if isinstance(kind, Category):
            yield from kind.values
        elif kind is not None:
            values = (getattr(node, "value", None) for part in parts for node in walk(part))
            yield from (value for value in values if isinstance(value, str) and value)

    def constant(self, atoms: Expression, test: Condition) -> Expression:
        if test != conjunction():
            _outside("a condition that reads nothing is no filter")
        return atoms


def _products(choices: Sequence[tuple[_Way, ...]]) -> Iterator[tuple[_Way, ...]]:
    if prod(map(len, choices)) > MOST_WAYS:
        raise LimitError(
            f"conditions in unions compare events with earlier ones in more than {MOST_WAYS:,} ways; use "
            "smaller unions"
        )
    return product(*choices)


def _joined(parts: tuple[_Way, ...]) -> _Way:
    """A sequence, filtered by what its parts waited for and earlier ones bind."""
    whole: Expression = Sequencing(tuple(way.expression for way in parts))
    known, later, tests = frozenset[str](), defined(whole), list[Condition]()
    waiting: list[Condition] = []
    for way in parts:
        known |= bound(way.expression)
        for test in way.waiting:
            if variables(test) <= known:
                tests.append(test)
            elif (variables(test) - known) & later:
                _unwritten(test)
            else:
                waiting.append(test)
    filtered = Filter(whole, conjunction(*tests)) if tests else whole
    return _Way(filtered, tuple(waiting))


def _unwritten(test: Condition) -> NoReturn:
    names = ", ".join(sorted(variables(test)))
    _outside(
        f"a condition over {names} reads a register that was not written before on every way, or was written "
        "outside of a choice or iteration that the condition is in; no filter over variables says that"
    )


def _outside(reason: str) -> NoReturn:
    raise UnsupportedError(f"the pattern has no translation to core-CEPL: {reason}")
