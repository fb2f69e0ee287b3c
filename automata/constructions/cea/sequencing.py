"""One automaton after another, or again and again (CEL Thm 6.2: ``;``, ``:``, ``+``, ``(+)``, ``START``).

A CEA stands for what a formula matches over an interval: its runs begin at the first event of the interval
and end at the last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mnemata.automata.cea.automaton import CEA, State, Transition, moved


def sequencing(left: CEA, right: CEA) -> CEA:
    """``left ; right``: what ends `left` may lead to where `right` begins."""
    after, begins, ends = _beside(left, right)
    links = _ending(left, begins)
    return CEA(left.size + right.size, (*left.transitions, *links, *after), left.initials, ends)


def iteration(cea: CEA) -> CEA:
    """``cea+``: what ends a round may also lead to where rounds begin."""
    links = _ending(cea, sorted(cea.initials))
    return CEA(cea.size, (*cea.transitions, *links), cea.initials, cea.finals)


def contiguous(left: CEA, right: CEA) -> CEA:
    """``left : right``: the last event of `left` and the first one of `right` are marked.

    They meet in one new state that only marking transitions enter and leave.
    """
    after, begins, ends = _beside(left, right)
    link = left.size + right.size
    entering = _marking(_ending(left, [link]))
    leaving = _marking(_beginning(after, begins, link))
    transitions = (*left.transitions, *after, *entering, *leaving)
    return CEA(link + 1, transitions, left.initials, ends)


def contiguous_iteration(cea: CEA) -> CEA:
    """``cea (+)``: as published, and a round between two others may be a single event (ERRATA B1)."""
    published, link = contiguous_iteration_as_published(cea), cea.size
    entering = (t for t in published.transitions if t.target == link)
    single = (replace(t, source=link) for t in entering if t.source in cea.initials)
    return CEA(published.size, (*published.transitions, *single), published.initials, published.finals)


def contiguous_iteration_as_published(cea: CEA) -> CEA:
    """``cea (+)`` as in Thm 6.2: a new state between rounds, without a loop.

    A round of one event that is neither the first nor the last has no transition: ``R(+)`` misses {0, 1, 2}
    on three events (ERRATA B1).
    """
    link = cea.size
    entering = _marking(_ending(cea, [link]))
    leaving = _marking(_beginning(cea.transitions, cea.initials, link))
    return CEA(link + 1, (*cea.transitions, *entering, *leaving), cea.initials, cea.finals)


def anchored(cea: CEA) -> CEA:
    """``START(cea)``: a new initial state that only marking transitions leave."""
    start = cea.size
    leaving = _marking(_beginning(cea.transitions, cea.initials, start))
    return CEA(start + 1, (*cea.transitions, *leaving), frozenset({start}), cea.finals)


def with_single_ends(cea: CEA) -> CEA:
    """An equivalent CEA with one initial state that nothing enters and one, not the same, final state.

    Nothing leaves the final state.

    States are added at the end where they are needed (CEL, proofs of Thm 6.2 and 6.3).
    """
    return _with_single_final(_with_single_initial(cea))


def _with_single_initial(cea: CEA) -> CEA:
    if len(cea.initials) == 1 and not any(t.target in cea.initials for t in cea.transitions):
        return cea
    begun = (*cea.transitions, *_beginning(cea.transitions, cea.initials, cea.size))
    return CEA(cea.size + 1, begun, frozenset({cea.size}), cea.finals)


def _with_single_final(cea: CEA) -> CEA:
    left = any(t.source in cea.finals for t in cea.transitions)
    if len(cea.finals) == 1 and not left and not cea.finals & cea.initials:
        return cea
    ended = (*cea.transitions, *_ending(cea, [cea.size]))
    return CEA(cea.size + 1, ended, cea.initials, frozenset({cea.size}))


def _beside(left: CEA, right: CEA) -> tuple[tuple[Transition, ...], list[State], frozenset[State]]:
    """The transitions, initial and final states of `right` when its states come after those of `left`."""
    begins = sorted(state + left.size for state in right.initials)
    ends = frozenset(state + left.size for state in right.finals)
    return tuple(moved(right.transitions, left.size)), begins, ends


def _ending(cea: CEA, targets: Iterable[State]) -> list[Transition]:
    """The transitions that enter final states, entering `targets` instead."""
    wanted = tuple(targets)
    return [replace(t, target=q) for t in cea.transitions if t.target in cea.finals for q in wanted]


def _beginning(
    transitions: Iterable[Transition], initials: Iterable[State], source: State
) -> list[Transition]:
    """The transitions that leave `initials`, leaving `source` instead."""
    begins = frozenset(initials)
    return [replace(t, source=source) for t in transitions if t.source in begins]


def _marking(transitions: Iterable[Transition]) -> Iterator[Transition]:
    return (t for t in transitions if t.marking)
