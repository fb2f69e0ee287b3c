"""Why some rows of a table are a match, or are none: what `mnemata explain` says, in Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mnemata.automata.compilation import CompiledPattern, compile_pattern
from mnemata.automata.engine.columns import columns_of
from mnemata.automata.engine.matches import Matches
from mnemata.pipeline.command.telling import event_text, run_lines, window_text
from mnemata.pipeline.explanation import Obstacle, Step, explained, obstacle
from mnemata.pipeline.inspection import MOST_EVENTS, Inspection
from mnemata.theory.cel.query import Query
from mnemata.theory.errors import LimitError, StreamError, UnsupportedError
from mnemata.theory.schema import Event, Schema
from mnemata.theory.sremo.windows import fits
from mnemata.theory.syntax import show

_INDENT: Final = " " * 11


def why(found: Matches, rows: Iterable[int]) -> str:
    """Say why some rows are a match, event by event, or what keeps them from being one.

    Parameters
    ----------
    found : Matches
        What `mnemata.automata.engine.recognition.recognise` returned; nothing needs to have been searched.
    rows : iterable of int
        0-based rows of its table, such as the positions of a match.

    Raises
    ------
    StreamError
        There are no rows, or the table has no such row.
    UnsupportedError
        What was searched for is a query of complex event logic.
    LimitError
        More than 100,000 events of the sub-stream come before the last of the rows.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from mnemata.automata.engine.recognition import recognise
    >>> found = recognise("event as r; event where price > r.price", pa.table({"price": [3, 1, 2]}))
    >>> print(why(found, [0, 1]))
    rows 0, 1 are no match: no run of the automaton gets past row 1
    row 1      (price=1)
               cannot be marked; state 1 -> 2: price > r.price
               price > r.price fails, as 1 > 3
    """
    if isinstance(found.pattern, Query):
        raise UnsupportedError("queries of complex event logic are not explained; write a pattern of SREMO")
    marked = sorted(set(rows))
    events = _substream(found, marked)
    compiled = compile_pattern(found.pattern, found.schema)
    positions = {row: event.position for row, event in events.items()}
    marks = frozenset(positions[row] for row in marked if row in positions)
    if len(marks) < len(marked):
        return f"{_rows(marked)} no match: they are not of one sub-stream"
    string = tuple(events.values())
    steps = explained(compiled.srt, string, marks)
    numbers = {event.position: row for row, event in events.items()}
    if steps is None:
        missed = obstacle(compiled.srt, string, marks)
        return "\n".join(_missed(missed, numbers, marked, found.schema)) if missed else ""
    return "\n".join(_made(compiled, steps, marks, numbers, marked))


def _substream(found: Matches, rows: Sequence[int]) -> dict[int, Event]:
    """The events up to the last of the rows that have the key of the first, by row."""
    size = found.table.num_rows
    if not rows or rows[0] < 0 or rows[-1] >= size:
        raise StreamError(f"name rows from 0 to {size - 1:,}, at least one")
    if rows[-1] >= MOST_EVENTS:
        raise LimitError(f"more than {MOST_EVENTS:,} events come before row {rows[-1]:,}; slice the table")
    columns = columns_of(found.table.slice(0, rows[-1] + 1), found.schema, found.schema.names)
    keys = [columns.reader(name) for name in found.pattern.partition_by]
    key = [reader(rows[0]) for reader in keys]
    if None in key:
        return {}
    own = (row for row in range(rows[-1] + 1) if [reader(row) for reader in keys] == key)
    values = [columns.reader(name) for name in found.schema.names]
    return {
        row: found.schema.event([reader(row) for reader in values], place)
        for place, row in enumerate(own, start=1)
    }


def _made(
    compiled: CompiledPattern,
    steps: Sequence[Step],
    marks: frozenset[int],
    numbers: dict[int, int],
    rows: Sequence[int],
) -> Iterator[str]:
    string = [step.event for step in steps]
    broken = [window for window in compiled.windows if not fits(marks, window, string)]
    for window in broken:
        yield f"{_rows(rows)} no match: too far apart. By the window {window_text(window)}"
    if not broken:
        yield f"{_rows(rows)} a match"
        yield from list(run_lines(Inspection(tuple(steps), numbers), compiled.schema, number=1))[2:]


def _missed(
    missed: Obstacle, numbers: Mapping[int, int], rows: Sequence[int], schema: Schema
) -> Iterator[str]:
    if missed.event is None:
        yield f"{_rows(rows)} no match: after row {rows[-1]} the pattern is not complete"
        return
    row = numbers[missed.event.position]
    yield f"{_rows(rows)} no match: no run of the automaton gets past row {row}"
    yield f"row {row:<6} {event_text(missed.event, schema)}"
    done = "marked" if missed.marked else "skipped"
    if not missed.refused:
        yield f"{_INDENT}cannot be {done}: nothing in the pattern does that here"
    for step in missed.refused:
        condition = step.condition
        asked = "" if condition is None else show(condition, schema=schema)
        states = f"{step.transition.source} -> {step.transition.target}"
        yield f"{_INDENT}cannot be {done}; state {states}: {asked}"
        for part, values in step.failures():
            yield f"{_INDENT}{show(part, schema=schema)} fails, as {show(values, schema=schema)}"


def _rows(rows: Sequence[int]) -> str:
    subject, verb = ("row", "is") if len(rows) == 1 else ("rows", "are")
    return f"{subject} {', '.join(map(str, rows))} {verb}"
