"""Selection strategies as constructions on CEA (CEL Thm 7.2, repaired by ERRATA B5).

``STRICT`` keeps the valuations whose support is an interval. ``NXT``, ``LAST`` and ``MAX`` keep those whose
support is greatest among all at the same position, in one of three orders. All results are I/O-deterministic.

A run of such an automaton follows one valuation. Its state holds four sets of states of the given CEA:

``current`` (the paper's R)
    where runs with this valuation are;
``equal`` (ERRATA B5: Q)
    where runs with the same support are, whatever their labels. The paper lets R play this part too, and so
    loses sight of runs that mark the same events with other variables (`selection_as_published`);
``winners`` (W), ``losers`` (T, for ``LAST`` alone)
    where runs are whose support is greater, or smaller.

A state that runs can reach with a greater support is of no use with this one, and is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from mnemata.automata.cea.automaton import CEA, UNMARKED, Labels, Transition, in_order
from mnemata.automata.constructions.cea.determinization import determinize
from mnemata.automata.constructions.cea.exploration import Edge, explore
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.automata.constructions.cea.types import NOWHERE, Moves, Subset, Types, targets
from mnemata.theory.budget import Budget, spending
from mnemata.theory.cel.formulas import Last, Max, Nxt, Strategy, Strict
from mnemata.theory.satisfiability.answers import Signs
from mnemata.theory.schema import Schema


class Race(NamedTuple):
    """Where runs are that have the same valuation, the same support, a greater one, a smaller one."""

    current: Subset
    equal: Subset
    winners: Subset = NOWHERE
    losers: Subset = NOWHERE


@dataclass(frozen=True, slots=True)
class Step:
    """How sets of states move at events of one type: ``Delta(., P, .)``."""

    leaving: tuple[Transition, ...]
    types: Types
    kind: Signs
    marking: tuple[Labels, ...]

    def by(self, labels: Labels, states: Subset) -> Subset:
        """``Delta(states, P, labels)``."""
        return targets(self.leaving, states, self.types, self.kind, labels)

    def marked(self, states: Subset) -> Subset:
        """The states reached by marking the event, whatever the labels."""
        return targets(self.leaving, states, self.types, self.kind, *self.marking)

    def unmarked(self, states: Subset) -> Subset:
        """The states reached without marking the event."""
        return self.by(UNMARKED, states)

    def anyhow(self, states: Subset) -> Subset:
        """``Delta(states, P)``: the states reached either way."""
        return self.marked(states) | self.unmarked(states)


class Rivals(NamedTuple):
    """Where runs are whose support is greater, and where those whose support is smaller."""

    winners: Subset
    losers: Subset = NOWHERE


Rule: TypeAlias = Callable[[Race, Step, Labels], Rivals]
Advance: TypeAlias = Callable[[Race, Step, Labels], Race]


def next_rule(here: Race, step: Step, labels: Labels) -> Rivals:
    """``NXT``: the support with the first position that the other lacks is greater."""
    if labels:
        return Rivals(step.anyhow(here.winners))
    return Rivals(step.anyhow(here.winners) | step.marked(here.equal))


def last_rule(here: Race, step: Step, labels: Labels) -> Rivals:
    """``LAST``: the support with the last position that the other lacks is greater."""
    if labels:
        losers = step.anyhow(here.losers) | step.unmarked(here.equal | here.winners)
        return Rivals(step.marked(here.winners), losers)
    winners = step.anyhow(here.winners) | step.marked(here.equal | here.losers)
    return Rivals(winners, step.unmarked(here.losers))


def max_rule(here: Race, step: Step, labels: Labels) -> Rivals:
    """``MAX``: the support that contains the other is greater."""
    if labels:
        return Rivals(step.marked(here.winners))
    return Rivals(step.anyhow(here.winners) | step.marked(here.equal))


def _advance(rule: Rule) -> Advance:
    def advanced(here: Race, step: Step, labels: Labels) -> Race:
        winners, losers = rule(here, step, labels)
        current = step.by(labels, here.current) - winners
        equal = (step.marked(here.equal) if labels else step.unmarked(here.equal)) - winners
        return Race(current, equal, winners, losers - equal - winners)

    return advanced


def next_(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> CEA:
    """``NXT(cea)``: at each position the valuations with the ``<=_next``-greatest support.

    Parameters
    ----------
    cea : CEA
        Any, with any number of variables.
    schema : Schema
        What the predicates range over.
    budget : Budget, optional
        What it may cost.

    Raises
    ------
    LimitError
        When the budget is spent; up to ``2 ** (3 * cea.size)`` states are possible.
    """
    return _selected(cea, schema, next_rule, budget)


def last(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> CEA:
    """``LAST(cea)``: at each position the valuations with the ``<=_last``-greatest support.

    Parameters and errors as for `next_`; up to ``2 ** (4 * cea.size)`` states are possible.
    """
    return _selected(cea, schema, last_rule, budget)


def max_(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> CEA:
    """``MAX(cea)``: at each position the valuations whose support no other contains strictly.

    Parameters and errors as for `next_`.
    """
    return _selected(cea, schema, max_rule, budget)


def _selected(cea: CEA, schema: Schema, rule: Rule, budget: Budget | None) -> CEA:
    return race(cea, schema, _advance(rule), budget)


def race(cea: CEA, schema: Schema, advance: Advance, budget: Budget | None = None) -> CEA:
    """The CEA over `Race` states that `advance` describes; accepting while no winner is."""
    # States on no way to a final one would only tell apart what is the same.
    useful = trim(cea)

    def accepts(here: Race) -> bool:
        return bool(here.current & useful.finals) and not here.winners & useful.finals

    with spending(budget):
        machine = _Races(Moves(useful, schema), in_order((UNMARKED, *useful.label_sets)), advance)
        return explore([Race(useful.initials, useful.initials)], machine.outgoing, accepts)


@dataclass(frozen=True, slots=True)
class _Races:
    moves: Moves
    label_sets: tuple[Labels, ...]
    advance: Advance

    def outgoing(self, here: Race) -> Iterator[Edge[Race]]:
        leaving = tuple(self.moves.leaving(*here))
        types = self.moves.types(leaving)
        marking = tuple(labels for labels in self.label_sets if labels)
        led: dict[tuple[Labels, Race], list[Signs]] = {}
        for kind in types.found:
            step = Step(leaving, types, kind, marking)
            for labels in self.label_sets:
                there = self.advance(here, step, labels)
                led.setdefault((labels, there), []).append(kind)
        return _edges(types, led)


def _edges(types: Types, led: dict[tuple[Labels, Race], list[Signs]]) -> Iterator[Edge[Race]]:
    for (labels, there), kinds in led.items():
        if there.current:
            yield Edge(types.covering(kinds), labels, there)


STAGES: Final[dict[tuple[int, bool], int]] = {
    (1, False): 1,
    (1, True): 2,
    (2, True): 2,
    (2, False): 3,
    (3, False): 3,
}
"""Before, in and after the interval: where an event leads, marked or not."""


def strict(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> CEA:
    """``STRICT(cea)``: the valuations whose support is an interval, possibly empty.

    As published, on top of I/O-determinization; the definition of ``STRICT`` in Section 7.1 has its sign
    wrong (ERRATA B6), this construction has not. Parameters and errors as for `next_`.
    """
    deterministic = determinize(cea, schema, budget=budget)

    def outgoing(here: tuple[int, int]) -> Iterator[Edge[tuple[int, int]]]:
        state, stage = here
        return _in_interval(deterministic.outgoing(state), stage)

    with spending(budget):
        return explore(
            [(state, 1) for state in deterministic.initials],
            outgoing,
            lambda here: here[0] in deterministic.finals,
        )


def _in_interval(transitions: Iterable[Transition], stage: int) -> Iterator[Edge[tuple[int, int]]]:
    for t in transitions:
        if (stage, t.marking) in STAGES:
            yield Edge(t.predicate, t.labels, (t.target, STAGES[stage, t.marking]))


Construction: TypeAlias = Callable[[CEA, Schema], CEA]

SELECTIONS: Final[Mapping[type[Strategy], Construction]] = {Strict: strict, Nxt: next_, Last: last, Max: max_}
"""The construction for each selection strategy of CEL; `theory.cel.semantics.select` says what it keeps."""
