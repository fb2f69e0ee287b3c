"""What the papers state, as objects: statement, place, constructions, evidence, and what comes of it."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mnemata.proofs.evidence import Effort, Evidence, Finding, Outcome, Reading, Strength


class Paper(Enum):
    """Where a result is stated."""

    SRT = "SRT"
    CEL = "CEL"
    RMA = "RMA"
    OWN = "mnemata"


class Standing(Enum):
    """What the evidence amounts to."""

    HOLDS = "holds as stated"
    REPAIRED = "holds as repaired"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A theorem, lemma, proposition, corollary, definition or algorithm.

    Parameters
    ----------
    paper : Paper
        Where it is stated.
    place : str
        Its kind and number there: ``"Theorem 27"``, ``"Algorithm 2"``, ``"Section 6, complexity"``.
    title : str
        What it is about, in a few words.
    statement : str
        What it says, in our words; as repaired where that differs, after what is stated.
    latex : str
        The statement as a formula.
    constructions : tuple
        The functions or classes that realise it.
    evidence : tuple of Evidence
        What speaks for it as stated, against it, and for its repair.
    errata : tuple of str
        Entries of the errata that concern it: ``"A1"``.
    expected : Standing
        What the evidence is known to amount to.
    remark : str
        What a reader of the table should also know: why there is no stronger evidence, what a bound means.
    """

    paper: Paper
    place: str
    title: str
    statement: str
    latex: str
    expected: Standing
    constructions: tuple[Any, ...] = ()
    evidence: tuple[Evidence, ...]
    errata: tuple[str, ...] = ()
    remark: str = ""

    @property
    def id(self) -> str:
        """Its name on the command line, such as ``srt-theorem-27``."""
        words = f"{self.paper.value} {self.place}".lower().replace(",", " ").replace(".", "-").split()
        return "-".join(words)

    def __str__(self) -> str:
        return f"{self.paper.value} {self.place}: {self.title}"


@dataclass(frozen=True, slots=True)
class Weighed:
    """A piece of evidence with what it showed, and the seconds that took."""

    evidence: Evidence
    finding: Finding
    seconds: float


@dataclass(frozen=True, slots=True)
class Judged:
    """A result with all of its evidence weighed."""

    result: Result
    weighed: tuple[Weighed, ...] = field(default=())

    @property
    def standing(self) -> Standing:
        """What all of it amounts to."""
        return standing(self.weighed)

    @property
    def as_expected(self) -> bool:
        """Whether it came out as it is known to."""
        return self.standing is self.result.expected

    @property
    def seconds(self) -> float:
        """How long weighing took."""
        return sum(one.seconds for one in self.weighed)


def weigh(evidence: Evidence, effort: Effort) -> Weighed:
    """Gather one piece of evidence."""
    start = time.perf_counter()
    finding = evidence.weigh(effort)
    return Weighed(evidence, finding, time.perf_counter() - start)


def judge(result: Result, effort: Effort, strengths: Collection[Strength] = tuple(Strength)) -> Judged:
    """Weigh the evidence of a result, of all strengths or of some."""
    return Judged(result, tuple(weighings(result, effort, strengths)))


def weighings(result: Result, effort: Effort, strengths: Collection[Strength]) -> Iterator[Weighed]:
    """The evidence of a result, weighed piece by piece."""
    for evidence in result.evidence:
        if evidence.strength in strengths:
            yield weigh(evidence, effort)


def standing(weighed: Collection[Weighed]) -> Standing:
    """What evidence amounts to.

    One failure of a claim as stated refutes it; it then holds as repaired if the evidence for a repair says
    so. Where the solver gave up, or nothing was tried, nothing is known.
    """
    stated = _outcomes(weighed, Reading.STATED)
    repaired = _outcomes(weighed, Reading.REPAIRED)
    if Outcome.FAILS in stated:
        if Outcome.UNKNOWN in repaired:
            return Standing.UNKNOWN
        return Standing.REPAIRED if repaired == {Outcome.HOLDS} else Standing.REFUTED
    return Standing.HOLDS if stated | repaired == {Outcome.HOLDS} and stated else Standing.UNKNOWN


def _outcomes(weighed: Collection[Weighed], reading: Reading) -> set[Outcome]:
    return {one.finding.outcome for one in weighed if one.evidence.reading is reading}
