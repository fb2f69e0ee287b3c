"""What came of running a system: the schema of results."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path


class Status(StrEnum):
    """How a run ended."""

    FINISHED = "finished"
    TIMEOUT = "timeout"
    FAILED = "failed"
    INEXPRESSIBLE = "inexpressible"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a system did with a pattern over a stream.

    Parameters
    ----------
    system : str
        Which system.
    question : str
        Which pattern.
    events : int
        The length of the stream.
    status : Status
        How it ended.
    rounds : tuple of float
        Processor time of each pass over the stream, over all threads of the process, in seconds.
    wall : float or None
        Seconds from the start of the process to the end of its first pass.
    peak : int or None
        The most memory that the process occupied, in bytes, as the operating system counts it.
    stopped : float or None
        Processor time of a pass that was stopped, in seconds.
    reached : int
        Events that were processed when the process was stopped; the length of the stream when it finished.
    matches : int or None
        How many were found, those before it was stopped included.
    digest : str or None
        Of the positions of all matches (`mnemata.paper_figures.peers.digests`); ``None`` when they were only
        counted.
    message : str
        Why there is nothing more to tell.
    """

    system: str
    question: str
    events: int
    status: Status
    rounds: tuple[float, ...] = ()
    wall: float | None = None
    peak: int | None = None
    stopped: float | None = None
    reached: int = 0
    matches: int | None = None
    digest: str | None = None
    message: str = ""

    @property
    def seconds(self) -> float | None:
        """The least time of a pass."""
        return min(self.rounds) if self.rounds else None

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Outcome:
        """Read it back."""
        facts = json.loads(line)
        return cls(**{**facts, "status": Status(facts["status"]), "rounds": tuple(facts["rounds"])})


def agree(one: Outcome, other: Outcome) -> bool | None:
    """Whether two systems found the same set of matches; ``None`` when that is not known."""
    if one.status is not Status.FINISHED or other.status is not Status.FINISHED:
        return None
    if one.matches != other.matches:
        return False
    if one.digest is None or other.digest is None:
        return None
    return one.digest == other.digest


def read_outcomes(path: Path) -> list[Outcome]:
    """The outcomes in a file of JSON lines; none when there is no such file."""
    if not path.is_file():
        return []
    return [Outcome.from_json(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def write_outcomes(path: Path, outcomes: Iterable[Outcome]) -> None:
    """Append outcomes to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{outcome.to_json()}\n" for outcome in outcomes)
