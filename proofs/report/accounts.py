"""What became of a result, as plain data: words, numbers and pictures.

Everything that is shown is made of accounts: tables on a terminal, JSON, reports. They hold no automata and
no functions, so that processes can send them to one another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from mnemata.proofs.evidence import Adversary, Effort, Evidence, Outcome, Reading, Search, Strength
from mnemata.proofs.report.specimens import Specimen, specimen
from mnemata.proofs.report.wording import amount
from mnemata.proofs.results import Judged, Result, Standing, Weighed, judge


@dataclass(frozen=True, slots=True)
class Weighing:
    """A piece of evidence, and what it showed.

    Parameters
    ----------
    strength, reading : Strength, Reading
        What kind of evidence, about which form of the claim.
    name, source : str
        What is claimed, and where it is claimed if the evidence says so.
    outcome : Outcome
        What it shows.
    tried, detail : int, str
        How many of what: ``150, "instances"``.
    fits : bool
        Whether that is what a result of this expected standing should show.
    specimen : Specimen, optional
        What breaks the claim.
    seconds : float
        How long it took.
    """

    strength: Strength
    reading: Reading
    name: str
    source: str
    outcome: Outcome
    tried: int
    detail: str
    fits: bool
    specimen: Specimen | None
    seconds: float

    @property
    def numbers(self) -> str:
        """How much was tried, or how small what was found is, in words."""
        if self.specimen is not None and self.specimen.sized:
            return self.specimen.sized
        return amount(self.tried, self.detail) if self.tried else ""

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "evidence": self.strength.value,
            "reading": self.reading.value,
            "claim": self.name,
            "source": self.source,
            "outcome": self.outcome.value,
            "tried": {"number": self.tried, "of": self.detail},
            "fits": self.fits,
            "counterexample": None if self.specimen is None else self.specimen.to_json(),
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class Account:
    """What became of a result.

    Parameters
    ----------
    id, paper, place, title, statement, latex, remark : str
        As in `mnemata.proofs.results.Result`; `paper` is its short name.
    constructions : tuple of str
        The qualified names of what realises it.
    errata : tuple of str
        Entries of the errata.
    expected : Standing
        What the evidence is known to amount to.
    standing : Standing or None
        What it amounts to; ``None`` when some of it was left out, because then nobody can say.
    weighings : tuple of Weighing
        The evidence.
    left_out : tuple of str
        The strengths of the evidence that was not asked for, one for each piece.
    """

    id: str
    paper: str
    place: str
    title: str
    statement: str
    latex: str
    remark: str
    constructions: tuple[str, ...]
    errata: tuple[str, ...]
    expected: Standing
    standing: Standing | None
    weighings: tuple[Weighing, ...]
    left_out: tuple[str, ...]

    @property
    def as_expected(self) -> bool:
        """Whether nothing came out otherwise than known; of evidence left out nothing is held against it."""
        known = self.standing is None or self.standing is self.expected
        return known and all(one.fits for one in self.weighings)

    @property
    def seconds(self) -> float:
        """How long all of it took."""
        return sum(one.seconds for one in self.weighings)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.standing is not None:
            return self.standing.value
        if not self.weighings:
            return "not weighed"
        return "in part as expected" if self.as_expected else "not as expected"

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "id": self.id,
            "paper": self.paper,
            "place": self.place,
            "title": self.title,
            "statement": self.statement,
            "latex": self.latex,
            "constructions": list(self.constructions),
            "errata": list(self.errata),
            "expected": self.expected.value,
            "verdict": None if self.standing is None else self.standing.value,
            "as expected": self.as_expected,
            "evidence": [one.to_json() for one in self.weighings],
            "left out": list(self.left_out),
            "remark": self.remark,
            "seconds": round(self.seconds, 3),
        }


def weighed(
    result: Result,
    effort: Effort,
    strengths: Collection[Strength] = tuple(Strength),
    *,
    pictures: bool = False,
) -> Account:
    """Weigh the evidence of a result, of all strengths or of some, and give an account of it."""
    return account(judge(result, effort, strengths), pictures=pictures)


def account(judged: Judged, *, pictures: bool = False) -> Account:
    """What became of a result; `pictures` of its counterexamples are drawn if asked for."""
    result = judged.result
    left_out = _left_out(result, judged.weighed)
    return Account(
        id=result.id,
        paper=result.paper.value,
        place=result.place,
        title=result.title,
        statement=result.statement,
        latex=result.latex,
        remark=result.remark,
        constructions=tuple(map(qualified, result.constructions)),
        errata=result.errata,
        expected=result.expected,
        standing=None if left_out else judged.standing,
        weighings=tuple(_weighing(one, result.expected, pictures=pictures) for one in judged.weighed),
        left_out=left_out,
    )


def qualified(construction: Any) -> str:
    """The name by which a function or class is imported, without the name of the project.

    >>> from mnemata.automata.constructions.thompson import thompson
    >>> qualified(thompson)
    'automata.constructions.thompson.thompson'
    """
    return f"{construction.__module__}.{construction.__qualname__}".removeprefix("mnemata.")


def fits(evidence: Evidence, outcome: Outcome, expected: Standing) -> bool:
    """Whether a piece of evidence by itself shows what is known of its result.

    A claim that is refuted as stated may have evidence that does not see it; evidence that is known to find
    a counterexample must.
    """
    if expected is Standing.UNKNOWN:
        return True
    if outcome is Outcome.UNKNOWN:
        return False
    if isinstance(evidence, Search) and evidence.breaks is not None:
        return outcome is Outcome.FAILS
    if evidence.reading is Reading.REPAIRED:
        return outcome is Outcome.HOLDS or expected is Standing.REFUTED
    return outcome is Outcome.HOLDS or expected is not Standing.HOLDS


def _left_out(result: Result, done: Iterable[Weighed]) -> tuple[str, ...]:
    seen = {id(one.evidence) for one in done}
    return tuple(one.strength.value for one in result.evidence if id(one) not in seen)


def _weighing(one: Weighed, expected: Standing, *, pictures: bool) -> Weighing:
    evidence, finding = one.evidence, one.finding
    claim = evidence.claim if isinstance(evidence, Search | Adversary) else None
    broken = finding.outcome is Outcome.FAILS and finding.counterexample is not None
    shown = specimen(finding.counterexample, claim, pictures=pictures) if broken else None
    return Weighing(
        strength=evidence.strength,
        reading=evidence.reading,
        name=evidence.name,
        source="" if claim is None else claim.source,
        outcome=finding.outcome,
        tried=finding.tried,
        detail=finding.detail,
        fits=fits(evidence, finding.outcome, expected),
        specimen=shown,
        seconds=one.seconds,
    )
