"""A shortest stream over which two transitions can be taken at the same step, or after which none can be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.automata.reachability import reachable
from mnemata.automata.srt.configurations import Configuration, initial, successors
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


class Found(NamedTuple):
    """Transitions in question, and where they are: at the last event of a stream."""

    transitions: tuple[Transition, ...]
    stream: tuple[Event, ...]
    witness: Witness


_Asked: TypeAlias = Callable[[State], Sequence[Condition]]
_Confirm: TypeAlias = Callable[[SRT, Sequence[Event]], Found | None]


class Search(NamedTuple):
    """What a search found.

    `covered` is the length of the longest streams tried, ``None`` when longer ones lead nowhere; `reason`
    says why some streams could not be decided.
    """

    found: Found | None
    covered: int | None = None
    reason: str = ""


class _Here(NamedTuple):
    state: State
    slots: Slots


_Reached: TypeAlias = dict[_Here, Condition]


def early_overlap(srt: SRT, pairs: PairsOf, schema: Schema, *, up_to: int) -> Found | None:
    """A shortest stream of up to `up_to` events over which both transitions of a pair can be taken at once.

    Pairs are asked for only of states that are reached, so that a short stream is found at little cost.
    """
    return _search(srt, srt, _both_of(pairs), overlap_at_the_end, schema, up_to).found


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
    both = _both_of(lambda state: sources.get(state, ()))
    return _search_before(srt, set(sources), both, overlap_at_the_end, schema, up_to)


def shortest_standstill(srt: SRT, none: Mapping[State, Condition], schema: Schema, *, up_to: int) -> Search:
    """Search for a stream at whose last event no transition can be taken.

    Parameters
    ----------
    srt, up_to
        As for `shortest_overlap`.
    none : mapping from State to Condition
        The states in question, each with the condition that none of its transitions can be taken.
    """

    def asked(state: State) -> tuple[Condition, ...]:
        return (none[state],) if state in none else ()

    return _search_before(srt, set(none), asked, standstill_at_the_end, schema, up_to)


def _both_of(pairs: PairsOf) -> _Asked:
    def asked(state: State) -> list[Condition]:
        return [conjunction(*(t.condition for t in pair if t.condition is not None)) for pair in pairs(state)]

    return asked


def _search_before(
    srt: SRT, states: set[State], asked: _Asked, confirm: _Confirm, schema: Schema, up_to: int
) -> Search:
    """Search the streams that lead to some states, all of them where these are of bounded length."""
    leading = _leading_to(srt, states)
    before_last = longest(leading)
    last = up_to if before_last is None else before_last + 1
    search = _search(srt, leading, asked, confirm, schema, last)
    return search if before_last is None else search._replace(covered=None)


def _search(srt: SRT, leading: SRT, asked: _Asked, confirm: _Confirm, schema: Schema, last: int) -> Search:
    """Search the streams of up to `last` events, along the transitions of `leading`."""
    live, doubt = live_registers(srt), ""
    reached: _Reached = {_Here(srt.start, ()): TOP}
    for length in range(1, last + 1):
        string = SymbolicString(length, schema)
        if length > 1:
            reached = _after(leading, reached, string.events[-2], live)
        if not reached:
            return Search(None, None, doubt)
        answer = satisfiable(either(_at_the_head(reached, asked)), schema, known=string.known)
        if answer.yes and answer.witness is not None:
            found = confirm(srt, string.decode(answer.witness))
            if found is not None:
                return Search(found, length)
            doubt = doubt or "an example was found that running does not confirm"
        doubt = doubt or answer.reason
    return Search(None, last, doubt)


def _leading_to(srt: SRT, sources: set[State]) -> SRT:
    """The part of an SRT on the way to some states, which become final."""
    possible = (t for t in srt.transitions if not isinstance(t.condition, Bottom))
    before = reachable(sources, ((t.target, t.source) for t in possible))
    moves = tuple(t for t in srt.transitions if t.target in before)
    return SRT(srt.size, srt.start, frozenset(sources), moves)


def overlap_at_the_end(srt: SRT, stream: Sequence[Event]) -> Found | None:
    """Two transitions that can both be taken at the last event of `stream`, found by running."""
    for here, enabled in _before_the_last(srt, stream):
        if len(enabled) > 1:
            return Found((enabled[0], enabled[1]), tuple(stream), Witness(stream[-1], here.valuation))
    return None


def standstill_at_the_end(srt: SRT, stream: Sequence[Event]) -> Found | None:
    """All transitions of a state, none of which can be taken at the last event of `stream`."""
    for here, enabled in _before_the_last(srt, stream):
        if not enabled:
            return Found(srt.outgoing(here.state), tuple(stream), Witness(stream[-1], here.valuation))
    return None


def _before_the_last(srt: SRT, stream: Sequence[Event]) -> Iterator[tuple[Configuration, list[Transition]]]:
    """Where runs are before the last event, and what can be taken at it."""
    *before, last = stream
    reached = {initial(srt)}
    for _ in before:
        reached = {following for here in reached for _, following in successors(srt, here, stream)}
    for here in sorted(reached, key=lambda configuration: configuration.state):
        yield here, _enabled(srt, here, last)


def _enabled(srt: SRT, here: Configuration, event: Event) -> list[Transition]:
    leaving = srt.outgoing(here.state)
    return [t for t in leaving if t.condition is not None and models(event, here.valuation, t.condition)]


def _at_the_head(reached: _Reached, asked: _Asked) -> Iterator[Condition]:
    """The ways in which a condition that is asked about can hold at the head."""
    for here, condition in reached.items():
        for question in asked(here.state):
            yield conjunction(condition, read(question, here.slots, HEAD))


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
