"""Whether an SRT is deterministic, in the sense repaired by ERRATA A8."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from mnemata.automata.srt.occupancy import occupancies
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.formulas import TOP, Condition, Not, conjunction
from mnemata.theory.satisfiability.answers import Verdict, Witness
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Schema


@dataclass(frozen=True, slots=True)
class Determinism:
    """Whether at most one transition can be taken at each step.

    Parameters
    ----------
    verdict : Verdict
        ``YES`` is certain. ``NO`` comes with two transitions of a state and an event and register contents
        that enable both; registers that are certainly empty or filled there are, but whether some stream
        leads to these very contents is not asked.
    transitions : tuple of Transition
        The two in question; one when it reads no event.
    witness : Witness or None
        What enables both.
    reason : str
        Why the answer is unknown.
    """

    verdict: Verdict
    transitions: tuple[Transition, ...] = ()
    witness: Witness | None = None
    reason: str = ""

    @property
    def yes(self) -> bool:
        """Whether it is certainly deterministic."""
        return self.verdict is Verdict.YES

    @property
    def no(self) -> bool:
        """Whether two transitions can be enabled together."""
        return self.verdict is Verdict.NO


def is_deterministic(srt: SRT, schema: Schema) -> Determinism:
    """Whether no two distinct transitions of a state can fire together, and none reads no event.

    Def. 36 asks this only of transitions with different targets, which lets through automata with several
    runs over one string (ERRATA A8).

    Parameters
    ----------
    srt : SRT
        The automaton.
    schema : Schema
        What its conditions range over.
    """
    doubt = Determinism(Verdict.YES)
    for state, known in _reachable(srt):
        leaving = srt.outgoing(state)
        for transition in leaving:
            if transition.is_epsilon:
                return Determinism(Verdict.NO, (transition,))
        for pair in combinations(leaving, 2):
            found = _both_enabled(pair, known, schema)
            if found.no:
                return found
            if not found.yes:
                doubt = found
    return doubt


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


def _both_enabled(pair: tuple[Transition, ...], known: Condition, schema: Schema) -> Determinism:
    one, other = (TOP if t.condition is None else t.condition for t in pair)
    if Not(one) == other or Not(other) == one:
        return Determinism(Verdict.YES)
    answer = satisfiable(conjunction(one, other), schema, known=known)
    if answer.no:
        return Determinism(Verdict.YES)
    return Determinism(Verdict.NO if answer.yes else Verdict.UNKNOWN, pair, answer.witness, answer.reason)
