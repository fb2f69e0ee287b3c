"""Patterns and runs in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

import numpy as np

from mnemata.automata.compilation import compile_pattern, without_windows
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.transducer import SRT
from mnemata.pipeline.explanation import Step, reads_registers
from mnemata.pipeline.inspection import Inspection
from mnemata.pipeline.summary import Longest, described
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.errors import LimitError
from mnemata.theory.schema import NANOSECONDS, Event, Schema, Timestamp, Value
from mnemata.theory.sremo.expressions import EventWindow, LengthWindow, Window, Windowed
from mnemata.theory.sremo.rewriting import core
from mnemata.theory.sremo.windows import longest, marks_both_ends
from mnemata.theory.syntax import Located, show
from mnemata.theory.trees import fold, walk

_MOST_SHOWN: Final = 4
_LONGEST_FORM: Final = 4_000
_MOST_PARTS: Final = 20_000
_INDENT: Final = " " * 11


def pattern_lines(located: Located, schema: Schema | None) -> Iterator[tuple[str, str]]:
    """What there is to say about a pattern, as labels and values."""
    pattern = located.pattern
    yield "pattern", _shortened(show(pattern, schema=schema))
    yield "", _shortened(show(pattern, notation="paper"))
    yield "normal form", _normal_form(located, schema)
    yield "", _normal_form(located, schema, paper=True)
    yield from _registers(located)
    yield from _windows(located)
    if pattern.partition_by:
        yield "partition by", ", ".join(pattern.partition_by)
    yield from _automata(located, schema)


def _normal_form(located: Located, schema: Schema | None, *, paper: bool = False) -> str:
    """The pattern in the basic operators only."""
    try:
        basic = core(located.pattern.expression)
    except LimitError as error:
        return f"not written out: {error}"
    parts = fold(basic, lambda _node, below: 1 + sum(below))
    if parts > _MOST_PARTS:
        count = f"{parts:,}" if parts < 10**15 else "far too many"
        return f"not written out: it has {count} parts"
    return _shortened(show(basic, notation="paper") if paper else show(basic, schema=schema))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_FORM else f"{text[:_LONGEST_FORM]} ... ({len(text):,} characters)"


def _registers(located: Located) -> Iterator[tuple[str, str]]:
    names = dict.fromkeys([*located.writes, *located.reads])
    if not names:
        yield "registers", "none"
    for number, name in enumerate(names):
        written, read = (
            ", ".join(f"{line}:{column}" for line, column in places.get(name, ())) or "nowhere"
            for places in (located.writes, located.reads)
        )
        yield "" if number else "registers", f"{name}: written at {written}, read at {read} (line:column)"


def _windows(located: Located) -> Iterator[tuple[str, str]]:
    expression = located.pattern.expression
    windows = [node for node in walk(expression) if isinstance(node, Windowed)]
    for number, node in enumerate(windows):
        yield "" if number else "windows", f"{window_text(node.window)}; {_consequence(node)}"
    size = longest(expression)
    if size is not None:
        yield "longest string", "1 event" if size == 1 else f"{size:,} events"
    elif not windows:
        yield "windows", "none: an unfinished match is kept to the end of the stream"


def window_text(window: Window) -> str:
    """What a window asks."""
    if isinstance(window, LengthWindow):
        return f"at most {window.size:,} events are read"
    if isinstance(window, EventWindow):
        return f"the marked events lie among {window.size:,} consecutive events"
    amount = f"{window.duration.amount:,} {window.duration.unit}"
    return f"less than {amount} pass from the first to the last marked event"


def _consequence(node: Windowed) -> str:
    if isinstance(node.window, LengthWindow):
        return "bounds the whole string"
    if marks_both_ends(node.body):
        return "bounds the whole string too, because every match marks its first and last event"
    return "does not bound the whole string: unmarked events may come before the first or after the last mark"


def _automata(located: Located, schema: Schema | None) -> Iterator[tuple[str, str]]:
    try:
        built = thompson(without_windows(located.pattern.expression)[0])
        yield "automaton", f"{_size(built)} as built"
        yield "", f"{_size(eliminate_epsilon(built))} without epsilon transitions"
        if schema is not None:
            yield "", f"{_size(compile_pattern(located.pattern, schema).srt)} when trimmed, as it is run"
    except LimitError as error:
        yield "automaton", f"cannot be built: {error}"


def _size(srt: SRT) -> str:
    silent = sum(transition.is_epsilon for transition in srt.transitions)
    noted = f" ({silent:,} epsilon)" if silent else ""
    return f"{srt.size:,} states, {len(srt.transitions):,} transitions{noted}"


def run_lines(
    found: Inspection, schema: Schema, *, number: int = 1, all_events: bool = False
) -> Iterator[str]:
    """The run behind a match, event by event."""
    marked = [step for step in found.steps if step.marked]
    whole = Longest(
        len(marked),
        found.rows[marked[0].event.position],
        found.rows[marked[-1].event.position],
        _span(marked[0].event, marked[-1].event, schema),
    )
    yield ""
    yield f"match {number}: {described(whole)}"
    for same, group in groupby(found.steps, key=lambda step: None if step.marked else step.transition):
        steps = list(group)
        if same is None or all_events or len(steps) <= _MOST_SHOWN:
            for step in steps:
                yield from _step(step, found.rows, schema)
        else:
            yield from _step(steps[0], found.rows, schema)
            yield f"{_INDENT}... {len(steps) - 2:,} more events skipped likewise ..."
            yield from _step(steps[-1], found.rows, schema)


def _span(first: Event, last: Event, schema: Schema) -> int | None:
    kind = None if schema.time is None else schema[schema.time]
    if not isinstance(kind, Timestamp) or schema.time is None:
        return None
    start, end = first[schema.time], last[schema.time]
    return (end - start) * NANOSECONDS[kind.unit] if isinstance(start, int) and isinstance(end, int) else None


def _step(step: Step, rows: dict[int, int], schema: Schema) -> Iterator[str]:
    condition = step.condition
    done = "marked" if step.marked else "skipped"
    if step.writes:
        done += f", written to {' and '.join(step.writes)}"
    yield f"row {rows[step.event.position]:<6} {event_text(step.event, schema)}"
    asked = "any event" if condition is None or condition == TOP else show(condition, schema=schema)
    yield f"{_INDENT}{done}; state {step.transition.source} -> {step.transition.target}: {asked}"
    for part, with_values in step.reasons():
        if reads_registers(part):
            yield f"{_INDENT}{show(part, schema=schema)}, because {show(with_values, schema=schema)}"


def event_text(event: Event, schema: Schema) -> str:
    """An event in the benchmark's form, with times that people can read.

    >>> from mnemata.theory.schema import Int64, String, Timestamp
    >>> ticks = Schema.of(type=String(), id=Int64(), at=Timestamp("s"), event_type="type", time="at")
    >>> event_text(ticks.event(["BUY", 8, 86400]), ticks)
    'BUY(id=8, at=1970-01-02T00:00:00)'
    """
    shown = (
        f"{name}={value_text(event[name], schema, name)}"
        for name in schema.names
        if name != schema.event_type
    )
    head = "" if schema.event_type is None else event[schema.event_type] or ""
    return f"{head}({', '.join(shown)})"


def value_text(value: Value, schema: Schema, name: str) -> str:
    """A value of an attribute as people read it."""
    kind = schema[name]
    if value is None:
        return "missing"
    if isinstance(kind, Timestamp) and isinstance(value, int):
        return str(np.datetime64(value, kind.unit))
    return str(value)
