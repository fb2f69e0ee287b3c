"""State elimination: from an automaton to an expression, for any language of expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from mnemata.automata.cea.automaton import CEA, State, Transition
from mnemata.automata.constructions.cea.sequencing import with_single_ends
from mnemata.automata.constructions.cea.trimming import trim
from mnemata.theory.budget import Budget, current, spending

E = TypeVar("E")
Edges: TypeAlias = dict[State, dict[State, E]]


@dataclass(frozen=True, slots=True)
class Language(Generic[E]):
    """How expressions are put together.

    Parameters
    ----------
    step : callable
        The expression of a single transition.
    either : callable
        One of one or more expressions.
    then : callable
        One expression right after another.
    looping : callable
        The first expression any number of times or not at all, and then the second one.
    """

    step: Callable[[Transition], E]
    either: Callable[..., E]
    then: Callable[[E, E], E]
    looping: Callable[[E, E], E]


def eliminated(cea: CEA, language: Language[E], *, budget: Budget | None = None) -> E | None:
    """The expression of all accepting runs of one event or more; ``None`` when there are none.

    Parameters
    ----------
    cea : CEA
        Any.
    language : Language
        Of the expression.
    budget : Budget, optional
        What it may cost; expressions that were made count as transitions.

    Raises
    ------
    LimitError
        When the budget is spent. Equal parts of the expression are one object, but as a text it can be
        exponentially long.

    Notes
    -----
    As in the proofs of CEL Thm 6.3 and 8.9, except that states go in the order of how many paths lead
    through them and that ways without end are left out, where the paper has a formula that nothing satisfies.
    """
    ends = with_single_ends(trim(cea))
    (start,), (end,) = ends.initials, ends.finals
    with spending(budget):
        edges = _edges(ends, language)
        while inner := [q for q in edges if q != start]:
            _eliminate(edges, min(inner, key=lambda q: (_paths(edges, q), q)), language)
        return edges.get(start, {}).get(end)


def _edges(cea: CEA, language: Language[E]) -> Edges[E]:
    between: dict[tuple[State, State], list[E]] = {}
    for t in cea.transitions:
        between.setdefault((t.source, t.target), []).append(language.step(t))
    edges: Edges[E] = {}
    for (p, q), steps in between.items():
        edges.setdefault(p, {})[q] = language.either(*steps)
    return edges


def _paths(edges: Edges[E], state: State) -> int:
    entering = sum(state in targets for source, targets in edges.items() if source != state)
    return entering * len(edges[state])


def _eliminate(edges: Edges[E], state: State, language: Language[E]) -> None:
    """``phi_ij OR (phi_ik phi_kj) OR (phi_ik phi_kk+ phi_kj)``, for k the eliminated state."""
    leaving = edges.pop(state)
    loop = leaving.pop(state, None)
    onward = {j: way if loop is None else language.looping(loop, way) for j, way in leaving.items()}
    spent, made = current(), 0
    for targets in edges.values():
        entering = targets.pop(state, None)
        if entering is None:
            continue
        for j, way in onward.items():
            through = language.then(entering, way)
            targets[j] = language.either(targets[j], through) if j in targets else through
            made += 1
            spent.size(len(edges), made)
