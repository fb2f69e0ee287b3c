"""Automata and expressions that remember events and compare later ones with them, and do little else.

In those of any shape what registers hold seldom makes a difference; here it usually does.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from hypothesis import strategies as st

from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.proofs.generators.signature import TICKS, choices
from mnemata.theory.conditions.formulas import TOP, Comparison, Condition, Not
from mnemata.theory.conditions.terms import HEAD, Attribute, Register
from mnemata.theory.conditions.typing import bind
from mnemata.theory.sremo.expressions import (
    Expression,
    Output,
    Pattern,
    Terminal,
    sequence,
    skip_till_any,
    union,
)

_REGISTER: Final[Register] = "r1"
_SAME: Final[Condition] = bind(Comparison("=", Attribute(HEAD, "id"), Attribute(_REGISTER, "id")), TICKS)
_GUARDS: Final = (TOP, _SAME, Not(_SAME))
_WRITES: Final = (frozenset({_REGISTER}), frozenset[Register]())
# What is compared has to be written first: runs mostly begin with a write, and mostly compare afterwards.
_FIRST_GUARDS: Final = (*_GUARDS, TOP)
_FIRST_WRITES: Final = (*_WRITES, frozenset({_REGISTER}))
_LATER_GUARDS: Final = (*_GUARDS, _SAME, Not(_SAME))


class _Shape(NamedTuple):
    size: int
    ends: tuple[tuple[State, State], ...]
    finals: frozenset[State]


def remembering_srts(outputs: tuple[Output, ...] = tuple(Output)) -> st.SearchStrategy[SRT]:
    """Automata of two to four states and one register, over `TICKS`, bound; without epsilon transitions."""
    return _shapes().flatmap(lambda shape: _shaped(shape, outputs))


def remembering_chains() -> st.SearchStrategy[SRT]:
    """Such automata of one state after the other, and with perhaps one transition more."""
    return _chains().flatmap(lambda shape: _shaped(shape, tuple(Output)))


def remembering_pairs(outputs: tuple[Output, ...] = (Output.MARK,)) -> st.SearchStrategy[tuple[SRT, SRT]]:
    """Two such automata of one shape; where both mark every event, they often accept the same strings."""
    return _chains().flatmap(lambda shape: st.tuples(_shaped(shape, outputs), _shaped(shape, outputs)))


@st.composite
def remembering_waits(draw: st.DrawFn) -> SRT:
    """Chains of three events of which the last one is marked: over a stream several runs are on their way."""
    events = (
        _move(draw, 0, 1, (Output.SKIP,)),
        Transition(1, draw(choices(_FIRST_GUARDS)), Output.SKIP, draw(choices(_WRITES)), 2),
        _move(draw, 2, 3, (Output.MARK,)),
    )
    return SRT(4, 0, frozenset({3}), events, frozenset({_REGISTER}))


def _shapes() -> st.SearchStrategy[_Shape]:
    return _any_shapes() | _any_shapes() | _chains()


@st.composite
def _any_shapes(draw: st.DrawFn) -> _Shape:
    size = draw(st.integers(2, 3))
    states = st.integers(0, size - 1)
    sources = (0, *draw(st.lists(states, min_size=1, max_size=3)))
    finals = draw(st.frozensets(states, min_size=1, max_size=2))
    return _Shape(size, tuple((source, draw(states)) for source in sources), finals)


@st.composite
def _chains(draw: st.DrawFn) -> _Shape:
    """One state after the other, of which the last is final, and perhaps another transition."""
    last = draw(st.integers(2, 3))
    states = st.integers(0, last)
    more = draw(st.lists(st.tuples(states, states), max_size=1))
    return _Shape(last + 1, (*((q, q + 1) for q in range(last)), *more), frozenset({last}))


@st.composite
def _shaped(draw: st.DrawFn, shape: _Shape, outputs: tuple[Output, ...]) -> SRT:
    moves = tuple(_move(draw, source, target, outputs) for source, target in shape.ends)
    return SRT(shape.size, 0, shape.finals, moves, frozenset({_REGISTER}))


def _move(draw: st.DrawFn, source: State, target: State, outputs: tuple[Output, ...]) -> Transition:
    guards, writes = (_LATER_GUARDS, _WRITES) if source else (_FIRST_GUARDS, _FIRST_WRITES)
    return Transition(source, draw(choices(guards)), draw(choices(outputs)), draw(choices(writes)), target)


@st.composite
def remembering_expressions(
    draw: st.DrawFn, outputs: tuple[Output, ...] = tuple(Output), *, most: int = 3
) -> Expression:
    """Sequences of two to `most` parts over `TICKS`: events, and choices between one event and two."""
    count = draw(st.integers(2, most))
    first, later = _terminals(outputs, first=True), _terminals(outputs, first=False)
    return sequence(draw(_parts(first, later)), *(draw(_parts(later, later)) for _ in range(count - 1)))


@st.composite
def remembering_patterns(draw: st.DrawFn) -> Pattern:
    """Events with others in between, some again and again, within a few events or milliseconds.

    A register is written first and asked for soon; often no condition asks for it long before the last event.
    """
    parts = [Terminal(TOP, Output.MARK, _REGISTER), Terminal(draw(choices(_LATER_GUARDS)), Output.MARK)]
    parts += [Terminal(draw(choices(_FIRST_GUARDS)), Output.MARK) for _ in range(draw(st.integers(0, 2)))]
    again = draw(st.integers(-len(parts), len(parts) - 1))
    together = skip_till_any(*(p.plus() if place == again else p for place, p in enumerate(parts)))
    size = draw(st.integers(2, 5))
    return Pattern(together.within(events=size) if draw(st.booleans()) else together.within(ms=size))


def _terminals(outputs: tuple[Output, ...], *, first: bool) -> st.SearchStrategy[Expression]:
    guards, writes = (_FIRST_GUARDS, _FIRST_WRITES) if first else (_LATER_GUARDS, _WRITES)
    written = tuple(next(iter(registers), None) for registers in writes)
    return st.builds(Terminal, choices(guards), choices(outputs), choices(written))


def _parts(
    event: st.SearchStrategy[Expression], following: st.SearchStrategy[Expression]
) -> st.SearchStrategy[Expression]:
    either = st.builds(lambda one, two, three: union(one, two >> three), event, event, following)
    return st.one_of(event, event, either)
