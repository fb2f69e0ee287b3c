"""Symbolic register transducers (SRT Def. 21)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from mnemata.theory.conditions.formulas import Condition, registers
from mnemata.theory.conditions.terms import HEAD, Register
from mnemata.theory.errors import PatternError
from mnemata.theory.sremo.expressions import Output

if TYPE_CHECKING:
    from mnemata.automata.constructions.bounding import Bound
    from mnemata.theory.budget import Budget

State: TypeAlias = int


@dataclass(frozen=True, slots=True)
class Transition:
    """``source, condition ↑ output ↓ writes -> target``.

    A `condition` of ``None`` is an epsilon transition: it reads no event, marks and writes nothing.
    """

    source: State
    condition: Condition | None
    output: Output
    writes: frozenset[Register]
    target: State
    _reads: frozenset[Register] | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.condition is None and (self.output is Output.MARK or self.writes):
            raise PatternError("an epsilon transition reads no event, so it cannot mark or write one")
        if HEAD in self.writes:
            raise PatternError("the head ~ is not a register and cannot be written")

    @property
    def is_epsilon(self) -> bool:
        """Whether it reads no event."""
        return self.condition is None

    @property
    def reads(self) -> frozenset[Register]:
        """The registers that its condition reads."""
        reads = self._reads
        if reads is None:  # kept, for it is asked again and again, and conditions may be large
            reads = frozenset() if self.condition is None else registers(self.condition)
            object.__setattr__(self, "_reads", reads)
        return reads


def epsilon(source: State, target: State) -> Transition:
    """An epsilon transition."""
    return Transition(source, None, Output.SKIP, frozenset(), target)


@dataclass(frozen=True, slots=True)
class SRT:
    """A symbolic register transducer ``(Q, q_s, Q_f, R, Delta)`` (Def. 21).

    Parameters
    ----------
    size : int
        Number of states; they are ``0 .. size - 1``.
    start : State
        The start state.
    finals : frozenset of State
        The final states.
    transitions : tuple of Transition
        In a fixed order, without repetition.
    registers : frozenset of Register
        At least those that transitions read or write; those are added when left out.
    """

    size: int
    start: State
    finals: frozenset[State]
    transitions: tuple[Transition, ...]
    registers: frozenset[Register] = frozenset()
    _outgoing: tuple[tuple[Transition, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        transitions = tuple(dict.fromkeys(self.transitions))
        used = frozenset(r for t in transitions for r in t.reads | t.writes)
        object.__setattr__(self, "transitions", transitions)
        object.__setattr__(self, "finals", frozenset(self.finals))
        object.__setattr__(self, "registers", frozenset(self.registers) | used)
        self._check_states()
        outgoing: list[list[Transition]] = [[] for _ in range(self.size)]
        for transition in transitions:
            outgoing[transition.source].append(transition)
        object.__setattr__(self, "_outgoing", tuple(map(tuple, outgoing)))

    def _check_states(self) -> None:
        ends = (state for t in self.transitions for state in (t.source, t.target))
        for state in (self.start, *self.finals, *ends):
            if not 0 <= state < self.size:
                raise PatternError(f"state {state} is not among the {self.size} states 0..{self.size - 1}")

    def __reduce__(self) -> tuple[type[SRT], tuple[object, ...]]:
        return (SRT, (self.size, self.start, self.finals, self.transitions, self.registers))

    @property
    def states(self) -> range:
        """All states."""
        return range(self.size)

    @property
    def has_epsilon(self) -> bool:
        """Whether some transition reads no event."""
        return any(transition.is_epsilon for transition in self.transitions)

    def outgoing(self, state: State) -> tuple[Transition, ...]:
        """The transitions that leave `state`."""
        return self._outgoing[state]

    def _repr_mimebundle_(self, **_wanted: object) -> dict[str, str]:
        from mnemata.automata.drawing import mimebundle

        return mimebundle(self)

    def __or__(self, other: SRT) -> SRT:
        from mnemata.automata.constructions.union import union

        return union(self, other)

    def __and__(self, other: SRT) -> SRT:
        from mnemata.automata.constructions.intersection import intersection

        return intersection(self, other)

    def __rshift__(self, other: SRT) -> SRT:
        from mnemata.automata.constructions.concatenation import concatenation

        return concatenation(self, other)

    def star(self) -> SRT:
        """Kleene closure (Def. 30); every round starts from empty registers."""
        from mnemata.automata.constructions.kleene import star

        return star(self)

    def without_epsilon(self) -> SRT:
        """An equivalent SRT without epsilon transitions (Lemma 29)."""
        from mnemata.automata.constructions.epsilon import eliminate_epsilon

        return eliminate_epsilon(self)

    def trim(self) -> SRT:
        """The SRT without states that no accepting run can visit."""
        from mnemata.automata.constructions.trimming import trim

        return trim(self)

    def streaming(self) -> SRT:
        """The SRT that may start at any event of a stream (Def. 32)."""
        from mnemata.automata.constructions.streaming import streaming

        return streaming(self)

    def determinize(
        self, *, window: Bound = None, streaming: bool = False, budget: Budget | None = None
    ) -> SRT:
        """The deterministic SRT of the strings within a window, by the ring buffer (ERRATA A5)."""
        from mnemata.automata.constructions.ring_buffer import determinize

        return determinize(self, window=window, streaming=streaming, budget=budget)

    def complement(self, *, window: Bound = None, within: bool = False, budget: Budget | None = None) -> SRT:
        """The deterministic SRT of the strings that this does not accept within a window (ERRATA A7)."""
        from mnemata.automata.constructions.complement import complement

        return complement(self, window=window, within=within, budget=budget)


def moved(transitions: Iterable[Transition], offset: int) -> Iterable[Transition]:
    """`transitions` with every state increased by `offset`."""
    return (
        Transition(t.source + offset, t.condition, t.output, t.writes, t.target + offset) for t in transitions
    )
