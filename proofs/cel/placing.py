"""Whether a formula finds a given complex event, looked for among its own events alone.

A formula of CEL*, ``STRICT``, ``:`` and ``(+)`` reads no event that it does not mark. So whether it finds a
complex event depends on the marked events and on which of them are neighbours, and there are few ways to find
it even where there are many complex events: streams can be long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Final, TypeAlias

from mnemata.proofs.cel.compiling import Instance
from mnemata.proofs.cel.rewriting import fragment, over
from mnemata.proofs.claims import Claim
from mnemata.theory.cel import semantics
from mnemata.theory.cel.binding import bind_formula
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
)
from mnemata.theory.cel.predicates import Measure, variables_read
from mnemata.theory.cel.satisfaction import holds
from mnemata.theory.cel.valuations import Position, Valuation
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Event
from mnemata.theory.trees import Node, fold, walk

Places: TypeAlias = tuple[Position, ...]
Table: TypeAlias = dict[tuple[int, int], frozenset[Valuation]]
"""What marks all places from one to another, both by their numbers."""

FRAGMENT: Final = (Contiguous, ContiguousIteration, Strict)
"""What there may be besides the operators of CEL*."""


def exactly(formula: Formula, stream: Sequence[Event], places: Sequence[Position]) -> frozenset[Valuation]:
    """The valuations over the stream, up to the last of `places`, whose support are these places.

    Parameters
    ----------
    formula : Formula
        Of CEL*, ``STRICT``, ``:`` and ``(+)``.
    stream : sequence of Event
        Of one schema, at least up to the last place.
    places : sequence of int
        In order, at least one.

    Raises
    ------
    UnsupportedError
        For other operators.
    """
    marked = tuple(places)
    bound = bind_formula(formula, stream[0].schema)
    intervals = [(a, b) for a in range(len(marked) - 1, -1, -1) for b in range(a, len(marked))]
    table: Table = fold(bound, lambda node, below: _meaning(node, below, stream, marked, intervals))
    return table[0, len(marked) - 1]


def _meaning(
    node: Node,
    below: tuple[Table, ...],
    stream: Sequence[Event],
    places: Places,
    intervals: list[tuple[int, int]],
) -> Table:
    match node:
        case Relation(name=name):
            return {(a, b): frozenset(_event(name, stream, places, a, b)) for a, b in intervals}
        case Sequencing() | Contiguous():
            near = isinstance(node, Contiguous)
            return reduce(lambda f, g: {at: _joined(f, g, at, places, near) for at in intervals}, below)
        case Iteration() | ContiguousIteration():
            table: Table = {}
            for at in intervals:
                rounds = _joined(below[0], table, at, places, isinstance(node, ContiguousIteration))
                table[at] = below[0][at] | rounds
            return table
        case Or():
            return {at: frozenset().union(*(part[at] for part in below)) for at in intervals}
        case In(variable=variable):
            return {at: frozenset(mu.bind(variable, mu.support) for mu in below[0][at]) for at in intervals}
        case Filter():
            return {at: frozenset(mu for mu in below[0][at] if _passes(node, mu, stream)) for at in intervals}
        case Strict():
            near_all = {(a, b): places[b] - places[a] == b - a for a, b in intervals}
            return {at: below[0][at] if near_all[at] else frozenset() for at in intervals}
        case Formula():
            raise UnsupportedError(f"{type(node).__name__} may read events that it does not mark")
    return {}


def _event(name: str, stream: Sequence[Event], places: Places, a: int, b: int) -> Iterator[Valuation]:
    event = stream[places[a]]
    if a == b and event[str(event.schema.event_type)] == name:
        yield Valuation({name: [places[a]]})


def _joined(
    left: Table, right: Table, at: tuple[int, int], places: Places, near: bool
) -> frozenset[Valuation]:
    a, b = at
    cuts = (c for c in range(a, b) if not near or places[c + 1] == places[c] + 1)
    return frozenset(mu.union(nu) for c in cuts for mu in left[a, c] for nu in right[c + 1, b])


def _passes(node: Filter, mu: Valuation, stream: Sequence[Event]) -> bool:
    relevant = mu.restrict(variables_read(node.predicate))
    return holds(node.predicate, lambda name: [stream[p] for p in sorted(relevant[name])])


def own_events_are_enough() -> Claim[Instance]:
    """What is found among the events of a complex event is what Fig. 3 says is found over the stream."""

    def agrees(instance: Instance) -> bool:
        formula, stream = instance
        for n, found in enumerate(semantics.valuations_along(formula, stream)):
            for support in {frozenset(range(n + 1)), *(mu.support for mu in found)}:
                meant = {mu for mu in found if mu.support == support}
                if exactly(formula, stream, sorted(support)) != meant:
                    return False
        return True

    formulas = fragment(*FRAGMENT)
    return Claim("a complex event is found among its own events", "Section 8.2", over(formulas), agrees)


def occurrences(formula: Formula) -> int:
    """How many event types are written in a formula."""

    def counted(node: Node, below: tuple[int, ...]) -> int:
        return 1 if isinstance(node, Relation) else sum(below)

    return fold(formula, counted)


def is_about_sets(formula: Formula) -> bool:
    """Whether its predicates are about sets of events: not how many alike there are, nor in which order.

    So are all predicates of the paper; the project's tell events apart by their positions.
    """
    measures = (node.function for node in walk(formula) if isinstance(node, Measure))
    return all(function in ("min", "max") for function in measures)
