"""Core-CEPL as SREMO: bounded expressions, whose filters finitely many registers can decide."""

from __future__ import annotations

from collections.abc import Iterator

from mnemata.theory.cepl.binding import bind_expression
from mnemata.theory.cepl.expressions import (
    Atom,
    Filter,
    Iteration,
    Or,
    Sequence,
    Unary,
    Variable,
    Windowed,
)
from mnemata.theory.cepl.expressions import Expression as Cepl
from mnemata.theory.cepl.query import Query
from mnemata.theory.cepl.refusals import check_bounded
from mnemata.theory.cepl.variables import Variables, bound_by
from mnemata.theory.conditions.formulas import Condition, conjunction, registers, rename, variables
from mnemata.theory.conditions.terms import HEAD
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import (
    EPSILON,
    Expression,
    Output,
    Pattern,
    Plus,
    SkipTillAny,
    Terminal,
    union,
)
from mnemata.theory.sremo.expressions import Windowed as WindowedExpression
from mnemata.theory.translation.event_types import is_of_type
from mnemata.theory.trees import Node, fold, fold_occurrences


def sremo_of(query: Query | Cepl, schema: Schema) -> Pattern:
    """The pattern that reports the matches of a query, all positions one greater.

    Parameters
    ----------
    query : Query or Expression
        Bounded (Def. 2).
    schema : Schema
        Of the streams.

    Raises
    ------
    UnsupportedError
        When the expression is not bounded: the variable, the rule, the place, and what would do.
    PatternError
        One of its subclasses, when it is ill-formed or does not fit the schema.

    Examples
    --------
    >>> from mnemata.theory.cepl.expressions import atom
    >>> from mnemata.theory.conditions.building import register
    >>> from mnemata.theory.schema import Int64, String
    >>> from mnemata.theory.syntax import show
    >>> schema = Schema.of(type=String(), id=Int64(), event_type="type")
    >>> same = register("y").id == register("x").id
    >>> pattern = sremo_of((atom("T", "x") >> atom("H", "y")).filter(same), schema)
    >>> show(pattern, schema=schema)
    'any(T as x, H where id = x.id)'
    """
    given = query if isinstance(query, Query) else Query(query)
    expression = expression_of_cepl(given.expression, schema)
    return Pattern(expression, given.partition_by, given.name)


def expression_of_cepl(expression: Cepl, schema: Schema) -> Expression:
    """The SREMO of a bounded expression; raises as `sremo_of` does.

    Each filter is tested where the last of its variables is bound; by then registers of the same names
    hold the others. ``;`` becomes ``any(...)``, so every match begins and ends with a marked event, and
    windows bound the string.
    """
    bound = bind_expression(expression, schema)
    check_bounded(bound)
    tests = tests_at_atoms(bound)
    saved = frozenset(name for test in tests for name in registers(test))
    waiting = iter(tests)

    def visit(node: Node, below: tuple[Expression, ...]) -> Expression:
        match node:
            case Atom(relation=relation, variable=variable):
                condition = conjunction(is_of_type(relation, schema), next(waiting))
                return Terminal(condition, Output.MARK, variable if variable in saved else None)
            case Sequence():
                return SkipTillAny(below)
            case Iteration():
                return SkipTillAny((Plus(below[0]),))
            case Or():
                return union(*below)
            case Windowed(size=size):
                return WindowedExpression(below[0], size)
            case Unary():
                return below[0]
        return EPSILON  # conditions are tested at atoms

    return fold_occurrences(bound, visit)


def tests_at_atoms(expression: Cepl) -> list[Condition]:
    """For each atom, from left to right, the conjunction of the filters that are decided there.

    The event of the atom is the head, the other variables are registers. Precondition: bounded.
    """
    binds = _bindings(expression)
    found: list[Condition] = []
    stack: list[tuple[Cepl, Variables, tuple[Condition, ...]]] = [(expression, frozenset(), ())]
    while stack:
        node, before, filters = stack.pop()
        match node:
            case Atom(variable=name):
                found.append(conjunction(*_decided(filters, before, name)))
            case Filter(body=body, condition=condition):
                stack.append((body, before, (*filters, condition)))
            case Iteration(body=body):
                stack.append((body, frozenset(), ()))
            case Unary(body=body):
                stack.append((body, before, filters))
            case Or(parts=parts):
                stack += [(part, before, filters) for part in reversed(parts)]
            case Sequence(parts=parts):
                pushed: list[tuple[Cepl, Variables, tuple[Condition, ...]]] = []
                for part in parts:
                    pushed.append((part, before, filters))
                    before |= binds[id(part)]
                stack += reversed(pushed)
    return found


def _bindings(expression: Cepl) -> dict[int, Variables]:
    binds: dict[int, Variables] = {}

    def note(node: Node, below: tuple[Variables, ...]) -> Variables:
        binds[id(node)] = bound_by(node, below)
        return binds[id(node)]

    fold(expression, note)
    return binds


def _decided(filters: tuple[Condition, ...], before: Variables, name: Variable) -> Iterator[Condition]:
    for condition in filters:
        read = variables(condition)
        if name in read and read <= before | {name}:
            yield rename(condition, {name: HEAD})
