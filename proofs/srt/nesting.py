"""Claims about selection strategies inside one another and inside windows: SRT Def. 39, 44 and 45 (A11)."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import CompiledPattern, bind_guards, compile_pattern
from mnemata.automata.constructions.streaming import streaming
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.runs import matches
from mnemata.proofs.claims import Claim
from mnemata.proofs.generators import REGISTERS, TICKS, Registers, Stream, conditions, expressions, streams
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.conditions.typing import bind
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import (
    Absent,
    EventWindow,
    Expression,
    LengthWindow,
    Negation,
    Output,
    Plus,
    Repeat,
    SkipTillAny,
    SkipTillNext,
    Star,
    Terminal,
    Union,
    Window,
    Windowed,
    mark,
    sequence,
)
from mnemata.theory.sremo.rewriting import ANYTHING
from mnemata.theory.sremo.windows import fits, longest, marks_both_ends

Instance: TypeAlias = tuple[Stream, Expression]

SIZES: Final = st.sampled_from((4, 3, 2, 1))
"""Sizes of windows, in events; those that let more through first."""

_USED: Final[Registers] = REGISTERS[:2]
_OUTPUTS: Final = (Output.MARK, Output.MARK, Output.MARK, Output.SKIP)


@st.composite
def nested_strategies(draw: st.DrawFn, depth: int = 2, *, bound: bool = True) -> Expression:
    """``any``, ``next`` and contiguous sequences in one another, with windows on some of their parts.

    They write and read registers, and their conditions may be negated. What ``next`` takes at its earliest
    completion has to be bounded, so it gets a window where it needs one; with ``bound=False`` it does not.
    """
    kind = draw(st.sampled_from(("any", "next", "strict")))
    parts = [draw(_part(depth, bound=bound)) for _ in range(draw(st.sampled_from((2, 2, 3))))]
    match kind:
        case "any":
            return SkipTillAny(tuple(parts))
        case "next":
            return SkipTillNext((parts[0], *(draw(_bounded(part)) if bound else part for part in parts[1:])))
    return sequence(*parts)


@st.composite
def _part(draw: st.DrawFn, depth: int, *, bound: bool) -> Expression:
    if depth <= 1 or draw(st.booleans()):
        return draw(_events())
    part = draw(nested_strategies(depth - 1, bound=bound))
    return draw(_windowed(part)) if draw(st.booleans()) else part


def _events() -> st.SearchStrategy[Expression]:
    # Many events are let through, or sequences of them would hardly ever match.
    guards = st.just(TOP) | conditions(TICKS, (), size=1) | conditions(TICKS, _USED, size=2)
    return st.builds(Terminal, guards, st.sampled_from(_OUTPUTS), st.sampled_from((None, *_USED)))


def _windowed(expression: Expression) -> st.SearchStrategy[Expression]:
    return _windows().map(lambda window: Windowed(expression, window))


def _bounded(part: Expression) -> st.SearchStrategy[Expression]:
    if longest(part) is not None:
        return st.just(part)
    kinds = (EventWindow, LengthWindow) if marks_both_ends(part) else (LengthWindow,)
    return st.builds(lambda kind, size: Windowed(part, kind(size)), st.sampled_from(kinds), SIZES)


def _windows() -> st.SearchStrategy[Window]:
    return SIZES.map(EventWindow) | SIZES.map(LengthWindow)


def windowed_strategies() -> st.SearchStrategy[Expression]:
    """Nested strategies inside one or two windows of 1 to 4 events."""
    windows = st.lists(_windows(), min_size=1, max_size=2)
    return st.builds(lambda body, found: reduce(Windowed, found, body), nested_strategies(), windows)


@st.composite
def watched_in_windows(draw: st.DrawFn) -> Expression:
    """What is watched for has no bound but that of a window around it, which reads fewer events than that."""
    body = draw(st.one_of(nested_strategies(bound=False), _iterating(), _forbidding()))
    window = draw(_windows())
    if isinstance(window, EventWindow) and not marks_both_ends(body):
        window = LengthWindow(window.size)
    inner = Windowed(body, window)
    return sequence(draw(_events()), inner) if draw(st.booleans()) else inner


def _iterating() -> st.SearchStrategy[Expression]:
    round_ = st.builds(lambda one, other: SkipTillAny((one, other)), _events(), _events())
    return round_.map(lambda body: SkipTillNext((body.plus(),)))


def _forbidding() -> st.SearchStrategy[Expression]:
    """An iteration, or events with gaps between them, that must not happen between two events."""
    unseen = st.builds(Terminal, conditions(TICKS, _USED, size=2), st.just(Output.SKIP), st.none())
    iterated = st.builds(lambda one, other: one.plus() >> other, unseen, unseen)
    apart = st.builds(lambda one, other: SkipTillAny((one, other)), unseen, unseen)
    never = (iterated | apart).flatmap(lambda body: st.sampled_from((Absent(body), Negation(body))))
    return st.builds(sequence, _events(), never, _events())


STRINGS = streams(TICKS, min_size=1, max_size=5)
NESTED: st.SearchStrategy[Instance] = st.tuples(STRINGS, windowed_strategies())
WATCHED: st.SearchStrategy[Instance] = st.tuples(STRINGS, watched_in_windows())


def compiled_strategies_are_exact() -> Claim[Instance]:
    """The compiler, which leaves the outermost windows to who runs the automaton, over all prefixes."""
    return Claim("nested strategies in windows keep all matches", "Def. 39, 44 and 45", NESTED, _compiles)


def bounds_reach_inside() -> Claim[Instance]:
    """A window that bounds the string also bounds what is watched for inside it."""
    return Claim("bounds of windows reach what is watched inside", "Def. 39, ERRATA A11", WATCHED, _compiles)


def _compiles(instance: Instance) -> bool:
    stream, expression = instance
    compiled = compile_pattern(expression, TICKS)
    prefixes = (stream[:k] for k in range(len(stream) + 1))
    return all(_fitting(compiled, s) == semantics.matches(expression, s) for s in prefixes)


def _fitting(compiled: CompiledPattern, string: Stream) -> frozenset[frozenset[int]]:
    found = matches(compiled.srt, string)
    return frozenset(m for m in found if all(fits(m, window, string) for window in compiled.windows))


def any_is_a_sequence_with_gaps() -> Claim[Instance]:
    """Def. 44: ``any(e1, ..., en) = e1 . T* . e2 ... T* . en``; of a disjunction it changes nothing."""
    parts = st.lists(expressions(TICKS, _USED, size=2), min_size=1, max_size=3).map(tuple)

    def holds(instance: Instance) -> bool:
        stream, expression = instance
        if not isinstance(expression, SkipTillAny):
            return False
        first, *rest = expression.parts
        gaps = sequence(first, *(part for e in rest for part in (ANYTHING, e)))
        choice = SkipTillAny((Union((first, gaps)),))
        return semantics.matches(expression, stream) == semantics.matches(gaps, stream) and (
            semantics.matches(choice, stream) == semantics.matches(first | gaps, stream)
        )

    # Of a single iteration it is the rounds that have gaps between them.
    several = parts.filter(lambda found: len(found) > 1 or not _is_iteration(found[0]))
    instances = st.tuples(STRINGS, several.map(SkipTillAny))
    return Claim("any() lets any events lie between its parts", "Def. 44", instances, holds)


def _is_iteration(expression: Expression) -> bool:
    return isinstance(expression, Star | Plus | Repeat)


def any_finds_all_subsequences() -> Claim[Instance]:
    """Of single events, ``any`` finds all subsequences of a stream that match them one by one."""
    guards = st.just(TOP) | conditions(TICKS, (), size=2)
    events = st.lists(st.builds(mark, guards), min_size=2, max_size=3)

    def holds(instance: Instance) -> bool:
        stream, expression = instance
        if not isinstance(expression, SkipTillAny):
            return False
        asked = [bind(e.condition, TICKS) for e in expression.parts if isinstance(e, Terminal)]
        found = (
            some
            for some in combinations(stream, len(asked))
            if all(models(event, EMPTY, condition) for event, condition in zip(some, asked, strict=True))
        )
        return semantics.stream_matches(expression, stream) == {
            frozenset(e.position for e in s) for s in found
        }

    instances = st.tuples(STRINGS, events.map(lambda parts: SkipTillAny(tuple(parts))))
    return Claim("any() of events finds all subsequences", "Def. 44", instances, holds)


def strategies_with_windows_as_guards_are_exact() -> Claim[Instance]:
    """Every window a guard, over all suffixes of a stream."""

    def holds(instance: Instance) -> bool:
        stream, expression = instance
        automaton = streaming(bind_guards(thompson(expression), TICKS))
        suffixes = (semantics.matches(expression, stream[m:]) for m in range(len(stream) + 1))
        return matches(automaton, stream) == frozenset(m for found in suffixes for m in found)

    return Claim("nested strategies in streams, windows as guards", "Def. 32, 39, 44, 45", NESTED, holds)
