"""Runs of a CEA, its valuations and its complex events, by definition (CEL Def. 5.1, 5.2).

Positions are 0-based places in the given sequence, whatever the events say of themselves. Conditions
must be bound to the schema of the events (`CEA.bind`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from mnemata.automata.cea.automaton import CEA, Labels, State, Transition
from mnemata.theory.cel.valuations import ComplexEvent, Position, Valuation
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.errors import StreamError
from mnemata.theory.schema import Event

Marks: TypeAlias = tuple[tuple[Position, Labels], ...]
"""The marked positions of a run in order, each with its labels; the same thing as a valuation."""


@dataclass(frozen=True, slots=True)
class Run:
    """Transitions that follow one another, one for each event from position 0 on (Def. 5.1)."""

    transitions: tuple[Transition, ...]

    @property
    def valuation(self) -> Valuation:
        """``mu_rho``: each variable bound to the positions it marks."""
        return valuation((i, t.labels) for i, t in enumerate(self.transitions))

    @property
    def complex_event(self) -> ComplexEvent:
        """The marked positions."""
        return frozenset(i for i, t in enumerate(self.transitions) if t.marking)


class Reached(NamedTuple):
    """A state with the marks of runs that end there."""

    state: State
    marks: Marks


def valuation(marks: Sequence[tuple[Position, Labels]] | Iterator[tuple[Position, Labels]]) -> Valuation:
    """The valuation that some marks stand for."""
    return Valuation((label, (position,)) for position, labels in marks for label in labels)


def enabled(cea: CEA, state: State, event: Event) -> list[Transition]:
    """The transitions of `state` that can read `event`."""
    return [t for t in cea.outgoing(state) if models(event, EMPTY, t.predicate)]


def accepting_runs(cea: CEA, stream: Sequence[Event], n: Position) -> Iterator[Run]:
    """``Run_n(A, S)``: the accepting runs over positions 0 to `n`, one by one.

    There can be exponentially many; `valuations` and `complex_events` visit none of them twice for the
    same output.
    """
    read = prefix(stream, n)
    stack: list[tuple[State, tuple[Transition, ...]]] = [(state, ()) for state in sorted(cea.initials)]
    while stack:
        state, taken = stack.pop()
        if len(taken) < len(read):
            stack += [(t.target, (*taken, t)) for t in enabled(cea, state, read[len(taken)])]
        elif state in cea.finals:
            yield Run(taken)


def valuations(cea: CEA, stream: Sequence[Event], n: Position) -> frozenset[Valuation]:
    """The valuations of the CEA over the stream at position `n` (Def. 5.2).

    Parameters
    ----------
    cea : CEA
        Bound to the schema of the events.
    stream : sequence of Event
        At least ``n + 1`` events.
    n : int
        0-based; every event up to it is read.

    Raises
    ------
    StreamError
        When the stream has no position `n`.

    Notes
    -----
    Goes through the stream once with the set of all (state, valuation): runs that differ in neither count
    as one. Equal to ``{run.valuation for run in accepting_runs(cea, stream, n)}``.
    """
    return _valuations(cea, _last(reached(cea, prefix(stream, n))))


def complex_events(cea: CEA, stream: Sequence[Event], n: Position) -> frozenset[ComplexEvent]:
    """The complex events that the CEA recognises over the stream at position `n` (Def. 5.2)."""
    return frozenset(found.support for found in valuations(cea, stream, n))


def valuations_along(cea: CEA, stream: Sequence[Event]) -> list[frozenset[Valuation]]:
    """The valuations at each position of the stream, in one pass."""
    return [_valuations(cea, here) for here in reached(cea, stream)]


def complex_events_along(cea: CEA, stream: Sequence[Event]) -> list[frozenset[ComplexEvent]]:
    """The complex events at each position of the stream, in one pass."""
    return [frozenset(v.support for v in found) for found in valuations_along(cea, stream)]


def reached(cea: CEA, stream: Sequence[Event]) -> Iterator[set[Reached]]:
    """After each event: the states that some run is in, with its marks."""
    here = {Reached(state, ()) for state in cea.initials}
    for position, event in enumerate(stream):
        moves = {state: enabled(cea, state, event) for state in {h.state for h in here}}
        here = {_after(t, h.marks, position) for h in here for t in moves[h.state]}
        yield here


def _after(transition: Transition, marks: Marks, position: Position) -> Reached:
    added = ((position, transition.labels),) if transition.marking else ()
    return Reached(transition.target, marks + added)


def _valuations(cea: CEA, here: set[Reached]) -> frozenset[Valuation]:
    return frozenset(valuation(marks) for marks in {h.marks for h in here if h.state in cea.finals})


def _last(steps: Iterator[set[Reached]]) -> set[Reached]:
    last: set[Reached] = set()
    for here in steps:
        last = here
    return last


def prefix(stream: Sequence[Event], n: Position) -> Sequence[Event]:
    """``S[0..n]``; raises `StreamError` when there is no position `n`."""
    if not 0 <= n < len(stream):
        raise StreamError(
            f"position {n} is not in a stream of {len(stream)} events; positions are counted from 0"
        )
    return stream[: n + 1]
