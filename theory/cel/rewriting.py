"""Equivalences between fragments of CEL (Section 8.2, Appendices B, C and E); each law is one function.

Laws hold for the valuations where it says so, else for the complex events. They are about CEL*, which is
built of event types, ``IN``, ``FILTER``, ``;``, ``+`` and ``OR``, extended by ``:``, ``(+)`` or ``STRICT``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import count
from typing import Any, Final

from mnemata.theory.cel.binding import is_unary
from mnemata.theory.cel.formulas import (
    Contiguous,
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Or,
    Relation,
    Sequencing,
    Strict,
    contiguous,
    either,
    sequence,
)
from mnemata.theory.cel.predicates import AllOf, AnyOf, Each, Predicate, rename_variables, variables_read
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.trees import Node, fold, replace_children, transform, walk

CEL_STAR: Final = (Relation, In, Filter, Sequencing, Iteration, Or)
"""The operators of CEL* (Def. 8.1)."""


def is_in_fragment(formula: Formula, *extra: type[Formula]) -> bool:
    """Whether a formula is built of the operators of CEL* and `extra` alone."""
    return all(isinstance(node, (*CEL_STAR, *extra)) for node in _formulas(formula))


def _formulas(formula: Formula) -> Iterator[Formula]:
    return (node for node in walk(formula, down_to=(Predicate,)) if isinstance(node, Formula))


def _require(formula: Formula, *extra: type[Formula]) -> None:
    for node in _formulas(formula):
        if not isinstance(node, (*CEL_STAR, *extra)):
            allowed = ", ".join(kind.__name__ for kind in (*CEL_STAR, *extra))
            raise UnsupportedError(
                f"{type(node).__name__} is outside the fragment that this law is about; it has {allowed}"
            )


def binding_at_leaves(formula: Formula) -> Formula:
    """Every ``IN`` right at an event type: ``(a ; b) IN A == (a IN A) ; (b IN A)``, and so on (App. B).

    Where a filter inside reads the old A, the law of the paper renames A; that changes what filters further
    out see. Here A is copied instead (ERRATA B10): ``(f FILTER P(A)) IN A == (f' IN A) FILTER P(A')`` where
    f' binds A' to whatever it binds A to. Valuations are equal on the variables of `formula`.
    """
    _require(formula, Contiguous, ContiguousIteration, Strict)
    names = _fresh(formula)
    result = transform(formula, lambda node: _pushed(node, names) if isinstance(node, In) else node)
    return _as_formula(result)


def _pushed(node: In, names: Callable[[Variable], Variable]) -> Formula:
    body = node.body
    if any(isinstance(f, Filter) and node.variable in variables_read(f.predicate) for f in _formulas(body)):
        copy = names(node.variable)
        body = _reading(_copied(body, node.variable, copy), node.variable, copy)
    return _at_relations(body, lambda leaf: In(leaf, node.variable))


def _at_relations(formula: Formula, rewrite: Callable[[Relation], Formula]) -> Formula:
    return _as_formula(transform(formula, lambda node: rewrite(node) if isinstance(node, Relation) else node))


def _copied(formula: Formula, variable: Variable, copy: Variable) -> Formula:
    """Bind `copy` to whatever `variable` is bound to."""

    def rewrite(node: Node) -> Node:
        binds = isinstance(node, Relation) and node.name == variable
        binds = binds or (isinstance(node, In) and node.variable == variable)
        return In(node, copy) if binds and isinstance(node, Formula) else node

    return _as_formula(transform(formula, rewrite))


def _reading(formula: Formula, variable: Variable, other: Variable) -> Formula:
    """Let all filters read `other` instead of `variable`."""

    def rewrite(node: Node) -> Node:
        if not isinstance(node, Filter):
            return node
        return Filter(node.body, rename_variables(node.predicate, {variable: other}))

    return _as_formula(transform(formula, rewrite))


def _isolated(formula: Formula, names: Callable[[Variable], Variable]) -> Formula:
    """Let every filter read variables of its own, copies of those it reads (ERRATA B10)."""

    def rewrite(node: Node) -> Node:
        if not isinstance(node, Filter):
            return node
        copies = {name: names(name) for name in sorted(variables_read(node.predicate))}
        body = reduce(lambda f, name: _copied(f, name, copies[name]), copies, node.body)
        return Filter(body, rename_variables(node.predicate, copies))

    return _as_formula(transform(formula, rewrite))


def _fresh(formula: Formula) -> Callable[[Variable], Variable]:
    """Names that the formula does not use."""
    used = set[str]()
    for node in _formulas(formula):
        match node:
            case Relation(name=name) | In(variable=name):
                used.add(name)
            case Filter(predicate=predicate):
                used |= variables_read(predicate)

    def fresh(name: Variable) -> Variable:
        found = next(f"{name}_{n}" for n in count(1) if f"{name}_{n}" not in used)
        used.add(found)
        return found

    return fresh


def contiguous_to_strict(formula: Formula) -> Formula:
    """Prop. 8.12: ``:`` removed with the help of ``STRICT`` (App. B, with ERRATA B10 (ii) and (iii)).

    ``(a ; b) : c == a ; (b : c)``, ``(a OR b) : c == (a : c) OR (b : c)``,
    ``a+ : c == (a : c) OR (a+ ; (a : c))``, ``(a FILTER P(A)) : c == (a' : c) FILTER P(A')`` with A' a copy
    of A, the same on the right, and ``R : S == STRICT(R ; S)``, also where R or S is some ``STRICT(...)``.

    Valuations are equal on the variables of `formula`. The result may be exponentially longer.
    """
    _require(formula, Contiguous, Strict)
    found = binding_at_leaves(formula)
    names = _fresh(found)

    def rewrite(node: Node) -> Node:
        if not isinstance(node, Contiguous):
            return node
        parts = [_isolated(part, names) for part in node.parts]
        return reduce(_adjoined, parts)

    return _as_formula(transform(found, rewrite))


def _adjoined(left: Formula, right: Formula) -> Formula:
    """``left : right`` without ``:``; filters of one side must read no variable of the other."""
    return _at_end(left, lambda a: _at_end(right, lambda b: Strict(a >> b), last=False), last=True)


def _at_end(formula: Formula, atom: Callable[[Formula], Formula], *, last: bool) -> Formula:
    """`formula` with `atom` applied to what matches its last event, or its first."""

    def visit(node: Node, below: tuple[Any, ...]) -> Any:
        match node:
            case Sequencing(parts=parts):
                return sequence(*parts[:-1], below[-1]) if last else sequence(below[0], *parts[1:])
            case Or():
                return either(*below)
            case Iteration():
                return below[0] | (node >> below[0] if last else below[0] >> node)
            case Filter(predicate=predicate):
                return Filter(below[0], predicate)
            case Formula():
                return atom(node)
        return node

    return _as_formula(fold(formula, visit))


def strict_to_contiguous(formula: Formula) -> Formula:
    """Prop. 8.13: ``STRICT`` removed with the help of ``:`` and ``(+)`` (App. C, with ERRATA B11).

    ``STRICT(a ; b) == STRICT(a) : STRICT(b)``, ``STRICT(a+) == STRICT(a)(+)``, and ``STRICT`` moves into
    ``IN``, ``FILTER`` and ``OR``. Valuations are equal.
    """
    _require(formula, Strict)
    return _as_formula(transform(formula, lambda n: _strictly(n.body) if isinstance(n, Strict) else n))


def _strictly(body: Formula) -> Formula:
    def rewrite(node: Node) -> Node:
        match node:
            case Sequencing(parts=parts):
                return contiguous(*parts)
            case Iteration(body=inner):
                return ContiguousIteration(inner)
        return node

    return _as_formula(transform(body, rewrite))


def strict_to_contiguous_as_printed(formula: Formula) -> Formula:
    """App. C as it is printed: ``STRICT(a ; b)`` becomes ``STRICT(a) ; STRICT(b)`` (ERRATA B11)."""
    _require(formula, Strict)

    def rewrite(node: Node) -> Node:
        if isinstance(node, Strict) and isinstance(node.body, Sequencing):
            return sequence(*map(Strict, node.body.parts))
        return node

    return _as_formula(transform(formula, rewrite))


def strict_iteration(formula: ContiguousIteration) -> Formula:
    """``STRICT(f)(+) == STRICT(f+)``; also ``R(+) == STRICT(R+)``, with filters (App. E).

    Valuations are equal.
    """
    body = formula.body.body if isinstance(formula.body, Strict) else formula.body
    if not isinstance(formula.body, Strict) and not _is_single(body):
        raise UnsupportedError("the law is about STRICT(...)(+) and about event types alone")
    return Strict(Iteration(body))


def _is_single(formula: Formula) -> bool:
    """Whether each complex event is a single event."""
    return all(isinstance(node, Relation | In | Filter | Or) for node in _formulas(formula))


def contiguous_sequences(formula: ContiguousIteration) -> Formula:
    """``(a ; b)(+) == a ; (b OR ((b : a)+ ; b))`` (App. E). Valuations are equal."""
    if not isinstance(formula.body, Sequencing):
        raise UnsupportedError("the law is about (a ; b)(+)")
    first, *rest = formula.body.parts
    b = sequence(*rest)
    return first >> (b | (Iteration(contiguous(b, first)) >> b))


def contiguous_iterations(formula: ContiguousIteration) -> Formula:
    """``(a+)(+) == a+`` (App. E). Valuations are equal."""
    if not isinstance(formula.body, Iteration):
        raise UnsupportedError("the law is about (a+)(+)")
    return formula.body


def contiguous_alternatives(formula: ContiguousIteration) -> Formula:
    """``(a OR b)(+)`` in five parts, by what comes first and last (App. E, with ERRATA B11).

    ``a(+) OR b(+) OR (a(+) : b(+))(+) OR a(+) : (b(+) : a(+))(+) OR (b(+) : a(+))(+)
    OR b(+) : (a(+) : b(+))(+)``.
    Valuations are equal.
    """
    return _alternatives(formula, ContiguousIteration)


def contiguous_alternatives_as_published(formula: ContiguousIteration) -> Formula:
    """Part (5) ends in ``(a(+) : b)(+)`` there: rounds of b that follow one another are lost (ERRATA B11)."""
    return _alternatives(formula, lambda b: b)


def _alternatives(formula: ContiguousIteration, last: Callable[[Formula], Formula]) -> Formula:
    if not isinstance(formula.body, Or):
        raise UnsupportedError("the law is about (a OR b)(+)")
    first, *rest = formula.body.parts
    a, b = ContiguousIteration(first), ContiguousIteration(either(*rest))
    then_a, then_b = ContiguousIteration(contiguous(b, a)), ContiguousIteration(contiguous(a, b))
    fifth = contiguous(b, ContiguousIteration(contiguous(a, last(either(*rest)))))
    return either(a, b, then_b, contiguous(a, then_a), then_a, fifth)


def filters_at_event_types(formula: Formula) -> Formula:
    """Unary filters right at the event types: ``f FILTER A[p]`` asks p of each event of A (App. E).

    Conjunctions are several filters, disjunctions several formulas. ``IN`` is dropped, so that only the
    complex events are equal.
    """
    _require(formula, Contiguous, ContiguousIteration, Strict)
    if not is_unary(formula):
        raise UnsupportedError("the law is about unary formulas; see not_unary_parts")
    found = transform(binding_at_leaves(formula), lambda n: _lowered(n) if isinstance(n, Filter) else n)
    return _as_formula(transform(found, lambda node: node.body if isinstance(node, In) else node))


def _lowered(node: Filter) -> Formula:
    """A filter moved to the event types below it, outside of their ``IN``."""
    match node.predicate:
        case AllOf(operands=operands):
            return reduce(lambda f, p: _lowered(Filter(f, p)), operands, node.body)
        case AnyOf(operands=operands):
            return either(*(_lowered(Filter(node.body, p)) for p in operands))
        case Each(variable=variable, condition=condition):
            return _asking(node.body, variable, condition)
    raise UnsupportedError("the law is about extensions of conditions on single events")


def _asking(formula: Formula, variable: Variable, condition: Condition) -> Formula:
    """`condition` asked of every event type that is bound to `variable`."""

    def visit(node: Node, below: tuple[Any, ...]) -> Node:
        match node:
            case Relation(name=name) if name == variable:
                return Filter(node, Each(name, condition))
            case In(variable=name) if name == variable:
                return _asked(node, condition)
        return replace_children(node, below) if isinstance(node, Formula) else node

    return _as_formula(fold(formula, visit))


def _asked(node: In, condition: Condition) -> Formula:
    """A chain of ``IN`` at an event type, with a filter on that event type."""
    return _at_relations(node, lambda leaf: Filter(leaf, Each(leaf.name, condition)))


def regrouped(formula: Contiguous | Sequencing) -> Formula:
    """``(a o b) o' c == a o (b o' c)`` where o and o' are ``;`` or ``:``. Valuations are equal.

    Hence it does not matter which of them binds tighter.
    """
    first, *rest = formula.parts
    if not isinstance(first, Contiguous | Sequencing):
        raise UnsupportedError("the law is about (a o b) o' c")
    inner, outer = type(first), type(formula)
    head, *middle = first.parts
    joined_middle = middle[0] if len(middle) == 1 else inner(tuple(middle))
    return inner((head, outer((joined_middle, *rest))))


def _as_formula(node: Node) -> Formula:
    if not isinstance(node, Formula):
        raise UnsupportedError(f"{node!r} is not a formula")
    return node


LAWS: Final = (
    binding_at_leaves,
    contiguous_to_strict,
    strict_to_contiguous,
    strict_iteration,
    contiguous_sequences,
    contiguous_iterations,
    contiguous_alternatives,
    filters_at_event_types,
    regrouped,
)
"""The laws of this module; what is as published or as printed and wrong is not among them."""
