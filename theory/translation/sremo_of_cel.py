"""CEL as SREMO, correlation included, for the fragment in which registers are enough."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import count
from typing import Final

from mnemata.theory.cel.binding import bind_formula, check_variables
from mnemata.theory.cel.formulas import (
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
    Strict,
    Within,
)
from mnemata.theory.cel.predicates import (
    Compared,
    Each,
    ForAll,
    ForSome,
    Holds,
    Negated,
    Predicate,
    for_all,
    reads_position,
    variables_read,
)
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.terms import Register
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import (
    EPSILON,
    EventWindow,
    Expression,
    LengthWindow,
    Output,
    Plus,
    SkipTillAny,
    Terminal,
    Windowed,
    sequence,
    union,
)
from mnemata.theory.syntax import show_cel
from mnemata.theory.translation.alternatives import alternatives
from mnemata.theory.translation.event_types import is_of_type
from mnemata.theory.translation.placement import Leaf, at_leaves, leaves, tested_everywhere, tested_last
from mnemata.theory.trees import Node, fold_occurrences, transform


def expression_of_formula(
    formula: Formula, schema: Schema, *, shown: frozenset[Variable] | None = None
) -> Expression:
    """The SREMO whose stream reports the complex events of a formula.

    Parameters
    ----------
    formula : Formula
        Of event types, ``IN``, ``FILTER``, ``;``, ``:``, ``+``, ``(+)``, ``OR``, ``STRICT``, ``WITHIN``, and
        projections that keep a variable of every event. Filters are made by conjunction and disjunction of

        - extensions of conditions on single events (unary predicates), of any variable;
        - conditions over several variables, where in every match each of them is bound to exactly one event,
          except that the one bound last may be bound to several. ``(R IN x ; S IN y) FILTER x.id = y.id``
          and ``(R IN x ; (S IN y)+) FILTER x.id < y.id`` are inside, ``((R IN x)+ ; S IN y) FILTER
          x.id < y.id`` is not: it needs to remember any number of events. An equality of the same attribute
          of two variables needs less: no event is bound to both, and the first one is none of an iteration;
          all others are compared with it.
    schema : Schema
        Of the streams.
    shown : frozenset of Variable, optional
        Only events of these are to be marked, the others are read where they would be. So a string begins and
        ends with an event that `formula` finds, but it may be one that is not marked.

    Returns
    -------
    Expression
        ``;`` becomes ``any(...)``, ``:`` concatenation. Every match begins and ends with a marked event,
        unless that is not shown.
        At every event k (counted from 1) of every stream its matches (`matches_at`) are the complex
        events of the formula over positions 0 to k - 1, all positions one greater.

    Raises
    ------
    UnsupportedError
        When the formula is outside the fragment: which part, and why.
    PatternError
        One of its subclasses, when the formula does not fit the schema or reads a variable bound nowhere.

    Examples
    --------
    >>> from mnemata.theory.cel.predicates import for_all
    >>> from mnemata.theory.conditions.building import register
    >>> from mnemata.theory.schema import Int64, String
    >>> from mnemata.theory.sremo.semantics import matches_at
    >>> schema = Schema.of(type=String(), id=Int64(), event_type="type")
    >>> x, y = register("x"), register("y")
    >>> pairs = (Relation("R").bound_to("x") >> Relation("S").bound_to("y")).filter(for_all(x.id == y.id))
    >>> stream = schema.stream([("R", 1), ("R", 2), ("S", 1)])
    >>> sorted(map(sorted, matches_at(expression_of_formula(pairs, schema), stream, 3)))
    [[1, 3]]
    """
    bound = bind_formula(formula, schema)
    check_variables(bound)
    building = _Building(schema)
    found = fold_occurrences(bound, building.visit)
    if shown is not None:
        found = _marking(found, shown)
    plain = transform(found, _plain)
    return plain if isinstance(plain, Expression) else found


def _plain(node: Node) -> Node:
    return Terminal(node.condition, node.output, node.write) if isinstance(node, Leaf) else node


def _marking(expression: Expression, shown: frozenset[Variable]) -> Expression:
    """`expression` with marks for some variables only; windows inside bound what was marked as before."""

    def rewrite(node: Node) -> Node:
        match node:
            case Leaf() if not node.labels & shown:
                return Leaf(node.condition, Output.SKIP, node.write, node.labels, node.number)
            case Windowed(body=body, window=window) if _hides(body):
                if isinstance(window, EventWindow):
                    return Windowed(body, LengthWindow(window.size))
                raise UnsupportedError(
                    "a window in time inside a formula, around events that are not shown, has no translation "
                    "to SREMO; put it outermost, or select the variables of these events too"
                )
        return node

    found = transform(expression, rewrite)
    return found if isinstance(found, Expression) else expression


def _hides(expression: Expression) -> bool:
    return any(leaf.output is Output.SKIP for leaf in leaves(expression))


class _Building:
    """Makes the expression of a formula from those of its parts."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.numbers: Iterator[int] = count()
        self.registers: dict[tuple[Variable, frozenset[int]], Register] = {}

    def visit(self, node: Node, below: tuple[Expression, ...]) -> Expression:
        match node:
            case Relation(name=name):
                condition = is_of_type(name, self.schema)
                return Leaf(condition, Output.MARK, None, frozenset({name}), next(self.numbers))
            case Filter(predicate=predicate):
                return self.filtered(below[0], predicate)
            case Formula():
                return _combined(node, below)
        return EPSILON  # predicates are read where they filter

    def filtered(self, body: Expression, predicate: Predicate) -> Expression:
        """``body FILTER predicate``."""
        return union(*(reduce(self.asked, parts, body) for parts in alternatives(predicate)))

    def asked(self, body: Expression, predicate: Predicate) -> Expression:
        """``body FILTER predicate``, for a condition on events of one variable or of several."""
        match predicate:
            case ForAll(condition=condition) if len(variables_read(predicate)) == 1:
                return self.asked(body, for_all(condition))
            case Each(variable=variable, condition=condition):
                return tested_everywhere(body, variable, _of_values(condition))
            case ForAll(condition=condition):
                return tested_last(body, _of_values(condition), self.fresh)
        raise UnsupportedError(
            f"the filter {show_cel(predicate)} has no translation to SREMO: {_reason(predicate)}"
        )

    def fresh(self, name: Variable, where: frozenset[int]) -> Register:
        """A register that nothing else is saved in, called after a variable."""
        if (name, where) not in self.registers:
            taken = set(self.registers.values())
            names = (name if n == 1 else f"{name}_{n}" for n in count(1))
            self.registers[name, where] = next(r for r in names if r not in taken)
        return self.registers[name, where]


def _combined(node: Formula, below: tuple[Expression, ...]) -> Expression:
    match node:
        case In(variable=variable):
            return at_leaves(below[0], lambda leaf: _labelled(leaf, leaf.labels | {variable}))
        case Sequencing():
            return SkipTillAny(below)
        case Contiguous():
            return sequence(*below)
        case Iteration():
            return SkipTillAny((Plus(below[0]),))
        case ContiguousIteration():
            return Plus(below[0])
        case Or():
            return union(*below)
        case Strict():
            return _without_gaps(below[0])
        case Within(window=window):
            return Windowed(below[0], window)
        case Projection(variables=variables):
            return _projected(below[0], frozenset(variables))
    name = type(node).__name__
    raise UnsupportedError(f"{name.upper()} has no translation to SREMO: {_OUTSIDE.get(name, 'unknown')}")


_OUTSIDE: Final = {
    "Start": "a SREMO may begin at any event of a stream",
    "And": "an intersection compares marks, AND compares the variables too; compile the formula to a CEA",
    "All": "its parts overlap; write their orders as an OR of sequences, or compile the formula to a CEA",
    "Unless": "it looks at the stream before the first marked event; compile the formula to a CEA",
    "Nxt": "it compares all matches of a position; select among the matches instead",
    "Last": "it compares all matches of a position; select among the matches instead",
    "Max": "it compares all matches of a position; select among the matches instead",
}


def _reason(predicate: Predicate) -> str:
    match predicate:
        case Negated():
            return "it negates a whole predicate; negate the conditions inside"
        case ForSome():
            return "it asks for some events, not for all of them"
        case Compared() | Holds():
            return "it looks at a whole set of events at once, a register holds one"
    return "it is not made of conditions on events"


def _of_values(condition: Condition) -> Condition:
    if reads_position(condition):
        raise UnsupportedError(
            "the positions of events are counted from 0 in CEL and from 1 in SREMO, so a condition that "
            "reads them has no translation"
        )
    return condition


def _labelled(leaf: Leaf, labels: frozenset[Variable]) -> Leaf:
    return Leaf(leaf.condition, leaf.output, leaf.write, labels, leaf.number)


def _projected(body: Expression, kept: frozenset[Variable]) -> Expression:
    for leaf in leaves(body):
        if not leaf.labels & kept:
            raise UnsupportedError(
                f"the projection leaves events of {', '.join(sorted(leaf.labels))} out of the complex event; "
                "project the matches afterwards, or compile the formula to a CEA"
            )
    return at_leaves(body, lambda leaf: _labelled(leaf, leaf.labels & kept))


def _without_gaps(body: Expression) -> Expression:
    """What of `body` marks events that follow one another; every terminal marks its event."""

    def rewrite(node: Node) -> Node:
        return sequence(*node.parts) if isinstance(node, SkipTillAny) else node

    found = transform(body, rewrite)
    return found if isinstance(found, Expression) else body
