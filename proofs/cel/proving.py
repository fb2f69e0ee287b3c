"""Bounded proofs about formulas and automata: that no stream up to a length satisfies some conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final, TypeAlias

from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.bounded import Proof, proved
from mnemata.proofs.cel.enumerating import LETTERS
from mnemata.proofs.cel.symbolic import at
from mnemata.proofs.evidence import Effort
from mnemata.theory.conditions.formulas import BOTTOM, Condition, conjunction, disjunction
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.satisfiability.decisions import equivalent
from mnemata.theory.schema import Schema
from mnemata.theory.translation.event_types import event_types, is_of_type

Conditions: TypeAlias = Callable[[Effort, SymbolicString], Iterable[Condition]]
"""For each of several things the condition over a symbolic stream that something is wrong with it."""

TOGETHER: Final = 12
"""So many conditions are asked of the solver at once, for the sake of time."""


def over_all_streams(
    conditions: Conditions, *, schema: Schema = LETTERS, longer: int = 0, typed: bool = False
) -> Callable[[Effort], Iterator[Proof]]:
    """Proofs that none of some conditions holds of any stream.

    Parameters
    ----------
    conditions : callable
        Makes them, one for each thing that the proof goes through.
    schema : Schema
        Of the streams.
    longer : int
        By how many events the streams are longer than the effort says.
    typed : bool
        Whether only streams count in which no event lacks its type.
    """

    def proofs(effort: Effort) -> Iterator[Proof]:
        string = SymbolicString(effort.length + longer, schema)
        todo = iter(conditions(effort, string))
        while batch := list(islice(todo, TOGETHER)):
            yield from _none_holds(batch, string, typed=typed)

    return proofs


def _none_holds(batch: list[Condition], string: SymbolicString, *, typed: bool) -> Iterator[Proof]:
    """One by one only when together they are not refuted."""
    together = never(disjunction(*batch), string, typed=typed)
    if together.verdict is Verdict.YES:
        yield replace(together, formulas=len(batch))
    else:
        yield from (never(condition, string, typed=typed) for condition in batch)


def never(condition: Condition, string: SymbolicString, *, typed: bool = False) -> Proof:
    """Whether no stream satisfies a condition over a symbolic one; with `typed`, no event lacks its type."""
    has_types = (_has_type(event, string.schema) for event in (string.events if typed else ()))
    known = conjunction(string.known, *has_types)
    return proved([(string, equivalent(condition, BOTTOM, string.schema, known=known))])


def _has_type(event: str, schema: Schema) -> Condition:
    return disjunction(*(at(is_of_type(name, schema), event) for name in event_types(schema)))
