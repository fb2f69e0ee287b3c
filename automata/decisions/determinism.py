"""Whether an SRT is deterministic, in the sense repaired by ERRATA A8."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final

from mnemata.automata.compilation import bind_guards
from mnemata.automata.decisions.contents import known_contents, order_of_events
from mnemata.automata.decisions.overlap import Overlap, Pair, early_overlap, shortest_overlap
from mnemata.automata.srt.occupancy import occupancies
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.formulas import TOP, Condition, Not, conjunction
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
        The two in question; one when it reads no event.
    witness : Witness or None
        The event and the register contents in question.
    reason : str
        Why the answer is unknown.
    stream : tuple of Event or None
        A shortest stream at whose last event two transitions can be taken, each from the same configuration.
    """

    verdict: Verdict
    transitions: tuple[Transition, ...] = ()
    witness: Witness | None = None
    reason: str = ""
    stream: tuple[Event, ...] | None = None

    @property
    def yes(self) -> bool:
        """Whether it is certainly deterministic."""
        return self.verdict is Verdict.YES

    @property
    def no(self) -> bool:
        """Whether two transitions can be enabled together."""
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
    with spending(budget):
        try:
            return _deterministic(srt, schema, up_to)
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
        return _overlapping(found)
    return _among(bound, [pair for state in known for pair in suspects(state)], schema, up_to)


def _overlapping(found: Overlap) -> Determinism:
    return Determinism(Verdict.NO, found.transitions, found.witness, stream=found.stream)


def _among(srt: SRT, suspects: list[Pair], schema: Schema, up_to: int) -> Determinism:
    """The answer, when only `suspects` can be taken together."""
    search = shortest_overlap(srt, suspects, schema, up_to=up_to)
    if search.found is not None:
        return _overlapping(search.found)
    if search.covered is None and not search.reason:
        return Determinism(Verdict.YES)
    known = known_contents(srt, schema)
    left = [pair for pair in suspects if not _excluded(pair, known[pair[0].source], schema)]
    if not left:
        return Determinism(Verdict.YES)
    reason = search.reason or f"no stream of up to {up_to} events leads to it, but longer ones were not tried"
    return Determinism(Verdict.UNKNOWN, left[0], reason=f"two transitions may overlap; {reason}")


def is_complete(srt: SRT, schema: Schema) -> Determinism:
    """Whether some transition is enabled at every step; the witness of a *no* enables none."""
    for state, known in _reachable(srt):
        leaving = srt.outgoing(state)
        none = conjunction(*(Not(t.condition) for t in leaving if t.condition is not None))
        answer = satisfiable(none, schema, known=known)
        if not answer.no:
            verdict = Verdict.NO if answer.yes else Verdict.UNKNOWN
            return Determinism(verdict, leaving, answer.witness, answer.reason)
    return Determinism(Verdict.YES)


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
    order = order_of_events(pair[0].reads | pair[1].reads, schema)
    return satisfiable(conjunction(one, other), schema, known=conjunction(known, order)).no
