"""Claims about I/O-determinization and normal forms: CEL Def. 5.4, 5.6, Prop. 5.5, 9.2 (ERRATA B3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.cea import runs
from mnemata.automata.cea.automaton import CEA, UNMARKED, Labels
from mnemata.automata.constructions.cea.determinization import determinize
from mnemata.automata.constructions.cea.normal_form import collapse, normal_form
from mnemata.automata.constructions.cea.types import Types, types
from mnemata.automata.decisions.cea.determinism import is_io_deterministic
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.bounded import Proof, proved
from mnemata.proofs.cel.enumerating import LETTERS, TWO_LABELS, automata
from mnemata.proofs.cel.proving import over_all_streams
from mnemata.proofs.cel.symbolic import complex_events, difference, runs_along
from mnemata.proofs.claims import Claim
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS, Stream, streams
from mnemata.proofs.generators.cea import LABEL_SETS, X, ceas
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.evaluation import EMPTY, models
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    And,
    Condition,
    Not,
    conjunction,
    disjunction,
)
from mnemata.theory.conditions.typing import bind
from mnemata.theory.satisfiability.answers import Answer, Signs
from mnemata.theory.satisfiability.decisions import equivalent

Instance: TypeAlias = tuple[CEA, Stream]

INSTANCES: st.SearchStrategy[Instance] = st.tuples(ceas(), streams(max_size=5))
SMALL: st.SearchStrategy[Instance] = st.tuples(ceas(states=(1, 2), transitions=(1, 3)), streams(max_size=3))


def is_deterministic_over(cea: CEA, stream: Stream) -> bool:
    """Whether no state has two transitions with equal labels for an event of the stream (Def. 5.4)."""
    for event in stream:
        for state in cea.states:
            taken = [t.labels for t in runs.enabled(cea, state, event)]
            if len(taken) != len(set(taken)):
                return False
    return len(cea.initials) == 1


def is_complete_over(cea: CEA, stream: Stream, label_sets: Iterable[Labels]) -> bool:
    """Whether every state can read every event of the stream with each of the label sets."""
    wanted = set(label_sets)
    return all(
        {t.labels for t in runs.enabled(cea, state, event)} >= wanted
        for event in stream
        for state in cea.states
    )


def determinization_is_exact() -> Claim[Instance]:
    """Prop. 5.5: the same valuations, I/O-determinism, and no more than exponentially many states."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        found = determinize(cea, TICKS)
        same = runs.valuations_along(found, stream) == runs.valuations_along(cea, stream)
        return same and not is_io_deterministic(found, TICKS).no and _is_bounded(cea, found)

    return Claim("determinization keeps the valuations", "Prop. 5.5", INSTANCES, holds)


def _is_bounded(cea: CEA, found: CEA) -> bool:
    """``2^|Q|`` states, and one transition of each for every type and label set at most."""
    predicates = {t.predicate for t in cea.transitions}
    states = 2**cea.size
    return (
        found.size <= states
        and len(found.transitions) <= states * 2 ** len(predicates) * len(cea.label_sets)
        and is_single_valued(found)
    )


def is_single_valued(cea: CEA) -> bool:
    """Whether no state has two transitions with equal predicates and labels."""
    return len({(t.source, t.predicate, t.labels) for t in cea.transitions}) == len(cea.transitions)


def complete_determinization_is_exact() -> Claim[Instance]:
    """Prop. 5.5 with a transition for every event and label set, as UNLESS and Thm 7.2 need it."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        for label_sets in (None, LABEL_SETS):
            found = determinize(cea, TICKS, complete=True, label_sets=label_sets)
            same = runs.valuations_along(found, stream) == runs.valuations_along(cea, stream)
            complete = is_complete_over(found, stream, label_sets or cea.label_sets)
            if not (same and complete and is_deterministic_over(found, stream)):
                return False
        return True

    return Claim("complete determinization keeps the valuations", "Prop. 5.5", INSTANCES, holds)


def wrongly_determinized(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That an automaton and its determinization differ, for all with up to ``effort.parts`` transitions."""
    for transitions in range(effort.parts + 1):
        for cea in automata(transitions, TWO_LABELS):
            found = runs_along(determinize(cea, LETTERS), string.events)
            yield difference(runs_along(cea, string.events), found)


proofs_of_determinization: Final = over_all_streams(wrongly_determinized)
"""Prop. 5.5 for every automaton of two states with few transitions."""


def a_valuation_has_one_run() -> Claim[Instance]:
    """After Def. 5.4: in an I/O-deterministic automaton at most one run puts out a valuation."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        found = determinize(cea, TICKS)
        anywhere = CEA(found.size, found.transitions, found.initials, frozenset(found.states))
        for n in range(len(stream)):
            outputs = Counter(run.valuation for run in runs.accepting_runs(anywhere, stream, n))
            if any(times > 1 for times in outputs.values()):
                return False
        return True

    return Claim("a stream and a valuation determine the run", "Def. 5.4", INSTANCES, holds)


def an_event_has_one_type(*, published: bool) -> Claim[Instance]:
    """Def. 5.6: every event is in exactly one of the types of some predicates.

    As published there is no type of the events in none of the predicates, when the intersection of no
    predicates is read as empty (ERRATA B3).
    """

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        found = types((t.predicate for t in cea.transitions), TICKS)
        kinds = [kind for kind in found.found if not published or any(kind) or not kind]
        return all(sum(models(e, EMPTY, predicate_of(found, kind)) for kind in kinds) == 1 for e in stream)

    reading = "an empty intersection is nothing" if published else "an empty intersection is everything"
    return Claim(f"every event has one type, where {reading}", "Def. 5.6", SMALL, holds)


def predicate_of(found: Types, kind: Signs) -> Condition:
    """The events of a type: in some of the predicates and in none of the others."""
    signed = zip(found.predicates, kind, strict=True)
    return conjunction(*(predicate if sign else Not(predicate) for predicate, sign in signed))


def proofs_of_types(effort: Effort) -> Iterator[Proof]:
    """Def. 5.6 for up to ``effort.parts`` predicates: types exclude one another, and nothing is left out."""
    asked = [bind(c, LETTERS) for c in (head().x > 0, head().x == 1, head().type == "A", head().x <= 0)]
    for size in range(1, effort.parts + 1):
        for predicates in combinations(asked, size):
            yield proved(_partitioned(types(predicates, LETTERS)))


def _partitioned(found: Types) -> Iterator[tuple[SymbolicString, Answer]]:
    string = SymbolicString(1, LETTERS)
    kinds = [predicate_of(found, kind) for kind in found.found]
    yield string, equivalent(disjunction(*kinds), TOP, LETTERS)
    for one, other in combinations(kinds, 2):
        yield string, equivalent(And((one, other)), BOTTOM, LETTERS)


def collapsing_is_exact() -> Claim[Instance]:
    """Prop. 9.2: the same complex events with one variable, in no larger an automaton."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        one = collapse(cea, "X")
        same = runs.complex_events_along(one, stream) == runs.complex_events_along(cea, stream)
        small = one.size == cea.size and len(one.transitions) <= len(cea.transitions)
        return same and small and set(one.label_sets) <= {UNMARKED, X}

    return Claim("one variable keeps the complex events", "Prop. 9.2", INSTANCES, holds)


def normal_form_is_exact() -> Claim[Instance]:
    """After Prop. 9.2: with one variable first and I/O-determinization then there is one variable still."""

    def holds(instance: Instance) -> bool:
        cea, stream = instance
        found = normal_form(cea, TICKS, variable="X")
        same = runs.complex_events_along(found, stream) == runs.complex_events_along(cea, stream)
        return same and set(found.label_sets) <= {UNMARKED, X} and is_deterministic_over(found, stream)

    return Claim("normal forms keep the complex events", "Prop. 9.2", INSTANCES, holds)


def wrongly_collapsed(effort: Effort, string: SymbolicString) -> Iterator[Condition]:
    """That complex events differ after collapsing, for all with up to ``effort.parts`` transitions."""
    for transitions in range(effort.parts + 1):
        for cea in automata(transitions, TWO_LABELS):
            both = (runs_along(one, string.events) for one in (cea, collapse(cea)))
            yield difference(*([complex_events(here) for here in found] for found in both))


proofs_of_collapsing: Final = over_all_streams(wrongly_collapsed)
"""Prop. 9.2 for every automaton of two states with few transitions."""
