"""The ``*``-semantics of a CEA: every event read is marked, any events may lie between (CEL Def. 8.7).

Def. 8.7 lets the first event be read at positions ``0 < i_1`` only, though streams are 0-based; a CEA of
one ``R`` would then not see the first event (ERRATA B9). The project's reading is ``0 <= i_1``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mnemata.automata.cea.automaton import CEA
from mnemata.automata.cea.runs import Reached, enabled, prefix, valuation
from mnemata.theory.cel.valuations import ComplexEvent, Position, Valuation
from mnemata.theory.schema import Event


def star_valuations(cea: CEA, stream: Sequence[Event], n: Position) -> frozenset[Valuation]:
    """The valuations of the accepting ``*``-runs that end at position `n` (Def. 8.7, ERRATA B9).

    A ``*``-run ends at the position that it read last, so it marks position `n`. Unmarked transitions
    count as absent. Raises `StreamError` when the stream has no position `n`.
    """
    return _found(cea, prefix(stream, n), first=0)


def star_valuations_as_published(cea: CEA, stream: Sequence[Event], n: Position) -> frozenset[Valuation]:
    """Def. 8.7 to the letter: position 0 is never read."""
    return _found(cea, prefix(stream, n), first=1)


def star_complex_events(cea: CEA, stream: Sequence[Event], n: Position) -> frozenset[ComplexEvent]:
    """The complex events of the accepting ``*``-runs that end at position `n`."""
    return frozenset(found.support for found in star_valuations(cea, stream, n))


def _found(cea: CEA, read: Sequence[Event], first: Position) -> frozenset[Valuation]:
    """A run may wait at any position, but not at the last."""
    here = {Reached(state, ()) for state in cea.initials}
    for position in range(first, len(read) - 1):
        here |= set(_marking(cea, here, read[position], position))
    last = len(read) - 1
    ended = _marking(cea, here, read[last], last) if last >= first else ()
    return frozenset(valuation(h.marks) for h in ended if h.state in cea.finals)


def _marking(cea: CEA, here: set[Reached], event: Event, position: Position) -> Iterator[Reached]:
    moves = {state: enabled(cea, state, event) for state in {h.state for h in here}}
    for h in here:
        for t in moves[h.state]:
            if t.marking:
                yield Reached(t.target, (*h.marks, (position, t.labels)))
