"""Automata side by side (CEL Thm 6.2: ``AND``, ``ALL``, ``UNLESS``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TypeAlias

from mnemata.automata.cea.automaton import CEA, UNMARKED, State, Transition
from mnemata.automata.constructions.cea.determinization import determinize
from mnemata.automata.constructions.cea.exploration import Edge, explore
from mnemata.automata.constructions.cea.labelling import projected
from mnemata.automata.constructions.cea.predicates import both, impossible
from mnemata.automata.constructions.cea.sequencing import with_single_ends
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.schema import Schema

Pair: TypeAlias = tuple[State, State]
Step: TypeAlias = Callable[[Pair], Iterator[Edge[Pair]]]


def conjunction(left: CEA, right: CEA, schema: Schema) -> CEA:
    """``left AND right``: the valuations that both have; they read every event with the same labels."""

    def outgoing(here: Pair) -> Iterator[Edge[Pair]]:
        return (e for t, u, e in _lockstep(left, right, here) if t.labels == u.labels)

    return _paired(left, right, outgoing, schema, left.finals, right.finals)


def interleaving(left: CEA, right: CEA, schema: Schema) -> CEA:
    """``left ALL right``: both, each in a part of the interval; together the parts reach both of its ends.

    As published, and events between the two parts are read when one automaton has ended and the other not
    begun (ERRATA B2).
    """
    one, other = with_single_ends(left), with_single_ends(right)
    gaps = {*product(one.finals, other.initials), *product(one.initials, other.finals)}

    def outgoing(here: Pair) -> Iterator[Edge[Pair]]:
        yield from _interleaved(one, other, here)
        if here in gaps:
            yield Edge(TOP, UNMARKED, here)

    return _paired(one, other, outgoing, schema, one.finals, other.finals)


def interleaving_as_published(left: CEA, right: CEA, schema: Schema) -> CEA:
    """``ALL`` as in Thm 6.2: one part must begin no later than right after the other (ERRATA B2)."""
    one, other = with_single_ends(left), with_single_ends(right)
    return _paired(one, other, lambda here: _interleaved(one, other, here), schema, one.finals, other.finals)


def unless(body: CEA, guard: CEA, schema: Schema) -> CEA:
    """``body UNLESS guard``: what `body` has where `guard` has nothing over any part of the interval.

    The guard is ``TRUE* . PI_0(guard) . TRUE*``, determinized and complete (ERRATA B3).
    """
    anywhere = _anywhere(projected(guard, ()))
    watch = determinize(trim(anywhere), schema, complete=True, label_sets=[UNMARKED])
    return _guarded(body, watch, schema)


def unless_as_published(body: CEA, guard: CEA, schema: Schema, *, complete: bool = False) -> CEA:
    """``UNLESS`` as in Thm 6.2: the guard over the whole interval only, and not complete (ERRATA B3).

    With `complete`, types include the events that no predicate of the guard holds of.
    """
    watch = determinize(projected(guard, ()), schema, complete=complete, label_sets=[UNMARKED])
    return _guarded(body, watch, schema)


def _guarded(body: CEA, watch: CEA, schema: Schema) -> CEA:
    def outgoing(here: Pair) -> Iterator[Edge[Pair]]:
        return (e for _, _, e in _lockstep(body, watch, here))

    quiet = frozenset(watch.states) - watch.finals
    return _paired(body, watch, outgoing, schema, body.finals, quiet)


def _anywhere(cea: CEA) -> CEA:
    """``TRUE* . cea . TRUE*``; once it has ended somewhere, nothing else matters."""
    ends = with_single_ends(cea)
    loops = (Transition(state, TOP, UNMARKED, state) for state in (*ends.initials, *ends.finals))
    return CEA(ends.size, (*ends.transitions, *loops), ends.initials, ends.finals)


def _lockstep(left: CEA, right: CEA, here: Pair) -> Iterator[tuple[Transition, Transition, Edge[Pair]]]:
    """Both read the same event."""
    for t, u in product(left.outgoing(here[0]), right.outgoing(here[1])):
        yield t, u, Edge(both(t.predicate, u.predicate), t.labels | u.labels, (t.target, u.target))


def _interleaved(left: CEA, right: CEA, here: Pair) -> Iterator[Edge[Pair]]:
    """Both read an event, or one does while the other has not begun or has ended."""
    p, q = here
    yield from (e for _, _, e in _lockstep(left, right, here))
    if p in left.initials | left.finals:
        yield from (Edge(u.predicate, u.labels, (p, u.target)) for u in right.outgoing(q))
    if q in right.initials | right.finals:
        yield from (Edge(t.predicate, t.labels, (t.target, q)) for t in left.outgoing(p))


def _paired(
    left: CEA,
    right: CEA,
    outgoing: Step,
    schema: Schema,
    left_finals: frozenset[State],
    right_finals: frozenset[State],
) -> CEA:
    """The product reachable over events that may exist, final where both are, trimmed."""

    def possible(here: Pair) -> Iterator[Edge[Pair]]:
        return (e for e in outgoing(here) if not impossible(e.predicate, schema))

    starts = product(sorted(left.initials), sorted(right.initials))
    return trim(explore(starts, possible, lambda here: here[0] in left_finals and here[1] in right_finals))
