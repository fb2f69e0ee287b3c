"""Counterexamples as people read them: in the notation of the project, with the stream as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, TypeAlias

from mnemata.automata.cea.automaton import CEA
from mnemata.automata.drawing.cea import describe as describe_cea
from mnemata.automata.drawing.composition import describe
from mnemata.automata.rma.automaton import RMA
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Claim, Exhibit, size
from mnemata.proofs.report.pictures import Picture, automaton_pictures, exhibit_pictures
from mnemata.proofs.report.wording import member_text, surplus, told
from mnemata.theory.cel.formulas import Formula
from mnemata.theory.cel.predicates import Predicate
from mnemata.theory.cepl.expressions import Expression as Cepl
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.terms import Term
from mnemata.theory.errors import MnemataError, brief
from mnemata.theory.schema import Event, Schema, Value
from mnemata.theory.sremo.expressions import Expression, Pattern
from mnemata.theory.syntax import show, show_cel, show_cepl

Labelled: TypeAlias = tuple[str, str]

FROM_ZERO: Final = (Formula, Cepl, CEA, RMA)
"""What comes from papers that count positions from 0."""


@dataclass(frozen=True, slots=True)
class Table:
    """Events as rows of texts under the names of their attributes, and which events these are."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def lines(self) -> Iterator[str]:
        """The same as text, in columns."""
        table = (("", *self.columns[1:]), *self.rows)
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for row in table:
            cells = (text.ljust(width) for text, width in zip(row, widths, strict=True))
            yield "  ".join(cells).rstrip()

    def to_json(self) -> list[dict[str, str]]:
        """The same for programs; the position is the column without a name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Specimen:
    """A counterexample.

    Parameters
    ----------
    sized : str
        How small it is, or nothing where size has no meaning.
    parts : tuple of (str, str)
        What it consists of besides events: kinds of things, and the things as text.
    streams : tuple of Table
        Its events: of most there is one stream, and of some the part of it that goes wrong.
    expected, found : str
        What there should be over the stream, and what there is; empty where nothing says so.
    lost, spurious : str
        The difference: what is missing from `found`, and what is too much.
    pictures : tuple of Picture
        Its automata, with the run that goes wrong.
    """

    sized: str
    parts: tuple[Labelled, ...]
    streams: tuple[Table, ...]
    expected: str = ""
    found: str = ""
    lost: str = ""
    spurious: str = ""
    pictures: tuple[Picture, ...] = ()

    def __str__(self) -> str:
        lines = [f"{kind}: {text}" for kind, text in self.parts]
        for stream in self.streams:
            lines += [f"{stream.title}:", *(f"  {line}" for line in stream.lines())]
        return "\n".join([*lines, *(f"{label}: {text}" for label, text in self.verdicts)])

    @property
    def verdicts(self) -> tuple[Labelled, ...]:
        """What there should be and what there is, with labels."""
        labelled = (
            ("expected", self.expected),
            ("found", self.found),
            ("lost", self.lost),
            ("spurious", self.spurious),
        )
        return tuple((label, text) for label, text in labelled if text)

    def to_json(self) -> dict[str, Any]:
        """The same for programs, without pictures."""
        return {
            "size": self.sized,
            "parts": [{"kind": kind, "text": text} for kind, text in self.parts],
            "streams": {
                t.title: [dict(zip(t.columns, row, strict=True)) for row in t.rows] for t in self.streams
            },
            "expected": self.expected,
            "found": self.found,
            "lost": self.lost,
            "spurious": self.spurious,
        }


def specimen(instance: Any, claim: Claim[Any] | None, *, pictures: bool = False) -> Specimen:
    """An instance that breaks a claim, as people read it; `pictures` are drawn if asked for."""
    members = instance if isinstance(instance, tuple) and not _is_stream(instance) else (instance,)
    exhibit = _exhibit(claim, instance)
    named = _named(members, claim)
    streams = [("stream", member) for _, member in named if _is_stream(member)]
    if exhibit is not None and not any(_same(exhibit.stream, stream) for _, stream in streams):
        streams.append(("the part shown" if streams else "stream", exhibit.stream))
    first = 0 if any(isinstance(member, FROM_ZERO) for member in members) else 1
    drawn: tuple[Picture, ...] = ()
    if pictures:
        drawn = automaton_pictures(members) if exhibit is None else exhibit_pictures(exhibit)
    expected, found = (None, None) if exhibit is None else (exhibit.expected, exhibit.found)
    return Specimen(
        sized=_sized(instance),
        parts=tuple(part for name, member in named for part in _called(name, member)),
        streams=tuple(_table(title, stream, first) for title, stream in streams if stream),
        expected="" if exhibit is None else told(expected),
        found="" if exhibit is None else told(found),
        lost=_listed(surplus(expected, found)),
        spurious=_listed(surplus(found, expected)),
        pictures=drawn,
    )


def _named(members: Sequence[Any], claim: Claim[Any] | None) -> list[tuple[str | None, Any]]:
    """The members that play a part, with the names that the claim has for them if it has any."""
    names = () if claim is None else claim.members
    return [(name, member) for name, member in zip_longest(names, members) if name != ""]


def _called(name: str | None, member: Any) -> Iterator[Labelled]:
    """A member as text, under its name, numbered if it is several, or under its kind."""
    labelled = list(_parts(member))
    if name is None:
        yield from labelled
    elif len(labelled) == 1:
        yield name, labelled[0][1]
    else:
        yield from ((f"{name}{k}", text) for k, (_, text) in enumerate(labelled, 1))


def _listed(members: Sequence[Any]) -> str:
    """Members of a difference; of a yes or no there is nothing more to say."""
    return "" if True in members else ", ".join(map(member_text, members))


def _exhibit(claim: Claim[Any] | None, instance: Any) -> Exhibit | None:
    if claim is None or claim.exhibit is None:
        return None
    try:
        return claim.exhibit(instance)
    except MnemataError:  # a construction that breaks the claim by not ending has nothing to show
        return None


def _same(one: Sequence[Event], other: Sequence[Event]) -> bool:
    return [event.values for event in one] == [event.values for event in other]


def _sized(instance: Any) -> str:
    if not isinstance(instance, tuple):
        return ""
    parts, events = size(instance if not _is_stream(instance) else (instance,))
    counted = ((parts, "part"), (events, "event"))
    return ", ".join(f"{n} {noun}{'' if n == 1 else 's'}" for n, noun in counted if n)


def _is_stream(member: Any) -> bool:
    return isinstance(member, tuple) and all(isinstance(event, Event) for event in member)


def _parts(member: Any) -> Iterator[Labelled]:
    """What a member of an instance is, and how it is written; streams are tables, schemas their headings."""
    match member:
        case Schema():
            return
        case Expression() | Pattern():
            yield "expression", show(member, notation="paper")
        case Cepl():
            yield "expression", show_cepl(member)
        case Formula() | Predicate():
            yield "formula", show_cel(member)
        case Condition() | Term():
            yield "condition", show(member, notation="paper")
        case SRT() | RMA():
            yield "automaton", describe(member if isinstance(member, SRT) else member.srt)
        case CEA():
            yield "automaton", describe_cea(member)
        case bool() | int():
            yield "number", str(member)
        case str():
            yield "text", member
        case tuple() if _is_stream(member):
            if not member:
                yield "stream", "no events"
        case tuple() | list():
            for inner in member:
                yield from _parts(inner)
        case None:
            return
        case _:
            yield "with", brief(member)


def _table(title: str, stream: Sequence[Event], first: int) -> Table:
    """Events with their positions, of which the first one has the number `first`."""
    columns = ("", *stream[0].schema.names)
    rows = ((str(event.position - 1 + first), *map(_value, event.values)) for event in stream)
    return Table(title, columns, tuple(rows))


def _value(value: Value) -> str:
    if value is None:
        return "missing"
    return f"{value:.12g}" if isinstance(value, float) else str(value)
