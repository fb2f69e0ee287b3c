"""Table 3 of the SRT paper, probed: for each feature the smallest pattern that needs it.

What a system returns on a short stream is compared with the denotational semantics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.automata.determinization import determinize
from mnemata.paper_figures.peers.differences import Places, Rows, expected_in, found_in
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.paper_figures.peers.systems import System
from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.errors import EnvironmentProblem, StreamError
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.syntax import parse

STEP_MS: Final = 100
WINDOW: Final = "within 1 s"


@dataclass(frozen=True, slots=True)
class Probe:
    """A feature, a pattern that needs it, and a stream.

    Parameters
    ----------
    feature : str
        How Table 3 calls it.
    text : str
        The pattern, inside of its window.
    stream : str
        Names of ticks, each with a price if it matters: ``A9 B20``.
    """

    feature: str
    text: str
    stream: str

    @property
    def pattern(self) -> Pattern:
        """The pattern."""
        return Pattern(parse(f"{self.text} {WINDOW}", schema=STOCKS).expression, name=self.feature)

    @property
    def rows(self) -> list[Rows]:
        """The ticks."""
        words = enumerate(self.stream.split())
        return [("BUY", i, word[0], 100, float(word[1:] or 1), i * STEP_MS) for i, word in words]

    @property
    def events(self) -> tuple[Event, ...]:
        """The same as events."""
        return STOCKS.stream(self.rows)


def _named(name: str, more: str = "") -> str:
    return f"event{more} where name = '{name}'"


A, B, C, D = (_named(name) for name in "ABCD")
HELD: Final = _named("A", " as r")
PROBES: Final = (
    Probe("unary selection", f"{A} and price > 5.0", "A1 A9 B9"),
    Probe("n-ary selection", f"any({HELD}, {B} and price > r.price)", "A5 B1 B9"),
    Probe("disjunction", f"any({A}, ({B}; {C}) | {D})", "A B C D"),
    Probe("conjunction", f"any({A}, any(event+)) & any(any(event+), {B})", "A C B"),
    Probe("negation", f"({A}; absent(skip {B}); {C})", "A D C B C"),
    Probe("sequence", f"any({A}, {B})", "A C B B"),
    Probe("iteration", f"any({A}, any(({B})+), {C})", "A B B C"),
    Probe("nested iteration", f"any({A}, any((any({B}, any(({C})+)))+), {D})", "A B C B C D"),
    Probe("strict contiguity", f"({A}; {B})", "A B C A C B"),
    Probe("skip-till-next", f"next({A}, {B})", "A C B B"),
    Probe("skip-till-any", f"any({A}, {B}, {C})", "A B B C C"),
)
DETERMINIZED: Final = f"({HELD}; event where price > r.price) length 3"
"""Determinization is no matter of answers; only the automata of mnemata can be looked at."""


class Verdict(StrEnum):
    """What a probe has shown."""

    YES = "yes"
    OTHER = "other"
    NO = "no"
    FAILED = "failed"
    UNKNOWN = "not run"


class Finding(NamedTuple):
    """A system and a probe: the verdict, what was found, and what is to be said."""

    verdict: Verdict
    found: tuple[tuple[int, ...], ...] = ()
    message: str = ""


def probed(probe: Probe, system: System, cache: Path) -> Finding:
    """Ask one system."""
    folder = cache / "runs" / f"{system.name}-probe"
    try:
        found = tuple(sorted(found_in(system, probe.pattern, probe.rows, cache, folder)))
    except InexpressibleError as error:
        return Finding(Verdict.NO, message=str(error))
    except EnvironmentProblem as error:
        return Finding(Verdict.UNKNOWN, message=str(error))
    except StreamError as error:
        return Finding(Verdict.FAILED, message=str(error))
    same = list(found) == sorted(expected(probe))
    return Finding(Verdict.YES if same else Verdict.OTHER, found)


def best(probe: Probe, systems: Sequence[System], cache: Path) -> Finding:
    """The first of several languages of one system that gives the expected matches, else the first."""
    findings = []
    for system in systems:
        findings.append(probed(probe, system, cache))
        if findings[-1].verdict is Verdict.YES:
            return findings[-1]
    return findings[0]


def expected(probe: Probe) -> Places:
    """The matches of a probe by the denotational semantics, 0-based."""
    return expected_in(probe.pattern, probe.events)


def determinizes() -> bool:
    """Whether the automaton of a windowed relational pattern is made deterministic, which is then checked."""
    srt = determinize(parse(DETERMINIZED, schema=STOCKS), STOCKS)
    return is_deterministic(srt, STOCKS).yes


def probe_all(columns: Mapping[str, Sequence[System]], cache: Path) -> dict[tuple[str, str], Finding]:
    """Ask all systems for all features.

    Parameters
    ----------
    columns : mapping of str to sequence of System
        For each column its name and the languages of that system, the preferred one first.
    cache : Path
        A folder for what is made once, and for what runs write.

    Returns
    -------
    dict of (str, str) to Finding
        By feature and column.
    """
    return {
        (probe.feature, name): best(probe, systems, cache)
        for probe in PROBES
        for name, systems in columns.items()
    }
