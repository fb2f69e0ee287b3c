"""Table 3 of the SRT paper, probed: for each feature the smallest pattern that needs it.

What a system returns on a short stream is compared with the denotational semantics.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.automata.determinization import determinize
from mnemata.paper_figures.benchmarks.figures import machine
from mnemata.paper_figures.peers.differences import Places, Rows, expected_in, found_in, listed
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.paper_figures.peers.systems import OWN, System
from mnemata.paper_figures.tables import Table
from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.errors import EnvironmentProblem, StreamError
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.syntax import parse

NAME: Final = "table3"
TITLE: Final = "Features of systems (SRT Table 3), probed"
TEXT: Final = """\
For each feature of Table 3 of the SRT paper the smallest pattern that needs it and a stream of a few ticks,
100 ms apart. What a system returned is compared with the matches by the denotational semantics: *yes* when
they are the same, *other* when it returned others, *no* when the generator of this comparison has no way to
write the pattern in its language. FlinkCEP also has groups of patterns, and unions of streams of matches,
which the generator does not write. In parentheses is what Table 3 says of the system: + for yes, - for no,
? for unclear. Esper is asked in MATCH_RECOGNIZE, and where that fails, in its pattern language. Disjunction
and negation of single events, which are conditions, are not asked for: all systems have them."""
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

_MARKS: Final[Mapping[str, str]] = {
    OWN: "+++++++++++",
    "esper": "+++?+++++++",
    "flink-cep": "+++?++?????",
    "flink-sql": "++-?++--+++",
}
"""Table 3, feature by feature; it has one mark for iteration, and one for selection policies."""

QUOTED: Final = Table(
    "Quoted from Table 3, not run: +, - or ?; E is enumeration, S.P. selection policies",
    ("system", "σ1", "σn", "∨", "∧", "¬", "sequence", "iteration", "determinization", "E", "S.P."),
    (
        ("SASE", "+", "+", "-", "-", "+", "+", "+", "-", "+", "all"),
        ("Cayuga", "+", "+", "+", "?", "-", "+", "+", "-", "-", "skip-till-any"),
        ("CORE", "+", "-", "+", "?", "?", "+", "+", "+", "+", "all"),
        ("Wayeb, symbolic automata", "+", "-", "+", "+", "+", "+", "+", "+", "-", "all"),
        ("Wayeb, SRT", "+", "+", "+", "+", "+", "+", "+", "+", "+", "all"),
        ("augmented finite automata", "+", "?", "+", "?", "?", "+", "+", "?", "-", "strict"),
    ),
)


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


def page(columns: Mapping[str, Sequence[System]], command: str, cache: Path) -> str:
    """The table and what each probe was.

    Parameters
    ----------
    columns : mapping of str to sequence of System
        For each column its name and the languages of that system, the preferred one first.
    command : str
        What to type to make the page again.
    cache : Path
        A folder for what is made once, and for what runs write.
    """
    found = {
        (probe.feature, name): best(probe, systems, cache)
        for probe in PROBES
        for name, systems in columns.items()
    }
    rows = [
        (probe.feature, *(_cell(number, name, found[probe.feature, name], columns) for name in columns))
        for number, probe in enumerate(PROBES)
    ]
    rows.append(("determinization", *_determinization(columns)))
    table = Table("Probed", ("feature", *columns), tuple(rows))
    text = textwrap.fill(TEXT, 110, break_on_hyphens=False)
    made = f"Made by `{command}`.\n{machine()}"
    parts = (f"# {TITLE}", text, made, table.markdown(), QUOTED.markdown(), *_details(found, columns))
    return "\n\n".join(parts) + "\n"


def _cell(number: int, name: str, finding: Finding, columns: Mapping[str, Sequence[System]]) -> str:
    marks = _MARKS.get(columns[name][0].name)
    return finding.verdict.value if marks is None else f"{finding.verdict.value} ({marks[number]})"


def _determinization(columns: Mapping[str, Sequence[System]]) -> Iterator[str]:
    marks = {OWN: "+", "esper": "?", "flink-cep": "-", "flink-sql": "?"}
    for systems in columns.values():
        name = systems[0].name
        seen = ("yes" if determinizes() else "no") if name == OWN else "not seen"
        yield f"{seen} ({marks[name]})" if name in marks else seen


def _details(
    found: Mapping[tuple[str, str], Finding], columns: Mapping[str, Sequence[System]]
) -> Iterator[str]:
    for probe in PROBES:
        lines = [
            f"**{probe.feature}**",
            f"```text\n{probe.text} {WINDOW}\n```",
            f"Stream `{probe.stream}`; expected {listed(sorted(expected(probe)))}.",
        ]
        said = [_said(name, found[probe.feature, name]) for name in columns]
        lines += ["\n".join(line for line in said if line)] if any(said) else []
        yield "\n\n".join(lines)
    yield f"**determinization**\n\n```text\n{DETERMINIZED}\n```"


def _said(name: str, finding: Finding) -> str:
    if finding.verdict is Verdict.OTHER:
        return f"- {name} returned {listed(finding.found)}."
    return f"- {name}: {finding.message}." if finding.message else ""
