"""Paths from the start of an SRT to a final state: with an unmarked end, with a loop, and the longest.

Conditions are taken to be satisfiable, unless they are ``false``. networkx is imported where it is needed:
recognition does without, and would take a tenth more time to begin, and 12 MB.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.conditions.formulas import Bottom
from mnemata.theory.sremo.expressions import Output

if TYPE_CHECKING:
    import networkx as nx

Path: TypeAlias = tuple[Transition, ...]
_Place: TypeAlias = tuple[State, bool]
_Follow: TypeAlias = Callable[[Transition, bool], bool | None]


class Loop(NamedTuple):
    """A path that may go round a loop any number of times."""

    before: Path
    loop: Path
    after: Path


def unmarked_first(srt: SRT) -> Path | None:
    """A shortest accepting path whose first event is not marked; epsilon transitions included."""

    def follow(transition: Transition, begun: bool) -> bool | None:
        if begun or transition.is_epsilon:
            return begun
        return True if transition.output is Output.SKIP else None

    return _shortest(srt, srt.start, lambda state, begun: begun and state in srt.finals, [follow])


def unmarked_last(srt: SRT) -> Path | None:
    """A shortest accepting path whose last event is not marked; epsilon transitions included."""

    def go_on(_transition: Transition, done: bool) -> bool | None:
        return None if done else False

    def end(transition: Transition, done: bool) -> bool | None:
        if transition.is_epsilon:
            return done
        return True if transition.output is Output.SKIP and not done else None

    return _shortest(srt, srt.start, lambda state, done: done and state in srt.finals, [go_on, end])


def growing(srt: SRT) -> Loop | None:
    """An accepting path with a loop that reads events; ``None`` where strings have a greatest length."""
    import networkx as nx

    useful = _useful(srt)
    component = {q: i for i, part in enumerate(nx.strongly_connected_components(useful)) for q in part}
    for transition in srt.transitions:
        source, target = transition.source, transition.target
        inside = source in component and component[source] == component.get(target)
        if inside and not transition.is_epsilon and not isinstance(transition.condition, Bottom):
            before, back = (_route(srt, origin, {source}) for origin in (srt.start, target))
            return Loop(before, (transition, *back), _route(srt, source, srt.finals))
    return None


def longest(srt: SRT) -> int | None:
    """How many events the longest accepted strings have at most; ``None`` when there is no bound."""
    import networkx as nx

    if growing(srt) is not None:
        return None
    useful = _useful(srt)
    # Epsilon cycles make no string longer.
    parts = nx.condensation(nx.DiGraph(useful))
    of = parts.graph["mapping"]
    steps: dict[int, int] = {}
    for part in nx.topological_sort(parts):
        steps.setdefault(part, 0)
        for state in parts.nodes[part]["members"]:
            for t in srt.outgoing(state):
                if t.target in of and not isinstance(t.condition, Bottom):
                    reached = steps[part] + (not t.is_epsilon)
                    steps[of[t.target]] = max(steps.get(of[t.target], 0), reached)
    return max(steps.values(), default=0)


def _useful(srt: SRT) -> nx.MultiDiGraph[int]:
    """The states on some path from the start to a final state."""
    import networkx as nx

    from mnemata.automata.srt.graph import to_networkx

    graph = to_networkx(srt)
    after = nx.descendants(graph, srt.start) | {srt.start}
    before = set(srt.finals).union(*(nx.ancestors(graph, final) for final in srt.finals))
    return graph.subgraph(after & before)


def _route(srt: SRT, start: State, goals: Collection[State]) -> Path:
    return _shortest(srt, start, lambda state, _: state in goals) or ()


def _any(_transition: Transition, flag: bool) -> bool | None:
    return flag


def _shortest(
    srt: SRT, start: State, goal: Callable[[State, bool], bool], follow: Iterable[_Follow] = (_any,)
) -> Path | None:
    """The path with the fewest events to a goal, over states with a flag that `follow` sets."""
    rules, origin = tuple(follow), (start, False)
    came: dict[_Place, tuple[_Place, Transition] | None] = {origin: None}
    cost, waiting = {origin: 0}, deque([origin])
    done: set[_Place] = set()
    while waiting:
        here = waiting.popleft()
        if goal(*here):
            return tuple(_back(came, here))[::-1]
        if here in done:
            continue
        done.add(here)
        for transition, there in _moves(srt, here, rules):
            price = cost[here] + (not transition.is_epsilon)
            if there not in cost or price < cost[there]:
                cost[there], came[there] = price, (here, transition)
                (waiting.appendleft if transition.is_epsilon else waiting.append)(there)
    return None


def _moves(srt: SRT, here: _Place, rules: tuple[_Follow, ...]) -> Iterator[tuple[Transition, _Place]]:
    for transition in srt.outgoing(here[0]):
        if not isinstance(transition.condition, Bottom):
            for rule in rules:
                flag = rule(transition, here[1])
                if flag is not None:
                    yield transition, (transition.target, flag)


def _back(came: dict[_Place, tuple[_Place, Transition] | None], place: _Place) -> Iterator[Transition]:
    step = came[place]
    while step is not None:
        place, transition = step
        yield transition
        step = came[place]
