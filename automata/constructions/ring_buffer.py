"""Deterministic automata for bounded strings, by keeping the last events (ERRATA A5).

A window that bounds the string also bounds what has to be remembered: `w - 1` registers hold the last
events, and whether a string is accepted is one condition over them and the head. So a state need
only say where in the buffer the next event goes and whether the string read so far is accepted; two
transitions leave it, guarded by a condition and its negation. Unlike the published construction
(unroll, then the power set) this grows polynomially with the window.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from mnemata.automata.constructions.bounding import Bound, bounded
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.exploration import Edge, explore
from mnemata.automata.constructions.registers import live_registers, unused_prefix
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.budget import Budget, current, spending
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    Bottom,
    Condition,
    conjunction,
    disjunction,
)
from mnemata.theory.conditions.simplification import negation
from mnemata.theory.conditions.terms import HEAD, Register, Variable
from mnemata.theory.errors import PatternError
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.sremo.symbolic import Slots, either, read


class _Reached(NamedTuple):
    """A state of the automaton, and the variable that now holds what each live register would."""

    state: State
    slots: Slots


def determinize(
    srt: SRT,
    *,
    window: Bound = None,
    streaming: bool = False,
    free: frozenset[Register] = frozenset(),
    prefix: str = "",
    budget: Budget | None = None,
) -> SRT:
    """The output-agnostic deterministic SRT of the strings of up to `window` events that `srt` accepts.

    Parameters
    ----------
    srt : SRT
        Any; its outputs are ignored.
    window : int, Window or None
        The longest string, in events, or what else `bounded` understands.
    streaming : bool
        Accept a stream at each event where some suffix of up to `window` events, ending there, is
        accepted by `srt`. Then exactly one transition is enabled at each step. Otherwise a string is
        accepted as a whole, and the automaton stops after `window` events.
    free : frozenset of Register
        Registers of `srt` that keep their contents from outside instead of starting empty.
    prefix : str
        With what the names of the buffer's registers begin; by default something not in use.
    budget : Budget, optional
        What it may cost. The ways to fill registers that a condition tells apart count as states.

    Returns
    -------
    SRT
        With `window - 1` registers, and `2 * window + 1` states, or fewer than `4 * window` when
        streaming. Every output is ``⊗``. No two transitions of a state can fire together (ERRATA A8).

    Raises
    ------
    UnsupportedError
        Nothing bounds the strings; the message shows on which path.
    LimitError
        The budget is spent.
    """
    within = bounded(srt, window)
    if window is not None and within.length < 1:
        raise PatternError(f"a window needs at least one event, got {within.length}")
    with spending(budget):
        machine = _Buffer(eliminate_epsilon(within.srt), max(1, within.length), free, prefix)
        return machine.streaming() if streaming else machine.bounded()


class _Filled(NamedTuple):
    """How many slots hold an event, which is written next, and whether the string is accepted."""

    filled: int
    next: int
    accepted: bool


class _Buffer:
    """The parts that the bounded and the streaming automaton share."""

    def __init__(self, srt: SRT, window: int, free: frozenset[Register], prefix: str) -> None:
        self.srt, self.window, self.free = srt, window, free
        prefix = prefix or unused_prefix(srt.registers)
        self.known: dict[tuple[Variable, ...], Condition] = {}
        self.slots = tuple(f"{prefix}{i}" for i in range(1, window))

    def bounded(self) -> SRT:
        """Strings of up to `window` events."""

        def outgoing(here: _Filled) -> Iterator[Edge[_Filled]]:
            if here.filled == self.window:
                return
            accepting = self.accepting(self.slots[: here.filled], 1)
            yield from self.step(accepting, here.filled, here.filled + 1, here.filled + 1)

        start = _Filled(0, 0, self.srt.start in self.srt.finals)
        return explore(start, outgoing, lambda here: here.accepted, self.free)

    def streaming(self) -> SRT:
        """Suffixes of up to `window` events."""
        size = len(self.slots)

        def outgoing(here: _Filled) -> Iterator[Edge[_Filled]]:
            oldest = here.next if here.filled == size else 0
            order = [self.slots[(oldest + i) % size] for i in range(here.filled)]
            accepting = self.accepting(tuple(order), here.filled + 1)
            following = (here.next + 1) % size if size else 0
            yield from self.step(accepting, here.next, min(here.filled + 1, size), following)

        return explore(_Filled(0, 0, False), outgoing, lambda here: here.accepted, self.free)

    def accepting(self, held: tuple[Variable, ...], starts: int) -> Condition:
        """`acceptance`, computed once for the two states that differ only in what they accepted."""
        if held not in self.known:
            self.known[held] = acceptance(self.srt, (*held, HEAD), range(starts), self.free)
        return self.known[held]

    def step(self, accepting: Condition, slot: int, count: int, following: int) -> Iterator[Edge[_Filled]]:
        """The two transitions that read an event into a slot."""
        writes = frozenset(self.slots[slot : slot + 1])
        for guard, accepted in ((accepting, True), (negation(accepting), False)):
            if not isinstance(guard, Bottom):
                yield Edge(guard, Output.SKIP, writes, _Filled(count, following, accepted))


def acceptance(
    srt: SRT,
    events: Sequence[Variable],
    starts: Collection[int],
    free: frozenset[Register] = frozenset(),
) -> Condition:
    """The condition that a string which ends at the head is accepted.

    Parameters
    ----------
    srt : SRT
        Without epsilon transitions.
    events : sequence of Variable
        Where consecutive events are held, oldest first; the last one is the head.
    starts : collection of int
        Indices into `events` at which the string may begin.
    free : frozenset of Register
        Registers that hold something from outside; the others start empty.

    Returns
    -------
    Condition
        Over `events` and `free`, of size ``O(n * c * d)`` as a shared structure, for `n` events, `c`
        pairs of a state and contents of its live registers, and `d` transitions to a state: polynomial in
        `n`, with the number of registers that are live at once in the exponent.
    """
    live = live_registers(srt)
    reached: dict[_Reached, Condition] = {}
    for i, event in enumerate(events):
        if i in starts:
            reached[_start(srt, live, free)] = TOP
        reached = _after(srt, live, reached, event)
    return disjunction(*(reached[here] for here in sorted(reached) if here.state in srt.finals))


def _start(srt: SRT, live: Sequence[frozenset[Register]], free: frozenset[Register]) -> _Reached:
    return _Reached(srt.start, tuple((r, r) for r in sorted(live[srt.start] & free)))


def _after(
    srt: SRT, live: Sequence[frozenset[Register]], reached: dict[_Reached, Condition], event: Variable
) -> dict[_Reached, Condition]:
    ways: dict[_Reached, list[Condition]] = {}
    spent = current()
    for here, condition in reached.items():
        spent.size(max(spent.states, len(ways)), spent.transitions)
        for transition in srt.outgoing(here.state):
            guard = _guard(transition, here.slots, event)
            if not isinstance(guard, Bottom):
                there = _Reached(transition.target, _written(transition, here.slots, event, live))
                ways.setdefault(there, []).append(conjunction(condition, guard))
    return {there: either(conditions) for there, conditions in ways.items()}


def _guard(transition: Transition, slots: Slots, event: Variable) -> Condition:
    """The condition of a transition, read from where the events are held."""
    reads = transition.reads
    held = tuple((register, variable) for register, variable in slots if register in reads)
    return BOTTOM if transition.condition is None else read(transition.condition, held, event)


def _written(
    transition: Transition, slots: Slots, event: Variable, live: Sequence[frozenset[Register]]
) -> Slots:
    held = dict(slots) | dict.fromkeys(transition.writes, event)
    return tuple((r, held[r]) for r in sorted(held) if r in live[transition.target])
