"""Complex event automata as transducers without registers."""

from __future__ import annotations

from mnemata.automata.cea.automaton import CEA
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.sremo.expressions import Output


def srt_of(cea: CEA) -> SRT:
    """The SRT whose runs over a stream, from its first event on, mark what those of `cea` mark.

    Variables are not told apart. A start state is added where `cea` has not exactly one initial state.
    """
    starts = sorted(cea.initials)
    moves = [(t.source, t) for t in cea.transitions]
    start, size = (starts[0], cea.size) if len(starts) == 1 else (cea.size, cea.size + 1)
    if start == cea.size:
        moves += [(start, t) for t in cea.transitions if t.source in cea.initials]
    transitions = tuple(
        Transition(source, t.predicate, Output.MARK if t.marking else Output.SKIP, frozenset(), t.target)
        for source, t in moves
    )
    return SRT(size, start, cea.finals, transitions)


def ends_marked(cea: CEA) -> bool:
    """Whether every complex event is found at the position of its last event, and only there.

    Precondition: trimmed.
    """
    return all(t.marking for t in cea.transitions if t.target in cea.finals)
