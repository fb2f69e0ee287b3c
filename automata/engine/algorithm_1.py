"""Algorithm 1 of the SRT paper over events, as published and repaired: short, for tests and proofs.

Recognition over columns is `mnemata.automata.engine.recognition`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.streaming import streaming
from mnemata.automata.srt.configurations import Configuration, initial, successors
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.conditions.evaluation import EMPTY
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import Output, Window
from mnemata.theory.sremo.windows import fits

Marks: TypeAlias = frozenset[int]


@dataclass(frozen=True, slots=True)
class Run:
    """An active run: where it began (1-based), its last configuration, and the positions it has marked."""

    began: int
    configuration: Configuration
    marks: Marks = frozenset()

    def update(self, transition: Transition, configuration: Configuration, event: Event) -> Run:
        """The run after one more event."""
        marked = {event.position} if transition.output is Output.MARK else set()
        return Run(self.began, configuration, self.marks | marked)


def algorithm_1_as_published(srt: SRT, stream: Sequence[Event]) -> list[list[Marks]]:
    """What Alg. 1 reports at each event: a match once for every run, and accepting runs are killed.

    Loses matches, because an accepting run can go on to a longer match (ERRATA A9).

    Parameters
    ----------
    srt : SRT
        Of the pattern, its conditions bound; the streaming SRT is made of it here.
    stream : sequence of Event
        At positions 1, 2, 3, ...
    """
    machine = eliminate_epsilon(streaming(srt))
    active = [Run(1, initial(machine))]
    reports = []
    for event in stream:
        accepting: list[Run] = []
        going_on: list[Run] = []
        for run in active:
            for transition, configuration in successors(machine, run.configuration, stream):
                new = run.update(transition, configuration, event)
                (accepting if _accepting(machine, new, event) else going_on).append(new)
        active = going_on
        reports.append([run.marks for run in accepting])
    return reports


def algorithm_1(srt: SRT, stream: Sequence[Event], windows: Sequence[Window] = ()) -> list[frozenset[Marks]]:
    """What Alg. 1 repaired reports at each event: a set of matches.

    Accepting runs live on (ERRATA A9), equal runs merge, and a run ends when a window closes on it. So that
    windows on length know where a run began, one begins at every event instead of a loop in the SRT.

    Parameters
    ----------
    srt : SRT
        Of the pattern inside its outermost windows, its conditions bound.
    stream : sequence of Event
        At positions 1, 2, 3, ...
    windows : sequence of Window
        The outermost windows; all of them hold.
    """
    machine = eliminate_epsilon(srt)
    active: set[Run] = set()
    reports = []
    for k, event in enumerate(stream, start=1):
        active.add(Run(k, Configuration(k, machine.start, EMPTY)))
        active = {
            run.update(transition, configuration, event)
            for run in active
            if _open(run, event, stream, windows)
            for transition, configuration in successors(machine, run.configuration, stream)
        }
        reports.append(frozenset(run.marks for run in active if _accepting(machine, run, event)))
    return reports


def _accepting(srt: SRT, run: Run, event: Event) -> bool:
    return run.configuration.state in srt.finals and event.position in run.marks


def _open(run: Run, event: Event, stream: Sequence[Event], windows: Sequence[Window]) -> bool:
    """Whether a match of this run may still end at `event`, as far as windows say."""
    marks = run.marks | {event.position} if run.marks else run.marks
    string = stream[run.began - 1 : event.position]
    return all(fits(marks, window, string) for window in windows)
