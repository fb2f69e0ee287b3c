"""Whether a CEA is I/O-deterministic (CEL Def. 5.4), and whether it is complete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from mnemata.automata.cea.automaton import CEA, Labels, State, Transition, in_order
from mnemata.automata.constructions.cea.completion import uncovered
from mnemata.theory.conditions.formulas import conjunction
from mnemata.theory.satisfiability.answers import Answer, Verdict
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Event, Schema


@dataclass(frozen=True, slots=True)
class Determinism:
    """Whether at most one transition, or at least one, is there for each state, event and label set.

    Parameters
    ----------
    verdict : Verdict
        ``YES`` and ``NO`` are certain.
    transitions : tuple of Transition
        Two that compete for an event; for completeness, all of one state with one label set.
    event : Event or None
        The event that both can read, or that none can.
    state : State or None
        Where.
    labels : frozenset of Variable or None
        With which labels.
    reason : str
        What is wrong, or why the answer is unknown; empty for *yes*.
    """

    verdict: Verdict
    transitions: tuple[Transition, ...] = ()
    event: Event | None = None
    state: State | None = None
    labels: Labels | None = None
    reason: str = ""

    @property
    def yes(self) -> bool:
        """Whether it is certainly so."""
        return self.verdict is Verdict.YES

    @property
    def no(self) -> bool:
        """Whether it is certainly not so."""
        return self.verdict is Verdict.NO


def is_io_deterministic(cea: CEA, schema: Schema) -> Determinism:
    """Whether there is one initial state, and no event that two transitions compete for (Def. 5.4).

    Transitions of the same state with the same labels compete. All states count, reachable or not.

    Parameters
    ----------
    cea : CEA
        Any.
    schema : Schema
        What the predicates range over.

    Returns
    -------
    Determinism
        *No* with two transitions and an event that both can read.

    Examples
    --------
    >>> from mnemata.theory.conditions.building import head
    >>> from mnemata.theory.schema import Int64
    >>> low, high, x = head().x < 5, head().x > 2, frozenset({"X"})
    >>> both = CEA(3, (Transition(0, low, x, 1), Transition(0, high, x, 2)), {0}, {1, 2})
    >>> is_io_deterministic(both, Schema.of(x=Int64())).event["x"] in (3, 4)
    True
    """
    if len(cea.initials) != 1:
        reason = f"there are {len(cea.initials)} initial states, not one"
        return Determinism(Verdict.NO, reason=reason)
    return _first_certain(_overlaps(cea, schema))


def is_complete(cea: CEA, schema: Schema, *, label_sets: Iterable[Labels] | None = None) -> Determinism:
    """Whether every state can read every event with every label set.

    Parameters
    ----------
    cea : CEA
        Any; one without initial states is not complete.
    schema : Schema
        What the predicates range over.
    label_sets : iterable of sets of variables, optional
        Those in question, besides the label sets of `cea`.

    Returns
    -------
    Determinism
        *No* with a state, labels, and an event that the state cannot read with them.
    """
    if not cea.initials:
        return Determinism(Verdict.NO, reason="there is no initial state")
    extra = () if label_sets is None else tuple(frozenset(labels) for labels in label_sets)
    return _first_certain(_gaps(cea, in_order((*cea.label_sets, *extra)), schema))


def _overlaps(cea: CEA, schema: Schema) -> Iterator[Determinism]:
    for state in cea.states:
        for one, other in combinations(cea.outgoing(state), 2):
            if one.labels == other.labels:
                answer = satisfiable(conjunction(one.predicate, other.predicate), schema)
                reason = f"two transitions of state {state} can read the same event"
                yield _refuted(answer, reason, (one, other), state, one.labels)


def _gaps(cea: CEA, label_sets: tuple[Labels, ...], schema: Schema) -> Iterator[Determinism]:
    for state in cea.states:
        for labels in label_sets:
            answer = satisfiable(uncovered(cea, state, labels), schema)
            taken = tuple(t for t in cea.outgoing(state) if t.labels == labels)
            reason = f"state {state} cannot read some event with the labels {sorted(labels)}"
            yield _refuted(answer, reason, taken, state, labels)


def _refuted(
    answer: Answer, reason: str, transitions: tuple[Transition, ...], state: State, labels: Labels
) -> Determinism:
    if answer.no:
        return Determinism(Verdict.YES)
    if answer.unknown:
        return Determinism(Verdict.UNKNOWN, transitions, None, state, labels, answer.reason)
    event = None if answer.witness is None else answer.witness.event
    return Determinism(Verdict.NO, transitions, event, state, labels, reason)


def _first_certain(findings: Iterator[Determinism]) -> Determinism:
    """The first *no*, else the first *unknown*, else *yes*."""
    doubt = Determinism(Verdict.YES)
    for finding in findings:
        if finding.no:
            return finding
        if doubt.yes:
            doubt = finding
    return doubt
