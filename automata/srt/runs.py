"""Runs of an SRT, the matches it detects and the language it recognises (SRT Def. 24 and 26).

Def. 24 calls a run accepting when it ends in a final state *and* its last output is a bullet. Read so, Thm 27
fails (ERRATA A2); the project's reading is the first half alone. All three readings are here by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from mnemata.automata.srt.configurations import Configuration, initial, successors
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import Output

Marks: TypeAlias = frozenset[int]


class Acceptance(Enum):
    """When a run that has consumed its string is accepting."""

    FINAL_STATE = "in a final state"
    LAST_EVENT_MARKED = "in a final state, the last event read was marked"
    LAST_TRANSITION_MARKED = "in a final state, the last transition, epsilon included, marked its event"


@dataclass(frozen=True, slots=True)
class Run:
    """A sequence of successor configurations and the transitions between them (Def. 24)."""

    configurations: tuple[Configuration, ...]
    transitions: tuple[Transition, ...]
    string: tuple[Event, ...]

    @property
    def marks(self) -> Marks:
        """``Match(rho)``: positions of the events that the run marked."""
        steps = zip(self.configurations, self.transitions, strict=False)
        return frozenset(self.string[c.index - 1].position for c, t in steps if t.output is Output.MARK)

    @property
    def marks_as_published(self) -> Marks:
        """Def. 24 to the letter: indices of the marking *transitions*, epsilon transitions counted too."""
        return frozenset(i for i, t in enumerate(self.transitions, start=1) if t.output is Output.MARK)

    def accepting(self, srt: SRT, reading: Acceptance = Acceptance.FINAL_STATE) -> bool:
        """Whether the run is accepting under `reading`."""
        last = self.configurations[-1]
        if last.index <= len(self.string) or last.state not in srt.finals:
            return False
        match reading:
            case Acceptance.FINAL_STATE:
                return True
            case Acceptance.LAST_EVENT_MARKED:
                read = [t for t in self.transitions if not t.is_epsilon]
                return bool(read) and read[-1].output is Output.MARK
            case Acceptance.LAST_TRANSITION_MARKED:
                return bool(self.transitions) and self.transitions[-1].output is Output.MARK


def runs(srt: SRT, string: Sequence[Event]) -> Iterator[Run]:
    """All runs over the whole string from the initial configuration, without epsilon cycles.

    A run that goes round a cycle of epsilon transitions marks, writes and reads nothing more than
    the run that does not; there would be infinitely many.
    """
    string = tuple(string)
    stack = [Run((initial(srt),), (), string)]
    while stack:
        run = stack.pop()
        if run.configurations[-1].index > len(string):
            yield run
        for transition, following in successors(srt, run.configurations[-1], string):
            if following not in run.configurations:
                extended = (*run.configurations, following)
                stack.append(Run(extended, (*run.transitions, transition), string))


def accepting_runs(
    srt: SRT, string: Sequence[Event], reading: Acceptance = Acceptance.FINAL_STATE
) -> Iterator[Run]:
    """``Run_f(T, S)``: the accepting runs over the whole string."""
    return (run for run in runs(srt, string) if run.accepting(srt, reading))


@dataclass(frozen=True, slots=True)
class _Reached:
    configuration: Configuration
    marks: Marks
    last: Output | None


def matches(
    srt: SRT, string: Sequence[Event], reading: Acceptance = Acceptance.FINAL_STATE
) -> frozenset[Marks]:
    """``Match(T, S)``: the marks of all accepting runs over the string (Def. 26).

    Explores what runs reach rather than runs one by one, so that the many runs which differ only in their
    epsilon transitions cost nothing; equal to ``{run.marks for run in accepting_runs(srt, string)}``.
    """
    return frozenset(r.marks for r in _explore(srt, string) if _accepts(srt, r, string, reading))


def accepts(srt: SRT, string: Sequence[Event], reading: Acceptance = Acceptance.FINAL_STATE) -> bool:
    """Whether the string is in ``Lang(T)`` (Def. 26)."""
    return bool(matches(srt, string, reading))


def _explore(srt: SRT, string: Sequence[Event]) -> set[_Reached]:
    seen = {_Reached(initial(srt), frozenset(), None)}
    frontier = list(seen)
    while frontier:
        here = frontier.pop()
        for transition, configuration in successors(srt, here.configuration, string):
            marks = here.marks
            if transition.output is Output.MARK:
                marks |= {string[here.configuration.index - 1].position}
            there = _Reached(configuration, marks, transition.output)
            if there not in seen:
                seen.add(there)
                frontier.append(there)
    return seen


def _accepts(srt: SRT, reached: _Reached, string: Sequence[Event], reading: Acceptance) -> bool:
    configuration = reached.configuration
    if configuration.index <= len(string) or configuration.state not in srt.finals:
        return False
    match reading:
        case Acceptance.FINAL_STATE:
            return True
        case Acceptance.LAST_EVENT_MARKED:
            return bool(string) and string[-1].position in reached.marks
        case Acceptance.LAST_TRANSITION_MARKED:
            return reached.last is Output.MARK
