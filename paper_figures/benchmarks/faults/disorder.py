"""Streams whose events come in another order than that of their times."""

from __future__ import annotations

import random
from collections import Counter
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from mnemata.paper_figures.benchmarks.faults.differences import Differences, differences
from mnemata.paper_figures.benchmarks.faults.events import (
    BAD,
    DELAY,
    EVENTS_PER_FILE,
    MATCH,
    Findings,
    Row,
    arrived,
    closing,
    findings,
    matches,
    random_events,
    shuffled,
    written,
)
from mnemata.paper_figures.benchmarks.faults.places import Place

DISORDERS: Final = (DELAY, 3 * DELAY, 30 * DELAY)
"""By how many ms events come later than they should, at the most."""

FILES: Final = 10
TEXT: Final = """\
*Disorder*: `mnemata stream` with the watermark {delay} ms behind, over streams of one event in each
millisecond, shuffled so that no event comes more than so many ms too late. *Late* is how many events are
behind the watermark when their file is read, counted without Spark. *Missing* and *extra* compare the matches
with those of the events in the order in which they were before they were shuffled, without the late ones, and
the rows in quarantine with the late events."""
HEADS: Final = (
    "disorder in ms",
    "events",
    "out of order",
    "late",
    "in quarantine",
    "matches",
    "missing",
    "extra",
)


class Outcome(NamedTuple):
    """What came of a stream.

    Parameters
    ----------
    disorder : int
        By how many ms events came too late at the most.
    events : int
        How many there were.
    moved : int
        How many came after a later one.
    late, quarantined : int
        How many came behind the watermark, and are in quarantine.
    matches : int
        How many are right.
    different : Differences
        In matches and quarantine.
    """

    disorder: int
    events: int
    moved: int
    late: int
    quarantined: int
    matches: int
    different: Differences

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        return tuple(f"{number:,}" for number in (*self[:6], *self.different))


def disordered(root: Path, disorder: int, files: int = FILES) -> Outcome:
    """Run a stream over events that are shuffled, and compare with what the same events are in order."""
    chance = random.Random(disorder)
    ordered = random_events(chance, files * EVENTS_PER_FILE, a_millisecond=1)
    coming = [*shuffled(ordered, disorder, chance), closing()]
    place = Place(root)
    written(place.source, coming)
    place.undisturbed()
    late = [one.row for one in arrived(place.source, DELAY) if one.late]
    lost = {coming[row]["at"] for row in late}
    heard = [event for event in ordered if event["at"] not in lost]
    right = findings((tuple(heard[p]["at"] for p in match) for match in matches(heard)), late)
    found = Counter({_by_time(one, coming): number for one, number in place.findings().items()})
    numbers = (len(ordered), _moved(coming), len(late), _number(found, BAD), _number(right, MATCH))
    return Outcome(disorder, *numbers, differences(right, found))


def _by_time(finding: tuple[str, tuple[int, ...]], coming: list[Row]) -> tuple[str, tuple[int, ...]]:
    """A match with the times of its events, each of which only one event has, in place of its rows."""
    kind, rows = finding
    return (kind, tuple(coming[row]["at"] for row in rows) if kind == MATCH else rows)


def _number(found: Findings, kind: str) -> int:
    return sum(number for (one, _), number in found.items() if one == kind)


def _moved(coming: list[Row]) -> int:
    times = [event["at"] for event in coming]
    return sum(time < latest for time, latest in zip(times, accumulate(times, max), strict=True))
