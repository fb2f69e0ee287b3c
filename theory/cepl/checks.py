"""Whether an expression is well-formed, safe and bounded (RMA Def. 2, after Grez et al.), and why not.

Where the paper's prose asks that all disjuncts of an ``OR`` define the same variables, its definition does
not; the definition is followed, since a filter over such a variable is excluded already by ``bound``.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import combinations
from typing import Final, NamedTuple

from mnemata.theory.cepl.expressions import Expression, Filter, Iteration, Sequence, Variable
from mnemata.theory.cepl.variables import Variables, bound, bound_by, defined, occurring, rebound
from mnemata.theory.conditions.formulas import Condition, variables
from mnemata.theory.errors import suggestion
from mnemata.theory.trees import Node, children, fold, walk

_MOST_LISTED: Final = 20


class Rule(Enum):
    """What an expression may violate."""

    WELL_FORMED = "well-formed: whatever a filter reads is bound by an expression around it"
    SAFE = "safe: the parts of a sequence bind different variables"
    BOUND_INSIDE = "bounded: whatever a filter reads is bound by what it filters"
    SEPARATE = "bounded: the parts of a sequence share no variable"


class Violation(NamedTuple):
    """A rule that an expression breaks: the variable, the part that breaks it, why, and what would do.

    Parameters
    ----------
    rule : Rule
        What is violated.
    variable : str
        The variable in question.
    node : Expression
        The filter or sequence to blame.
    reason, remedy : str
        Two clauses of a message.
    """

    rule: Rule
    variable: Variable
    node: Expression
    reason: str
    remedy: str

    @property
    def message(self) -> str:
        """Both clauses and the rule."""
        return f"{self.reason}; {self.remedy} ({self.rule.value})"


class _Known(NamedTuple):
    """What is bound by the expressions around a filter: by all, and by those in the same iteration."""

    node: Filter
    anywhere: Variables
    same_round: Variables


def ill_formed_parts(expression: Expression) -> Iterator[Violation]:
    """What keeps an expression from being well-formed.

    For each filter and each variable that it reads there must be an expression that binds the variable and
    contains what is filtered.
    """
    for known in _filters(expression):
        for name in sorted(variables(known.node.condition) - known.anywhere):
            yield _unbound(known, name, defined(expression))


def _filters(expression: Expression) -> Iterator[_Known]:
    binds: dict[int, Variables] = {}

    def note(node: Node, below: tuple[Variables, ...]) -> Variables:
        binds[id(node)] = bound_by(node, below)
        return binds[id(node)]

    fold(expression, note)
    stack: list[tuple[Expression, Variables, Variables]] = [(expression, frozenset(), frozenset())]
    while stack:
        node, around, here = stack.pop()
        around, here = around | binds[id(node)], here | binds[id(node)]
        if isinstance(node, Filter):
            yield _Known(node, around, here)
        inside = frozenset[Variable]() if isinstance(node, Iteration) else here
        below = (child for child in reversed(children(node)) if isinstance(child, Expression))
        stack += [(child, around, inside) for child in below]


def unsafe_parts(expression: Expression) -> Iterator[Violation]:
    """What keeps an expression from being safe: a variable would have to stand for two events at once."""
    for node in _sequences(expression):
        for left, right in combinations(node.parts, 2):
            for name in sorted(rebound(left) & rebound(right)):
                reason = f"two parts of a sequence bind '{name}', one event, so nothing matches"
                yield Violation(Rule.SAFE, name, node, reason, f"rename '{name}' in one of them")


def unbounded_parts(expression: Expression) -> Iterator[Violation]:
    """What keeps an expression from being bounded (Def. 2), ill-formed parts first."""
    yield from ill_formed_parts(expression)
    for known in _filters(expression):
        for name in sorted(variables(known.node.condition) - bound(known.node.body)):
            yield _not_inside(known, name)
    for node in _sequences(expression):
        for left, right in combinations(node.parts, 2):
            for name in sorted(occurring(left) & occurring(right)):
                reason = f"two parts of a sequence share the variable '{name}'"
                remedy = f"rename '{name}' in one of them, and filter the whole sequence to relate the two"
                yield Violation(Rule.SEPARATE, name, node, reason, remedy)


def is_well_formed(expression: Expression) -> bool:
    """Whether whatever a filter reads is bound by an expression around it."""
    return next(ill_formed_parts(expression), None) is None


def is_safe(expression: Expression) -> bool:
    """Whether no two parts of a sequence bind the same variable outside of iterations."""
    return next(unsafe_parts(expression), None) is None


def is_bounded(expression: Expression) -> bool:
    """Whether finitely many registers suffice for it by the rules of Def. 2.

    >>> from mnemata.theory.cepl.expressions import atom
    >>> from mnemata.theory.conditions.building import register
    >>> same = register("x").id == register("y").id
    >>> is_bounded((atom("T", "x") >> atom("H", "y")).filter(same))
    True
    >>> is_bounded(atom("T", "x").filter(same).plus() >> atom("H", "y"))
    False
    """
    return next(unbounded_parts(expression), None) is None


def _sequences(expression: Expression) -> Iterator[Sequence]:
    return (node for node in walk(expression, down_to=(Condition,)) if isinstance(node, Sequence))


def _unbound(known: _Known, name: Variable, anywhere: Variables) -> Violation:
    names = sorted(known.anywhere)
    have = ", ".join([*names[:_MOST_LISTED], "..."] if len(names) > _MOST_LISTED else names) or "none"
    reason = f"nothing around the filter binds the variable '{name}' that is read"
    if name in anywhere:
        remedy = f"'{name}' is bound in an OR or an iteration only; what is bound on every way: {have}"
    else:
        remedy = f"events are bound to it by AS {name}, and bound are: {have}"
    hint = suggestion(name, known.anywhere)
    return Violation(Rule.WELL_FORMED, name, known.node, reason, f"{remedy}{hint and '.'}{hint}")


def _not_inside(known: _Known, name: Variable) -> Violation:
    reason = f"the filter reads '{name}', which is bound outside of what it filters"
    if name in known.same_round:
        remedy = f"it would be bounded if it filtered the whole expression that binds '{name}'"
    elif name in defined(known.node.body):
        remedy = f"it would be bounded if it moved into the disjunct or iteration that binds '{name}'"
    else:
        remedy = (
            f"'{name}' is bound outside of the iteration that repeats the filter: it would be bounded if "
            f"'{name}' was bound in the same round, or the rounds were written out as a sequence"
        )
    return Violation(Rule.BOUND_INSIDE, name, known.node, reason, remedy)
