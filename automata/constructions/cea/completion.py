"""Completion: a transition for every event and every label set of interest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mnemata.automata.cea.automaton import CEA, Labels, State, Transition, in_order
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Condition, Not, disjunction
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Schema


def complete(cea: CEA, schema: Schema, *, label_sets: Iterable[Labels] | None = None) -> CEA:
    """A valuation-equivalent CEA in which every state can read every event with every label set.

    Parameters
    ----------
    cea : CEA
        Any; I/O-determinism is kept.
    schema : Schema
        What the predicates range over.
    label_sets : iterable of sets of variables, optional
        The label sets besides those of `cea`.

    Notes
    -----
    What a state cannot read leads to one new state that nothing leaves and that is not final. A state
    whose predicates Z3 proves to cover everything gets no such transition; without need for the new
    state there is none.
    """
    extra = () if label_sets is None else tuple(frozenset(labels) for labels in label_sets)
    wanted = in_order((*cea.label_sets, *extra))
    missing = [
        Transition(state, rest, labels, cea.size)
        for state in cea.states
        for labels, rest in _gaps(cea, state, wanted, schema)
    ]
    if not missing and cea.initials:
        return cea
    loops = (Transition(cea.size, TOP, labels, cea.size) for labels in wanted)
    initials = cea.initials or {cea.size}
    return CEA(cea.size + 1, (*cea.transitions, *missing, *loops), frozenset(initials), cea.finals)


def uncovered(cea: CEA, state: State, labels: Labels) -> Condition:
    """The events that a state cannot read with these labels."""
    read = disjunction(*(t.predicate for t in cea.outgoing(state) if t.labels == labels))
    return BOTTOM if read == TOP else Not(read)


def _gaps(
    cea: CEA, state: State, label_sets: tuple[Labels, ...], schema: Schema
) -> Iterator[tuple[Labels, Condition]]:
    for labels in label_sets:
        rest = uncovered(cea, state, labels)
        if rest != BOTTOM and not satisfiable(rest, schema).no:
            yield labels, rest
