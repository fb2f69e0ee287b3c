"""Unrolling an automaton into the tree of its walks (SRT Lemma 46, Alg. 3 to 6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from mnemata.automata.constructions.bounding import Bound, bounded
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.budget import Budget, current, spending
from mnemata.theory.conditions.formulas import Bottom, Condition, rename
from mnemata.theory.conditions.simplification import assume_empty, simplified
from mnemata.theory.conditions.terms import Register
from mnemata.theory.errors import PatternError

Copies: TypeAlias = tuple[tuple[Register, Register], ...]


def unroll(srt: SRT, *, window: Bound = None, any_copy: bool = False, budget: Budget | None = None) -> SRT:
    """An equivalent SRT without loops for strings of up to `window` events (Lemma 46).

    The tree of all walks of up to `window` transitions from the start, common prefixes shared; walks that
    cannot end in a final state are left out. Every transition that writes does so to registers of its own,
    and conditions read the latest copies on the walk.

    Parameters
    ----------
    srt : SRT
        Any.
    window : int, Window or None
        The longest string, in events, or what else `bounded` understands.
    any_copy : bool
        What Alg. 6 leaves open: a register that the walk has not written. By default its atoms are false
        (ERRATA A6). With ``True`` another copy is read when there is one, which is wrong.
    budget : Budget, optional
        What it may cost.

    Notes
    -----
    The number of states is exponential in `window` when states have several ways to go on;
    `mnemata.automata.constructions.ring_buffer` avoids that. Raises `UnsupportedError` when nothing bounds
    the strings, and `LimitError` when the budget is spent.
    """
    within = bounded(srt, window)
    if within.length < 0:
        raise PatternError(f"a window cannot be negative, got {within.length}")
    with spending(budget):
        return _Tree(eliminate_epsilon(within.srt), any_copy).grow(within.length)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """The end of a walk: the state it is a copy of (``CopyOfQ``), and the latest copies of registers."""

    state: State
    original: State
    latest: Copies = ()


@dataclass(slots=True)
class _Tree:
    srt: SRT
    any_copy: bool
    size: int = 1
    finals: set[State] = field(default_factory=set)
    transitions: list[Transition] = field(default_factory=list)
    copies: dict[Register, list[Register]] = field(default_factory=dict)

    def grow(self, window: int) -> SRT:
        needed = _steps_to_final(self.srt)
        frontier = [_Leaf(0, self.srt.start)]
        if self.srt.start in self.srt.finals:
            self.finals.add(0)
        for remaining in reversed(range(window)):
            moves = ((leaf, t) for leaf in frontier for t in self.srt.outgoing(leaf.original))
            useful = [(leaf, t) for leaf, t in moves if needed[t.target] <= remaining]
            frontier = [leaf for grown in (self.extend(*move) for move in useful) for leaf in grown]
        return SRT(self.size, 0, frozenset(self.finals), tuple(self.transitions))

    def extend(self, leaf: _Leaf, transition: Transition) -> list[_Leaf]:
        guard = self.guard(leaf, transition)
        if isinstance(guard, Bottom):
            return []
        state, self.size = self.size, self.size + 1
        fresh = {register: self.copy(register) for register in sorted(transition.writes)}
        self.transitions.append(
            Transition(leaf.state, guard, transition.output, frozenset(fresh.values()), state)
        )
        current().size(self.size, len(self.transitions))
        if transition.target in self.srt.finals:
            self.finals.add(state)
        return [_Leaf(state, transition.target, tuple((dict(leaf.latest) | fresh).items()))]

    def copy(self, register: Register) -> Register:
        made = self.copies.setdefault(register, [])
        made.append(f"{register}.{len(made) + 1}")
        return made[-1]

    def guard(self, leaf: _Leaf, transition: Transition) -> Condition:
        latest = dict(leaf.latest)
        if self.any_copy:
            latest = {r: made[-1] for r, made in self.copies.items()} | latest
        condition = Bottom() if transition.condition is None else transition.condition
        unwritten = transition.reads - latest.keys()
        return rename(simplified(assume_empty(condition, unwritten)), latest)


def _steps_to_final(srt: SRT) -> list[float]:
    """For each state the least number of transitions to a final one; infinite when there is no way."""
    steps = [0.0 if state in srt.finals else float("inf") for state in srt.states]
    for _ in srt.states:
        closer = [
            min([steps[state], *(1 + steps[t.target] for t in srt.outgoing(state))]) for state in srt.states
        ]
        if closer == steps:
            break
        steps = closer
    return steps
