"""How far back in a stream the matches that end at an event depend on it.

Where that is bounded, a stream may be cut: a part that is read from so far before it has all matches that
end in it, and each match ends in one part. That needs windows that bound strings and not only marks (ERRATA
A5), and conditions that do not depend on where the stream begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mnemata.automata.compilation import Begins, CompiledPattern
from mnemata.automata.engine.horizon import ticks
from mnemata.automata.engine.relations import needs_events
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.cel.query import Consumption
from mnemata.theory.conditions.formulas import TOP, Apply, Condition, Relation, expand
from mnemata.theory.conditions.terms import Arithmetic, Position
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.sremo.expressions import EventWindow, LengthWindow, Output, TimeWindow, Window
from mnemata.theory.trees import Node, children, walk


@dataclass(frozen=True, slots=True)
class Reach:
    """How far back it goes; where both are given, the nearer of the two holds.

    Parameters
    ----------
    events : int or None
        A string that ends at an event has at most so many events, that one included.
    ticks : int or None
        All its events are less than so many ticks before that one.
    """

    events: int | None
    ticks: int | None

    def first(self, row: int, times: npt.NDArray[np.int64] | None = None) -> int:
        """The first row to read for all matches that end at `row` or later.

        Parameters
        ----------
        row : int
            Of a stream that begins at row 0.
        times : int64 array, optional
            The timestamps of all rows in ticks, in order; needed where the reach is in ticks.
        """
        found = 0
        if self.events is not None:
            found = max(found, row - self.events + 1)
        if self.ticks is not None and times is not None and row < len(times):
            found = max(found, int(np.searchsorted(times, times[row] - self.ticks, side="right")))
        return min(found, row)


def reach(compiled: CompiledPattern) -> Reach:
    """The reach of a pattern within its sub-streams.

    Raises
    ------
    UnsupportedError
        When none is known; the message says why.
    """
    reason = _reason(compiled)
    if reason is not None:
        raise UnsupportedError(
            f"pattern '{compiled.pattern.name}' needs the stream from its beginning: {reason}"
        )
    windows = compiled.windows
    bounding = windows if _begins_with_mark(compiled.srt) else _on_length(windows)
    sizes = [window.size for window in bounding if isinstance(window, EventWindow | LengthWindow)]
    lengths = [ticks(window, compiled.schema) for window in bounding if isinstance(window, TimeWindow)]
    return Reach(min(sizes, default=None), min(lengths, default=None))


@lru_cache(maxsize=256)
def known_reach(compiled: CompiledPattern) -> Reach | None:
    """The reach of a pattern, or ``None`` when none is known; found once."""
    return reach(compiled) if _reason(compiled) is None else None


def _reason(compiled: CompiledPattern) -> str | None:
    """Why nothing bounds what matches depend on."""
    if compiled.consumes is not Consumption.NONE:
        return "a match uses up all events before its end"
    if compiled.shows_less or compiled.told_apart:
        return "what it shows is found once, where it is found first"
    if compiled.begins is Begins.AT_FIRST:
        return "its runs begin with the stream"
    if not compiled.windows:
        return "it has no outermost window; bound it by one"
    if not _begins_with_mark(compiled.srt) and not _on_length(compiled.windows):
        return (
            "its window bounds the marked events, and events before the first of them may matter; bound the "
            "string by a window on length"
        )
    if any(map(_depends_on_beginning, _conditions(compiled.srt))):
        return "a condition reads positions in the stream other than as a difference of two"
    if any(map(_asks_python, _conditions(compiled.srt))):
        return "a relation in Python is given whole events, with their positions in the stream"
    return None


def _conditions(srt: SRT) -> list[Condition]:
    return [expand(c) for c in {t.condition for t in srt.transitions if t.condition is not None}]


def _on_length(windows: Sequence[Window]) -> tuple[Window, ...]:
    return tuple(window for window in windows if isinstance(window, LengthWindow))


def _begins_with_mark(srt: SRT) -> bool:
    """Whether every string begins with a marked event, but for events that any run may skip first."""
    return all(t.output is Output.MARK or _idles(t) for t in srt.outgoing(srt.start))


def _idles(transition: Transition) -> bool:
    """Whether a run that begins later does as well as one that takes this transition first."""
    stays = transition.source == transition.target and not transition.writes
    return stays and transition.output is Output.SKIP and transition.condition == TOP


def _depends_on_beginning(condition: Condition) -> bool:
    """Whether positions are read otherwise than as ``position(x) - position(y)``."""
    waiting: list[Node] = [condition]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Position):
            return True
        below = children(node)
        apart = isinstance(node, Arithmetic) and node.operator == "-"
        if not (apart and all(isinstance(child, Position) for child in below)):
            waiting += below
    return False


def _asks_python(condition: Condition) -> bool:
    return any(
        isinstance(node, Apply) and isinstance(node.relation, Relation) and needs_events(node.relation)
        for node in walk(condition)
    )
