"""What formulas and automata find over symbolic streams: Fig. 3 and Def. 5.2 for all values at once.

The events of a stream are variables; whatever depends on their values becomes a condition over them. So a
formula or an automaton finds a valuation *under a condition*, and two of them find the same over all
streams of a length when, for each valuation, Z3 proves the conditions equivalent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import product
from typing import TypeAlias, TypeVar

from mnemata.automata.cea.automaton import CEA, State
from mnemata.automata.cea.runs import Marks, valuation
from mnemata.theory.cel.binding import bind_formula
from mnemata.theory.cel.formulas import (
    All,
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
    Strategy,
    Unless,
    Within,
)
from mnemata.theory.cel.predicates import AllOf, AnyOf, Each, ForAll, Predicate
from mnemata.theory.cel.semantics import Interval, select
from mnemata.theory.cel.valuations import ComplexEvent, Position, Valuation
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    Bottom,
    Condition,
    Not,
    conjunction,
    disjunction,
    registers,
    rename,
)
from mnemata.theory.conditions.formulas import (
    And as Both,
)
from mnemata.theory.conditions.terms import HEAD, Variable
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.bounds import EventWindow
from mnemata.theory.translation.event_types import is_of_type
from mnemata.theory.trees import Node, fold

K = TypeVar("K")
Found: TypeAlias = dict[Valuation, Condition]
"""Under which condition each valuation is found."""

Table: TypeAlias = dict[Interval, Found]
Events: TypeAlias = Sequence[Variable]
Weighted: TypeAlias = Iterator[tuple[Valuation, Condition]]
_Link: TypeAlias = Callable[[Valuation, Valuation, Position], bool]


def valuations_along(formula: Formula, events: Events, schema: Schema) -> list[Found]:
    """What a formula finds at each position of a symbolic stream (Fig. 3, Section 7.1).

    Parameters
    ----------
    formula : Formula
        Its filters are extensions of conditions (`Each`, `ForAll`), their conjunctions and disjunctions.
    events : sequence of Variable
        The events of the stream, in order.
    schema : Schema
        Of the events.

    Raises
    ------
    UnsupportedError
        For other filters, and for windows in time.
    """
    table = over_intervals(formula, events, schema)
    return [table[0, n] for n in range(len(events))]


def over_intervals(formula: Formula, events: Events, schema: Schema) -> Table:
    """What a formula finds over each interval of a symbolic stream; parameters as for `valuations_along`."""
    table: Table = fold(bind_formula(formula, schema), _Reader(tuple(events), schema).meaning)
    return table


def runs_along(cea: CEA, events: Events) -> list[Found]:
    """What an automaton, bound to a schema, finds at each position of a symbolic stream (Def. 5.2)."""
    found = []
    here: dict[tuple[State, Marks], Condition] = {(state, ()): TOP for state in cea.initials}
    for position, event in enumerate(events):
        ways: dict[tuple[State, Marks], list[Condition]] = {}
        for (state, marks), condition in here.items():
            for t in cea.outgoing(state):
                added = ((position, t.labels),) if t.marking else ()
                taken = conjunction(condition, at(t.predicate, event))
                ways.setdefault((t.target, marks + added), []).append(taken)
        here = {there: either(conditions) for there, conditions in ways.items()}
        accepted = ((valuation(m), c) for (state, m), c in here.items() if state in cea.finals)
        found.append(collected(accepted))
    return found


def complex_events(found: Found) -> dict[ComplexEvent, Condition]:
    """Under which condition each complex event is found."""
    ways: dict[ComplexEvent, list[Condition]] = {}
    for mu, condition in found.items():
        ways.setdefault(mu.support, []).append(condition)
    return {support: either(conditions) for support, conditions in ways.items()}


def difference(one: Sequence[Mapping[K, Condition]], other: Sequence[Mapping[K, Condition]]) -> Condition:
    """The condition that, at some position, one finds a valuation or complex event and the other does not."""
    return disjunction(*(c for found in zip(one, other, strict=True) for c in _differing(*found)))


def _differing(one: Mapping[K, Condition], other: Mapping[K, Condition]) -> Iterator[Condition]:
    for key in dict.fromkeys((*one, *other)):
        left, right = one.get(key, BOTTOM), other.get(key, BOTTOM)
        if left != right:
            yield disjunction(Both((left, Not(right))), Both((right, Not(left))))


@lru_cache(maxsize=100_000)
def at(condition: Condition, event: Variable) -> Condition:
    """A condition on the head as a condition on `event`."""
    return rename(condition, {HEAD: event})


def either(conditions: Iterable[Condition]) -> Condition:
    """At least one of `conditions`."""
    distinct = tuple(dict.fromkeys(conditions))
    return TOP if TOP in distinct else disjunction(*distinct)


def collected(found: Iterable[tuple[Valuation, Condition]]) -> Found:
    """Valuations found in several ways, each with the condition that one of these is open."""
    ways: dict[Valuation, list[Condition]] = {}
    for mu, condition in found:
        if not isinstance(condition, Bottom):
            ways.setdefault(mu, []).append(condition)
    return {mu: either(conditions) for mu, conditions in ways.items()}


def _anyhow(_left: Valuation, _right: Valuation, _k: Position) -> bool:
    return True


def _adjacent(left: Valuation, right: Valuation, k: Position) -> bool:
    return max(left.support, default=None) == k and min(right.support, default=None) == k + 1


def _splits(left: Table, right: Table, interval: Interval, linked: _Link) -> Weighted:
    """Both, one after the other, over an interval."""
    i, j = interval
    for k in range(i, j):
        for (mu, first), (nu, second) in product(left[i, k].items(), right[k + 1, j].items()):
            if linked(mu, nu, k):
                yield mu.union(nu), conjunction(first, second)


class _Reader:
    """The cases of Fig. 3 over one symbolic stream."""

    def __init__(self, events: tuple[Variable, ...], schema: Schema) -> None:
        self.events, self.schema = events, schema
        last = len(events) - 1
        self.intervals = [(i, j) for i in range(last, -1, -1) for j in range(i, last + 1)]

    def meaning(self, node: Node, below: tuple[Table, ...]) -> Table:
        """What a formula finds over each interval, from what its parts find."""
        match node:
            case Sequencing():
                return reduce(lambda a, b: self.split(_anyhow, a, b), below)
            case Contiguous():
                return reduce(lambda a, b: self.split(_adjacent, a, b), below)
            case Iteration():
                return self.iterated(_anyhow, below[0])
            case ContiguousIteration():
                return self.iterated(_adjacent, below[0])
            case All():
                return reduce(self.interleaved, below)
            case Unless():
                return {it: self.unguarded(it, below[0][it], below[1]) for it in self.intervals}
            case Formula():
                return {
                    it: self.selected(node, it, [table[it] for table in below if table])
                    for it in self.intervals
                }
        return {}

    def split(self, linked: _Link, left: Table, right: Table) -> Table:
        return {it: collected(_splits(left, right, it, linked)) for it in self.intervals}

    def iterated(self, linked: _Link, body: Table) -> Table:
        table: Table = {}
        for it in self.intervals:
            table[it] = collected((*body[it].items(), *_splits(body, table, it, linked)))
        return table

    def interleaved(self, left: Table, right: Table) -> Table:
        ways: dict[Interval, list[tuple[Valuation, Condition]]] = {it: [] for it in self.intervals}
        for (i1, j1), (i2, j2) in product(self.intervals, repeat=2):
            for (mu, first), (nu, second) in product(left[i1, j1].items(), right[i2, j2].items()):
                ways[min(i1, i2), max(j1, j2)].append((mu.union(nu), conjunction(first, second)))
        return {it: collected(found) for it, found in ways.items()}

    def unguarded(self, interval: Interval, body: Found, guard: Table) -> Found:
        i, j = interval
        inside = (found for (k, m), found in guard.items() if i <= k and m <= j)
        free = _not(either(c for found in inside for c in found.values()))
        return collected((mu, conjunction(c, free)) for mu, c in body.items())

    def selected(self, node: Formula, interval: Interval, parts: list[Found]) -> Found:
        match node:
            case Relation(name=name):
                j = interval[1]
                return {Valuation({name: [j]}): at(is_of_type(name, self.schema), self.events[j])}
            case In(variable=variable):
                return collected((mu.bind(variable, mu.support), c) for mu, c in parts[0].items())
            case Projection(variables=kept):
                return collected((mu.restrict(kept), c) for mu, c in parts[0].items())
            case Filter(predicate=predicate):
                return collected(
                    (mu, conjunction(c, self.satisfied(predicate, mu))) for mu, c in parts[0].items()
                )
            case Start():
                return _kept(parts[0], lambda mu: min(mu.support, default=None) == interval[0])
            case Within(window=EventWindow(size=size)):
                return _kept(parts[0], lambda mu: _width(mu) <= size)
            case Or():
                return collected(item for part in parts for item in part.items())
            case And():
                return reduce(_common, parts)
            case Strategy():
                return selected(node, parts[0])
        raise UnsupportedError(f"no symbolic semantics for {type(node).__name__}")

    def satisfied(self, predicate: Predicate, mu: Valuation) -> Condition:
        """That a predicate holds of the events that a valuation binds."""
        match predicate:
            case Each(variable=variable, condition=condition):
                return conjunction(*(at(condition, self.events[p]) for p in sorted(mu[variable])))
            case ForAll(condition=condition):
                names = sorted(registers(condition))
                choices = product(*([self.events[p] for p in sorted(mu[name])] for name in names))
                return conjunction(*(rename(condition, dict(zip(names, c, strict=True))) for c in choices))
            case AllOf(operands=operands):
                return conjunction(*(self.satisfied(operand, mu) for operand in operands))
            case AnyOf(operands=operands):
                return either(self.satisfied(operand, mu) for operand in operands)
        raise UnsupportedError(f"no symbolic meaning of {predicate!r}")


def _kept(found: Found, keep: Callable[[Valuation], bool]) -> Found:
    return {mu: condition for mu, condition in found.items() if keep(mu)}


def _common(one: Found, other: Found) -> Found:
    return collected((mu, conjunction(one[mu], other[mu])) for mu in one if mu in other)


def _width(mu: Valuation) -> int:
    return max(mu.support) - min(mu.support) + 1 if mu.support else 0


def selected(strategy: Strategy, found: Found) -> Found:
    """What a strategy keeps at one position: each valuation where nothing preferred to it is found."""
    ways = complex_events(found)

    def beaten(one: ComplexEvent) -> Condition:
        return either(ways[other] for other in ways if one not in select(strategy, [one, other]))

    eligible = (mu for mu in found if mu.support in select(strategy, [mu.support]))
    return collected((mu, conjunction(found[mu], _not(beaten(mu.support)))) for mu in eligible)


def _not(condition: Condition) -> Condition:
    return BOTTOM if condition == TOP else TOP if condition == BOTTOM else Not(condition)
