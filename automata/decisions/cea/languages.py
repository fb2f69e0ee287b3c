"""Emptiness, inclusion and equivalence of complex event automata, over all streams.

Events of a stream are independent of one another as far as a CEA can tell, so one event of each type
(`constructions.cea.types`) stands for all, and a finite search decides. It follows the subsets of states
that runs with the same output can be in, as I/O-determinization does, with both automata side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from mnemata.automata.cea.automaton import CEA, Labels
from mnemata.automata.cea.runs import Marks, valuation, valuations
from mnemata.automata.constructions.cea.normal_form import collapse
from mnemata.automata.constructions.cea.types import NOWHERE, Moves, Subset, targets
from mnemata.automata.constructions.cea.union import union
from mnemata.automata.decisions.cea.decision import Decision, decided
from mnemata.theory.budget import Budget, current
from mnemata.theory.cel.valuations import Valuation, Variable
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.schema import Event, Schema

Wanted: TypeAlias = Callable[[Subset, bool], bool]
"""Whether an output of runs in these states, that has bound a variable of interest or not, is sought."""

Confirmed: TypeAlias = Callable[[tuple[Event, ...], Valuation], bool]


class _Here(NamedTuple):
    """Where all runs with one output are, and whether the output binds the variable of interest."""

    states: Subset
    bound: bool


@dataclass(frozen=True, slots=True)
class _Path:
    """Events that lead somewhere, with the labels of each."""

    steps: tuple[tuple[Event, Labels], ...] = ()

    def then(self, event: Event, labels: Labels) -> _Path:
        """The path with one more event."""
        return _Path((*self.steps, (replace(event, position=len(self.steps) + 1), labels)))

    @property
    def stream(self) -> tuple[Event, ...]:
        """The events."""
        return tuple(event for event, _ in self.steps)

    @property
    def output(self) -> Valuation:
        """The valuation of the labels."""
        marks: Marks = tuple((i, labels) for i, (_, labels) in enumerate(self.steps))
        return valuation(marks)


def empty(
    cea: CEA, schema: Schema, *, variable: Variable | None = None, budget: Budget | None = None
) -> Decision:
    """Whether no stream has an output, or none that binds `variable`.

    Parameters
    ----------
    cea : CEA
        Any.
    schema : Schema
        Of the events.
    variable : Variable, optional
        Only outputs that bind it count.
    budget : Budget, optional
        What the answer may cost; it is unknown when that is spent.

    Returns
    -------
    Decision
        *No* with a shortest stream and an output at its last position, confirmed by running.
    """
    bound = cea.bind(schema)

    def confirmed(stream: tuple[Event, ...], output: Valuation) -> bool:
        right_kind = variable is None or bool(output[variable])
        return right_kind and output in valuations(bound, stream, len(stream) - 1)

    def wanted(states: Subset, has_variable: bool) -> bool:
        return bool(states & bound.finals) and (has_variable or variable is None)

    return decided(budget, lambda: _none(bound, schema, variable, wanted, confirmed))


def included(left: CEA, right: CEA, schema: Schema, *, budget: Budget | None = None) -> Decision:
    """Whether every valuation of `left` is one of `right`, at every position of every stream.

    Parameters, budget and witness as for `equivalent`.
    """
    return _compared(left, right, schema, budget, lambda here, there: here and not there)


def equivalent(
    left: CEA,
    right: CEA,
    schema: Schema,
    *,
    complex_events: bool = False,
    budget: Budget | None = None,
) -> Decision:
    """Whether two automata have the same outputs at every position of every stream (Section 5).

    Parameters
    ----------
    left, right : CEA
        Any; they need not be I/O-deterministic, which costs less.
    schema : Schema
        Of the events.
    complex_events : bool
        Whether only the marked positions count, not their variables.
    budget : Budget, optional
        What the answer may cost; it is unknown when that is spent.

    Returns
    -------
    Decision
        *No* with a shortest stream and a valuation that exactly one of them has at its last position,
        confirmed by running. With `complex_events` all variables of the valuation are one.
    """
    if complex_events:
        left, right = collapse(left), collapse(right)
    return _compared(left, right, schema, budget, lambda here, there: here != there)


def _compared(
    left: CEA, right: CEA, schema: Schema, budget: Budget | None, differ: Callable[[bool, bool], bool]
) -> Decision:
    one, other = left.bind(schema), right.bind(schema)
    both = union(one, other)
    others = frozenset(state + one.size for state in other.finals)

    def wanted(states: Subset, _: bool) -> bool:
        return differ(bool(states & one.finals), bool(states & others))

    def confirmed(stream: tuple[Event, ...], output: Valuation) -> bool:
        found = (output in valuations(cea, stream, len(stream) - 1) for cea in (one, other))
        return differ(*found)

    return decided(budget, lambda: _none(both, schema, None, wanted, confirmed))


def _none(
    cea: CEA, schema: Schema, variable: Variable | None, wanted: Wanted, confirmed: Confirmed
) -> Decision:
    """Whether no output is wanted: first along events that exist, then along those that might."""
    search = _Search(Moves(cea, schema), variable, wanted)
    path, doubtful = search.certain()
    if path is not None:
        stream, output = path.stream, path.output
        if confirmed(stream, output):
            return Decision(Verdict.NO, stream, output)
        return Decision(Verdict.UNKNOWN, reason="an example was found that running does not confirm")
    if doubtful and search.possible():
        return Decision(Verdict.UNKNOWN, reason="the solver could not tell whether some events exist")
    return Decision(Verdict.YES)


@dataclass(frozen=True, slots=True)
class _Search:
    moves: Moves
    variable: Variable | None
    wanted: Wanted

    def certain(self) -> tuple[_Path | None, bool]:
        """A shortest path along events that exist, and whether there were others."""
        start = _Here(self.moves.cea.initials, False)
        paths, order, doubtful = {start: _Path()}, [start], False
        for here in order:
            for event, labels, there in self.steps(here):
                if event is None:
                    doubtful = True
                    continue
                path = paths[here].then(event, labels)
                if self.wanted(there.states, there.bound):
                    return path, doubtful
                if there not in paths:
                    paths[there] = path
                    order.append(there)
                    current().size(len(order), 0)
        return None, doubtful

    def possible(self) -> bool:
        """Whether something wanted is reached along events that exist or might."""
        order = [_Here(self.moves.cea.initials, False)]
        seen = set(order)
        for here in order:
            for _, _, there in self.steps(here):
                if self.wanted(there.states, there.bound):
                    return True
                if there not in seen:
                    seen.add(there)
                    order.append(there)
                    current().size(len(order), 0)
        return False

    def steps(self, here: _Here) -> Iterator[tuple[Event | None, Labels, _Here]]:
        """For each type and label set: an example, if there is one, and where they lead."""
        leaving = self.moves.leaving(here.states)
        types = self.moves.types(leaving)
        for kind, event in zip(types.found, types.examples, strict=True):
            for labels in dict.fromkeys(t.labels for t in leaving):
                states = targets(leaving, here.states, types, kind, labels)
                if states != NOWHERE:
                    yield event, labels, _Here(states, here.bound or self.variable in labels)
