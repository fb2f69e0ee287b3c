"""Pictures of counterexamples: the automaton that errs, and the run on which it shows.

What was found and is no match has a run in the wrong automaton, which is drawn, and beside it an automaton
that does not find it, or from which the wrong one was made. What is a match and was not found has no run
there; then the wrong automaton is drawn as it is, and beside it the run in one that finds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TypeAlias

from mnemata.automata.cea import runs as of_cea
from mnemata.automata.cea.automaton import CEA
from mnemata.automata.drawing import Drawing, draw, draw_cea
from mnemata.automata.rma import runs as of_rma
from mnemata.automata.rma.automaton import RMA
from mnemata.automata.srt import runs as of_srt
from mnemata.automata.srt.runs import Run
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.claims import Exhibit
from mnemata.proofs.report.wording import member_text, members, surplus
from mnemata.theory.cel.valuations import Valuation
from mnemata.theory.conditions.formulas import expand
from mnemata.theory.conditions.terms import Attribute
from mnemata.theory.errors import MnemataError
from mnemata.theory.schema import Event
from mnemata.theory.trees import walk

Automaton: TypeAlias = SRT | RMA | CEA
Course: TypeAlias = Run | of_cea.Run
Titled: TypeAlias = tuple[str, Automaton]

MOST_TRANSITIONS: Final = 40
"""Automata with more are not drawn: nobody sees in them what is wrong."""

MOST_IN_FRAMES: Final = 30
"""Transitions in all frames of a run together; a longer run is drawn in one picture, in red."""

MOST_RUNS: Final = 20_000
MOST_OTHERS: Final = 2


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and what it shows.

    Parameters
    ----------
    caption : str
        In words.
    svg : str
        The picture, the same bytes for the same automaton; nothing where there is none, as of an automaton
        without states.
    """

    caption: str
    svg: str

    def _repr_mimebundle_(self, **_wanted: object) -> dict[str, str]:
        return (
            {"image/svg+xml": self.svg, "text/plain": self.caption}
            if self.svg
            else {"text/plain": self.caption}
        )


def automaton_pictures(members: Iterable[Any]) -> tuple[Picture, ...]:
    """The automata among the members of an instance."""
    return tuple(_plain(("the automaton", member)) for member in members if _drawable(member))


def exhibit_pictures(exhibit: Exhibit) -> tuple[Picture, ...]:
    """The wrong automaton of an exhibit, the run that goes wrong, and the run of a right one."""
    shown = [(title, automaton) for title, automaton in exhibit.automata if _drawable(automaton)]
    if not shown:
        return ()
    (title, automaton), *others = shown
    for member in surplus(exhibit.found, exhibit.expected):
        course = _course(automaton, exhibit, member)
        if course is not None:
            wrong = _running((title, automaton), course, f"a run that wrongly {_finds_it(member)}")
            return (wrong, *(_without(other, exhibit, member) for other in others[:MOST_OTHERS]))
    lost = surplus(exhibit.expected, exhibit.found)
    return (
        _losing((title, automaton), exhibit, lost),
        *(_finding(other, exhibit, lost) for other in others[:MOST_OTHERS]),
    )


def _without(other: Titled, exhibit: Exhibit, member: Any) -> Picture:
    """Another automaton: one that does not find what it should not, or from which the wrong one was made."""
    if _course(other[1], exhibit, member) is None:
        return _plain(other, f"no run {_finds_it(member)}")
    return _finding(other, exhibit, members(exhibit.expected))


def _losing(wrong: Titled, exhibit: Exhibit, lost: Sequence[Any]) -> Picture:
    """The wrong automaton, with a run that should have counted if there is one."""
    for member in lost:
        course = _course(wrong[1], exhibit, member)
        if course is not None:
            return _running(wrong, course, f"a run that {_finds_it(member)} and is not counted")
    return _plain(wrong, f"no run {_finds_it(lost[0])}" if lost else "")


def _finding(right: Titled, exhibit: Exhibit, wanted: Sequence[Any]) -> Picture:
    """An automaton with its run for the first of what is wanted that it finds."""
    for member in wanted:
        course = _course(right[1], exhibit, member)
        if course is not None:
            return _running(right, course, f"the run that {_finds_it(member)}")
    return _plain(right)


def _finds_it(member: Any) -> str:
    return "accepts the string" if member is True else f"finds {member_text(member)}"


def _drawable(member: Any) -> bool:
    return isinstance(member, SRT | RMA | CEA) and len(member.transitions) <= MOST_TRANSITIONS


def _plain(titled: Titled, remark: str = "") -> Picture:
    title, automaton = titled
    if not automaton.size:
        remark = "; ".join(filter(None, (remark, "the automaton has no states")))
        return Picture(f"{title}: {remark}", "")
    drawing = draw_cea(automaton) if isinstance(automaton, CEA) else draw(_srt(automaton))
    return _picture(f"{title}: {remark}" if remark else title, drawing)


def _running(titled: Titled, course: Course, remark: str) -> Picture:
    title, automaton = titled
    return _picture(f"{title}: {remark}", _with_run(automaton, course))


def _picture(caption: str, drawing: Drawing) -> Picture:
    try:
        return Picture(caption, drawing.svg())
    except MnemataError as error:
        return Picture(f"{caption} (no picture: {error})", "")


def _with_run(automaton: Automaton, course: Course) -> Drawing:
    """The automaton with a run, configuration by configuration if that does not get too long."""
    if isinstance(automaton, CEA):
        return draw_cea(automaton, highlighted=[t for t in automaton.transitions if t in course.transitions])
    srt = _srt(automaton)
    if isinstance(course, Run) and len(srt.transitions) * len(course.configurations) <= MOST_IN_FRAMES:
        return draw(course, srt=srt, attributes=_attributes(srt, course))
    return draw(srt, highlighted=[t for t in srt.transitions if t in course.transitions])


def _srt(automaton: SRT | RMA) -> SRT:
    return automaton.srt if isinstance(automaton, RMA) else automaton


def _attributes(srt: SRT, run: Run) -> list[str] | None:
    """The attributes that the conditions read; all when they read none."""
    read = {
        node.name
        for t in srt.transitions
        if t.condition is not None
        for node in walk(expand(t.condition))
        if isinstance(node, Attribute)
    }
    names = run.string[0].schema.names if run.string else ()
    return [name for name in names if name in read] or None


def _course(automaton: Automaton, exhibit: Exhibit, wanted: Any) -> Course | None:
    """A shortest run that finds `wanted`, over as much of the stream as any."""
    for length in _lengths(automaton, exhibit):
        courses = _courses(automaton, exhibit.stream[:length])
        found = [run for run in courses if _finds(automaton, run, wanted, length)]
        if found:
            return min(found, key=lambda run: len(run.transitions))
    return None


def _lengths(automaton: Automaton, exhibit: Exhibit) -> Iterable[int]:
    """How much runs may read: all, or as much as they like where results are those of every place."""
    whole = len(exhibit.stream)
    anywhere = isinstance(automaton, RMA) or isinstance(exhibit.expected, list | tuple)
    return range(whole, -1, -1) if anywhere else (whole,)


def _courses(automaton: Automaton, string: Sequence[Event]) -> Iterator[Course]:
    found: Iterator[Course]
    match automaton:
        case SRT():
            found = of_srt.accepting_runs(automaton, string)
        case RMA():
            found = of_rma.accepting_runs(automaton, string)
        case CEA():
            found = of_cea.accepting_runs(automaton, string, len(string) - 1) if string else iter(())
    return islice(found, MOST_RUNS)


def _finds(automaton: Automaton, run: Course, wanted: Any, length: int) -> bool:
    """Whether a run finds a match, a valuation or a place; RMA and CEA count places from 0."""
    match wanted:
        case bool():
            return True
        case int():
            return wanted == length - 1
        case Valuation():
            return isinstance(run, of_cea.Run) and run.valuation == wanted
    if isinstance(run, of_cea.Run):
        return bool(run.valuation.support == wanted)
    marks = run.marks if isinstance(automaton, SRT) else frozenset(mark - 1 for mark in run.marks)
    return bool(marks == wanted)
