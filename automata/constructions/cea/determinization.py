"""I/O-determinization (CEL Def. 5.4, 5.6, Prop. 5.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mnemata.automata.cea.automaton import CEA, Labels, in_order
from mnemata.automata.constructions.cea.exploration import Edge, explore
from mnemata.automata.constructions.cea.types import NOWHERE, Moves, Subset, targets
from mnemata.theory.budget import Budget, spending
from mnemata.theory.satisfiability.answers import Signs
from mnemata.theory.schema import Schema


def determinize(
    cea: CEA,
    schema: Schema,
    *,
    complete: bool = False,
    label_sets: Iterable[Labels] | None = None,
    budget: Budget | None = None,
) -> CEA:
    """A valuation-equivalent I/O-deterministic CEA, over the sets of states that runs can be in.

    Parameters
    ----------
    cea : CEA
        Any.
    schema : Schema
        What the predicates range over; needed to tell which can hold together.
    complete : bool
        Whether every state has a transition for every event and each of the label sets. Otherwise the set
        of no states, from which nothing is accepted, is left out.
    label_sets : iterable of sets of variables, optional
        Which label sets the result is complete for, besides those of `cea`.
    budget : Budget, optional
        What it may cost.

    Raises
    ------
    LimitError
        When the budget is spent; up to ``2 ** cea.size`` states are possible.

    Notes
    -----
    Transitions with other labels never compete, so types are taken for each label set by itself; types
    that lead to the same set of states share one transition. This keeps the result much smaller than
    the published construction, which uses the types of all predicates of the automaton.

    Examples
    --------
    >>> from mnemata.automata.cea.automaton import Transition
    >>> from mnemata.theory.conditions.building import head
    >>> from mnemata.theory.schema import Int64, Schema
    >>> low, high, x = head().x < 5, head().x > 2, frozenset({"X"})
    >>> both = CEA(3, (Transition(0, low, x, 1), Transition(0, high, x, 2)), {0}, {1, 2})
    >>> found = determinize(both, Schema.of(x=Int64()))
    >>> found.size, len(found.transitions)
    (4, 3)
    """
    extra = () if label_sets is None else tuple(frozenset(labels) for labels in label_sets)
    with spending(budget):
        machine = _Subsets(Moves(cea, schema), in_order((*cea.label_sets, *extra)), complete)
        return explore([cea.initials], machine.outgoing, lambda here: bool(here & cea.finals))


@dataclass(frozen=True, slots=True)
class _Subsets:
    moves: Moves
    label_sets: tuple[Labels, ...]
    complete: bool

    def outgoing(self, here: Subset) -> Iterator[Edge[Subset]]:
        leaving = self.moves.leaving(here)
        for labels in self.label_sets:
            types = self.moves.types([t for t in leaving if t.labels == labels])
            led: dict[Subset, list[Signs]] = {}
            for kind in types.found:
                led.setdefault(targets(leaving, here, types, kind, labels), []).append(kind)
            for target, kinds in led.items():
                if self.complete or target != NOWHERE:
                    yield Edge(types.covering(kinds), labels, target)
