"""Claims about selection strategies inside one another and inside windows: SRT Def. 39, 44 and 45 (A11)."""

from __future__ import annotations

from functools import reduce
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import CompiledPattern, bind_guards, compile_pattern
from mnemata.automata.constructions.streaming import streaming
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.runs import matches
from mnemata.proofs.claims import Claim
from mnemata.proofs.generators import REGISTERS, TICKS, Registers, Stream, conditions, streams
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.sremo import semantics
from mnemata.theory.sremo.expressions import (
    Absent,
    EventWindow,
    Expression,
    LengthWindow,
    Negation,
    Output,
    SkipTillAny,
    SkipTillNext,
    Terminal,
    Window,
    Windowed,
    sequence,
)
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


def strategies_with_windows_as_guards_are_exact() -> Claim[Instance]:
    """Every window a guard, over all suffixes of a stream."""

    def holds(instance: Instance) -> bool:
        stream, expression = instance
        automaton = streaming(bind_guards(thompson(expression), TICKS))
        suffixes = (semantics.matches(expression, stream[m:]) for m in range(len(stream) + 1))
        return matches(automaton, stream) == frozenset(m for found in suffixes for m in found)

    return Claim("nested strategies in streams, windows as guards", "Def. 32, 39, 44, 45", NESTED, holds)


CLAIMS: Final[tuple[Claim[Instance], ...]] = (
    compiled_strategies_are_exact(),
    bounds_reach_inside(),
    strategies_with_windows_as_guards_are_exact(),
)
"""What holds."""
