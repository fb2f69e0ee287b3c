"""The comparison as a page of Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final, NamedTuple

from mnemata.paper_figures.benchmarks.figures import machine
from mnemata.paper_figures.peers.outcomes import Outcome, Status, agree
from mnemata.paper_figures.peers.systems import BASELINES, COUNTING, OWN, System
from mnemata.paper_figures.tables import Table

SEQUENCES_AIM: Final = 30
ITERATIONS_AIM: Final = 1_000
LONG_WINDOW_MS: Final = 1_000
NAME: Final = "peers"
TITLE: Final = "The same patterns in other systems"
TEXT: Final = """\
Patterns of SRT eqs. (5), (7), (9) and (10), the first two also without their relational condition, over
{stream}, in each system that can express them: every system in a process of its own, reading the same
file, with one thread for its work. All are asked for all matches of skip-till-any with their positions,
except where a row says *counting*. *Pass* is the processor time of a pass over the events in memory,
all threads of the process together, so that what else the machine does matters little: the least of up
to {rounds} rounds, none of which begins after {budget:g} s. The first round is one pass, each other one
as many as take {least:g} s, whose mean counts: the clock of Java is exact to 10 ms. The first rounds
warm a system up. Compiling a pattern, starting a job and reading the file are not in it; planning a
query of SQL is. *End to end* is wall-clock time from the start of the process to the end of the first
pass: start-up, reading, compilation and all, on a machine that may be busy. *Peak* is the most memory
that the process ever occupied, as the operating system counts it: the program, its libraries and the
stream are in it. Java may use {heap} of heap and collects garbage on one thread; mnemata has run once
before in another process, so that its machine code is there as that of others is. A pass that takes
more than {timeout:g} s of processor time is stopped; how much it had by then is said. *Ratio* is the
time of a pass to that of mnemata enumerating; of a system that was stopped, it is more than the one
shown.

*Set* says whether the matches are those of mnemata, as sets of positions: the number and a digest of all
matches are compared. Which set is right is said by SRT Def. 17, 39 and 44: matches as sets of marked
positions, windows that are strictly less than their size, skip-till-any between all parts."""


REMARKS: Final = {
    "algorithm-1": """\
Algorithm 1 *as published* has no part in which a run is forgotten because its window has closed: windows are
conditions of transitions, so that such a run can no longer end in a match, and yet is kept and asked at every
event that follows. Runs that accept are killed, which loses matches (ERRATA A9). The experiments of
`mnemata figures srt-figure-6` to `10` measure it with both repaired.""",
    "wayeb": """\
Wayeb makes a register automaton of each pattern, and its runs move as in its optimized engine,
`ERFOptEngine`. That one counts matches and forgets their events, so that the loop over the runs is in the
driver, which takes note of them. A run ends with the first event that makes it a match: of an iteration at
the end of a sequence, which no pattern here has, it would find only matches with one event of it.""",
    "sase": """\
SASE knows whole numbers only: prices are counted in ten-thousandths. Attributes of which each event of a
pattern is asked for one text make its type, which SASE looks at before any condition. An iteration has a run
for each choice of its events, whether a match will come of it or not: in a window of 500 ms there are
2,097,148 of them after 116,462 events of the stock stream. A run is dropped when an event that fits it comes
after its window (`Engine.evaluateEventForSkipTillAny`), each by a search through all that there are
(`Engine.cleanRuns`): two million of these take longer than a pass may.""",
    "core": """\
CORE has conditions on single events only: it is asked for the patterns without relational ones. Types of
events are made as for SASE, and its windows are of whole seconds: a second of CORE is a millisecond of the
stream. It is told to consume nothing, since unless told otherwise it forgets all events after a match. Its
executor reads the clock four times an event for statistics of its own (`TimeWindowsExecutor.sendEvent`),
which is in its times. Like mnemata it keeps a graph of matches, so that an iteration costs it little. Aims
are about relational patterns.""",
}
"""What is to be said of a system that was asked."""

_STATES: Final = {
    Status.TIMEOUT: "stopped",
    Status.UNAVAILABLE: "not run",
    Status.INEXPRESSIBLE: "not expressible",
}


class Asked(NamedTuple):
    """A pattern of the comparison.

    Parameters
    ----------
    name : str
        Its name.
    text : str
        In the project's notation.
    iterates : bool
        Whether it has an iteration.
    relates : bool
        Whether it has a condition on several events.
    window_ms : int
        The size of its window.
    """

    name: str
    text: str
    iterates: bool
    relates: bool
    window_ms: int

    @property
    def aim(self) -> int | None:
        """How many times as fast as systems for relational patterns mnemata is to be on such a pattern."""
        if not self.relates:
            return None
        if not self.iterates:
            return SEQUENCES_AIM
        return ITERATIONS_AIM if self.window_ms >= LONG_WINDOW_MS else None


class Answers(NamedTuple):
    """A pattern and what each system did with it."""

    asked: Asked
    outcomes: tuple[Outcome, ...]

    @property
    def own(self) -> Outcome:
        """What mnemata did, enumerating."""
        return next(outcome for outcome in self.outcomes if outcome.system == OWN)

    @property
    def peers(self) -> tuple[Outcome, ...]:
        """Those of other systems that found the same, or were stopped."""
        return tuple(
            outcome
            for outcome in self.outcomes
            if outcome.system not in (OWN, COUNTING)
            and (outcome.status is Status.TIMEOUT or agree(outcome, self.own))
        )


def page(
    text: str,
    command: str,
    answers: Sequence[Answers],
    systems: Sequence[System],
    notes: Sequence[str],
) -> str:
    """The whole page."""
    titles = {system.name: system.title for system in systems}
    parts = [
        f"# {TITLE}",
        _wrapped(text),
        f"Made by `{command}`.\n{machine()}",
        summary(answers, titles).markdown(),
        *(_wrapped(note) for note in (*_remarks(answers), *_missing(answers, titles), *notes)),
        *(_detailed(one, titles) for one in answers),
    ]
    return "\n\n".join(parts) + "\n"


def _remarks(answers: Sequence[Answers]) -> list[str]:
    ran = {o.system for one in answers for o in one.outcomes if o.status is not Status.UNAVAILABLE}
    return [remark for name, remark in REMARKS.items() if name in ran]


def _missing(answers: Sequence[Answers], titles: dict[str, str]) -> list[str]:
    """Which systems were not there, each said once."""
    outcomes = [outcome for one in answers for outcome in one.outcomes]
    reasons = {o.system: o.message for o in outcomes if o.status is Status.UNAVAILABLE}
    return [f"{titles[name]} was not run: {message}." for name, message in reasons.items()]


def _wrapped(text: str) -> str:
    return "\n\n".join(
        textwrap.fill(part, 110, break_on_hyphens=False, break_long_words=False)
        for part in text.split("\n\n")
    )


def summary(answers: Sequence[Answers], titles: dict[str, str]) -> Table:
    """The fastest peer for each pattern, against the aims."""
    columns: tuple[str, ...] = ("pattern", "window ms", "fastest peer", "ratio")
    columns += ("fastest complex event system", "its ratio", "aim", "least peak of peers MB", "mnemata MB")
    rows = tuple(_summed(one, titles) for one in answers)
    return Table("The fastest that find the same", columns, rows)


def _summed(one: Answers, titles: dict[str, str]) -> tuple[str, ...]:
    asked, own = one.asked, one.own
    others = [peer for peer in one.peers if peer.system not in BASELINES]
    aim = "—" if asked.aim is None else f"{asked.aim:,}"
    peaks = [peer.peak for peer in one.peers if peer.peak is not None and peer.seconds is not None]
    least = f"{min(peaks) / 1e6:,.0f}" if peaks else "—"
    memory = "—" if own.peak is None else f"{own.peak / 1e6:,.0f}"
    fastest = (*_fastest(one.peers, own, titles), *_fastest(others, own, titles))
    return asked.name, f"{asked.window_ms:,}", *fastest, aim, least, memory


def _fastest(peers: Sequence[Outcome], own: Outcome, titles: dict[str, str]) -> tuple[str, str]:
    """The one that takes the least time, or was stopped after the least."""
    timed = [(peer.seconds or peer.stopped, peer) for peer in peers if peer.seconds or peer.stopped]
    if not timed:
        return "—", "—"
    _, peer = min(timed, key=lambda one: one[0] or 0.0)
    return titles[peer.system], ratio_text(peer, own)


def _detailed(one: Answers, titles: dict[str, str]) -> str:
    columns = ("system", "matches", "set", "pass ms", "M events/s", "ratio", "end to end s", "peak MB")
    rows = tuple(_row(outcome, one.own, titles) for outcome in one.outcomes)
    silent = [
        f"- {titles[outcome.system]}: {outcome.message}."
        for outcome in one.outcomes
        if outcome.message and outcome.status is not Status.UNAVAILABLE
    ]
    silent += [
        f"- {titles[outcome.system]} was stopped after {outcome.stopped or 0:.0f} s of processor time, at "
        f"event {outcome.reached:,} of {outcome.events:,}."
        for outcome in one.outcomes
        if outcome.status is Status.TIMEOUT and outcome.reached
    ]
    table = Table(f"{one.asked.name}, {one.asked.window_ms:,} ms", columns, rows).markdown()
    return "\n\n".join((table, f"```text\n{one.asked.text}\n```", *(["\n".join(silent)] if silent else [])))


def _row(outcome: Outcome, own: Outcome, titles: dict[str, str]) -> tuple[str, ...]:
    title = titles[outcome.system]
    peak = "—" if outcome.peak is None else f"{outcome.peak / 1e6:,.0f}"
    if outcome.seconds is None:
        state = _STATES.get(outcome.status, outcome.status.value)
        return title, "—", "—", state, "—", ratio_text(outcome, own), "—", peak
    return (
        title,
        f"{outcome.matches:,}",
        {True: "same", False: "other", None: "same number"}[agree(outcome, own)],
        f"{outcome.seconds * 1e3:,.1f}",
        f"{outcome.events / outcome.seconds / 1e6:,.2f}",
        ratio_text(outcome, own),
        "—" if outcome.wall is None else f"{outcome.wall:.1f}",
        peak,
    )


def ratio_text(outcome: Outcome, own: Outcome) -> str:
    """How many times as long as mnemata a system takes."""
    if own.seconds is None:
        return "—"
    if outcome.seconds is not None:
        ratio = outcome.seconds / own.seconds
        return f"{ratio:,.1f}" if ratio < 100 else f"{ratio:,.0f}"
    return "—" if outcome.stopped is None else f"> {outcome.stopped / own.seconds:,.0f}"
