"""What a SREMO matches: SRT Def. 17, 18, 32 and 39, written for obviousness, not for speed.

This is the oracle against which every construction and engine is tested. It tries every way to
split a string, so use it on streams of a handful of events. Readings chosen where the paper leaves room:
empty parts of a match are allowed in a concatenation (ERRATA A12), the empty match fits every window, and
a match need not end in a marked event (ERRATA A2). Positions are 1-based and absolute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TypeAlias

from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models
from mnemata.theory.errors import StreamError, UnsupportedError
from mnemata.theory.schema import Event, Value
from mnemata.theory.sremo.expressions import (
    Absent,
    Concatenation,
    Empty,
    Epsilon,
    Expression,
    Intersection,
    Negation,
    Optional,
    Output,
    Pattern,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    Union,
    Windowed,
    registers_written,
)
from mnemata.theory.sremo.rewriting import bound, bound_expression
from mnemata.theory.sremo.windows import fits

Marks: TypeAlias = frozenset[int]
Derivation: TypeAlias = tuple[Marks, Valuation]
Derivations: TypeAlias = frozenset[Derivation]
_Step: TypeAlias = Callable[[Expression, int, int, Valuation], Derivations]

NOTHING: Marks = frozenset()


def derivations(expression: Expression, string: Sequence[Event], valuation: Valuation = EMPTY) -> Derivations:
    """All ``(M, v')`` with ``(e, S, M, v) |- v'`` (Def. 17).

    Parameters
    ----------
    expression : Expression
        Bound to the schema of the events.
    string : sequence of Event
        The whole string to be consumed; `M` consists of the positions of its events.
    valuation : Valuation
        The registers before the first event.
    """

    @cache
    def derive(e: Expression, i: int, j: int, v: Valuation) -> Derivations:
        return frozenset(cases(e, i, j, v))

    def cases(e: Expression, i: int, j: int, v: Valuation) -> Iterable[Derivation]:
        match e:
            case Epsilon():
                return {(NOTHING, v)} if i == j else ()
            case Empty():
                return ()
            case Terminal():
                return terminal(e, string[i], v) if j == i + 1 else ()
            case Union(parts=parts):
                return (d for part in parts for d in derive(part, i, j, v))
            case Concatenation(parts=parts):
                return chain(parts, i, j, v, derive)
            case Optional(body=body):
                return rounds(body, i, j, v, 0, 1, derive)
            case Star() | Plus() | Repeat():
                return iteration(e, i, j, v, derive)
            case SkipTillAny(parts=parts):
                return strategy(parts, i, j, v, after_any_gap)
            case SkipTillNext(parts=parts):
                return strategy(parts, i, j, v, at_earliest)
            case Negation(body=body):
                return () if derive(body, i, j, v) else {(NOTHING, v)}
            case Absent(body=body):
                return () if occurs(body, i, j, v) else {(NOTHING, v)}
            case Intersection():
                return both(e, i, j, v)
            case Windowed(body=body, window=window):
                return (d for d in derive(body, i, j, v) if fits(d[0], window, string[i:j]))
        raise UnsupportedError(f"no semantics for {type(e).__name__}")

    def terminal(e: Terminal, u: Event, v: Valuation) -> Iterator[Derivation]:
        if models(u, v, e.condition):
            marks = frozenset({u.position}) if e.output is Output.MARK else NOTHING
            yield marks, v if e.write is None else v.write({e.write}, u)

    def chain(
        parts: tuple[Expression, ...], i: int, j: int, v: Valuation, linked: _Step, first: bool = True
    ) -> Iterator[Derivation]:
        """`parts` one after the other, each but the first as `linked` says."""
        step = derive if first else linked
        if len(parts) == 1:
            yield from step(parts[0], i, j, v)
            return
        for k in range(i, j + 1):
            for marks, middle in step(parts[0], i, k, v):
                for more, last in chain(parts[1:], k, j, middle, linked, first=False):
                    yield marks | more, last

    def rounds(
        body: Expression,
        i: int,
        j: int,
        v: Valuation,
        minimum: int,
        maximum: int | None,
        linked: _Step,
        first: bool = True,
    ) -> Iterator[Derivation]:
        """`body` from `minimum` to `maximum` times, each round but the first as `linked` says."""
        if minimum <= 0 and i == j:
            yield NOTHING, v
        if maximum == 0:
            return
        step = derive if first else linked
        left = None if maximum is None else maximum - 1
        idle = minimum <= 0 and not (first and linked is not derive)
        for k in range(i + 1 if idle else i, j + 1):  # a round that consumes nothing changes nothing
            for marks, middle in step(body, i, k, v):
                for more, last in rounds(body, k, j, middle, minimum - 1, left, linked, first=False):
                    yield marks | more, last

    def iteration(e: Expression, i: int, j: int, v: Valuation, linked: _Step) -> Iterable[Derivation]:
        match e:
            case Star(body=body):
                return rounds(body, i, j, v, 0, None, linked)
            case Plus(body=body):
                return rounds(body, i, j, v, 1, None, linked)
            case Repeat(body=body, minimum=minimum, maximum=maximum):
                return rounds(body, i, j, v, minimum, maximum, linked)
        return derive(e, i, j, v)

    def strategy(
        parts: tuple[Expression, ...], i: int, j: int, v: Valuation, linked: _Step
    ) -> Iterable[Derivation]:
        return chain(parts, i, j, v, linked) if len(parts) > 1 else iteration(parts[0], i, j, v, linked)

    def after_any_gap(e: Expression, i: int, j: int, v: Valuation) -> Derivations:
        return frozenset(d for start in range(i, j + 1) for d in derive(e, start, j, v))

    def at_earliest(e: Expression, i: int, j: int, v: Valuation) -> Derivations:
        """Nothing when `e` could have been completed at an event before the last (ERRATA A11)."""
        earlier = any(after_any_gap(e, i, end, v) for end in range(i, j))
        return frozenset() if earlier else after_any_gap(e, i, j, v)

    def occurs(e: Expression, i: int, j: int, v: Valuation) -> bool:
        return any(after_any_gap(e, i, end, v) for end in range(i, j + 1))

    def both(e: Intersection, i: int, j: int, v: Valuation) -> Iterator[Derivation]:
        written = registers_written(e.right)
        for marks, left in derive(e.left, i, j, v):
            for same, right in derive(e.right, i, j, v):
                if marks == same:
                    yield marks, Valuation((*left.contents, *_only(right, written)))

    return derive(expression, 0, len(string), valuation)


def _only(valuation: Valuation, registers: frozenset[str]) -> Iterator[tuple[str, Event]]:
    return ((register, event) for register, event in valuation.contents if register in registers)


def matches(expression: Expression, string: Sequence[Event]) -> frozenset[Marks]:
    """``Match(e, S)``: the matches over the whole string, from empty registers (Def. 18).

    >>> from mnemata.theory.schema import Schema, String
    >>> from mnemata.theory.sremo.expressions import mark, skip
    >>> word = Schema.of(letter=String()).stream([("a",), ("b",)])
    >>> sorted(map(sorted, matches(skip() >> mark(), word)))
    [[2]]
    """
    if string:
        expression = bound_expression(expression, string[0].schema)
    return frozenset(marks for marks, _ in derivations(expression, string))


def accepts(expression: Expression, string: Sequence[Event]) -> bool:
    """Whether the string is in ``Lang(e)`` (Def. 18)."""
    return bool(matches(expression, string))


def matches_at(expression: Expression, stream: Sequence[Event], k: int) -> frozenset[Marks]:
    """What a stream reports at its `k`-th event (1-based): ``Match_stream`` as repaired (ERRATA A10).

    The matches ``M`` of some ``S[m..k]`` with ``k in M``, so that no match is reported twice.
    """
    if not 1 <= k <= len(stream):
        raise StreamError(f"a stream of {len(stream)} events has no event {k}; count from 1")
    last = stream[k - 1].position
    found = (matches(expression, stream[m:k]) for m in range(k))
    return frozenset(marks for some in found for marks in some if last in marks)


def stream_matches(expression: Expression, stream: Sequence[Event]) -> frozenset[Marks]:
    """Everything that a stream reports, at any of its events."""
    return frozenset(m for k in range(1, len(stream) + 1) for m in matches_at(expression, stream, k))


def pattern_matches(pattern: Pattern, stream: Sequence[Event]) -> frozenset[Marks]:
    """Everything that a pattern finds in a stream, sub-stream by sub-stream.

    Inside a sub-stream positions, contiguity and windows in events count its own events; the result has
    positions of the whole stream.
    """
    if not stream:
        return frozenset()
    checked = bound(pattern, stream[0].schema)
    found: set[Marks] = set()
    for own in substreams(checked, stream):
        renumbered = [Event(e.schema, e.values, n) for n, e in enumerate(own, start=1)]
        for marks in stream_matches(checked.expression, renumbered):
            found.add(frozenset(own[n - 1].position for n in marks))
    return frozenset(found)


def substreams(pattern: Pattern, stream: Sequence[Event]) -> list[list[Event]]:
    """The sub-streams of ``partition by``, each in stream order; the stream itself without it."""
    if not pattern.partition_by:
        return [list(stream)]
    groups: dict[tuple[Value, ...], list[Event]] = {}
    for event in stream:
        key = tuple(event[name] for name in pattern.partition_by)
        if None not in key:
            groups.setdefault(key, []).append(event)
    return list(groups.values())
