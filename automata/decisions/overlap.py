"""A shortest stream over which two transitions can be taken at the same step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import networkx as nx

from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.automata.srt.configurations import Configuration, initial, successors
from mnemata.automata.srt.graph import to_networkx
from mnemata.automata.srt.paths import longest
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.budget import current
from mnemata.theory.conditions.evaluation import models
from mnemata.theory.conditions.formulas import TOP, Bottom, Condition, conjunction
from mnemata.theory.conditions.terms import HEAD, Register, Variable
from mnemata.theory.satisfiability.answers import Witness
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Event, Schema
from mnemata.theory.sremo.symbolic import Slots, either, read

Pair: TypeAlias = tuple[Transition, Transition]
PairsOf: TypeAlias = Callable[[State], Sequence[Pair]]


class Overlap(NamedTuple):
    """Two transitions that can be taken together, and where: after all but the last event of a stream."""

    transitions: Pair
    stream: tuple[Event, ...]
    witness: Witness


class Search(NamedTuple):
    """What a search found.

    `covered` is the length of the longest streams tried, ``None`` when longer ones lead nowhere; `reason`
    says why some streams could not be decided.
    """

    found: Overlap | None
    covered: int | None = None
    reason: str = ""


class _Here(NamedTuple):
    state: State
    slots: Slots


_Reached: TypeAlias = dict[_Here, Condition]


def early_overlap(srt: SRT, pairs: PairsOf, schema: Schema, *, up_to: int) -> Overlap | None:
    """A shortest stream of up to `up_to` events over which both transitions of a pair can be taken at once.

    Pairs are asked for only of states that are reached, so that a short stream is found at little cost.
    """
    return _search(srt, srt, pairs, schema, up_to).found


def shortest_overlap(srt: SRT, pairs: Collection[Pair], schema: Schema, *, up_to: int) -> Search:
    """Search for a stream over which both transitions of a pair can be taken at the same step.

    Parameters
    ----------
    srt : SRT
        Without epsilon transitions, its conditions bound to `schema`.
    pairs : collection of pairs of Transition
        Each of the same source.
    up_to : int
        The longest streams tried, unless paths to the sources are of bounded length: then all are.
    """
    sources: dict[State, list[Pair]] = {}
    for pair in pairs:
        sources.setdefault(pair[0].source, []).append(pair)
    leading = _leading_to(srt, set(sources))
    before_last = longest(leading)
    last = up_to if before_last is None else before_last + 1
    search = _search(srt, leading, lambda state: sources.get(state, ()), schema, last)
    return search if before_last is None else search._replace(covered=None)


def _search(srt: SRT, leading: SRT, pairs: PairsOf, schema: Schema, last: int) -> Search:
    """Search the streams of up to `last` events, along the transitions of `leading`."""
    live, doubt = live_registers(srt), ""
    reached: _Reached = {_Here(srt.start, ()): TOP}
    for length in range(1, last + 1):
        string = SymbolicString(length, schema)
        if length > 1:
            reached = _after(leading, reached, string.events[-2], live)
        if not reached:
            return Search(None, None, doubt)
        answer = satisfiable(either(_together(reached, pairs)), schema, known=string.known)
        if answer.yes and answer.witness is not None:
            found = overlap_at_the_end(srt, string.decode(answer.witness))
            if found is not None:
                return Search(found, length)
            doubt = doubt or "an example was found that running does not confirm"
        doubt = doubt or answer.reason
    return Search(None, last, doubt)


def _leading_to(srt: SRT, sources: set[State]) -> SRT:
    """The part of an SRT on the way to some states, which become final."""
    graph = to_networkx(srt)
    before = sources.union(*(nx.ancestors(graph, source) for source in sources))
    moves = tuple(t for t in srt.transitions if t.target in before)
    return SRT(srt.size, srt.start, frozenset(sources), moves)


def overlap_at_the_end(srt: SRT, stream: Sequence[Event]) -> Overlap | None:
    """Two transitions that can both be taken at the last event of `stream`, found by running."""
    *before, last = stream
    reached = {initial(srt)}
    for _ in before:
        reached = {following for here in reached for _, following in successors(srt, here, stream)}
    for here in sorted(reached, key=lambda configuration: configuration.state):
        enabled = _enabled(srt, here, last)
        if len(enabled) > 1:
            return Overlap((enabled[0], enabled[1]), tuple(stream), Witness(last, here.valuation))
    return None


def _enabled(srt: SRT, here: Configuration, event: Event) -> list[Transition]:
    leaving = srt.outgoing(here.state)
    return [t for t in leaving if t.condition is not None and models(event, here.valuation, t.condition)]


def _together(reached: _Reached, pairs: PairsOf) -> Iterator[Condition]:
    """The conditions under which both of a pair can be taken at the head."""
    for here, condition in reached.items():
        for one, other in pairs(here.state):
            yield conjunction(condition, _guard(one, here.slots, HEAD), _guard(other, here.slots, HEAD))


def _after(srt: SRT, reached: _Reached, event: Variable, live: Sequence[frozenset[Register]]) -> _Reached:
    """States after one more event, with what their live registers hold, each with its condition."""
    ways: dict[_Here, list[Condition]] = {}
    for here, condition in reached.items():
        for t in srt.outgoing(here.state):
            guard = _guard(t, here.slots, event)
            if not isinstance(guard, Bottom):
                there = _Here(t.target, _written(t, here.slots, event, live[t.target]))
                ways.setdefault(there, []).append(conjunction(condition, guard))
    current().size(len(ways), 0)
    return {there: either(conditions) for there, conditions in ways.items()}


def _guard(transition: Transition, slots: Slots, event: Variable) -> Condition:
    return TOP if transition.condition is None else read(transition.condition, slots, event)


def _written(transition: Transition, slots: Slots, event: Variable, live: frozenset[Register]) -> Slots:
    held = dict(slots) | dict.fromkeys(transition.writes, event)
    return tuple((register, held[register]) for register in sorted(held) if register in live)
