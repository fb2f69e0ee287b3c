"""Configurations, runs and matches of an RMA (Def. 5 to 7).

They are those of the SRT inside. Where Def. 6 asks that the last output be a bullet, the output of the last
event is meant: read to the letter, with epsilon transitions counted, an automaton built for an ``OR`` would
accept nothing (ERRATA C5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mnemata.automata.rma.automaton import RMA
from mnemata.automata.srt import runs as of_srt
from mnemata.automata.srt.configurations import Configuration
from mnemata.automata.srt.runs import Acceptance, Run
from mnemata.theory.cepl.semantics import Match, Matches
from mnemata.theory.conditions.evaluation import EMPTY
from mnemata.theory.schema import Event


def initial(rma: RMA) -> tuple[Configuration, ...]:
    """Before the first event: each start state, with empty registers."""
    return tuple(Configuration(1, state, EMPTY) for state in sorted(rma.starts))


def runs(rma: RMA, stream: Sequence[Event]) -> Iterator[Run]:
    """``Run_n(A, S)``: the runs over the whole of a finite stream; `Run.configurations` count from 1."""
    for run in of_srt.runs(rma.srt, stream):
        if len(rma.starts) == 1:
            yield run
        elif run.transitions:
            yield Run(run.configurations[1:], run.transitions[1:], run.string)


def accepting_runs(
    rma: RMA, stream: Sequence[Event], reading: Acceptance = Acceptance.LAST_EVENT_MARKED
) -> Iterator[Run]:
    """``Run_f(A, S)``: the accepting runs over the whole of a finite stream (Def. 6)."""
    return (run for run in runs(rma, stream) if run.accepting(rma.srt, reading))


def matches_at(
    rma: RMA, stream: Sequence[Event], n: int, reading: Acceptance = Acceptance.LAST_EVENT_MARKED
) -> Matches:
    """``[[A]]_n(S)``: the matches after the first `n` events, as 0-based places (Def. 7)."""
    places = {event.position: place for place, event in enumerate(stream)}
    found = of_srt.matches(rma.srt, stream[:n], reading)
    return frozenset(frozenset(places[position] for position in marks) for marks in found)


def matches(rma: RMA, stream: Sequence[Event], reading: Acceptance = Acceptance.LAST_EVENT_MARKED) -> Matches:
    """``[[A]](S)``: the matches at any index of a finite stream (Def. 7)."""
    every = (matches_at(rma, stream, n, reading) for n in range(len(stream) + 1))
    return frozenset(found for some in every for found in some)


def recognised_at(
    rma: RMA, stream: Sequence[Event], reading: Acceptance = Acceptance.LAST_EVENT_MARKED
) -> Match:
    """The places of the events at which some run accepts: the RMA as a recogniser (Section 6)."""
    places = range(1, len(stream) + 1)
    return frozenset(n - 1 for n in places if of_srt.accepts(rma.srt, stream[:n], reading))
