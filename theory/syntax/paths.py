"""Paths through an expression as text, with the places of their steps."""

from __future__ import annotations

from itertools import islice
from typing import Final

from mnemata.theory.schema import Schema
from mnemata.theory.sremo.paths import Path, Role, Step
from mnemata.theory.syntax.located import Located
from mnemata.theory.syntax.printing import show

_SHOWN_AT_EACH_END: Final = 3
_WIDEST: Final = 90
_MOST_LOOKED_AT: Final = 100_000


def show_path(
    path: Path, why: str, *, last: bool = False, located: Located | None = None, schema: Schema | None = None
) -> str:
    """A path as numbered lines, shortened in the middle.

    Parameters
    ----------
    path : Path
        As `mnemata.theory.sremo.paths.shortest` finds it.
    why : str
        Said of the step in question: one that may be repeated if there is one, else the first.
    last : bool
        Instead of the first step, the last is in question.
    located : Located, optional
        The pattern that the path goes through, for the places of the steps.
    schema : Schema, optional
        For the names of event types.

    Examples
    --------
    >>> from mnemata.theory.sremo.paths import shortest
    >>> from mnemata.theory.syntax import parse_located
    >>> read = parse_located("skip event; event")
    >>> print(show_path(shortest(read.pattern.expression).first, "not marked", located=read))
      1. skip event (line 1 column 1)  <- not marked
      2. event (line 1 column 13)
    """
    steps = _shown(path)
    repeats = any(step.repeated for _, step in steps)
    asked, lines, before = path.length if last else 1, list[str](), 0
    for number, step in steps:
        lines += [f"  ... {number - before - 1:,} more ..."] if number > before + 1 else []
        noted = f"  <- {why}" if (step.repeated if repeats else number == asked) else ""
        lines.append(f"  {number:,}. {_told(step, schema)}{_placed(step, located)}{noted}")
        before = number
    return "\n".join(lines)


def _shown(path: Path) -> list[tuple[int, Step]]:
    """The first and last steps, and one that may be repeated, with their numbers."""
    first = list(islice(enumerate(path.steps(), start=1), _SHOWN_AT_EACH_END))
    backwards = islice(path.steps(backwards=True), _SHOWN_AT_EACH_END)
    last = [(path.length - i, step) for i, step in enumerate(backwards)]
    looked_at = islice(enumerate(path.steps(), start=1), _MOST_LOOKED_AT)
    repeated = next(((number, step) for number, step in looked_at if step.repeated), None)
    return sorted(dict([*first, *last, *([repeated] if repeated else [])]).items())


def _told(step: Step, schema: Schema | None) -> str:
    shown = show(step.part, schema=schema)
    part = shown if len(shown) <= _WIDEST else f"{shown[:_WIDEST]} ..."
    match step.role:
        case Role.EVENT | Role.LOOP:
            return part
        case Role.GAP:
            return f"an event skipped between the parts of {part}"
        case Role.UNLIKE:
            return f"an event let pass by {part}"


def _placed(step: Step, located: Located | None) -> str:
    place = None if located is None else located.place(step.part)
    return "" if place is None else f" (line {place[0]} column {place[1]})"
