"""Evaluating a CEA in normal form: constant time for each event, then enumeration (CEL Alg. 2, Thm 9.1).

The readable reference: as published, which is right (ERRATA B12).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from mnemata.automata.cea.automaton import CEA, State, Transition
from mnemata.automata.cea.compact_sets import BOTTOM, CompactSet, Listed
from mnemata.automata.cea.enumeration import Steps, enumerate_set
from mnemata.theory.cel.valuations import ComplexEvent, Position
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.errors import PatternError
from mnemata.theory.schema import Event

Table: TypeAlias = dict[State, Listed]
Marking: TypeAlias = bool


class Evaluation:
    """A CEA that reads a stream event by event and can say at any time what it has recognised (Alg. 2).

    Parameters
    ----------
    cea : CEA
        In normal form (`normal_form`): one variable, one initial state, I/O-deterministic; bound to the
        schema of the events.

    Attributes
    ----------
    compact : CompactSet
        All complex events so far, finished or not.
    table : dict from State to pair of Node
        For each active state, the list of the complex events of runs that are in it.
    position : int
        Of the next event; 0-based.
    steps : Steps
        What was done so far: each predicate tested, each list made or joined, each active state visited,
        and each step of an enumeration.

    Raises
    ------
    PatternError
        At once when there is more than one variable or not one initial state; at an event when two
        transitions of a state that are alike can read it.

    Examples
    --------
    >>> from mnemata.automata.cea.automaton import Transition
    >>> from mnemata.theory.conditions.building import head
    >>> from mnemata.theory.conditions.formulas import TOP
    >>> from mnemata.theory.schema import Schema, String
    >>> skip = Transition(0, TOP, frozenset(), 0)
    >>> take = Transition(0, head().type == "R", frozenset({"R"}), 1)
    >>> running = Evaluation(CEA(2, (skip, take), {0}, {1}))
    >>> for event in Schema.of(type=String()).stream(["R", "T", "R"]):
    ...     running.read(event)
    >>> list(running.complex_events())
    [frozenset({2})]
    """

    __slots__ = ("_cea", "compact", "position", "steps", "table")

    def __init__(self, cea: CEA) -> None:
        _check_form(cea)
        (initial,) = cea.initials
        self._cea, self.compact, self.position, self.steps = cea, CompactSet(), 0, Steps()
        self.table: Table = {initial: (BOTTOM, BOTTOM)}

    def read(self, event: Event) -> None:
        """The update phase for one event: at most a fixed number of steps for each transition."""
        following: Table = {}
        for state, nodes in self.table.items():
            self.steps.count += 1
            fired = self._fired(state, event)
            if True in fired:
                node = self.compact.extend(self.position, nodes)
                self._add(following, fired[True].target, (node, node))
            if False in fired:
                self._add(following, fired[False].target, nodes)
        self.table = following
        self.position += 1

    def complex_events(self) -> Iterator[ComplexEvent]:
        """The enumeration phase: what the CEA recognises at the last position read, without repetition."""
        for state, nodes in self.table.items():
            self.steps.count += 1
            if state in self._cea.finals:
                yield from enumerate_set(self.compact, nodes, self.steps)

    def _fired(self, state: State, event: Event) -> dict[Marking, Transition]:
        """``Delta(p, t, m)`` for both ``m``: the transitions that mark the event and that do not."""
        fired: dict[Marking, Transition] = {}
        for t in self._cea.outgoing(state):
            self.steps.count += 1
            if models(event, EMPTY, t.predicate):
                if t.marking in fired:
                    raise PatternError(_competing(fired[t.marking], t, self.position))
                fired[t.marking] = t
        return fired

    def _add(self, table: Table, state: State, nodes: Listed) -> None:
        """``ADD``: the list goes to the end of the one that the state has."""
        self.steps.count += 1
        if state in table:
            first, last = table[state]
            self.compact.append(last, nodes[0])
            table[state] = (first, nodes[1])
        else:
            table[state] = nodes


def evaluate(cea: CEA, stream: Iterable[Event]) -> Iterator[list[ComplexEvent]]:
    """The complex events at each position of a stream, in the order of their enumeration (Alg. 2).

    Parameters
    ----------
    cea : CEA
        As for `Evaluation`.
    stream : iterable of Event
        Finite or not; one event is read for each list that is taken.
    """
    running = Evaluation(cea)
    for event in stream:
        running.read(event)
        yield list(running.complex_events())


def _check_form(cea: CEA) -> None:
    remedy = "evaluate normal_form(cea, schema) instead"
    marking = [sorted(labels) for labels in cea.label_sets if labels]
    if len(marking) > 1 or any(len(labels) > 1 for labels in marking):
        raise PatternError(f"a CEA in normal form marks with one variable, this one with {marking}; {remedy}")
    if len(cea.initials) != 1:
        raise PatternError(f"a CEA in normal form has one initial state, not {len(cea.initials)}; {remedy}")


def _competing(one: Transition, other: Transition, position: Position) -> str:
    how = "mark" if one.marking else "read without marking"
    return (
        f"two transitions of state {one.source} can both {how} the event at position {position} "
        f"(to states {one.target} and {other.target}); only an I/O-deterministic CEA can be evaluated: use "
        "normal_form(cea, schema)"
    )
