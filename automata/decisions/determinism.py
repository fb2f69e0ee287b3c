"""Whether an SRT is deterministic, in the sense repaired by ERRATA A8."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.decisions.contents import known_contents, order_of_events
from mnemata.automata.decisions.overlap import (
    Found,
    Pair,
    Search,
    early_overlap,
    shortest_overlap,
    shortest_standstill,
)
from mnemata.automata.srt.occupancy import occupancies
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.formulas import TOP, Condition, Not, conjunction, registers
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability.answers import Verdict, Witness
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Event, Schema

UP_TO: Final = 5
EARLY: Final = 2
"""How long streams are tried before everything that may overlap is looked for."""


@dataclass(frozen=True, slots=True)
class Determinism:
    """Whether at most one transition can be taken at each step, or whether at least one always can.

    Parameters
    ----------
    verdict : Verdict
        ``YES`` and ``NO`` are certain.
    transitions : tuple of Transition
        The two in question; one when it reads no event. For completeness, all of the state in question.
    witness : Witness or None
        The event and the register contents in question.
    reason : str
        Why the answer is unknown.
    stream : tuple of Event or None
        A shortest stream at whose last event two transitions can be taken, each from the same configuration;
        for completeness, none.
    """

    verdict: Verdict
    transitions: tuple[Transition, ...] = ()
    witness: Witness | None = None
    reason: str = ""
    stream: tuple[Event, ...] | None = None

    @property
    def yes(self) -> bool:
        """Whether it is certainly so."""
        return self.verdict is Verdict.YES

    @property
    def no(self) -> bool:
        """Whether it is certainly not so."""
        return self.verdict is Verdict.NO


def is_deterministic(
    srt: SRT, schema: Schema, *, up_to: int = UP_TO, budget: Budget | None = None
) -> Determinism:
    """Whether no two distinct transitions of a state can fire together, and none reads no event.

    Def. 36 asks this only of transitions with different targets, which lets through automata with several
    runs over one string (ERRATA A8). Pairs of conditions that can hold together are only suspects:
    registers hold what some stream put there. A stream is searched for over which both transitions of a pair
    can be taken, and where there is none of up to `up_to` events, facts about register contents are sought
    that exclude all pairs in streams of any length (`contents`).

    Parameters
    ----------
    srt : SRT
        The automaton.
    schema : Schema
        What its conditions range over.
    up_to : int
        The longest streams searched; where paths to what is suspected are of bounded length, all are.
    budget : Budget, optional
        What the answer may cost; it is unknown when that is spent.

    Returns
    -------
    Determinism
        *No* with two transitions, a shortest stream that enables both at its last event, and the register
        contents there, found by running; or with a transition that reads no event.
    """
    return _within(budget, lambda: _deterministic(srt, schema, up_to))


def is_complete(srt: SRT, schema: Schema, *, up_to: int = UP_TO, budget: Budget | None = None) -> Determinism:
    """Whether some transition can be taken at every step of every run.

    Epsilon transitions are followed. Register contents that no stream leads to do not count, as for
    `is_deterministic`.

    Parameters
    ----------
    srt, schema, up_to, budget
        As for `is_deterministic`.

    Returns
    -------
    Determinism
        *No* with a shortest stream at whose last event none can be taken, the register contents there, and
        the transitions of the state in question.
    """
    return _within(budget, lambda: _complete(bind_guards(eliminate_epsilon(srt), schema), schema, up_to))


def _within(budget: Budget | None, question: Callable[[], Determinism]) -> Determinism:
    with spending(budget):
        try:
            return question()
        except LimitError as error:
            return Determinism(Verdict.UNKNOWN, reason=str(error))


def _deterministic(srt: SRT, schema: Schema, up_to: int) -> Determinism:
    known = dict(_reachable(srt))
    for transition in (t for state in known for t in srt.outgoing(state)):
        if transition.is_epsilon:
            return Determinism(Verdict.NO, (transition,))
    bound = bind_guards(srt, schema)

    @cache
    def suspects(state: State) -> tuple[Pair, ...]:
        return tuple(_suspects(bound, state, known[state], schema))

    if not any(suspects(state) for state in known):
        return Determinism(Verdict.YES)
    found = early_overlap(bound, suspects, schema, up_to=min(EARLY, up_to))
    if found is not None:
        return _refuted(found)
    return _among(bound, [pair for state in known for pair in suspects(state)], schema, up_to)


def _refuted(found: Found) -> Determinism:
    return Determinism(Verdict.NO, found.transitions, found.witness, stream=found.stream)


def _among(srt: SRT, suspects: list[Pair], schema: Schema, up_to: int) -> Determinism:
    """The answer, when only `suspects` can be taken together."""
    search = shortest_overlap(srt, suspects, schema, up_to=up_to)
    if search.found is not None:
        return _refuted(search.found)
    if search.covered is None and not search.reason:
        return Determinism(Verdict.YES)
    known = known_contents(srt, schema)
    left = [pair for pair in suspects if not _excluded(pair, known[pair[0].source], schema)]
    if not left:
        return Determinism(Verdict.YES)
    reason = f"two transitions may overlap; {_undecided(search, up_to)}"
    return Determinism(Verdict.UNKNOWN, left[0], reason=reason)


def _complete(srt: SRT, schema: Schema, up_to: int) -> Determinism:
    asked = ((state, _nothing(srt, state), known) for state, known in _reachable(srt))
    stuck = {state: none for state, none, known in asked if not _impossible(none, known, schema)}
    if not stuck:
        return Determinism(Verdict.YES)
    search = shortest_standstill(srt, stuck, schema, up_to=up_to)
    if search.found is not None:
        return _refuted(search.found)
    if search.covered is None and not search.reason:
        return Determinism(Verdict.YES)
    contents = known_contents(srt, schema)
    left = [state for state in stuck if not _impossible(stuck[state], contents[state], schema)]
    if not left:
        return Determinism(Verdict.YES)
    reason = f"perhaps no transition can be taken in state {left[0]}; {_undecided(search, up_to)}"
    return Determinism(Verdict.UNKNOWN, srt.outgoing(left[0]), reason=reason)


def _nothing(srt: SRT, state: State) -> Condition:
    """The condition that no transition of a state can be taken."""
    return conjunction(*(Not(t.condition) for t in srt.outgoing(state) if t.condition is not None))


def _undecided(search: Search, up_to: int) -> str:
    return search.reason or f"no stream of up to {up_to} events leads to it, but longer ones were not tried"


def _reachable(srt: SRT) -> Iterator[tuple[State, Condition]]:
    for state, occupancy in enumerate(occupancies(srt)):
        if occupancy is not None:
            yield state, occupancy.known


def _suspects(srt: SRT, state: State, known: Condition, schema: Schema) -> Iterator[Pair]:
    pairs = combinations(srt.outgoing(state), 2)
    return (pair for pair in pairs if not _excluded(pair, known, schema))


def _excluded(pair: Pair, known: Condition | None, schema: Schema) -> bool:
    """Whether two transitions certainly cannot be taken together, given what is known of the registers."""
    one, other = (TOP if t.condition is None else t.condition for t in pair)
    if known is None or Not(one) == other or Not(other) == one:
        return True
    return _impossible(conjunction(one, other), known, schema)


def _impossible(condition: Condition, known: Condition | None, schema: Schema) -> bool:
    """Whether `condition` certainly holds at no head, given what is known of the registers."""
    if known is None:
        return True
    order = order_of_events(registers(condition), schema)
    return satisfiable(condition, schema, known=conjunction(known, order)).no
