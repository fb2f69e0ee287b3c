"""What a SREMO matches over a symbolic string: Def. 17 for all attribute values at once.

The events of the string are variables, and a valuation says which variable each register holds. Everything
that `mnemata.theory.sremo.semantics` decides by looking at values becomes a condition over the variables;
positions are concrete. The two modules follow the same definition case by case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    Bottom,
    Condition,
    conjunction,
    disjunction,
    registers,
    rename,
)
from mnemata.theory.conditions.simplification import assume_empty, negation, simplified
from mnemata.theory.conditions.terms import HEAD, Register, Variable
from mnemata.theory.errors import UnsupportedError
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
    Output,
    SkipTillNext,
    Star,
    Terminal,
    TimeWindow,
    Union,
    Window,
    Windowed,
    registers_written,
)
from mnemata.theory.sremo.rewriting import core
from mnemata.theory.sremo.windows import guard

Marks: TypeAlias = frozenset[int]
Slots: TypeAlias = tuple[tuple[Register, Variable], ...]
Matches: TypeAlias = dict[Marks, Condition]


class Way(NamedTuple):
    """One way to match: the marks, and which event each register holds afterwards."""

    marks: Marks
    slots: Slots


Ways: TypeAlias = dict[Way, Condition]
_Nothing: Marks = frozenset()


def matches(expression: Expression, events: Sequence[Variable]) -> Matches:
    """``Match(e, S)`` over a symbolic string: each possible match with the condition that it is one.

    Parameters
    ----------
    expression : Expression
        What is to match the whole string, from empty registers.
    events : sequence of Variable
        The events of the string, in order, at positions 1, 2, ...
    """
    ways = ways_to_match(core(expression), events)
    return by_marks((way.marks, condition) for way, condition in ways.items())


def ways_to_match(expression: Expression, events: Sequence[Variable]) -> Ways:
    """All ``(M, v')`` with ``(e, S, M, #) |- v'``, each with the condition under which it holds (Def. 17)."""
    return _Derivation(tuple(events)).derive(expression, 0, len(events), ())


class _Derivation:
    """The cases of Def. 17 over one symbolic string; results are kept per expression, slice and slots."""

    def __init__(self, events: tuple[Variable, ...]) -> None:
        self.events = events
        self.derive: Callable[[Expression, int, int, Slots], Ways] = cache(self._derive)

    def _derive(self, e: Expression, i: int, j: int, v: Slots) -> Ways:
        return _collected(self.cases(e, i, j, v))

    def cases(self, e: Expression, i: int, j: int, v: Slots) -> Iterable[tuple[Way, Condition]]:
        match e:
            case Epsilon():
                return [(Way(_Nothing, v), TOP)] if i == j else []
            case Empty():
                return []
            case Terminal():
                return self.terminal(e, i, v) if j == i + 1 else []
            case Union(parts=parts):
                return (way for part in parts for way in self.derive(part, i, j, v).items())
            case Concatenation(parts=parts):
                return self.chain(parts, i, j, v)
            case Star(body=body):
                return self.star(body, i, j, v)
            case Intersection():
                return self.both(e, i, j, v)
            case Windowed(body=body, window=window):
                return self.windowed(body, window, i, j, v)
            case Negation(body=body):
                return [(Way(_Nothing, v), self.never([(i, j)], body, v))]
            case Absent(body=body):
                return [(Way(_Nothing, v), self.never(_slices(i, j), body, v))]
            case SkipTillNext(parts=(Epsilon(), body)):
                return self.earliest(body, i, j, v)
        raise UnsupportedError(f"no symbolic semantics for {type(e).__name__}")

    def terminal(self, e: Terminal, i: int, v: Slots) -> Iterator[tuple[Way, Condition]]:
        marks = frozenset({i + 1}) if e.output is Output.MARK else _Nothing
        held = dict(v) if e.write is None else dict(v) | {e.write: self.events[i]}
        yield Way(marks, tuple(sorted(held.items()))), read(e.condition, v, self.events[i])

    def chain(
        self, parts: tuple[Expression, ...], i: int, j: int, v: Slots
    ) -> Iterator[tuple[Way, Condition]]:
        if len(parts) == 1:
            yield from self.derive(parts[0], i, j, v).items()
            return
        for k in range(i, j + 1):
            for first, condition in self.derive(parts[0], i, k, v).items():
                for rest, more in self.chain(parts[1:], k, j, first.slots):
                    yield Way(first.marks | rest.marks, rest.slots), conjunction(condition, more)

    def star(self, body: Expression, i: int, j: int, v: Slots) -> Iterator[tuple[Way, Condition]]:
        if i == j:
            yield Way(_Nothing, v), TOP
        for k in range(i + 1, j + 1):
            for first, condition in self.derive(body, i, k, v).items():
                for rest, more in self.star(body, k, j, first.slots):
                    yield Way(first.marks | rest.marks, rest.slots), conjunction(condition, more)

    def both(self, e: Intersection, i: int, j: int, v: Slots) -> Iterator[tuple[Way, Condition]]:
        written = registers_written(e.right)
        for left, condition in self.derive(e.left, i, j, v).items():
            for right, more in self.derive(e.right, i, j, v).items():
                if left.marks == right.marks:
                    held = dict(left.slots) | {r: x for r, x in right.slots if r in written}
                    yield Way(left.marks, tuple(sorted(held.items()))), conjunction(condition, more)

    def windowed(
        self, body: Expression, window: Window, i: int, j: int, v: Slots
    ) -> Iterator[tuple[Way, Condition]]:
        for way, condition in self.derive(body, i, j, v).items():
            yield way, conjunction(condition, self.fits(way.marks, window, j - i))

    def fits(self, marks: Marks, window: Window, length: int) -> Condition:
        match window:
            case LengthWindow(size=size):
                return TOP if length <= size else BOTTOM
            case EventWindow(size=size):
                return TOP if not marks or max(marks) - min(marks) < size else BOTTOM
            case TimeWindow():
                if not marks:
                    return TOP
                first, last = self.events[min(marks) - 1], self.events[max(marks) - 1]
                return rename(guard(window, first), {HEAD: last})

    def never(self, slices: Iterable[tuple[int, int]], body: Expression, v: Slots) -> Condition:
        """That `body` matches none of the slices from `v`."""
        found = (c for i, j in slices for c in self.derive(body, i, j, v).values())
        return negation(either(found))

    def earliest(self, body: Expression, i: int, j: int, v: Slots) -> Iterator[tuple[Way, Condition]]:
        before = self.never(((s, t) for t in range(i, j) for s in range(i, t + 1)), body, v)
        for start in range(i, j + 1):
            for way, condition in self.derive(body, start, j, v).items():
                yield way, conjunction(condition, before)


def _slices(i: int, j: int) -> Iterator[tuple[int, int]]:
    return ((start, end) for start in range(i, j + 1) for end in range(start, j + 1))


def _collected(found: Iterable[tuple[Way, Condition]]) -> Ways:
    ways: dict[Way, list[Condition]] = {}
    for way, condition in found:
        if not isinstance(condition, Bottom):
            ways.setdefault(way, []).append(condition)
    return {way: either(conditions) for way, conditions in ways.items()}


def by_marks(found: Iterable[tuple[Marks, Condition]]) -> Matches:
    """Collect the conditions under which each match is found."""
    ways: dict[Marks, list[Condition]] = {}
    for marks, condition in found:
        ways.setdefault(marks, []).append(condition)
    return {marks: either(ways[marks]) for marks in sorted(ways, key=sorted)}


def either(conditions: Iterable[Condition]) -> Condition:
    """At least one of `conditions`; ``true`` when one of them is ``true``."""
    distinct = tuple(dict.fromkeys(conditions))
    return TOP if TOP in distinct else disjunction(*distinct)


@lru_cache(maxsize=100_000)
def read(condition: Condition, slots: Slots, event: Variable) -> Condition:
    """`condition` where `event` is read and each register holds what `slots` says, or nothing."""
    held = dict(slots)
    empty = registers(condition) - held.keys()
    return rename(simplified(assume_empty(condition, empty)), {**held, HEAD: event})
