"""Windows: what they bound, and whether a window on marks also bounds the string (Def. 39, ERRATA A5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

from mnemata.theory.conditions.formulas import Comparison, Condition
from mnemata.theory.conditions.terms import HEAD, Arithmetic, Constant, Position, Register, Time
from mnemata.theory.errors import ConditionTypeError, brief
from mnemata.theory.schema import INT64_MAX, NANOSECONDS, Event, Schema, Timestamp
from mnemata.theory.sremo.expressions import (
    Absent,
    Concatenation,
    Empty,
    Epsilon,
    EventWindow,
    Expression,
    Intersection,
    LengthWindow,
    Negation,
    Optional,
    Output,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    TimeWindow,
    Union,
    Window,
    Windowed,
)
from mnemata.theory.trees import fold


def fits(marks: frozenset[int], window: Window, string: Sequence[Event]) -> bool:
    """Whether a match over `string` fits `window`; the empty match fits any window on marks."""
    if isinstance(window, LengthWindow):
        return len(string) <= window.size
    if not marks:
        return True
    if isinstance(window, EventWindow):
        return max(marks) - min(marks) + 1 <= window.size
    marked = {event.position: event for event in string}
    span = _nanoseconds(marked[max(marks)]) - _nanoseconds(marked[min(marks)])
    return span < window.duration.nanoseconds


def guard(window: Window, first: Register) -> Condition:
    """The condition that the head is still inside a window that opened at the event in `first`.

    For windows on marks the register holds the first marked event, for `LengthWindow` the first event read.
    """
    if isinstance(window, TimeWindow):
        return Comparison("<", Arithmetic("-", Time(HEAD), Time(first)), window.duration)
    return Comparison("<", Arithmetic("-", Position(HEAD), Position(first)), Constant(window.size))


def _nanoseconds(event: Event) -> int:
    name = event.schema.time
    kind = None if name is None else event.schema[name]
    value = None if name is None else event[name]
    if not isinstance(kind, Timestamp) or not isinstance(value, int):
        raise ConditionTypeError("a window in time needs events with a timestamp that is not missing")
    return value * NANOSECONDS[kind.unit]


def check_window(window: Window, schema: Schema) -> None:
    """Raise `ConditionTypeError` unless `window` can be measured in streams of this schema."""
    if not isinstance(window, TimeWindow):
        return
    if schema.time is None:
        raise ConditionTypeError(
            "a window in time needs a schema with a time attribute; name one with Schema(..., time='...')"
        )
    kind = schema[schema.time]
    if not isinstance(kind, Timestamp):
        return
    length = f"a window of {brief(window.duration.amount)} {window.duration.unit}"
    ticks, rest = divmod(window.duration.nanoseconds, NANOSECONDS[kind.unit])
    if rest:
        raise ConditionTypeError(
            f"{length} is not a whole number of {kind.unit}, the unit of '{schema.time}'"
        )
    if ticks > INT64_MAX:
        raise ConditionTypeError(f"{length} in {kind.unit}, the unit of '{schema.time}', exceeds 64 bits")


@dataclass(frozen=True, slots=True)
class Ends:
    """How the strings of an expression may begin and end.

    `nullable`: one of them may be empty; `first`, `last`: outputs of their first and last events;
    `one_round`: for an iteration of possibly several rounds, the ends of one of them.
    """

    nullable: bool
    first: frozenset[Output] = frozenset()
    last: frozenset[Output] = frozenset()
    one_round: Ends | None = field(default=None, repr=False, compare=False)

    @property
    def possible(self) -> bool:
        """Whether there is any string at all."""
        return self.nullable or bool(self.first and self.last)

    def then(self, other: Ends) -> Ends:
        """The ends of a concatenation."""
        if not self.possible or not other.possible:
            return Ends(False)
        return Ends(
            self.nullable and other.nullable,
            self.first | (other.first if self.nullable else frozenset()),
            other.last | (self.last if other.nullable else frozenset()),
        )

    def either(self, other: Ends) -> Ends:
        """The ends of a union."""
        return Ends(self.nullable or other.nullable, self.first | other.first, self.last | other.last)

    def with_gaps(self) -> Ends:
        """The ends when events may be skipped between rounds: at an end only beside an empty one."""
        if self.one_round is None or not self.one_round.nullable:
            return self
        return self.either(self.one_round.then(_ANYTHING).then(self.one_round))

    def or_nothing(self) -> Ends:
        """The same ends, and the empty string."""
        return Ends(True, self.first, self.last)


_NOTHING = Ends(True)
_ANYTHING = Ends(True, frozenset({Output.SKIP}), frozenset({Output.SKIP}))


def ends(expression: Expression) -> Ends:
    """The ends of an expression, as if all its conditions were satisfiable (so at least the real ones)."""
    return fold(expression, _ends)


def _ends(node: object, below: tuple[Ends, ...]) -> Ends:
    match node:
        case Epsilon():
            return _NOTHING
        case Empty():
            return Ends(False)
        case Terminal(output=output):
            return Ends(False, frozenset({output}), frozenset({output}))
        case Union():
            return reduce(Ends.either, below)
        case Concatenation():
            return reduce(Ends.then, below)
        case SkipTillAny(parts=(_, _, *_)) | SkipTillNext(parts=(_, _, *_)):
            return reduce(lambda left, right: left.then(_ANYTHING).then(right), below)
        case SkipTillAny(parts=(part,)) | SkipTillNext(parts=(part,)):
            return below[0].with_gaps() if isinstance(part, Star | Plus | Repeat) else below[0]
        case Optional():
            return below[0].or_nothing()
        case Star() | Plus() | Repeat():
            return _iterated(node, below[0])
        case Negation() | Absent():
            return _ANYTHING
        case Intersection():
            left, right = below
            both = Ends(left.nullable and right.nullable, left.first & right.first, left.last & right.last)
            return both if both.possible else Ends(False)
    return below[0] if below else _NOTHING


def _iterated(iteration: Star | Plus | Repeat, one: Ends) -> Ends:
    if isinstance(iteration, Repeat) and iteration.maximum == 0:
        return _NOTHING
    optional = isinstance(iteration, Star) or (isinstance(iteration, Repeat) and not iteration.minimum)
    single = isinstance(iteration, Repeat) and iteration.maximum == 1
    return Ends(one.nullable or optional, one.first, one.last, None if single else one)


def marks_both_ends(expression: Expression) -> bool:
    """Whether every match marks the first and the last event of its string.

    Then a window on marks bounds the string too (ERRATA A5). Answers ``False`` when in doubt.

    >>> from mnemata.theory.sremo.expressions import mark, skip
    >>> marks_both_ends(mark() >> skip().star() >> mark()), marks_both_ends(skip() >> mark())
    (True, False)
    """
    found = ends(expression)
    return Output.SKIP not in found.first | found.last


def marks_last(expression: Expression) -> bool:
    """Whether every match marks the last event of its string, so that a stream reports it."""
    return Output.SKIP not in ends(expression).last


def bounds_string(windowed: Windowed) -> bool:
    """Whether a window bounds the number of events that are read (ERRATA A5).

    >>> from mnemata.theory.sremo.expressions import mark, skip
    >>> bounds_string(mark().plus().within(events=3)), bounds_string((skip() >> mark()).within(events=3))
    (True, False)
    """
    match windowed.window:
        case LengthWindow():
            return True
        case EventWindow():
            return marks_both_ends(windowed.body)
        case TimeWindow():
            return False


def longest(expression: Expression) -> int | None:
    """An upper bound on the length of the strings of an expression; ``None`` when there is none.

    Conditions are taken to be satisfiable. Windows on marks count where they bound the string.

    >>> from mnemata.theory.sremo.expressions import mark, skip
    >>> longest(mark() >> mark().optional()), longest(mark() >> skip().star())
    (2, None)
    """
    bound = fold(expression, _longest)
    return None if bound == math.inf else max(0, int(bound)) if bound > _NEVER else 0


_NEVER = -math.inf
"""How long the strings of an expression are that has none."""


def _longest(node: object, below: tuple[float, ...]) -> float:
    match node:
        case Empty():
            return _NEVER
        case Terminal():
            return 1
        case Concatenation():
            return _NEVER if _NEVER in below else sum(below)
        case Union():
            return max(below)
        case Intersection():
            return min(below)
        case Optional():
            return max(0, below[0])
        case Star():
            return math.inf if below[0] > 0 else 0
        case Plus():
            return math.inf if below[0] > 0 else below[0]
        case Repeat():
            return _longest_repetition(node, below[0])
        case SkipTillAny(parts=(body,)) | SkipTillNext(parts=(body,)):
            return below[0] if _without_gaps(body) else math.inf
        case SkipTillAny() | SkipTillNext():
            return _NEVER if _NEVER in below else math.inf
        case Negation() | Absent():
            return math.inf
        case Windowed(window=EventWindow(size=size) | LengthWindow(size=size)) if bounds_string(node):
            return min(size, below[0])
    return below[0] if below else 0


def _longest_repetition(repetition: Repeat, one: float) -> float:
    if repetition.maximum == 0 or (one < 0 and not repetition.minimum):
        return 0
    if one <= 0:
        return one
    return math.inf if repetition.maximum is None else one * repetition.maximum


def _without_gaps(iteration: Expression) -> bool:
    """Whether there are never two rounds with something between them."""
    match iteration:
        case Repeat(maximum=0 | 1):
            return True
        case Star(body=body) | Plus(body=body) | Repeat(body=body):
            return fold(body, _longest) == _NEVER
    return True
