"""Whether a CEA has the ``*``-property (CEL Def. 8.4): whether CEL* can say what it says (Cor. 8.10)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mnemata.automata.cea.automaton import CEA
from mnemata.automata.cea.runs import complex_events
from mnemata.automata.constructions.cea.star import star_automaton
from mnemata.automata.decisions.cea.languages import equivalent
from mnemata.theory.budget import Budget
from mnemata.theory.cel.valuations import ComplexEvent
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.schema import Event, Schema

Occurrence = tuple[tuple[Event, ...], ComplexEvent]
"""A stream and a complex event at its last position."""


@dataclass(frozen=True, slots=True)
class StarProperty:
    """Whether complex events depend on their own events alone, and end with the last event read.

    Parameters
    ----------
    verdict : Verdict
        ``YES`` and ``NO`` are certain.
    found : pair of stream and complex event, or None
        For a *no*: a complex event that the automaton has at the last position of the stream.
    missing : pair of stream and complex event, or None
        With the same marked events in the same order, but the automaton does not have it at the last
        position of that stream. ``None`` when `found` breaks the first condition: it does not contain the
        last position.
    reason : str
        Why the answer is unknown; empty otherwise.
    """

    verdict: Verdict
    found: Occurrence | None = None
    missing: Occurrence | None = None
    reason: str = ""

    @property
    def yes(self) -> bool:
        """Whether it certainly has the property."""
        return self.verdict is Verdict.YES

    @property
    def no(self) -> bool:
        """Whether it certainly has not."""
        return self.verdict is Verdict.NO


def has_star_property(cea: CEA, schema: Schema, *, budget: Budget | None = None) -> StarProperty:
    """Whether what `cea` recognises has the ``*``-property (Def. 8.4).

    Parameters
    ----------
    cea : CEA
        Any.
    schema : Schema
        Of the events.
    budget : Budget, optional
        What the answer may cost; it is unknown when that is spent.

    Returns
    -------
    StarProperty
        *No* with two streams that tell why, confirmed by running.

    Notes
    -----
    It has the property exactly when its complex events are those of the ``*``-semantics: Prop. 8.8 is one
    direction; the other holds because the ``*``-semantics looks at marked events alone. The
    difference between the two is a matter of equivalence, hence decidable as far as Z3 decides predicates. A
    difference makes a counterexample: over the marked events alone, all of them marked, both semantics agree.

    Examples
    --------
    >>> from mnemata.automata.constructions.cea.compilation import compile_cel
    >>> from mnemata.theory.cel.formulas import Relation
    >>> from mnemata.theory.schema import Category
    >>> schema = Schema.of(type=Category(("R", "T")), event_type="type")
    >>> has_star_property(compile_cel(Relation("R") >> Relation("T"), schema).cea, schema).yes
    True
    >>> r_then_t = compile_cel(Relation("R").unless(Relation("T")), schema).cea
    >>> answer = has_star_property(r_then_t, schema)
    >>> [event["type"] for event in answer.missing[0]], sorted(answer.missing[1])
    (['T', 'R'], [1])
    """
    bound = cea.bind(schema)
    answer = equivalent(bound, star_automaton(bound), schema, complex_events=True, budget=budget)
    if answer.yes or answer.unknown or answer.stream is None or answer.output is None:
        return StarProperty(answer.verdict, reason=answer.reason)
    return _explained(bound, answer.stream, answer.output.support)


def _explained(cea: CEA, stream: tuple[Event, ...], event: ComplexEvent) -> StarProperty:
    last = len(stream) - 1
    if last not in event:
        return StarProperty(Verdict.NO, (stream, event))
    marked = tuple(replace(stream[p], position=n) for n, p in enumerate(sorted(event), start=1))
    pair = (stream, event), (marked, frozenset(range(len(marked))))
    if event in complex_events(cea, stream, last):
        return StarProperty(Verdict.NO, *pair)
    return StarProperty(Verdict.NO, pair[1], pair[0])
