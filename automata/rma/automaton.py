"""Register match automata (RMA Def. 3 and 4).

An RMA differs from an SRT in three ways: it may have several start states, its transitions name the
registers that are passed to a formula (the register selection) instead of conditions that name registers
themselves, and a run accepts only if the last event was marked. So an RMA is made of the transitions of an
SRT, and is run as one; `selection` and `formula` recover what Def. 4 writes down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from mnemata.automata.srt.transducer import SRT, State, Transition, epsilon
from mnemata.theory.conditions.formulas import Condition, Definition, Relation, rename, variables
from mnemata.theory.conditions.terms import HEAD, Register, Variable
from mnemata.theory.errors import PatternError
from mnemata.theory.sremo.expressions import Output

Selection: TypeAlias = tuple[Variable, ...]
"""``rs``: the head and registers whose contents are the arguments of a formula."""


@dataclass(frozen=True, slots=True)
class RMA:
    """A register match automaton ``(Q, Q_s, Q_f, RG, Delta)`` (Def. 3).

    Parameters
    ----------
    size : int
        Number of states; they are ``0 .. size - 1``.
    starts : frozenset of State
        The start states, at least one.
    finals : frozenset of State
        The final states.
    transitions : tuple of Transition
        In a fixed order, without repetition; those of an SRT.
    registers : frozenset of Register
        At least those that transitions read or write; those are added when left out.

    Attributes
    ----------
    srt : SRT
        The same states and transitions with one start state: the only one, or else a new one, numbered
        `size`, that epsilon transitions lead from to all start states.
    """

    size: int
    starts: frozenset[State]
    finals: frozenset[State]
    transitions: tuple[Transition, ...]
    registers: frozenset[Register] = frozenset()
    srt: SRT = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = tuple(sorted(self.starts))
        for state in starts:
            if not 0 <= state < self.size:
                raise PatternError(f"state {state} is not among the {self.size} states 0..{self.size - 1}")
        if not starts:
            raise PatternError("an RMA needs at least one start state")
        single = len(starts) == 1
        SRT(self.size, starts[0], self.finals, self.transitions)  # checks the states
        joined = () if single else tuple(epsilon(self.size, state) for state in starts)
        srt = SRT(
            self.size if single else self.size + 1,
            starts[0] if single else self.size,
            frozenset(self.finals),
            (*self.transitions, *joined),
            frozenset(self.registers),
        )
        object.__setattr__(self, "starts", frozenset(starts))
        object.__setattr__(self, "finals", srt.finals)
        object.__setattr__(self, "transitions", tuple(dict.fromkeys(self.transitions)))
        object.__setattr__(self, "registers", srt.registers)
        object.__setattr__(self, "srt", srt)

    def __reduce__(self) -> tuple[type[RMA], tuple[object, ...]]:
        return (RMA, (self.size, self.starts, self.finals, self.transitions, self.registers))

    def _repr_mimebundle_(self, **_wanted: object) -> dict[str, str]:
        from mnemata.automata.drawing import mimebundle

        return mimebundle(self.srt)

    @property
    def states(self) -> range:
        """All states."""
        return range(self.size)

    def outgoing(self, state: State) -> tuple[Transition, ...]:
        """The transitions that leave `state`."""
        return self.srt.outgoing(state)


def with_start(srt: SRT) -> RMA:
    """The RMA with the states, the transitions and the one start state of `srt`.

    Its matches are those matches of `srt` that mark the last event of their string.
    """
    return RMA(srt.size, frozenset({srt.start}), srt.finals, srt.transitions, srt.registers)


def selecting(
    source: State,
    formula: Definition | Relation,
    selection: Sequence[Variable],
    target: State,
    *,
    writes: Sequence[Register] = (),
    output: Output = Output.SKIP,
) -> Transition:
    """``(source, f, rs) -> (target, R, o)`` (Def. 4): it applies iff ``f(gamma(rs))`` is true.

    Examples
    --------
    >>> from mnemata.theory.conditions.building import register
    >>> same = Definition("same", ("z", "w"), register("z").id == register("w").id)
    >>> step = selecting(0, same, ("~", "r1"), 1, output=Output.MARK)
    >>> selection(step), step.condition
    (('~', 'r1'), Apply(same, ('~', 'r1')))
    """
    return Transition(source, formula(*selection), output, frozenset(writes), target)


def selection(transition: Transition) -> Selection:
    """``rs``: what a transition reads, the head first; the head alone if it reads nothing."""
    if transition.condition is None:
        return ()
    read = variables(transition.condition)
    held = tuple(sorted(read - {HEAD}))
    return (HEAD, *held) if HEAD in read or not held else held


def formula(transition: Transition, name: str = "f") -> Definition:
    """``f``: the condition of a transition as a formula over formal arguments, to be applied to `selection`.

    Raises `PatternError` for an epsilon transition.
    """
    if transition.condition is None:
        raise PatternError("an epsilon transition has no formula")
    chosen = selection(transition)
    formal = tuple(f"a{number}" for number in range(1, len(chosen) + 1))
    body: Condition = rename(transition.condition, dict(zip(chosen, formal, strict=True)))
    return Definition(name, formal, body)
