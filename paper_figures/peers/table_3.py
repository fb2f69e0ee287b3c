"""Table 3 of the SRT paper: what probing the systems has shown, kept as JSON, and its tables."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mnemata.paper_figures.benchmarks.figures import machine
from mnemata.paper_figures.peers.differences import listed
from mnemata.paper_figures.peers.features import DETERMINIZED, PROBES, WINDOW, Finding, Verdict, expected
from mnemata.paper_figures.reproductions import Tables
from mnemata.paper_figures.tables import Table
from mnemata.theory.errors import SourceError

NAME: Final = "table3"
TITLE: Final = "Features of systems (SRT Table 3), probed"
TEXT: Final = """\
For each feature of Table 3 of the SRT paper the smallest pattern that needs it and a stream of a few
ticks, 100 ms apart. What a system returned is compared with the matches by the denotational semantics:
*yes* when they are the same, *other* when it returned others, *no* when the generator of this
comparison has no way to write the pattern in its language. FlinkCEP also has groups of patterns, and
unions of streams of matches, Wayeb nested expressions and disjunctions of them, SASE negation, all of
which the generator does not write; CORE has disjunctions, but not of what is contiguous, as the one
here. In parentheses is what Table 3 says of the system: + for yes, - for no, ? for unclear. Esper is
asked in MATCH_RECOGNIZE, and where that fails, in its pattern language. Disjunction and negation of
single events, which are conditions, are not asked for: all systems have them. Determinization is no
matter of answers; only the automata of mnemata can be looked at."""
HOW: Final = """\
The outcome is kept in `paper_figures/results/measurements/srt-table-3.json`;
`python -m mnemata.paper_figures.peers table3` probes the systems anew."""
KEPT: Final = Path(__file__).parents[1] / "results" / "measurements" / "srt-table-3.json"

_MARKS: Final[Mapping[str, str]] = {
    "mnemata": "++++++++++++",
    "Esper": "+++?+++++++?",
    "FlinkCEP": "+++?++?????-",
    "Flink SQL": "++-?++--+++?",
    "Wayeb": "++++++++++++",
    "SASE 1.0": "++--+++++++-",
    "CORE": "+-+??+++++++",
}
"""Table 3, feature by feature; it has one mark for iteration, and one for selection policies."""

_FEATURES: Final = ("σ1", "σn", "∨", "∧", "¬", "sequence", "iteration", "determinization", "E", "S.P.")
_QUOTED: Final = (
    ("SASE", "+", "+", "-", "-", "+", "+", "+", "-", "+", "all"),
    ("Cayuga", "+", "+", "+", "?", "-", "+", "+", "-", "-", "skip-till-any"),
    ("CORE", "+", "-", "+", "?", "?", "+", "+", "+", "+", "all"),
    ("Wayeb, symbolic automata", "+", "-", "+", "+", "+", "+", "+", "+", "-", "all"),
    ("Wayeb, SRT", "+", "+", "+", "+", "+", "+", "+", "+", "+", "all"),
    ("augmented finite automata", "+", "?", "+", "?", "?", "+", "+", "?", "-", "strict"),
)
_ROWS: Final[Mapping[str, str]] = {"Wayeb": "Wayeb, SRT", "SASE 1.0": "SASE", "CORE": "CORE"}
"""What Table 3 calls the systems that are probed where the user has them."""


@dataclass(frozen=True, slots=True)
class Probed:
    """What probing has shown.

    Parameters
    ----------
    systems : tuple of str
        The columns.
    findings : mapping of (str, str) to Finding
        By feature and system.
    determinizes : bool
        Whether mnemata makes an automaton deterministic.
    machine : str
        Where it was done.
    """

    systems: tuple[str, ...]
    findings: Mapping[tuple[str, str], Finding]
    determinizes: bool
    machine: str

    @classmethod
    def now(cls, findings: Mapping[tuple[str, str], Finding], *, determinizes: bool) -> Probed:
        """Just seen on this machine."""
        return cls(tuple(dict.fromkeys(name for _, name in findings)), findings, determinizes, machine())

    def save(self, path: Path) -> Path:
        """Write it; `SourceError` when that is impossible."""
        findings = [
            {"feature": feature, "system": system, **finding._asdict()}
            for (feature, system), finding in self.findings.items()
        ]
        facts = {"machine": self.machine, "determinizes": self.determinizes, "findings": findings}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise SourceError(f"cannot write '{path}': {error.strerror}") from None
        return path

    @classmethod
    def load(cls, path: Path) -> Probed:
        """Read it; `SourceError` when there is none, or the file is of another kind."""
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            findings = {(one["feature"], one["system"]): _finding(one) for one in facts["findings"]}
            systems = tuple(dict.fromkeys(name for _, name in findings))
            return cls(systems, findings, bool(facts["determinizes"]), str(facts["machine"]))
        except OSError as error:
            raise SourceError(f"cannot read '{path}': {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise SourceError(
                f"'{path}' does not hold the outcome of probes; probe the systems anew"
            ) from None


def _finding(facts: Mapping[str, Any]) -> Finding:
    found = tuple(tuple(int(place) for place in places) for places in facts["found"])
    return Finding(Verdict(facts["verdict"]), found, str(facts["message"]))


def table_3() -> Tables:
    """Table 3 as it was probed last."""
    return tables(Probed.load(KEPT))


def tables(probed: Probed) -> Tables:
    """What was seen, what Table 3 says of systems that are not at hand, and what was asked."""
    text = textwrap.fill(TEXT, 110, break_on_hyphens=False)
    rows = [
        (
            probe.feature,
            *(_cell(number, name, probed.findings[probe.feature, name]) for name in probed.systems),
        )
        for number, probe in enumerate(PROBES)
    ]
    rows.append(("determinization", *_determinization(probed)))
    shown = Table("Probed", ("feature", *probed.systems), tuple(rows), (1 + len(probed.systems)) * "l")
    return Tables((shown, _quoted(probed), _asked(), _told(probed)), f"{text}\n\n{HOW}\n\n{probed.machine}")


def _quoted(probed: Probed) -> Table:
    seen = {_ROWS[system] for system in probed.systems if system in _ROWS}
    rows = tuple(row for row in _QUOTED if row[0] not in seen)
    caption = "Quoted from Table 3, not run: +, - or ?; E is enumeration, S.P. selection policies"
    return Table(caption, ("system", *_FEATURES), rows, 11 * "l")


def _cell(number: int, system: str, finding: Finding) -> str:
    return _marked(number, system, finding.verdict.value)


def _marked(number: int, system: str, seen: str) -> str:
    return f"{seen} ({_MARKS[system][number]})" if system in _MARKS else seen


def _determinization(probed: Probed) -> Iterator[str]:
    own = "yes" if probed.determinizes else "no"
    for system in probed.systems:
        yield _marked(len(PROBES), system, own if system == "mnemata" else "not seen")


def _asked() -> Table:
    rows = [(p.feature, _code(f"{p.text} {WINDOW}"), p.stream, listed(sorted(expected(p)))) for p in PROBES]
    rows.append(("determinization", _code(DETERMINIZED), "—", "—"))
    return Table("What was asked", ("feature", "pattern", "stream", "expected"), tuple(rows), "llll")


def _code(pattern: str) -> str:
    escaped = pattern.replace("|", "\\|")
    return f"`{escaped}`"


def _told(probed: Probed) -> Table:
    rows = tuple(
        (feature, system, said) for (feature, system), one in probed.findings.items() if (said := _said(one))
    )
    return Table("Where it is otherwise", ("feature", "system", "what it returned, or why not"), rows, "lll")


def _said(finding: Finding) -> str:
    return f"returned {listed(finding.found)}" if finding.verdict is Verdict.OTHER else finding.message
