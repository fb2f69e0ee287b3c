"""Which states runs are in before they mark anything, and which after."""

from __future__ import annotations

from mnemata.automata.reachability import reachable
from mnemata.automata.srt.transducer import SRT, State
from mnemata.theory.sremo.expressions import Output


def unmarked_states(srt: SRT) -> frozenset[State]:
    """The states of runs that have marked nothing."""
    skipping = (t for t in srt.transitions if t.output is Output.SKIP)
    return reachable({srt.start}, ((t.source, t.target) for t in skipping))


def marked_states(srt: SRT) -> frozenset[State]:
    """The states of runs that have marked something; some may be those of others, too."""
    unmarked = unmarked_states(srt)
    first = {t.target for state in unmarked for t in srt.outgoing(state) if t.output is Output.MARK}
    return reachable(first, ((t.source, t.target) for t in srt.transitions))


def states_before_marks(srt: SRT) -> frozenset[State]:
    """The states from which something may still be marked."""
    marking = {t.source for t in srt.transitions if t.output is Output.MARK}
    return reachable(marking, ((t.target, t.source) for t in srt.transitions))
