"""Which states runs are in before they mark anything, and which after."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.sremo.expressions import Output


def unmarked_states(srt: SRT) -> frozenset[State]:
    """The states of runs that have marked nothing."""
    return _reached(srt, {srt.start}, lambda t: t.output is Output.SKIP)


def marked_states(srt: SRT) -> frozenset[State]:
    """The states of runs that have marked something; some may be those of others, too."""
    unmarked = unmarked_states(srt)
    first = {t.target for state in unmarked for t in srt.outgoing(state) if t.output is Output.MARK}
    return _reached(srt, first, lambda t: True)


def states_before_marks(srt: SRT) -> frozenset[State]:
    """The states from which something may still be marked."""
    into: dict[State, list[State]] = {}
    for t in srt.transitions:
        into.setdefault(t.target, []).append(t.source)
    found = {t.source for t in srt.transitions if t.output is Output.MARK}
    pending = list(found)
    while pending:
        before = [state for state in into.get(pending.pop(), ()) if state not in found]
        found.update(before)
        pending += before
    return frozenset(found)


def _reached(srt: SRT, begin: Iterable[State], follows: Callable[[Transition], bool]) -> frozenset[State]:
    found = set(begin)
    pending = list(found)
    while pending:
        for t in srt.outgoing(pending.pop()):
            if follows(t) and t.target not in found:
                found.add(t.target)
                pending.append(t.target)
    return frozenset(found)
