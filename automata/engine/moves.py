"""What runs do on an event: the transitions of an SRT, sorted by state and event class.

Most events change nothing in most states: all that is enabled there is a loop that neither marks, writes
nor asks anything of registers. Runs in such a state need not even be looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.engine.classes import classify, condition_of, split
from mnemata.automata.engine.closures import compile_condition
from mnemata.automata.engine.columns import Columns, Truth
from mnemata.automata.engine.dividing import Conditions, EventClasses
from mnemata.automata.engine.relations import RowPredicate
from mnemata.automata.srt.transducer import State, Transition
from mnemata.theory.conditions.formulas import Condition
from mnemata.theory.conditions.terms import Register
from mnemata.theory.sremo.expressions import Output

Registers: TypeAlias = tuple[int, ...]
"""The rows held by the live registers of a state, in the order of their names; -1 where one is empty."""

Carry: TypeAlias = Callable[[int, Registers], Registers]


class Step(NamedTuple):
    """What one transition does to a run, when the event's class allows it.

    ``test`` is what it still asks of registers (``None``: nothing), ``carry`` makes the registers of the
    target from the row of the event and the registers of the source, ``reports`` says that a match
    ends here, and ``goes_on`` that the target has transitions.
    """

    test: RowPredicate | None
    carry: Carry
    target: State
    marks: bool
    reports: bool
    goes_on: bool


class Moves(NamedTuple):
    """What the runs of a state do on the events of a class: `stay` as they are, and take `steps`."""

    stay: bool
    steps: tuple[Step, ...]


class _Guarded(NamedTuple):
    head: int | None
    step: Step
    stays: bool


class MoveTable:
    """The moves of a compiled pattern over given columns.

    Parameters
    ----------
    compiled : CompiledPattern
        The pattern.
    columns : Columns
        With the columns that its guards read.
    classes : callable, optional
        The classes of the rows with regard to conditions, if others share them.
    """

    def __init__(
        self,
        compiled: CompiledPattern,
        columns: Columns,
        classes: Callable[[Conditions], EventClasses] | None = None,
    ) -> None:
        self._srt, self._reports_late = compiled.srt, compiled.told_apart or compiled.shows_less
        self._live = tuple(tuple(sorted(registers)) for registers in compiled.live)
        self._columns = columns
        guards = [split(condition_of(t)) for t in self._srt.transitions]
        heads = dict.fromkeys(guard.head for guard in guards if guard.head is not None)
        self._numbers: dict[Condition, int] = {head: i for i, head in enumerate(heads)}
        asked = tuple(heads)
        self.classes: EventClasses = classify(asked, columns) if classes is None else classes(asked)
        self._guarded: dict[State, tuple[_Guarded, ...]] = {}
        self._moves: dict[tuple[State, int], Moves] = {}

    @property
    def start(self) -> State:
        """The start state."""
        return self._srt.start

    @property
    def empty(self) -> Registers:
        """The registers of a run that begins."""
        return (-1,) * len(self._live[self.start])

    def moves(self, state: State, event_class: int) -> Moves:
        """What the runs of `state` do on the events of a class."""
        found = self._moves.get((state, event_class))
        if found is None:
            found = self._moves[state, event_class] = self._of_class(state, event_class)
        return found

    def _of_class(self, state: State, event_class: int) -> Moves:
        holds = self.classes.holds[event_class]
        enabled = [g for g in self._of_state(state) if g.head is None or holds[g.head]]
        stay = any(g.stays for g in enabled)
        return Moves(stay, tuple(g.step for g in enabled if not g.stays))

    def moving(self, state: State) -> Truth:
        """For each class whether its events change anything for the runs of `state`."""
        stay, step = self._stay_and_step(state)
        return step | ~stay

    def starting(self) -> Truth:
        """For each class whether a run can leave the start state, or begin to mark, on its events."""
        return self._stay_and_step(self.start)[1]

    def _stay_and_step(self, state: State) -> tuple[Truth, Truth]:
        stay, step = np.zeros((2, len(self.classes.holds)), np.bool_)
        for guarded in self._of_state(state):
            enabled = True if guarded.head is None else self.classes.holds[:, guarded.head]
            if guarded.stays:
                stay |= enabled
            else:
                step |= enabled
        return stay, step

    def _of_state(self, state: State) -> tuple[_Guarded, ...]:
        if state not in self._guarded:
            self._guarded[state] = tuple(map(self._guard, self._srt.outgoing(state)))
        return self._guarded[state]

    def _guard(self, t: Transition) -> _Guarded:
        guard = split(condition_of(t))
        marks = t.output is Output.MARK
        step = Step(
            None if guard.rest is None else self._test(guard.rest, t.source),
            _carry(self._live[t.source], t.writes, self._live[t.target]),
            t.target,
            marks,
            (marks or self._reports_late) and t.target in self._srt.finals,
            bool(self._srt.outgoing(t.target)),
        )
        changes = marks or guard.rest is not None or t.writes & set(self._live[t.target])
        head = None if guard.head is None else self._numbers[guard.head]
        return _Guarded(head, step, t.source == t.target and not changes)

    def _test(self, condition: Condition, state: State) -> RowPredicate:
        places = {register: place for place, register in enumerate(self._live[state])}
        return compile_condition(condition, self._columns, places)


def _carry(source: tuple[Register, ...], writes: frozenset[Register], target: tuple[Register, ...]) -> Carry:
    """How the registers of the target follow from those of the source and the event's row."""
    if source == target and not writes & set(target):
        return lambda row, registers: registers
    if not target:
        return lambda row, registers: ()
    if target == tuple(r for r in target if r in writes):
        return lambda row, registers: (row,) * len(target)
    places = [None if r in writes else source.index(r) for r in target]
    return lambda row, registers: tuple([row if p is None else registers[p] for p in places])
