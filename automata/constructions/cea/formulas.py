"""From complex event automata back to CEL (CEL Thm 6.3 and 8.9, repaired by ERRATA B4 and B9)."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from mnemata.automata.cea.automaton import CEA, Labels, Transition
from mnemata.automata.constructions.cea.elimination import Language, eliminated
from mnemata.theory.budget import Budget
from mnemata.theory.cel.formulas import (
    ContiguousIteration,
    Filter,
    Formula,
    In,
    Iteration,
    Projection,
    Start,
    contiguous,
    either,
    sequence,
)
from mnemata.theory.cel.predicates import Each
from mnemata.theory.cel.valuations import Variable
from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.schema import Schema
from mnemata.theory.translation.event_types import any_event, event_types, fresh, nothing


def formula_of(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> Formula:
    """A unary formula with the valuations of `cea`, by state elimination (Thm 6.3, ERRATA B4).

    Parameters
    ----------
    cea : CEA
        Any.
    schema : Schema
        Its event type is a `Category`, so that "any event" can be written as a disjunction of types.
    budget : Budget, optional
        What it may cost.

    Returns
    -------
    Formula
        Made of ``IN``, ``FILTER``, ``:``, ``(+)``, projection, ``START`` and ``OR``. At every position of
        every stream in which no event lacks its type it has the valuations of `cea`; a formula
        cannot read events without a type.

    Raises
    ------
    UnsupportedError
        When the schema does not list the event types.
    LimitError
        When the budget is spent.

    Notes
    -----
    Every event that is read is bound to one more variable, so that runs that mark nothing have a support
    too; a projection outermost takes it away. As published it is taken away of each event at once, and ``:``
    finds nothing to join (ERRATA B4).
    """
    every = fresh(cea.variables.union(event_types(schema)))

    def step(transition: Transition) -> Formula:
        return Projection(_read(schema, transition, every), (*transition.labels, every))

    found = eliminated(cea, _contiguous(step), budget=budget)
    return Projection(nothing(schema) if found is None else Start(found), tuple(cea.variables))


def formula_of_as_published(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> Formula:
    """``phi_A`` as in the proof of Thm 6.3; wrong for CEA with unmarked transitions (ERRATA B4).

    Parameters and errors as for `formula_of`.
    """
    every = fresh(cea.variables.union(event_types(schema)))

    def step(transition: Transition) -> Formula:
        return Projection(_read(schema, transition, every), tuple(transition.labels))

    found = eliminated(cea, _contiguous(step), budget=budget)
    return nothing(schema) if found is None else Start(found)


def star_formula_of(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> Formula:
    """A formula of CEL* with the complex events of `cea` under the ``*``-semantics (Thm 8.9, ERRATA B9).

    Parameters, result and errors as for `formula_of`, but made of ``IN``, ``FILTER``, ``;``, ``+`` and ``OR``
    alone. Labels are lost: CEL* cannot rename variables.
    """
    return _star(cea, schema, Iteration, budget)


def star_formula_of_as_published(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> Formula:
    """``phi_A`` as printed in the proof of Thm 8.9: a loop is taken once at most (ERRATA B9).

    The filter of ``rho_P`` has its variable here, which the paper leaves out.
    """
    return _star(cea, schema, lambda loop: loop, budget)


def _star(cea: CEA, schema: Schema, again: Callable[[Formula], Formula], budget: Budget | None) -> Formula:
    every = fresh(cea.variables.union(event_types(schema)))
    marking = tuple(t for t in cea.transitions if t.marking)
    language: Language[Formula] = Language(
        lambda t: _asked(any_event(schema), t.predicate, every), either, sequence, _looping(sequence, again)
    )
    found = eliminated(CEA(cea.size, marking, cea.initials, cea.finals), language, budget=budget)
    return nothing(schema) if found is None else found


def _looping(
    then: Callable[..., Formula], again: Callable[[Formula], Formula]
) -> Callable[[Formula, Formula], Formula]:
    return lambda loop, way: either(way, then(again(loop), way))


def _contiguous(step: Callable[[Transition], Formula]) -> Language[Formula]:
    return Language(step, either, contiguous, _looping(contiguous, ContiguousIteration))


def _read(schema: Schema, transition: Transition, every: Variable) -> Formula:
    """The one event that a transition reads, bound to its labels and to `every`."""
    labelled = _labelled(any_event(schema), transition.labels)
    return _asked(labelled, transition.predicate, every)


def _labelled(formula: Formula, labels: Labels) -> Formula:
    return reduce(In, sorted(labels), formula)


def _asked(formula: Formula, predicate: Condition, every: Variable) -> Formula:
    bound = In(formula, every)
    return bound if predicate == TOP else Filter(bound, Each(every, predicate))
