"""Answers to questions about patterns, in words and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from mnemata.automata.srt.runs import Run, accepting_runs, matches
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.pipeline.command.telling import value_text
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.satisfiability import Verdict, Witness
from mnemata.theory.schema import Event, Schema
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.syntax import show

if TYPE_CHECKING:
    from rich.table import Table

_MOST_MATCHES: Final = 8
_MOST_RUNS: Final = 1_000
_WIDEST_UNBROKEN: Final = 30


@dataclass(frozen=True, slots=True)
class Asked:
    """A pattern in question, and what to call it."""

    name: str
    srt: SRT
    schema: Schema

    def matches(self, string: Sequence[Event]) -> list[list[int]]:
        """Its matches over the whole string, as 0-based rows."""
        return sorted(sorted(m - 1 for m in marks) for marks in matches(self.srt, string))

    def told(self, string: Sequence[Event]) -> str:
        """Which rows it matches."""
        found = self.matches(string)
        shown = "; ".join(_rows(rows) for rows in found[:_MOST_MATCHES])
        more = f"; and {len(found) - _MOST_MATCHES:,} more" if len(found) > _MOST_MATCHES else ""
        return f"{self.name} matches {shown}{more}" if found else f"{self.name} does not match"


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a question.

    Parameters
    ----------
    verdict : Verdict
        The answer.
    sentence : str
        What it means; when it is unknown, why.
    string : tuple of Event or None
        Shows that it is so.
    marks : frozenset of int or None
        1-based positions of the match in question, where there is one.
    asked : tuple of Asked
        The patterns.
    runs : mapping from str to sequence of str
        Runs over the string, as the transitions they take.
    registers : Witness or None
        The last event of the string, and what registers hold when it is read.
    transitions : tuple of Transition
        What can be taken then.
    """

    verdict: Verdict
    sentence: str
    string: tuple[Event, ...] | None = None
    marks: frozenset[int] | None = None
    asked: tuple[Asked, ...] = ()
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    registers: Witness | None = None
    transitions: tuple[Transition, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The answer for programs; rows are 0-based."""
        found: dict[str, Any] = {"answer": self.verdict.value, "sentence": self.sentence}
        if self.string is not None:
            found["events"] = [_as_json(event) for event in self.string]
        if self.string is not None and self.asked:
            found["matches"] = {one.name: one.matches(self.string) for one in self.asked}
        if self.runs:
            found["runs"] = dict(self.runs)
        if self.marks is not None:
            found["match in question"] = sorted(m - 1 for m in self.marks)
        if self.registers is not None:
            found["event"] = _as_json(self.registers.event)
            found["registers"] = {name: _as_json(event) for name, event in self.registers.valuation.items()}
        if self.transitions:
            found["transitions"] = [transition_text(t, None) for t in self.transitions]
        return found

    def lines(self, schema: Schema) -> Iterator[str | Table]:
        """The answer for people."""
        yield f"{self.verdict.value}: {self.sentence}"
        if self.string is not None:
            yield self._table(schema) if self.string else "the string of no events"
            yield from (one.told(self.string) for one in self.asked)
        for name, transitions in self.runs.items():
            yield f"{name}:"
            yield from (f"  row {row}: {text}" for row, text in enumerate(transitions))
        yield from (transition_text(t, schema) for t in self.transitions)
        if self.registers is not None and self.string is not None:
            held = self.registers.valuation.items()
            yield from (f"register {name} holds row {event.position - 1}" for name, event in held)
        elif self.registers is not None:
            yield _registers(self.registers, schema)

    def _table(self, schema: Schema) -> Table:
        string = self.string or ()
        marked = self.marks or frozenset()
        bullets = ["•" if i in marked else "" for i in range(1, len(string) + 1)]
        columns = {"match": bullets} if marked else {}
        return _events("row", [(str(i), event) for i, event in enumerate(string)], schema, columns)


def _rows(rows: Sequence[int]) -> str:
    if not rows:
        return "it without marking an event"
    return f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}"


def _events(
    head: str, events: Sequence[tuple[str, Event]], schema: Schema, more: Mapping[str, Sequence[str]]
) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, highlight=False)
    shown = [[value_text(event[name], schema, name) for _, event in events] for name in schema.names]
    table.add_column(head, no_wrap=True)
    for name, texts in zip(schema.names, shown, strict=True):
        table.add_column(name, no_wrap=max(map(len, texts)) <= _WIDEST_UNBROKEN, overflow="fold")
    for name in more:
        table.add_column(name, justify="center", no_wrap=True)
    for i, (label, _) in enumerate(events):
        table.add_row(label, *(column[i] for column in (*shown, *more.values())))
    return table


def _registers(witness: Witness, schema: Schema) -> Table:
    held = [(f"register {name}", event) for name, event in witness.valuation.items()]
    return _events("", [("the event", witness.event), *held], schema, {})


def two_runs(asked: Asked, string: Sequence[Event]) -> dict[str, list[str]]:
    """Two runs with the same marks over a string, as the transitions they take."""
    seen: dict[frozenset[int], Run] = {}
    for run, _ in zip(accepting_runs(asked.srt, string), range(_MOST_RUNS), strict=False):
        other = seen.setdefault(run.marks, run)
        if other is not run:
            return {f"run {i}": _taken(each, asked.schema) for i, each in enumerate((other, run), start=1)}
    return {}


def _taken(run: Run, schema: Schema) -> list[str]:
    return [transition_text(transition, schema) for transition in run.transitions]


def transition_text(transition: Transition, schema: Schema | None) -> str:
    """A transition in the readable notation."""
    step = f"state {transition.source} -> {transition.target}"
    if transition.condition is None:
        return f"{step}: without reading an event"
    event = "event" if transition.output is Output.MARK else "skip event"
    written = f" as {' and '.join(sorted(transition.writes))}" if transition.writes else ""
    asked = transition.condition
    return f"{step}: {event}{written}" + ("" if asked == TOP else f" where {show(asked, schema=schema)}")


def _as_json(event: Event) -> dict[str, Any]:
    return dict(zip(event.schema.names, event.values, strict=True))
