"""Commands that are disturbed again and again, and what is different afterwards."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from mnemata.paper_figures.benchmarks.faults.damage import DAMAGES
from mnemata.paper_figures.benchmarks.faults.differences import Differences, differences
from mnemata.paper_figures.benchmarks.faults.places import TABLES, Place
from mnemata.paper_figures.benchmarks.faults.running import Running
from mnemata.paper_figures.benchmarks.faults.strikes import Fault

UNSTATED: Final = "mnemata failed, which it should not"
"""What a command says of errors that nobody foresaw."""


class Endured(NamedTuple):
    """What came of trials: how many, how many struck, and what is different."""

    trials: int
    struck: int
    different: Differences

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        """All four."""
        return (self.trials, self.struck, *self.different)


def endured(fault: Fault, place: Place, whole: Place, chance: random.Random) -> Endured:
    """Disturb a command again and again, let it end, and compare with one that nothing disturbed."""
    trials, struck, ended, worst = 0, 0, False, Differences()
    while trials < fault.trials and not (ended and place.command.goes_on):
        with Running(place.call(fault.master)) as running:
            while running.runs and trials < fault.trials:
                trials += 1
                struck += fault.strike(place, running, chance)
            ended = running.end() == 0
        if UNSTATED in running.said:
            raise RuntimeError(f"after '{fault.name}' the command does not say what is wrong: {running.said}")
        worst |= different(place, whole) if ended else left_behind(place, whole)
    if not ended:
        place.undisturbed()
    return Endured(trials, struck, worst | different(place, whole))


def different(place: Place, whole: Place) -> Differences:
    """What is different in the tables of two places."""
    return differences(whole.rows(), place.rows())


def left_behind(place: Place, whole: Place) -> Differences:
    """What is wrong in the tables of a command that ended before its time: so far they may be too short."""
    found = Differences()
    for folder in TABLES:
        one = differences(whole.rows(folder), place.rows(folder))
        grows = place.command.goes_on or not place.rows(folder)
        found |= one._replace(missing=0) if grows else one
    return found


def damaged(place: Place) -> Endured:
    """A stream some of whose files are damaged, one in each way; each is a row in quarantine."""
    files = sorted(place.source.glob("????.parquet"))[1 : 1 + len(DAMAGES)]
    for damage, file in zip(DAMAGES, files, strict=False):
        damage.apply(file)
    place.undisturbed()
    return Endured(len(files), len(files), differences(place.truth(), place.findings()))
