"""Configurations of an SRT and their successors (SRT Def. 23), as defined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.evaluation import EMPTY, Valuation, models
from mnemata.theory.schema import Event


@dataclass(frozen=True, slots=True)
class Configuration:
    """``[j, q, v]``.

    Parameters
    ----------
    index : int
        1-based index, within the string, of the next event to be read.
    state : State
        The current state.
    valuation : Valuation
        The current contents of the registers.
    """

    index: int
    state: State
    valuation: Valuation


def initial(srt: SRT) -> Configuration:
    """Before the first event: the start state with empty registers."""
    return Configuration(1, srt.start, EMPTY)


def successors(
    srt: SRT, configuration: Configuration, string: Sequence[Event]
) -> Iterator[tuple[Transition, Configuration]]:
    """The configurations that follow, each with the transition that leads there (Def. 23).

    The conditions of the SRT must be bound to the schema of the events.
    """
    j, v = configuration.index, configuration.valuation
    for transition in srt.outgoing(configuration.state):
        if transition.condition is None:
            yield transition, Configuration(j, transition.target, v)
        elif j <= len(string) and models(string[j - 1], v, transition.condition):
            after = v.write(transition.writes, string[j - 1]) if transition.writes else v
            yield transition, Configuration(j + 1, transition.target, after)
