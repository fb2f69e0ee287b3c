"""SREMO without registers as CEL."""

from __future__ import annotations

from functools import reduce
from typing import Final, NamedTuple

from mnemata.theory.cel.formulas import (
    And,
    Contiguous,
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Unless,
    Within,
    contiguous,
    either,
)
from mnemata.theory.cel.predicates import Each, reads_position
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import TOP, Condition, conjunction
from mnemata.theory.conditions.formulas import And as Conjunction
from mnemata.theory.conditions.terms import Constant
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Category, Schema
from mnemata.theory.sremo.expressions import (
    Absent,
    Concatenation,
    Empty,
    Epsilon,
    EventWindow,
    Expression,
    Intersection,
    LengthWindow,
    Output,
    Plus,
    SkipTillAny,
    Star,
    Terminal,
    Union,
    Window,
    Windowed,
    registers_of,
)
from mnemata.theory.sremo.rewriting import bound_expression, core
from mnemata.theory.translation.event_types import any_event, event_types, fresh, is_of_type, nothing
from mnemata.theory.trees import Node, fold, walk


def formula_of_expression(expression: Expression, schema: Schema, *, anchored: bool = False) -> Formula:
    """The CEL formula with the matches of a SREMO.

    Parameters
    ----------
    expression : Expression
        Without registers, without ``!e`` and ``next`` over parts of several events. Windows on marks
        anywhere if every event is marked and no part may be empty, else outermost only.
    schema : Schema
        Of the streams. Its event type is a `Category` unless every terminal asks for a type.
    anchored : bool
        Whether to translate string for string instead of stream for stream (`mnemata.theory.translation`).

    Returns
    -------
    Formula
        If every event is marked and no part may be empty: of event types with filters, ``;`` for
        ``any(...)``, ``:`` for concatenation. Otherwise all events read are bound to one variable and those
        marked to another, on which the formula projects. It finds only events with a type.

    Raises
    ------
    UnsupportedError
        When the expression is outside the fragment: which part, and why.
    PatternError
        One of its subclasses, when it does not fit the schema.

    Examples
    --------
    >>> from mnemata.theory.conditions.building import head
    >>> from mnemata.theory.schema import Category
    >>> from mnemata.theory.sremo.expressions import mark, skip_till_any
    >>> schema = Schema.of(type=Category(("R", "S")), event_type="type")
    >>> r, s = (mark(head().type == name) for name in "RS")
    >>> formula_of_expression(skip_till_any(r, s.plus()), schema)
    Sequencing((Relation('R'), ContiguousIteration(Relation('S'))))
    """
    bound = bound_expression(expression, schema)
    _check(bound)
    if not anchored and _all_marked(bound):
        return fold(bound, lambda node, below: _readable(node, below, schema))
    body, windows = _without_windows(bound)
    names = _names(schema)
    found = fold(core(body), lambda node, below: _general(node, below, schema, names)).formula
    inner = nothing(schema) if found is None else Start(found) if anchored else found
    shown: Formula = Projection(inner, (names.marked,))
    return reduce(_within, windows, shown)


class _Names(NamedTuple):
    """The variable of every event that is read, and that of those that are marked."""

    every: Variable
    marked: Variable


def _names(schema: Schema) -> _Names:
    known = event_types(schema)
    every = fresh(known)
    return _Names(every, fresh((*known, every)))


class _Found(NamedTuple):
    """What an expression matches: the empty string or not, and which others."""

    empty: bool
    formula: Formula | None


_NOTHING: Final = _Found(False, None)


def _check(expression: Expression) -> None:
    for name in sorted(registers_of(expression)):
        raise UnsupportedError(
            f"the register '{name}' compares events with one another, which CEL does by filters between "
            "variables; a SREMO with registers has no translation"
        )
    for node in walk(expression):
        if isinstance(node, Terminal) and reads_position(node.condition):
            raise UnsupportedError(
                "the positions of events are counted from 1 in SREMO and from 0 in CEL, so a condition that "
                "reads them has no translation"
            )


def _all_marked(expression: Expression) -> bool:
    nodes = walk(expression, down_to=(Terminal,))
    kinds = (Terminal, Union, Concatenation, SkipTillAny, Plus, Windowed)
    return all(
        isinstance(n, kinds) and (not isinstance(n, Terminal) or n.output is Output.MARK) for n in nodes
    )


def _readable(node: Node, below: tuple[Formula, ...], schema: Schema) -> Formula:
    match node:
        case Terminal(condition=condition):
            return _event(condition, schema)
        case Union():
            return Or(below)
        case Concatenation():
            return Contiguous(below)
        case Plus():
            return ContiguousIteration(below[0])
        case SkipTillAny(parts=(Plus(),)) if isinstance(below[0], ContiguousIteration):
            return Iteration(below[0].body)
        case SkipTillAny():
            return Sequencing(below) if len(below) > 1 else below[0]
        case Windowed(window=window):
            return _within(below[0], window)
    return _UNREAD


_UNREAD: Final = Relation("condition")
"""Stands for conditions, which are read where their terminal is."""


def _within(formula: Formula, window: Window) -> Formula:
    """A window on a string bounds the marks where the first and the last event are marked."""
    return Within(formula, EventWindow(window.size) if isinstance(window, LengthWindow) else window)


def _event(condition: Condition, schema: Schema) -> Formula:
    """One event that satisfies a condition: of a type, when the condition asks for it."""
    asked = condition.operands if isinstance(condition, Conjunction) else (condition,)
    for name in _types_named(asked, schema):
        rest = conjunction(*(part for part in asked if part != is_of_type(name, schema)))
        return _filtered(Relation(name), name, rest)
    variable = fresh(event_types(schema))
    return _filtered(In(any_event(schema), variable), variable, condition)


def _types_named(conditions: tuple[Condition, ...], schema: Schema) -> list[str]:
    named = [
        node.value
        for condition in conditions
        for node in walk(condition)
        if isinstance(node, Constant) and isinstance(node.value, str) and node.value
    ]
    if schema.event_type is None:
        return []
    kind = schema[schema.event_type]
    possible = [name for name in named if not isinstance(kind, Category) or name in kind.values]
    return [name for name in possible if is_of_type(name, schema) in conditions]


def _filtered(formula: Formula, variable: Variable, condition: Condition) -> Formula:
    return formula if condition == TOP else Filter(formula, Each(variable, condition))


def _without_windows(expression: Expression) -> tuple[Expression, list[Window]]:
    """The expression inside its outermost windows on marks, and these."""
    windows: list[Window] = []
    while isinstance(expression, Windowed) and not isinstance(expression.window, LengthWindow):
        windows.append(expression.window)
        expression = expression.body
    return expression, windows


def _general(node: Node, below: tuple[_Found, ...], schema: Schema, names: _Names) -> _Found:
    match node:
        case Epsilon():
            return _Found(True, None)
        case Empty() | Condition():
            return _NOTHING
        case Terminal():
            return _Found(False, _read(node, schema, names))
        case Union():
            return _Found(any(b.empty for b in below), _either(*(b.formula for b in below)))
        case Concatenation():
            return reduce(_joined, below)
        case Star():
            again = None if below[0].formula is None else ContiguousIteration(below[0].formula)
            return _Found(True, again)
        case Intersection():
            return _shared(*below)
        case Absent():
            return _absent(below[0], schema, names)
        case Windowed(window=LengthWindow(size=size)):
            found = below[0].formula
            return _Found(below[0].empty, None if found is None else Within(found, EventWindow(size)))
        case Expression():
            raise UnsupportedError(
                f"{type(node).__name__} has no translation to CEL here: {_OUTSIDE.get(type(node).__name__)}"
            )
    return _NOTHING


_OUTSIDE: Final = {
    "Windowed": "a window on marks must be outermost when some events are not marked or parts may be empty",
    "Negation": "UNLESS is about what occurs anywhere, so it can say absent(e), but not !e",
    "SkipTillNext": "the earliest completion of several events is no operator of CEL; use any(...)",
}


def _read(node: Terminal, schema: Schema, names: _Names) -> Formula:
    read = In(any_event(schema), names.every)
    marked = In(read, names.marked) if node.output is Output.MARK else read
    return Projection(_filtered(marked, names.every, node.condition), names)


def _either(*formulas: Formula | None) -> Formula | None:
    found = [formula for formula in formulas if formula is not None]
    return either(*found) if found else None


def _joined(left: _Found, right: _Found) -> _Found:
    both = None
    if left.formula is not None and right.formula is not None:
        both = contiguous(left.formula, right.formula)
    first = left.formula if right.empty else None
    second = right.formula if left.empty else None
    return _Found(left.empty and right.empty, _either(both, first, second))


def _shared(left: _Found, right: _Found) -> _Found:
    both = None
    if left.formula is not None and right.formula is not None:
        both = And((left.formula, right.formula))
    return _Found(left.empty and right.empty, both)


def _absent(body: _Found, schema: Schema, names: _Names) -> _Found:
    """Any events among which `body` is nowhere; where it may be empty, it is everywhere."""
    if body.empty:
        return _NOTHING
    anything = ContiguousIteration(Projection(In(any_event(schema), names.every), (names.every,)))
    return _Found(True, anything if body.formula is None else Unless(anything, body.formula))
