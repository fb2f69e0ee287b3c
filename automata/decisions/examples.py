"""Streams as test data: that match, or that tell patterns apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from mnemata.automata.decisions.languages import UP_TO, Decision, Language, equivalent, language
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.automata.srt.transducer import SRT
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.formulas import TOP, Comparison, Condition, Not, conjunction, disjunction
from mnemata.theory.conditions.terms import Attribute, Constant
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Event, Schema
from mnemata.theory.sremo.expressions import Expression

String = tuple[Event, ...]


def example_streams(
    pattern: Expression | SRT, schema: Schema, number: int, *, up_to: int = 6, budget: Budget | None = None
) -> tuple[String, ...]:
    """Up to `number` different streams that match as a whole, shortest first.

    Parameters
    ----------
    pattern : Expression or SRT
        What they match.
    schema : Schema
        Of the events.
    number : int
        How many are wanted; fewer are returned when no more are found.
    up_to : int
        The longest strings to try where the pattern sets no bound.
    budget : Budget, optional
        What the search may cost; `LimitError` when it is spent.
    """
    with spending(budget):
        return tuple(islice(_examples(language(pattern, schema), up_to), number))


def _examples(pattern: Language, up_to: int) -> Iterator[String]:
    last = up_to if pattern.longest is None else min(up_to, pattern.longest)
    for length in range(1, last + 1):
        string = SymbolicString(length, pattern.schema)
        for condition in pattern.matches(string).values():
            yield from _witnesses(condition, string)


def _witnesses(condition: Condition, string: SymbolicString) -> Iterator[String]:
    """Strings that satisfy `condition`, each different from those before."""
    new: Condition = TOP
    while True:
        answer = satisfiable(conjunction(condition, new), string.schema, known=string.known)
        if not answer.yes or answer.witness is None:
            return
        found = string.decode(answer.witness)
        yield found
        new = conjunction(new, _differs(found, string))


def _differs(found: String, string: SymbolicString) -> Condition:
    """That a string is not `found`."""
    differences = [
        Not(Comparison("=", Attribute(variable, name), Constant(value)))
        for variable, event in zip(string.events, found, strict=True)
        for name, value in zip(event.schema.names, event.values, strict=True)
        if value is not None
    ]
    return disjunction(*differences)


def counterexample(
    left: Expression | SRT,
    right: Expression | SRT,
    schema: Schema,
    *,
    up_to: int = UP_TO,
    budget: Budget | None = None,
) -> Decision:
    """A shortest stream on which two patterns have different matches: the witness of a *no*."""
    return equivalent(left, right, schema, up_to=up_to, budget=budget)
