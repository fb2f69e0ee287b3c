"""``FILTER`` on CEA, and filters that nothing can pass (CEL Thm 6.2)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial, reduce

from mnemata.automata.cea.automaton import CEA, Transition
from mnemata.automata.constructions.cea.labelling import filtered
from mnemata.automata.constructions.cea.predicates import (
    conjuncts,
    impossible,
    possible_only,
    unsatisfiable_core,
)
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.automata.constructions.cea.union import union
from mnemata.theory.cel.predicates import Each, Predicate
from mnemata.theory.errors import ContradictionWarning, UnsupportedError
from mnemata.theory.schema import Schema
from mnemata.theory.syntax import show_cel
from mnemata.theory.translation.alternatives import alternatives


def satisfying(cea: CEA, predicate: Predicate, schema: Schema) -> CEA:
    """``cea FILTER predicate``, for a unary predicate bound to `schema` (Def. 4.1).

    Conjunctions filter one after the other; of a disjunction each part filters a copy of the automaton.

    Warns
    -----
    ContradictionWarning
        When no event bound to a variable can satisfy what is asked of it.
    """
    filtered_by = [reduce(partial(_each, schema), parts, cea) for parts in alternatives(predicate)]
    return trim(reduce(union, filtered_by)) if len(filtered_by) > 1 else filtered_by[0]


def _each(schema: Schema, cea: CEA, predicate: Predicate) -> CEA:
    if not isinstance(predicate, Each):
        raise UnsupportedError(f"{show_cel(predicate)} is not the extension of a condition on single events")
    result = possible_only(filtered(cea, predicate.variable, predicate.condition), schema)
    _warn_of_contradiction(cea, result, predicate, schema)
    return result


def _warn_of_contradiction(before: CEA, after: CEA, predicate: Each, schema: Schema) -> None:
    """Warn when events could be bound to the variable before, and none can now."""
    tested = [t for t in _labelled(before, predicate) if not impossible(t.predicate, schema)]
    if not tested or any(_labelled(after, predicate)):
        return
    conflicting = unsatisfiable_core(
        (*conjuncts(predicate.condition), *conjuncts(tested[0].predicate)), schema
    )
    core = [show_cel(Each(predicate.variable, condition)) for condition in conflicting]
    warnings.warn(
        f"no event can be bound to '{predicate.variable}': nothing satisfies {' and '.join(core)}"
        f"{' together' if len(core) > 1 else ''}; correct the filter {show_cel(predicate)}, or leave "
        "out what it filters",
        ContradictionWarning,
        stacklevel=2,
    )


def _labelled(cea: CEA, predicate: Each) -> Iterator[Transition]:
    return (t for t in cea.transitions if predicate.variable in t.labels)
