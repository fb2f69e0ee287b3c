"""What a CEL formula matches: CEL Fig. 3 and Section 7.1, with the repairs of ERRATA B, as obvious code.

This is the oracle against which automata and engines are tested. It holds all valuations over all
intervals in memory, so use it on streams of a handful of events. Positions are 0-based places in the given
sequence, whatever the events say of themselves. Where the figure takes the minimum or maximum of an empty
support, the condition does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import TypeAlias

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
    Last,
    Max,
    Nxt,
    Or,
    Projection,
    Relation,
    Sequencing,
    Start,
    Strategy,
    Strict,
    Unless,
    Window,
    Within,
)
from mnemata.theory.cel.predicates import Predicate, variables_read
from mnemata.theory.cel.satisfaction import holds
from mnemata.theory.cel.valuations import ComplexEvent, Position, Valuation
from mnemata.theory.errors import StreamError, UnsupportedError
from mnemata.theory.schema import Event
from mnemata.theory.sremo.windows import fits
from mnemata.theory.trees import Node, fold

Interval: TypeAlias = tuple[Position, Position]
"""First and last position, both included."""

Valuations: TypeAlias = frozenset[Valuation]
Table: TypeAlias = Mapping[Interval, Valuations]
"""What a formula matches over each of some intervals."""

_Link: TypeAlias = Callable[[Valuation, Valuation, Position], bool]
"""Whether two valuations may follow one another when the first one's interval ends at a position."""


def valuations(formula: Formula, stream: Sequence[Event], i: Position, j: Position) -> Valuations:
    """The valuations of the formula over positions `i` to `j` of the stream, both included (Fig. 3).

    Raises
    ------
    StreamError
        Unless ``0 <= i <= j < len(stream)``.
    UnknownEventTypeError, UnknownAttributeError, ConditionTypeError
        When the formula does not fit the schema of the events.

    Examples
    --------
    >>> from mnemata.theory.schema import Schema, String
    >>> schema = Schema.of(type=String(), event_type="type")
    >>> stream = schema.stream([("T",), ("H",), ("H",)])
    >>> valuations(Relation("T") >> Relation("H"), stream, 0, 2)
    frozenset({{H: {2}, T: {0}}})
    """
    if not 0 <= i <= j < len(stream):
        raise StreamError(f"no positions {i} to {j} in a stream of {len(stream)} events, counted from 0")
    return _table(formula, stream, i, j)[i, j]


def valuations_over_intervals(formula: Formula, stream: Sequence[Event]) -> Table:
    """The valuations over each interval ``(i, j)`` of the stream, found at once."""
    return _table(formula, stream, 0, len(stream) - 1)


def complex_events(
    formula: Formula, stream: Sequence[Event], i: Position, j: Position
) -> frozenset[ComplexEvent]:
    """The complex events over positions `i` to `j`: the supports of the valuations."""
    return frozenset(mu.support for mu in valuations(formula, stream, i, j))


def valuations_along(formula: Formula, stream: Sequence[Event]) -> list[Valuations]:
    """At each position n of the stream the valuations over positions 0 to n."""
    table = _table(formula, stream, 0, len(stream) - 1)
    return [table[0, n] for n in range(len(stream))]


def complex_events_along(formula: Formula, stream: Sequence[Event]) -> list[frozenset[ComplexEvent]]:
    """At each position n of the stream the complex events over positions 0 to n.

    >>> from mnemata.theory.schema import Schema, String
    >>> stream = Schema.of(type=String(), event_type="type").stream([("R",), ("R",)])
    >>> [sorted(map(sorted, found)) for found in complex_events_along(Relation("R").plus(), stream)]
    [[[0]], [[0, 1], [1]]]
    """
    return [frozenset(mu.support for mu in found) for found in valuations_along(formula, stream)]


def _table(formula: Formula, stream: Sequence[Event], first: Position, last: Position) -> Table:
    """What the formula matches over each interval inside ``first..last``."""
    if first > last:
        return {}
    bound = bind_formula(formula, stream[0].schema)
    intervals = [(i, j) for i in range(last, first - 1, -1) for j in range(i, last + 1)]
    return fold(bound, lambda node, below: _meaning(node, below, stream, intervals))


def _meaning(
    node: Node, below: tuple[Table, ...], stream: Sequence[Event], intervals: list[Interval]
) -> Table:
    match node:
        case Sequencing():
            return reduce(lambda a, b: _sequenced(a, b, intervals, _anyhow), below)
        case Contiguous():
            return reduce(lambda a, b: _sequenced(a, b, intervals, _adjacent), below)
        case Iteration():
            return _iterated(below[0], intervals, _anyhow)
        case ContiguousIteration():
            return _iterated(below[0], intervals, _adjacent)
        case All():
            return reduce(lambda a, b: _interleaved(a, b, intervals), below)
        case Unless():
            return _unguarded(below[0], below[1], intervals)
        case Relation(name=name):
            return {(i, j): frozenset(_event(name, stream, j)) for i, j in intervals}
        case Formula():
            keep = _selection(node, stream)
            return {at: frozenset(keep(at, [table[at] for table in below if table])) for at in intervals}
    return {}  # predicates and what they are made of


def _event(name: str, stream: Sequence[Event], j: Position) -> Iterator[Valuation]:
    kind = stream[j].schema.event_type
    if kind is not None and stream[j][kind] == name:
        yield Valuation({name: [j]})


def _anyhow(_left: Valuation, _right: Valuation, _k: Position) -> bool:
    return True


def _adjacent(left: Valuation, right: Valuation, k: Position) -> bool:
    return max(left.support, default=None) == k and min(right.support, default=None) == k + 1


def _splits(left: Table, right: Table, at: Interval, linked: _Link) -> Iterator[Valuation]:
    """What `left` and `right` match one after the other over an interval."""
    i, j = at
    for k in range(i, j):
        for mu in left[i, k]:
            for nu in right[k + 1, j]:
                if linked(mu, nu, k):
                    yield mu.union(nu)


def _sequenced(left: Table, right: Table, intervals: list[Interval], linked: _Link) -> Table:
    return {at: frozenset(_splits(left, right, at, linked)) for at in intervals}


def _iterated(body: Table, intervals: list[Interval], linked: _Link) -> Table:
    """One round, or one round and then the rest; later intervals come first."""
    table: dict[Interval, Valuations] = {}
    for at in intervals:
        table[at] = body[at] | frozenset(_splits(body, table, at, linked))
    return table


def _interleaved(left: Table, right: Table, intervals: list[Interval]) -> Table:
    found: dict[Interval, set[Valuation]] = {at: set() for at in intervals}
    for i1, j1 in intervals:
        for i2, j2 in intervals:
            both = (mu.union(nu) for mu in left[i1, j1] for nu in right[i2, j2])
            found[min(i1, i2), max(j1, j2)].update(both)
    return {at: frozenset(matched) for at, matched in found.items()}


def _unguarded(body: Table, guard: Table, intervals: list[Interval]) -> Table:
    """`body` where `guard` matches over no interval inside (ERRATA B3)."""
    occurs = {at for at in intervals if guard[at]}

    def is_free(at: Interval) -> bool:
        return not any(at[0] <= i and j <= at[1] for i, j in occurs)

    return {at: body[at] if is_free(at) else frozenset() for at in intervals}


_Selection: TypeAlias = Callable[[Interval, Sequence[Valuations]], Iterable[Valuation]]
"""What an operator keeps or makes of the valuations that its parts have over the same interval."""


def _selection(node: Formula, stream: Sequence[Event]) -> _Selection:
    match node:
        case In(variable=variable):
            return lambda _, parts: (mu.bind(variable, mu.support) for mu in parts[0])
        case Filter(predicate=predicate):
            satisfies = _satisfying(predicate, stream)
            return lambda _, parts: filter(satisfies, parts[0])
        case Projection(variables=kept):
            return lambda _, parts: (mu.restrict(kept) for mu in parts[0])
        case Start():
            return lambda at, parts: (mu for mu in parts[0] if min(mu.support, default=None) == at[0])
        case Or():
            return lambda _, parts: frozenset().union(*parts)
        case And():
            return lambda _, parts: frozenset.intersection(*parts)
        case Within(window=window):
            return lambda _, parts: (mu for mu in parts[0] if fits_window(mu.support, window, stream))
        case Strategy():
            return lambda _, parts: _selected(node, parts[0])
    raise UnsupportedError(f"no semantics for {type(node).__name__}")


def _satisfying(predicate: Predicate, stream: Sequence[Event]) -> Callable[[Valuation], bool]:
    """Whether a predicate holds of a valuation; asked once for each assignment of its variables."""
    read, known = variables_read(predicate), dict[Valuation, bool]()

    def satisfies(mu: Valuation) -> bool:
        relevant = mu.restrict(read)
        if relevant not in known:
            known[relevant] = holds(predicate, lambda name: [stream[p] for p in sorted(relevant[name])])
        return known[relevant]

    return satisfies


def fits_window(support: ComplexEvent, window: Window, stream: Sequence[Event]) -> bool:
    """Whether a complex event of the stream fits a window; the empty one always does (ERRATA B7)."""
    ends = {min(support), max(support)} if support else set()
    events = [Event(stream[p].schema, stream[p].values, p) for p in ends]
    return fits(frozenset(ends), window, events)


def _selected(strategy: Formula, found: Valuations) -> Iterator[Valuation]:
    """The valuations that a selection strategy keeps of all those over one interval (Section 7.1)."""
    supports = {mu.support for mu in found}
    best = select(strategy, supports)
    return (mu for mu in found if mu.support in best)


def select(strategy: Formula, found: Iterable[ComplexEvent]) -> frozenset[ComplexEvent]:
    """What a selection strategy keeps of the complex events over one interval (Section 7.1).

    >>> sorted(map(sorted, select(Nxt(Relation("R")), [frozenset({1, 8}), frozenset({5, 8})])))
    [[1, 8]]
    """
    events = frozenset(found)
    match strategy:
        case Strict():
            return frozenset(c for c in events if not c or max(c) - min(c) + 1 == len(c))
        case Nxt():
            return frozenset(c for c in events if all(next_before(d, c) for d in events))
        case Last():
            return frozenset(c for c in events if all(last_before(d, c) for d in events))
        case Max():
            return frozenset(c for c in events if not any(c < d for d in events))
    raise UnsupportedError(f"{type(strategy).__name__} is no selection strategy")


def next_before(left: ComplexEvent, right: ComplexEvent) -> bool:
    """``left <=_next right``: they are equal, or the first position in just one of them is in `right`.

    >>> next_before(frozenset({5, 8}), frozenset({1, 8}))
    True
    """
    return left == right or min(left ^ right) in right


def last_before(left: ComplexEvent, right: ComplexEvent) -> bool:
    """``left <=_last right``: they are equal, or the last position in just one of them is in `right`.

    >>> last_before(frozenset({1, 8}), frozenset({5, 8}))
    True
    """
    return left == right or max(left ^ right) in right
