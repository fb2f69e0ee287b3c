"""What the drawing of one automaton should show, checked against the automaton."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from mnemata.automata.drawing.errors import DrawingError
from mnemata.automata.srt.transducer import SRT, State, Transition


@dataclass(frozen=True, slots=True)
class Appearance:
    """What one automaton looks like in a drawing.

    Parameters
    ----------
    names : mapping from State to str
        Names of states, ``q_s``, ``q_{s,1}`` or ``{q_s, q_1}``; `state_names` names the others.
    clusters : mapping from str to collection of State
        Titled boxes around the states of sub-automata; one may lie inside another.
    highlighted : collection of Transition
        Drawn in red.
    new : collection of State and Transition
        Drawn in blue.
    states : collection of State, optional
        Draw only these, and the transitions between them.
    """

    names: Mapping[State, str] = field(default_factory=dict)
    clusters: Mapping[str, Collection[State]] = field(default_factory=dict)
    highlighted: Collection[Transition] = ()
    new: Collection[State | Transition] = ()
    states: Collection[State] | None = None

    def check(self, srt: SRT) -> None:
        """Raise `DrawingError` for what `srt` does not have, and for clusters that cross."""
        states = [*self.names, *(self.states or ()), *(s for c in self.clusters.values() for s in c)]
        _check_states([*states, *(x for x in self.new if not isinstance(x, Transition))], srt)
        _check_transitions([*self.highlighted, *(x for x in self.new if isinstance(x, Transition))], srt)
        for (one, left), (other, right) in combinations(self.clusters.items(), 2):
            a, b = set(left), set(right)
            if a & b and not (a <= b or b <= a):
                raise DrawingError(
                    f"the clusters '{one}' and '{other}' share state {min(a & b)} and neither contains the "
                    "other; clusters lie apart or inside one another"
                )

    def shown(self, srt: SRT) -> list[State]:
        """The states that are drawn, in order."""
        return list(srt.states) if self.states is None else sorted(set(self.states))


def state_names(srt: SRT) -> dict[State, str]:
    """``q_s`` for the start, ``q_f`` for the one final state, and ``q_3`` for state 3."""
    chosen = {state: f"q_{state}" for state in srt.states}
    if len(srt.finals) == 1:
        chosen[next(iter(srt.finals))] = "q_f"
    chosen[srt.start] = "q_s"
    return chosen


def parents(clusters: Mapping[str, Collection[State]]) -> dict[str, str | None]:
    """For each cluster the smallest one around it; of equal ones the earlier is around the later."""
    order = sorted(clusters, key=lambda title: -len(set(clusters[title])))
    found: dict[str, str | None] = {}
    for i, title in enumerate(order):
        inside = set(clusters[title])
        around = (other for other in reversed(order[:i]) if inside and inside <= set(clusters[other]))
        found[title] = next(around, None)
    return found


def _check_states(states: Iterable[object], srt: SRT) -> None:
    for state in states:
        if not isinstance(state, int) or not 0 <= state < srt.size:
            raise DrawingError(
                f"{state!r} is not a state of the automaton; its states are 0 to {srt.size - 1}"
            )


def _check_transitions(transitions: Iterable[Transition], srt: SRT) -> None:
    own = set(srt.transitions)
    for transition in transitions:
        if transition not in own:
            from_there = (
                [repr(t) for t in srt.outgoing(transition.source)] if transition.source < srt.size else []
            )
            close = difflib.get_close_matches(repr(transition), from_there, n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise DrawingError(f"{transition!r} is not a transition of the automaton{hint}")
