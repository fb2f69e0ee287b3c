"""What bounds the length of the strings of an automaton, or why nothing does (ERRATA A5).

Only strings of bounded length can be determinized and complemented.
"""

from __future__ import annotations

from typing import Final, NamedTuple, NoReturn, TypeAlias

from mnemata.automata.constructions.registers import unused_prefix
from mnemata.automata.constructions.windowing import windowed
from mnemata.automata.srt.paths import Loop, Path, growing, longest, unmarked_first, unmarked_last
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.sremo.expressions import EventWindow, LengthWindow, Output, TimeWindow, Window
from mnemata.theory.syntax import show

Bound: TypeAlias = int | Window | None
"""A number of events, a window, or nothing but what the automaton itself sets."""

REMEDY: Final = "mark the first and the last event of every match, or give the greatest length in events"


class Bounded(NamedTuple):
    """An automaton, and the length in events up to which its strings count."""

    srt: SRT
    length: int


def bounded(srt: SRT, window: Bound) -> Bounded:
    """What of `srt` is within a window.

    Parameters
    ----------
    srt : SRT
        Any.
    window : int, Window or None
        A number, or a `LengthWindow`, bounds the whole string. An `EventWindow` bounds the marked events
        (Def. 39); where every path marks its first and last event that is the same. ``None``: `srt`
        has no loops.

    Raises
    ------
    UnsupportedError
        Nothing bounds the strings; the message shows a path on which that is seen.
    """
    match window:
        case int():
            return Bounded(srt, window)
        case LengthWindow(size=size):
            return Bounded(srt, size)
        case EventWindow(size=size):
            return _by_marks(srt, window, size)
        case TimeWindow():
            raise UnsupportedError(
                "a window in time bounds no number of events, so an automaton cannot be determinized under "
                "it; give the greatest length in events, and compile the window in time with the pattern"
            )
    length = longest(srt)
    if length is None:
        _refuse_to_grow(srt, "the automaton has no window")
    return Bounded(srt, length)


def _by_marks(srt: SRT, window: EventWindow, size: int) -> Bounded:
    first, last = unmarked_first(srt), unmarked_last(srt)
    if first is None and last is None:
        return Bounded(srt, size)
    length = longest(srt)
    if length is not None:
        return Bounded(windowed(srt, window, f"{unused_prefix(srt.registers)}0"), length)
    _refuse_unmarked(size, first, last)


def _refuse_to_grow(srt: SRT, reason: str) -> NoReturn:
    before, loop, after = growing(srt) or Loop((), (), ())
    walk = show_walk((before, ""), (loop, "as often as one likes"), (after, ""))
    raise UnsupportedError(
        f"{reason}, and a loop lets its strings grow without limit, so it cannot be determinized or "
        f"complemented\n{walk}\ngive the greatest length in events"
    )


def _refuse_unmarked(size: int, first: Path | None, last: Path | None) -> NoReturn:
    begin = first is not None
    read = [t for t in first or last or () if not t.is_epsilon]
    cut = 1 if begin else len(read) - 1
    ends = (tuple(read[:cut]), tuple(read[cut:]))
    walk = show_walk(*zip(ends, ("not marked", "") if begin else ("", "not marked"), strict=True))
    raise UnsupportedError(
        f"the window of {size:,} events bounds the marked events, not the whole string: a match may "
        f"{'begin' if begin else 'end'} with an event that is not marked, so it cannot be determinized or "
        f"complemented\n{walk}\n{REMEDY}"
    )


_SHOWN_AT_EACH_END: Final = 4
_WIDEST: Final = 100


def show_walk(*pieces: tuple[Path, str]) -> str:
    """The events of a walk as lines, with a remark on those of each piece; of long pieces the ends."""
    return "\n".join(line for walk, remark in pieces for line in _lines(walk, remark))


def _lines(walk: Path, remark: str) -> list[str]:
    read = [t for t in walk if not t.is_epsilon]
    lines = [f"  {_told(t)}{f'  <- {remark}' if remark else ''}" for t in read]
    more = len(lines) - 2 * _SHOWN_AT_EACH_END
    if more <= 1:
        return lines
    return [*lines[:_SHOWN_AT_EACH_END], f"  ... {more:,} more ...", *lines[-_SHOWN_AT_EACH_END:]]


def _told(transition: Transition) -> str:
    step = f"state {transition.source} -> {transition.target}"
    event = "event" if transition.output is Output.MARK else "skip event"
    written = f" as {' and '.join(sorted(transition.writes))}" if transition.writes else ""
    condition = TOP if transition.condition is None else transition.condition
    asked = "" if condition == TOP else f" where {show(condition)}"
    told = f"{step}: {event}{written}{asked}"
    return told if len(told) <= _WIDEST else f"{told[:_WIDEST]} ..."
