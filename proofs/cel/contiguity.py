"""Unary formulas without ``:`` and ``(+)``: all of CEL Prop. 8.15, put together of the laws of App. B and E.

Filters go to the event types first; then the formula is rewritten from the inside out, so that what is under
``:`` or ``(+)`` is made of event types with filters, ``;``, ``+``, OR and ``STRICT(...)`` alone. There a
*tight* part is an event type, perhaps with filters, or ``STRICT(...)``: its complex events are intervals.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Final

from hypothesis import strategies as st

from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.cel.compiling import Instance
from mnemata.proofs.cel.enumerating import formulas
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.rewriting import as_formula, changed, fragment
from mnemata.proofs.claims import Claim
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators.cel import CEL_STAR_OPERATORS, RELATIONS, words
from mnemata.theory.cel import semantics
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
    either,
    sequence,
    variables_of,
)
from mnemata.theory.cel.predicates import AllOf, AnyOf, Each, for_all
from mnemata.theory.cel.rewriting import binding_at_leaves, filters_at_event_types, is_in_fragment
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.building import register
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.trees import Node, transform, walk


def without_contiguity(formula: Formula) -> Formula:
    """A formula of CEL* and ``STRICT`` with the complex events of a unary one of CEL*, ``:`` and ``(+)``.

    ``STRICT`` may occur too. The result can be exponentially longer.
    """
    return as_formula(transform(filters_at_event_types(formula), _rewritten))


def _rewritten(node: Node) -> Node:
    match node:
        case Contiguous(parts=(first, *rest)):
            found = first
            for part in rest:
                found = adjoined(found, part)
            return found
        case ContiguousIteration(body=body):
            return iterated(body)
    return node


def adjoined(left: Formula, right: Formula) -> Formula:
    """``left : right`` by the cases of App. B: what ends `left` and what begins `right` become ``STRICT``."""
    match left, right:
        case Sequencing(parts=(*before, last)), _:
            return sequence(*before, adjoined(last, right))
        case Or(parts=parts), _:
            return either(*(adjoined(part, right) for part in parts))
        case Iteration(body=body), _:
            joined = adjoined(body, right)
            return joined | (left >> joined)
        case _, Sequencing(parts=(first, *after)):
            return sequence(adjoined(left, first), *after)
        case _, Or(parts=parts):
            return either(*(adjoined(left, part) for part in parts))
        case _, Iteration(body=body):
            joined = adjoined(left, body)
            return joined | (joined >> right)
    return Strict(left >> right)


def iterated(body: Formula) -> Formula:
    """``body (+)`` by the cases of App. E, the fifth part for OR as in ERRATA B11."""
    match body:
        case Sequencing(parts=(first, *rest)):
            return _sequences(first, sequence(*rest))
        case Iteration():
            return body
        case Or(parts=parts) if not all(map(is_tight, parts)):
            n = next(n for n, part in enumerate(parts) if not is_tight(part))
            return _alternatives([*parts[:n], *parts[n + 1 :]], parts[n])
    return Strict(Iteration(body))


def is_tight(formula: Formula) -> bool:
    """Whether its complex events are intervals because of what it is outermost."""
    return isinstance(formula, Relation | Filter | Strict)


def _sequences(first: Formula, rest: Formula) -> Formula:
    """``(first ; rest)(+) == first ; (rest OR ((rest : first)+ ; rest))``."""
    return first >> (rest | (Iteration(adjoined(rest, first)) >> rest))


def _alternatives(others: list[Formula], loose: Formula) -> Formula:
    """``(a OR (b ; c))(+)`` in five parts; ``b+`` is ``b OR (b ; b+)``."""
    if isinstance(loose, Iteration):
        others, first, rest = [*others, loose.body], loose.body, as_formula(loose)
    elif isinstance(loose, Sequencing):
        first, rest = loose.parts[0], sequence(*loose.parts[1:])
    else:
        raise UnsupportedError(f"{loose!r} should have been rewritten")
    a, tail = iterated(either(*others)), rest | (Iteration(adjoined(rest, first)) >> rest)
    b, after_a, before_a = first >> tail, adjoined(a, first), adjoined(tail, a)
    then_b, then_a = _sequences(after_a, tail), _sequences(first, before_a)
    return either(a, b, then_b, adjoined(a, then_a), then_a, adjoined(b, then_b))


def filters_lowered_as_published(formula: Formula) -> Formula:
    """Step (2) of App. E: ``f FILTER P(A)`` without its filter, and P asked of each event bound to A.

    ``R IN A`` becomes ``R FILTER P(R)``; if A is an event type, ``A`` becomes ``A FILTER P(A)`` instead.
    """
    found = transform(binding_at_leaves(formula), lambda n: _lowered(n) if isinstance(n, Filter) else n)
    return as_formula(transform(found, lambda node: node.body if isinstance(node, In) else node))


def _lowered(node: Filter) -> Formula:
    match node.predicate:
        case AllOf(operands=operands):
            return reduce(lambda f, operand: _lowered(Filter(f, operand)), operands, node.body)
        case AnyOf(operands=operands):
            return either(*(_lowered(Filter(node.body, operand)) for operand in operands))
        case Each(variable=name, condition=condition):
            return as_formula(transform(node.body, lambda part: _asked(part, name, condition)))
    raise UnsupportedError("the law is about extensions of conditions on single events")


def _asked(part: Node, name: Variable, condition: Condition) -> Node:
    match part:
        case Relation(name=kind) if kind == name:
            return Filter(part, Each(kind, condition))
        case In(body=body, variable=bound) if bound == name and name not in RELATIONS:
            (kind,) = (node.name for node in walk(body) if isinstance(node, Relation))
            return Filter(body, Each(kind, condition))
    return part


_UNARY = fragment(Contiguous, ContiguousIteration, Strict, depth=2, unary=True)
INSTANCES: st.SearchStrategy[Instance] = st.tuples(_UNARY, words(max_size=5))


@st.composite
def filtered(draw: st.DrawFn, names: tuple[Variable, ...], filters: int) -> Instance:
    """An event type or two, bound to some of the names, and so many filters on a variable; with a stream."""
    parts = draw(st.lists(st.sampled_from(RELATIONS), min_size=1, max_size=2))
    bound = [In(Relation(kind), draw(st.sampled_from(names))) for kind in parts]
    formula = sequence(*bound)
    for _ in range(filters):
        name = draw(st.sampled_from(sorted(variables_of(formula))))
        formula = formula.filter(for_all(register(name).id == draw(st.integers(1, 2))))
    return formula, draw(words(max_size=2))


FILTERED_TWICE: st.SearchStrategy[Instance] = filtered(("X",), 2)
NAMED_LIKE_TYPES: st.SearchStrategy[Instance] = filtered(RELATIONS, 1)


def contiguity_is_strict() -> Claim[Instance]:
    """Prop. 8.15: a unary formula of CEL* with ``:`` and ``(+)`` has one with ``STRICT`` instead."""

    def holds(instance: Instance) -> bool:
        formula, stream = instance
        found = without_contiguity(formula)
        same = semantics.complex_events_along(found, stream) == semantics.complex_events_along(
            formula, stream
        )
        return same and is_in_fragment(found, Strict) and is_unary(found)

    return Claim("STRICT instead of : and (+)", "Prop. 8.15", INSTANCES, holds)


def contiguous_otherwise(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That complex events change, for all unary formulas with up to ``effort.parts`` operators."""
    kinds = frozenset((*CEL_STAR_OPERATORS, Contiguous, ContiguousIteration))
    for operators in range(effort.parts + 1):
        for formula in formulas(operators, kinds):
            if any(isinstance(node, Contiguous | ContiguousIteration) for node in walk(formula)):
                yield changed(without_contiguity, formula, string, labels=False)


proofs_of_contiguity: Final = over_all_streams(contiguous_otherwise, longer=1)
"""Prop. 8.15 for all unary formulas with few operators."""
