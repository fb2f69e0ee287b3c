"""Types of predicates, and the transitions that a set of states takes on each (CEL Def. 5.6).

The type of the empty set of predicates must be "in none of them", the complement of their union: read
as the empty set, no transition would go where no predicate holds, and nothing would be complete (ERRATA
B3). Types that Z3 proves empty do not exist; those that it cannot decide do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from mnemata.automata.cea.automaton import CEA, Labels, State, Transition
from mnemata.theory.budget import current
from mnemata.theory.conditions.formulas import TOP, Condition, Not, conjunction, disjunction
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability.answers import Signs
from mnemata.theory.satisfiability.minterms import LIMIT, minterms
from mnemata.theory.schema import Event, Schema

Subset: TypeAlias = frozenset[State]
FEW: Final = 32
"""With so many types and two more for each predicate, all types of an automaton are found at once."""

Cube: TypeAlias = dict[int, bool]
"""Predicates by number, each to hold or not: a conjunction."""

NOWHERE: Final[Subset] = frozenset()


@dataclass(frozen=True, slots=True)
class Types:
    """``types(P)``: every event belongs to exactly one of them.

    Parameters
    ----------
    predicates : tuple of Condition
        ``P``, without ``true``.
    found : tuple of tuple of bool
        Each type by which of the predicates its events are in.
    examples : tuple of Event or None
        An event of each type; ``None`` where it is unknown whether there are any.
    """

    predicates: tuple[Condition, ...]
    found: tuple[Signs, ...]
    examples: tuple[Event | None, ...] = field(compare=False)
    _columns: dict[Condition, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_columns", {p: column for column, p in enumerate(self.predicates)})

    def within(self, kind: Signs, predicate: Condition) -> bool:
        """Whether the events of a type are in `predicate`, one of ``P`` or ``true``."""
        return predicate == TOP or kind[self._columns[predicate]]

    def onto(self, predicates: Iterable[Condition]) -> Types:
        """The types of some of the predicates: those that these do not tell apart become one."""
        kept = tuple(dict.fromkeys(predicate for predicate in predicates if predicate != TOP))
        examples: dict[Signs, Event | None] = {}
        for kind, example in zip(self.found, self.examples, strict=True):
            signs = tuple(kind[self._columns[predicate]] for predicate in kept)
            examples[signs] = examples.get(signs) or example
        return Types(kept, tuple(examples), tuple(examples.values()))

    def covering(self, kinds: Collection[Signs]) -> Condition:
        """A short predicate for the events of `kinds`, some of the types.

        A disjunction of conjunctions of predicates and negated predicates, none of which can be left out.
        """
        cubes: list[Cube] = []
        for kind in kinds:
            if not any(_fits(kind, cube) for cube in cubes):
                cubes.append(self._grown(kind, frozenset(kinds)))
        return disjunction(*map(self._conjunction, _needed(cubes, kinds)))

    def _conjunction(self, cube: Cube) -> Condition:
        signed = ((self.predicates[i], sign) for i, sign in sorted(cube.items()))
        return conjunction(*(predicate if sign else Not(predicate) for predicate, sign in signed))

    def _grown(self, kind: Signs, wanted: frozenset[Signs]) -> Cube:
        """The literals of a type, less those without which no type outside `wanted` fits either."""
        cube = dict(enumerate(kind))
        unwanted = [other for other in self.found if other not in wanted]
        for i in sorted(cube, key=lambda i: (cube[i], -i)):  # negated predicates go first
            rest = {j: sign for j, sign in cube.items() if j != i}
            if not any(_fits(other, rest) for other in unwanted):
                cube = rest
        return cube


def types(predicates: Iterable[Condition], schema: Schema, *, limit: int = LIMIT) -> Types:
    """The types of some predicates that Z3 does not prove empty.

    Raises `LimitError` when there are more than `limit`.

    >>> from mnemata.theory.conditions.building import head
    >>> from mnemata.theory.schema import Int64
    >>> low, high = head().x < 2, head().x > 3
    >>> types([low, high], Schema.of(x=Int64())).found
    ((True, False), (False, True), (False, False))
    """
    told_apart = tuple(dict.fromkeys(predicate for predicate in predicates if predicate != TOP))
    found = minterms(told_apart, schema, limit=limit)
    examples = (None if m.witness is None else m.witness.event for m in found)
    return Types(told_apart, found.vectors, tuple(examples))


def _needed(cubes: list[Cube], kinds: Collection[Signs]) -> list[Cube]:
    """Cubes that together fit the same types, leaving out those that are not needed for it."""
    fitted = [[kind for kind in kinds if _fits(kind, cube)] for cube in cubes]
    fitting = Counter(kind for group in fitted for kind in group)
    needed = []
    for cube, group in zip(cubes, fitted, strict=True):
        if all(fitting[kind] > 1 for kind in group):
            fitting.subtract(group)
        else:
            needed.append(cube)
    return needed


def _fits(kind: Signs, cube: Cube) -> bool:
    return all(kind[i] == sign for i, sign in cube.items())


class Moves:
    """How sets of states of a CEA move, event type by event type.

    Only predicates that the states in question use are told apart, so that few types are needed. All types of
    the automaton are found at once where there are few, which asks the solver least; else those of each
    set of predicates by themselves.
    """

    def __init__(self, cea: CEA, schema: Schema) -> None:
        self.cea, self.schema = cea, schema
        self._all = self._few(t.predicate for t in cea.transitions)
        self._known: dict[frozenset[Condition], Types] = {}

    def leaving(self, *subsets: Subset) -> list[Transition]:
        """The transitions that leave some of the states, in a fixed order."""
        return [t for state in sorted(NOWHERE.union(*subsets)) for t in self.cea.outgoing(state)]

    def types(self, transitions: Sequence[Transition]) -> Types:
        """The types of the predicates of `transitions`."""
        predicates = [t.predicate for t in transitions]
        key = frozenset(predicates)
        if key not in self._known:
            here = types(predicates, self.schema) if self._all is None else self._all.onto(predicates)
            self._known[key] = here
        return self._known[key]

    def _few(self, predicates: Iterable[Condition]) -> Types | None:
        different = dict.fromkeys(predicates)
        try:
            return types(different, self.schema, limit=2 * len(different) + FEW)
        except LimitError:
            current().check()
            return None


def targets(
    transitions: Iterable[Transition], sources: Subset, types: Types, kind: Signs, *labels: Labels
) -> Subset:
    """``Delta(R, P, L)``, for the states `sources`, a type, and any of some label sets."""
    return frozenset(
        t.target
        for t in transitions
        if t.source in sources and t.labels in labels and types.within(kind, t.predicate)
    )
