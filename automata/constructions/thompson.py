"""From a SREMO to an SRT with epsilon transitions (SRT Thm 27, Fig. 11).

Each operator adds the states and epsilon transitions of its figure to one growing automaton. Registers are
shared throughout, as in the proof, and keep their contents in the rounds of an iteration (Def. 17, case 6).
Windows inside an expression become guards (`windowing`), intersections become products, and negations become
deterministic monitors (`negation`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.intersection import product
from mnemata.automata.constructions.negation import earliest, negated, without
from mnemata.automata.constructions.registers import unused_prefix
from mnemata.automata.constructions.saving import without_saves
from mnemata.automata.constructions.windowing import windowed
from mnemata.automata.srt.transducer import SRT, State, Transition, epsilon, moved
from mnemata.theory.budget import current
from mnemata.theory.conditions.terms import Register
from mnemata.theory.errors import UnsupportedError
from mnemata.theory.sremo.expressions import (
    Absent,
    Concatenation,
    Empty,
    Epsilon,
    Expression,
    Intersection,
    Negation,
    SkipTillNext,
    Star,
    Terminal,
    Union,
    Windowed,
    registers_of,
)
from mnemata.theory.sremo.narrowing import narrowed
from mnemata.theory.sremo.rewriting import core
from mnemata.theory.trees import Node, fold_occurrences


def thompson(expression: Expression) -> SRT:
    """An SRT with epsilon transitions, equivalent to `expression` (Thm 27).

    Linear in the size of the expression with its derived operators written out; raises `LimitError` when
    the budget is spent, by default a million transitions.

    >>> from mnemata.theory.sremo.expressions import mark
    >>> thompson(mark() | mark()).size
    6
    """
    building = _Building(hidden=unused_prefix(registers_of(expression)))
    whole = fold_occurrences(core(narrowed(expression)), building.leave, building.enter)
    transitions = tuple(building.transitions)
    finals, registers = frozenset({whole.final}), registers_of(expression)
    return without_saves(SRT(building.size, whole.start, finals, transitions, registers), building.saves)


class _Fragment(NamedTuple):
    start: State
    final: State


class _Mark(NamedTuple):
    size: int
    transitions: int


@dataclass(slots=True)
class _Building:
    """The automaton so far. The states and transitions of a sub-expression are always the latest ones."""

    hidden: str
    size: int = 0
    transitions: list[Transition] = field(default_factory=list)
    marks: list[_Mark] = field(default_factory=list)
    names: int = 0
    saves: dict[Register, Mapping[Register, Register]] = field(default_factory=dict)

    def enter(self, node: Node) -> None:
        """Remember where the states of an occurrence of a sub-expression begin."""
        if isinstance(node, Expression):
            self.marks.append(_Mark(self.size, len(self.transitions)))

    def leave(self, node: Node, below: tuple[_Fragment, ...]) -> _Fragment:
        """Build an occurrence, given the fragments of its parts."""
        if not isinstance(node, Expression):
            return _Fragment(0, 0)
        mark = self.marks.pop()
        current().size(self.size, len(self.transitions))
        match node:
            case Epsilon():
                return self.linked(*self.ends(), linked=True)
            case Empty():
                return self.linked(*self.ends(), linked=False)
            case Terminal():
                return self.terminal(node)
            case Union():
                return self.union(below)
            case Concatenation():
                return self.concatenation(below)
            case Star():
                return self.star(below[0])
            case Intersection():
                return self.intersection(below, mark)
            case Windowed():
                return self.windowed(node, below[0], mark)
            case Negation():
                return self.paste(negated(self.alone(below[0], mark), node, self.prefix()))
            case Absent():
                return self.paste(without(self.alone(below[0], mark), node, self.prefix()))
            case SkipTillNext():
                return self.earliest(node, below[-1], mark)
        raise UnsupportedError(f"no automaton for {type(node).__name__}")

    def state(self) -> State:
        self.size += 1
        return self.size - 1

    def ends(self) -> tuple[State, State]:
        return self.state(), self.state()

    def linked(self, start: State, final: State, *, linked: bool) -> _Fragment:
        if linked:
            self.transitions.append(epsilon(start, final))
        return _Fragment(start, final)

    def terminal(self, node: Terminal) -> _Fragment:
        start, final = self.ends()
        writes = frozenset() if node.write is None else frozenset({node.write})
        self.transitions.append(Transition(start, node.condition, node.output, writes, final))
        return _Fragment(start, final)

    def concatenation(self, below: tuple[_Fragment, ...]) -> _Fragment:
        for left, right in pairwise(below):
            self.transitions.append(epsilon(left.final, right.start))
        return _Fragment(below[0].start, below[-1].final)

    def union(self, below: tuple[_Fragment, ...]) -> _Fragment:
        start, final = self.ends()
        self.transitions += [epsilon(start, part.start) for part in below]
        self.transitions += [epsilon(part.final, final) for part in below]
        return _Fragment(start, final)

    def star(self, body: _Fragment) -> _Fragment:
        start, final = self.ends()
        self.transitions += [
            epsilon(start, body.start),
            epsilon(start, final),
            epsilon(body.final, body.start),
            epsilon(body.final, final),
        ]
        return _Fragment(start, final)

    def intersection(self, below: tuple[_Fragment, ...], mark: _Mark) -> _Fragment:
        left, right = below
        states = self.size
        whole = self.cut(left, mark)
        both = SRT(
            states - mark.size,
            right.start - mark.size,
            frozenset({right.final - mark.size}),
            whole.transitions,
        )
        return self.paste(product(eliminate_epsilon(whole), eliminate_epsilon(both)))

    def windowed(self, node: Windowed, body: _Fragment, mark: _Mark) -> _Fragment:
        return self.paste(windowed(self.cut(body, mark), node.window, self.fresh()))

    def earliest(self, node: SkipTillNext, body: _Fragment, mark: _Mark) -> _Fragment:
        inside = self.cut(body, mark)
        found = earliest(inside, node.parts[-1], self.prefix(), self.saves)
        self.saves |= found.saves
        return self.paste(found.srt)

    def fresh(self) -> str:
        """A name for a register that only a construction knows."""
        self.names += 1
        return f"{self.hidden}{self.names}"

    def prefix(self) -> str:
        """A prefix of names for such registers, which begins no other of these names."""
        return f"{self.fresh()}."

    def alone(self, fragment: _Fragment, mark: _Mark) -> SRT:
        """What `cut` does, for a construction that knows nothing of saved registers."""
        return without_saves(self.cut(fragment, mark), self.saves)

    def cut(self, fragment: _Fragment, mark: _Mark) -> SRT:
        """Take everything since `mark` out of the automaton."""
        inside = tuple(moved(self.transitions[mark.transitions :], -mark.size))
        size, self.size = self.size - mark.size, mark.size
        del self.transitions[mark.transitions :]
        return SRT(size, fragment.start - mark.size, frozenset({fragment.final - mark.size}), inside)

    def paste(self, srt: SRT) -> _Fragment:
        """Put an SRT into the automaton, with one final state."""
        offset = self.size
        self.size += srt.size
        self.transitions += moved(srt.transitions, offset)
        final = self.state()
        self.transitions += [epsilon(offset + state, final) for state in sorted(srt.finals)]
        return _Fragment(offset + srt.start, final)
