"""Why a match is a match, and why other events are none: runs of the automaton, event by event."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mnemata.automata.constructions.saving import moved_from
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models
from mnemata.theory.conditions.formulas import And, Condition, expand, registers, rename
from mnemata.theory.conditions.terms import HEAD, Attribute, Constant, Position, Register, Variable
from mnemata.theory.schema import Event, Value
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.trees import Node, transform, walk


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a run, and what the automaton did with it.

    Parameters
    ----------
    event : Event
        The event read.
    transition : Transition
        The transition taken.
    before : Valuation
        The registers before it.
    """

    event: Event
    transition: Transition
    before: Valuation

    @property
    def marked(self) -> bool:
        """Whether the event is part of the match."""
        return self.transition.output is Output.MARK

    @property
    def writes(self) -> tuple[Register, ...]:
        """The registers that now hold the event; those of the user, without those of constructions."""
        written = {moved_from(register) for register in self.transition.writes}
        return tuple(sorted(register for register in written if not register.startswith("#")))

    @property
    def condition(self) -> Condition | None:
        """What the transition asks of the event, registers under the names that the user gave them."""
        condition = self.transition.condition
        return None if condition is None else named(condition)

    def reasons(self) -> Iterator[tuple[Condition, Condition]]:
        """The parts of the condition, each as it is and with the values that made it true."""
        return (self._with_values(part) for part in self._parts)

    def failures(self) -> Iterator[tuple[Condition, Condition]]:
        """The parts of the condition that do not hold, each as it is and with the values that it reads."""
        failing = (part for part in self._parts if not models(self.event, self.before, part))
        return (self._with_values(part) for part in failing)

    @property
    def _parts(self) -> tuple[Condition, ...]:
        condition = self.transition.condition
        if condition is None:
            return ()
        return condition.operands if isinstance(condition, And) else (condition,)

    def _with_values(self, part: Condition) -> tuple[Condition, Condition]:
        return named(part), named(substituted(part, self.event, self.before))


def explained(srt: SRT, events: Sequence[Event], marks: Collection[int]) -> tuple[Step, ...] | None:
    """A run that marks exactly the events at some positions and reads nothing after the last of them.

    Parameters
    ----------
    srt : SRT
        Without epsilon transitions; its conditions are bound to the schema of the events.
    events : sequence of Event
        A contiguous part of the stream that ends with the last marked event.
    marks : collection of int
        Positions of the marked events.

    Returns
    -------
    tuple of Step or None
        Of the run that begins latest; ``None`` when there is none among these events.
    """
    return _Search(srt, events, frozenset(marks)).first_run()


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Where no run goes on that marks exactly the events at some positions.

    Parameters
    ----------
    event : Event or None
        The first event that no such run reads; ``None`` where all are read and no run is accepting.
    marked : bool
        Whether it is one of those to be marked.
    refused : tuple of Step
        The transitions that would do so, none of which can be taken.
    """

    event: Event | None
    marked: bool
    refused: tuple[Step, ...]


def obstacle(srt: SRT, events: Sequence[Event], marks: Collection[int]) -> Obstacle | None:
    """Where it fails that a run marks exactly the events at some positions; parameters as for `explained`.

    Returns ``None`` when there is such a run. Otherwise it is about the runs that read most events.
    """
    search = _Search(srt, events, frozenset(marks))
    if search.first_run() is not None:
        return None
    index, refused = search.farthest()
    if index == len(events):
        return Obstacle(None, False, ())
    return Obstacle(events[index], events[index].position in search.marks, refused)


class _Search:
    """Depth-first search for a run; what failed once is not tried again, wherever a run began."""

    def __init__(self, srt: SRT, events: Sequence[Event], marks: frozenset[int]) -> None:
        self._srt, self._events, self.marks = srt, events, marks
        self._failed: dict[tuple[int, State, Valuation], None] = {}

    def first_run(self) -> tuple[Step, ...] | None:
        """The run that begins latest."""
        marked = (i for i, event in enumerate(self._events) if event.position in self.marks)
        first = next(marked, len(self._events) - 1)
        found = (self.run_from(start) for start in range(first, -1, -1))
        return next((steps for steps in found if steps is not None), None)

    def farthest(self) -> tuple[int, tuple[Step, ...]]:
        """Of what has failed: how many events were read at most, and what could not be done with the next."""
        index = max(index for index, _, _ in self._failed)
        if index == len(self._events):
            return index, ()
        here = [(state, valuation) for i, state, valuation in self._failed if i == index]
        options = (self._options(index, state, valuation) for state, valuation in here)
        return index, tuple(dict.fromkeys(step for steps in options for step in steps))

    def run_from(self, start: int) -> tuple[Step, ...] | None:
        stack = [(start, self._srt.start, EMPTY, iter(self._steps(start, self._srt.start, EMPTY)))]
        taken: list[Step] = []
        while stack:
            index, state, valuation, options = stack[-1]
            if index == len(self._events) and state in self._srt.finals:
                return tuple(taken)
            step = next(options, None)
            if step is None:
                self._failed[index, state, valuation] = None
                stack.pop()
                if taken:
                    taken.pop()
                continue
            writes = step.transition.writes
            after = valuation.write(writes, step.event) if writes else valuation
            target = step.transition.target
            if (index + 1, target, after) not in self._failed:
                taken.append(step)
                stack.append((index + 1, target, after, iter(self._steps(index + 1, target, after))))
        return None

    def _steps(self, index: int, state: State, valuation: Valuation) -> Iterator[Step]:
        for step in self._options(index, state, valuation):
            condition = step.transition.condition
            if condition is not None and models(step.event, valuation, condition):
                yield step

    def _options(self, index: int, state: State, valuation: Valuation) -> Iterator[Step]:
        """The transitions with the right output, whether or not they can be taken."""
        if index == len(self._events):
            return
        event = self._events[index]
        output = Output.MARK if event.position in self.marks else Output.SKIP
        for transition in self._srt.outgoing(state):
            if transition.output is output:
                yield Step(event, transition, valuation)


def named(condition: Condition) -> Condition:
    """`condition` with registers that were moved under the names of what is kept in them."""
    return rename(condition, {register: moved_from(register) for register in registers(condition)})


def substituted(condition: Condition, event: Event, valuation: Mapping[Register, Event]) -> Condition:
    """`condition` with the values that it reads in place of the terms that read them.

    What is missing, or in an empty register, stays as it is.
    """
    held: dict[Variable, Event] = {**valuation, HEAD: event}

    def value_of(node: Node) -> Value:
        if isinstance(node, Attribute):
            return held[node.variable][node.name] if node.variable in held else None
        if isinstance(node, Position):
            return held[node.variable].position if node.variable in held else None
        return None

    def replaced(node: Node) -> Node:
        value = value_of(node)
        return node if value is None else Constant(value)

    found = transform(expand(condition), replaced)
    return found if isinstance(found, Condition) else condition


def reads_registers(condition: Condition) -> bool:
    """Whether it compares the event with an earlier one."""
    return any(getattr(node, "variable", HEAD) != HEAD for node in walk(condition))
