"""Event types, and what is done to labels (CEL Thm 6.2: ``R``, ``IN``, ``FILTER``, projection)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mnemata.automata.cea.automaton import CEA, UNMARKED, Transition
from mnemata.automata.constructions.cea.predicates import both
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.schema import Schema
from mnemata.theory.translation.event_types import is_of_type


def event(name: str, schema: Schema) -> CEA:
    """``R``: any events, and then one of type `name`, bound to the variable of that name (Fig. 5)."""
    skip = Transition(0, TOP, UNMARKED, 0)
    take = Transition(0, is_of_type(name, schema), frozenset({name}), 1)
    return CEA(2, (skip, take), frozenset({0}), frozenset({1}))


def bound_to(cea: CEA, variable: Variable) -> CEA:
    """``cea IN variable``: `variable` is among the labels wherever there are any."""
    added = frozenset({variable})
    return _relabelled(
        cea, (replace(t, labels=t.labels | added) if t.marking else t for t in cea.transitions)
    )


def filtered(cea: CEA, variable: Variable, predicate: Condition) -> CEA:
    """``cea FILTER variable[predicate]``: all events that `variable` labels satisfy `predicate`."""
    return _relabelled(
        cea,
        (
            replace(t, predicate=both(t.predicate, predicate)) if variable in t.labels else t
            for t in cea.transitions
        ),
    )


def projected(cea: CEA, variables: Iterable[Variable]) -> CEA:
    """``PI_variables(cea)``: the other labels are taken away."""
    kept = frozenset(variables)
    return _relabelled(cea, (replace(t, labels=t.labels & kept) for t in cea.transitions))


def _relabelled(cea: CEA, transitions: Iterable[Transition]) -> CEA:
    return CEA(cea.size, tuple(transitions), cea.initials, cea.finals)
