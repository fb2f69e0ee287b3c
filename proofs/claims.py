"""Claims that can be tried: a property of generated instances, and the search for one that breaks it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from mnemata.automata.cea.automaton import CEA
from mnemata.automata.rma.automaton import RMA
from mnemata.automata.srt.transducer import SRT
from mnemata.theory.cel.formulas import Formula, Relation
from mnemata.theory.cepl.expressions import Atom
from mnemata.theory.cepl.expressions import Expression as Cepl
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import Expression, Terminal
from mnemata.theory.trees import walk

I = TypeVar("I")  # noqa: E741 - an instance

QUIET: Final = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """What there is to see of an instance: what should have been found, what was, and by which automata.

    Parameters
    ----------
    stream : tuple of Event
        The events read.
    expected, found : object
        By definition, and by the construction: sets of matches, of complex events, or whether it is accepted.
    automata : tuple of (str, automaton)
        Automata and captions for them; the first is the one that found what was found.
    """

    stream: tuple[Event, ...]
    expected: Any
    found: Any
    automata: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Claim(Generic[I]):
    """A statement about all instances of some kind.

    Parameters
    ----------
    name : str
        What is claimed, and which construction realises it.
    source : str
        Where it stands: a definition, theorem, algorithm, or an entry of the errata.
    instances : strategy
        How instances are generated, small ones first.
    holds : callable
        Whether the claim is true of one instance.
    exhibit : callable, optional
        What there is to see of one instance.
    members : tuple of str
        What the members of an instance are called where it is shown, in order; an empty name is that of a
        member that plays no part. By default they are called by their kind.
    """

    name: str
    source: str
    instances: st.SearchStrategy[I]
    holds: Callable[[I], bool]
    exhibit: Callable[[I], Exhibit] | None = None
    members: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} ({self.source})"


def size(instance: tuple[Any, ...]) -> tuple[int, int]:
    """The size of an instance: atoms of its expressions and transitions of its automata, and events."""
    parts = events = 0
    for part in instance:
        if isinstance(part, SRT | CEA | RMA):
            parts += len(part.transitions)
        elif isinstance(part, Formula):
            parts += sum(isinstance(node, Relation) for node in walk(part))
        elif isinstance(part, Expression):
            parts += sum(isinstance(node, Terminal) for node in walk(part))
        elif isinstance(part, Cepl):
            parts += sum(isinstance(node, Atom) for node in walk(part))
        elif isinstance(part, tuple):
            inner = [size((member,)) for member in part if not isinstance(member, Event)]
            parts += sum(found for found, _ in inner)
            events += sum(isinstance(member, Event) for member in part)
    return parts, events


def counterexample(claim: Claim[I], *, tries: int = 1000, seed: int = 0, shrink: bool = True) -> I | None:
    """A smallest instance found for which `claim` is false; ``None`` when none was found.

    Parameters
    ----------
    tries : int
        How many instances are generated before giving up (shrinking comes on top).
    seed : int
        Of the search; the same seed finds the same instance.
    shrink : bool
        Whether a smaller one is looked for when one was found; otherwise the first one is returned.
    """
    options = settings(
        max_examples=tries,
        database=None,
        deadline=None,
        suppress_health_check=QUIET,
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
    )
    try:
        return find(
            claim.instances,
            lambda instance: not claim.holds(instance),
            settings=options,
            random=random.Random(seed),
        )
    except NoSuchExample:
        return None
