"""What can be said about a pattern before it meets a stream: errors, warnings, and remarks.

An error keeps the pattern from running. A warning is about something that cannot have been meant, such as a
condition that never holds. A remark is good to know.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from mnemata.automata.compilation import CompiledPattern, compile_pattern, without_windows
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.engine.preparation import prepared
from mnemata.automata.engine.queries import compile_for_engine
from mnemata.automata.srt.transducer import SRT, State
from mnemata.theory.cel.query import Query
from mnemata.theory.conditions.formulas import And, Condition, Or
from mnemata.theory.conditions.terms import Register
from mnemata.theory.errors import MnemataError, PatternSyntaxError, placed
from mnemata.theory.satisfiability import satisfiable
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import LengthWindow, Output, Pattern, Terminal, Windowed
from mnemata.theory.sremo.paths import shortest
from mnemata.theory.sremo.windows import ends, longest, marks_both_ends
from mnemata.theory.syntax import Located, Place
from mnemata.theory.syntax.paths import show_path
from mnemata.theory.trees import walk


class Level(Enum):
    """How serious a finding is."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about a pattern.

    Parameters
    ----------
    level : Level
        How serious it is.
    message : str
        What it is, and the remedy.
    place : Place or None
        Line and column in the text, if it is about a part of it.
    path : str
        Lines that show a path through the pattern on which it is seen; empty where there is none.
    """

    level: Level
    message: str
    place: Place | None = None
    path: str = ""

    def shown(self, text: str) -> str:
        """The message with its place, an excerpt of the text, and the path."""
        message = self.message if self.place is None else placed(self.message, *self.place, text)
        return f"{message}\n{self.path}" if self.path else message

    def to_json(self) -> dict[str, Any]:
        """The finding as an object for JSON."""
        line, column = self.place or (None, None)
        found = {"level": self.level.value, "message": self.message, "line": line, "column": column}
        return {**found, "path": self.path.splitlines()} if self.path else found


_PLACE: Final = re.compile(r" at line (\d+) column (\d+)")


def error_found(error: MnemataError) -> Finding:
    """The finding that an error is."""
    message = str(error).split("\n  ")[0]
    found = _PLACE.search(message)
    place = (int(found[1]), int(found[2])) if found else None
    if isinstance(error, PatternSyntaxError):
        place = (error.line, error.column)
    return Finding(Level.ERROR, _PLACE.sub("", message, count=1), place)


def findings_of_query(query: Query | Pattern, schema: Schema) -> Iterator[Finding]:
    """What is wrong with a query, or may be."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            ready = prepared(compile_for_engine(query, schema))
        except MnemataError as error:
            yield error_found(error)
            return
    for warning in caught:
        yield Finding(Level.WARNING, str(warning.message))
    if ready.obstacle is not None:
        yield Finding(Level.REMARK, f"it is recognised in Python, which is slow: {ready.obstacle}")
    if ready.compiled.choices:
        names = ", ".join(strategy.__name__.upper() for strategy in ready.compiled.choices)
        yield Finding(Level.REMARK, f"{names} chooses among all that end at an event, so these are all made")
    if _is_found_late(ready.compiled):
        yield Finding(
            Level.REMARK,
            "what it shows may be found after its last event: once, at the first event at which the formula "
            "has it",
        )


def _is_found_late(compiled: CompiledPattern) -> bool:
    srt = compiled.srt
    entering = (t for t in srt.transitions if t.target in srt.finals)
    return (compiled.told_apart or compiled.shows_less) and any(t.output is Output.SKIP for t in entering)


def findings(located: Located, schema: Schema | None) -> Iterator[Finding]:
    """Everything there is to say about a pattern that could be read, in the order of `CHECKS`.

    Parameters
    ----------
    located : Located
        The pattern and its text.
    schema : Schema, optional
        Of the streams; without it conditions are not looked into.
    """
    for check in CHECKS:
        for finding in check(located, schema):
            yield finding
            if finding.level is Level.ERROR:
                # What follows presupposes that there is an automaton.
                return


def compiles(located: Located, schema: Schema | None) -> Iterator[Finding]:
    """Whether an automaton can be made of it."""
    if schema is None:
        yield Finding(Level.REMARK, "without --schema, attributes and types are not checked")
        return
    try:
        compile_pattern(located.pattern, schema)
    except MnemataError as error:
        yield error_found(error)


def holds_sometimes(located: Located, schema: Schema | None) -> Iterator[Finding]:
    """Whether each condition, and each alternative in it, can hold at all."""
    if schema is None:
        return
    for node in walk(located.pattern.expression):
        if isinstance(node, Terminal):
            yield from _condition(node.condition, located, schema)


def _condition(condition: Condition, located: Located, schema: Schema) -> Iterator[Finding]:
    answer = satisfiable(condition, schema)
    place = located.place(condition)
    if answer.no:
        yield Finding(Level.WARNING, "this condition never holds", place)
    elif answer.unknown:
        message = f"whether this condition can hold was not decided: {answer.reason}"
        yield Finding(Level.REMARK, message, place)
    for part in _alternatives(condition) if answer.yes else ():
        if satisfiable(part, schema, known=condition).no:
            yield Finding(Level.WARNING, "this alternative never holds", located.place(part) or place)


def _alternatives(condition: Condition) -> Iterator[Condition]:
    """The operands of disjunctions, but for those under a negation."""
    waiting = [condition]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Or):
            yield from part.operands
        if isinstance(part, And | Or):
            waiting.extend(reversed(part.operands))


def written_registers_are_read(located: Located, schema: Schema | None) -> Iterator[Finding]:
    """Whether what is remembered is used."""
    for register, places in located.writes.items():
        if register not in located.reads:
            message = (
                f"register '{register}' is written and never read; drop it, or compare something with it"
            )
            yield Finding(Level.WARNING, message, places[0])


def reads_come_after_writes(located: Located, schema: Schema | None) -> Iterator[Finding]:
    """Whether a register can hold an event where it is read."""
    srt = thompson(without_windows(located.pattern.expression)[0])
    written = _may_be_written(srt)
    # A part that is repeated has several transitions with one condition: one that may read is enough.
    empty: dict[int, tuple[Condition, frozenset[Register]]] = {}
    for transition in srt.transitions:
        condition = transition.condition
        if condition is not None:
            _, before = empty.get(id(condition), (condition, transition.reads))
            empty[id(condition)] = condition, before - written[transition.source]
    for condition, never in empty.values():
        for register in sorted(name for name in never if not name.startswith("#")):
            message = f"register '{register}' is always empty here; nothing before this writes it"
            yield Finding(Level.WARNING, message, located.place(condition))


def _may_be_written(srt: SRT) -> dict[State, frozenset[Register]]:
    """For each state the registers that some path to it writes."""
    written: dict[State, frozenset[Register]] = {state: frozenset() for state in srt.states}
    waiting = list(srt.states)
    while waiting:
        state = waiting.pop()
        for transition in srt.outgoing(state):
            after = written[state] | transition.writes
            if not after <= written[transition.target]:
                written[transition.target] |= after
                waiting.append(transition.target)
    return written


def matches_are_reported(located: Located, schema: Schema | None) -> Iterator[Finding]:
    """Whether a stream reports its matches, which it does at their last marked event."""
    found = ends(located.pattern.expression)
    if found.last == {Output.SKIP}:
        message = (
            "no match is ever reported; every match ends in a skipped event, and a stream reports a match at "
            "its last marked event"
        )
        yield Finding(Level.WARNING, message, located.place(located.pattern.expression))
    if not found.last:
        message = "the pattern matches no event at all"
        yield Finding(Level.WARNING, message, located.place(located.pattern.expression))


def windows_bound_strings(located: Located, schema: Schema | None) -> Iterator[Finding]:
    """What windows bound, and whether anything bounds the pattern (ERRATA A5)."""
    expression = located.pattern.expression
    windows = [node for node in walk(expression) if isinstance(node, Windowed)]
    bounded = longest(expression) is not None
    for node in windows:
        if not isinstance(node.window, LengthWindow) and not marks_both_ends(node.body):
            cannot = "sliced" if bounded else "determinized or sliced"
            message = (
                "this window bounds the marked events, not the whole string; unmarked events may come before "
                f"the first or after the last of them, so the pattern cannot be {cannot}"
            )
            path = _unmarked_end(node, located, schema)
            yield Finding(Level.REMARK, message, located.place(node), path)
    if not windows and not bounded:
        message = (
            "no window bounds the pattern, so unfinished matches are kept to the end of the stream; "
            "bound it with 'within'"
        )
        growing = shortest(expression).growing
        why = "as often as one likes"
        path = "" if growing is None else show_path(growing, why, located=located, schema=schema)
        yield Finding(Level.REMARK, message, path=path)


def _unmarked_end(node: Windowed, located: Located, schema: Schema | None) -> str:
    """A path through what is in a window that begins or ends with an event that is not marked."""
    found = shortest(node.body)
    path = found.last if found.first is None else found.first
    if path is None:
        return ""
    return show_path(path, "not marked", last=found.first is None, located=located, schema=schema)


def runs_compiled(located: Located, schema: Schema | None) -> Iterator[Finding]:
    """Whether the compiled engine recognises it."""
    if schema is None:
        return
    obstacle = prepared(compile_pattern(located.pattern, schema)).obstacle
    if obstacle is not None:
        yield Finding(Level.REMARK, f"it is recognised in Python, which is slow: {obstacle}")


CHECKS: Final[tuple[Callable[[Located, Schema | None], Iterator[Finding]], ...]] = (
    compiles,
    holds_sometimes,
    written_registers_are_read,
    reads_come_after_writes,
    matches_are_reported,
    windows_bound_strings,
    runs_compiled,
)
