"""Claims about the sizes of automata that select: the ends of the cases of CEL Thm 7.2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.cea.automaton import CEA, UNMARKED, Transition
from mnemata.automata.constructions.cea.exploration import Edge, explore
from mnemata.automata.constructions.cea.selection import STAGES, strict
from mnemata.automata.constructions.cea.types import NOWHERE, Subset, targets, types
from mnemata.automata.decisions.cea.determinism import is_io_deterministic
from mnemata.proofs.claims import Claim
from mnemata.proofs.generators import TICKS
from mnemata.proofs.generators.cea import X, Y
from mnemata.theory.conditions.building import head
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.conditions.typing import bind

Alone: TypeAlias = tuple[CEA]

_ASKED: Final = tuple(bind(c, TICKS) for c in (head().id > 1, head().price > 1.0, head().type == "A"))
"""Predicates of which any may hold without the others."""


@st.composite
def _automata(draw: st.DrawFn) -> Alone:
    """Automata of few states whose transitions have different predicates, and often different labels."""
    size = draw(st.integers(1, 2))
    places = st.integers(0, size - 1)
    labels = st.sampled_from((X, Y, X | Y, UNMARKED))
    asked = draw(st.lists(st.sampled_from((*_ASKED, TOP)), max_size=4, unique=True))
    transitions = tuple(Transition(draw(places), ask, draw(labels), draw(places)) for ask in asked)
    return (CEA(size, transitions, frozenset({0}), frozenset({size - 1})),)


def two_transitions_for_a_type(*, published: bool) -> Claim[Alone]:
    """``A_NXT`` has states times two times ``2^|Delta|`` transitions at most; repaired, label sets times.

    Counted for each state as the construction is written: one for each type and label set.
    """

    def holds(instance: Alone) -> bool:
        (cea,) = instance
        predicates = [t.predicate for t in cea.transitions]
        kinds, label_sets = types(predicates, TICKS).found, {UNMARKED, *cea.label_sets}
        for_each_type = 2 if published else len(label_sets)
        most: int = for_each_type * 2 ** len(cea.transitions)
        return len(kinds) * len(label_sets) <= most

    how = "two transitions" if published else "one transition for each label set"
    return Claim(f"A_NXT has {how} for each state and type", "Thm 7.2, NXT", _automata(), holds)


def strict_is_linear(*, published: bool) -> Claim[Alone]:
    """Of an I/O-deterministic automaton ``A_STRICT`` has three transitions for each of them at most.

    As published every transition of the automaton is there once for each type within its predicate.
    """
    deterministic = _automata().filter(lambda one: is_io_deterministic(one[0], TICKS).yes)

    def holds(instance: Alone) -> bool:
        (cea,) = instance
        found = strict_as_published(cea) if published else strict(cea, TICKS)
        return len(found.transitions) <= 3 * len(cea.transitions)

    how = "by types" if published else "by predicates"
    return Claim(f"A_STRICT {how} is linear for the deterministic", "Thm 7.2, STRICT", deterministic, holds)


def strict_as_published(cea: CEA) -> CEA:
    """``A_STRICT`` of Thm 7.2, as far as it can be reached: over the types of all predicates."""
    found = types((t.predicate for t in cea.transitions), TICKS)

    def outgoing(here: tuple[Subset, int]) -> Iterator[Edge[tuple[Subset, int]]]:
        states, stage = here
        for kind in found.found:
            for labels in cea.label_sets:
                there = targets(cea.transitions, states, found, kind, labels)
                if there != NOWHERE and (stage, bool(labels)) in STAGES:
                    yield Edge(found.covering([kind]), labels, (there, STAGES[stage, bool(labels)]))

    return explore([(cea.initials, 1)], outgoing, lambda here: bool(here[0] & cea.finals))
