"""Epsilon elimination (SRT Lemma 29): Alg. 2 as published, and the repair of ERRATA A1."""

from __future__ import annotations

from collections.abc import Iterable

from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.srt.transducer import SRT, State
from mnemata.theory.errors import LimitError


def closure(srt: SRT, states: Iterable[State]) -> frozenset[State]:
    """The states that epsilon transitions lead to from `states`, these included (``Enclose``)."""
    reached = set(states)
    frontier = list(reached)
    while frontier:
        for transition in srt.outgoing(frontier.pop()):
            if transition.is_epsilon and transition.target not in reached:
                reached.add(transition.target)
                frontier.append(transition.target)
    return frozenset(reached)


def eliminate_epsilon(srt: SRT) -> SRT:
    """An SRT without epsilon transitions and with the same runs, epsilon steps left out (Lemma 29).

    A state keeps its identity and takes over the transitions of its closure, so that transitions which
    write different registers are never merged (ERRATA A1).
    """
    if not srt.has_epsilon:
        return srt
    closures: dict[State, frozenset[State]] = {}

    def enclose(state: State) -> frozenset[State]:
        if state not in closures:
            closures[state] = closure(srt, (state,))
        return closures[state]

    def outgoing(state: State) -> list[Edge[State]]:
        inside = (t for q in sorted(enclose(state)) for t in srt.outgoing(q))
        return list(dict.fromkeys(edge(t, t.target) for t in inside if not t.is_epsilon))

    return explore(srt.start, outgoing, lambda q: bool(enclose(q) & srt.finals), srt.registers)


def eliminate_epsilon_as_published(srt: SRT, *, revisit: bool = True, limit: int = 300) -> SRT:
    """Alg. 2 to the letter; wrong in general (ERRATA A1).

    It merges transitions of a closure that have the same condition and output, uniting what they write
    and where they lead. Line 19 puts every target back on the frontier, so that it never ends on a
    cycle: `LimitError` after `limit` rounds. With ``revisit=False`` targets already treated stay away.
    """
    start = closure(srt, (srt.start,))
    numbers: dict[frozenset[State], int] = {start: 0}
    edges: dict[frozenset[State], list[Edge[frozenset[State]]]] = {}
    frontier = [start]
    rounds = 0
    while frontier:
        rounds += 1
        if revisit and rounds > limit:
            raise LimitError(f"Alg. 2 as published did not finish within {limit} rounds")
        here = frontier.pop(0)
        edges[here] = _merged(srt, here)
        for target in (e.target for e in edges[here]):
            numbers.setdefault(target, len(numbers))
            if target not in frontier and (revisit or target not in edges):
                frontier.append(target)
    return explore(start, edges.__getitem__, lambda q: bool(q & srt.finals), srt.registers)


def _merged(srt: SRT, here: frozenset[State]) -> list[Edge[frozenset[State]]]:
    leaving = [t for q in sorted(here) for t in srt.outgoing(q) if not t.is_epsilon]
    merged: list[Edge[frozenset[State]]] = []
    for condition, output in dict.fromkeys((t.condition, t.output) for t in leaving):
        alike = [t for t in leaving if (t.condition, t.output) == (condition, output)]
        writes = frozenset(register for t in alike for register in t.writes)
        merged.append(Edge(condition, output, writes, closure(srt, (t.target for t in alike))))
    return merged
