"""Whether the runs of an automaton over a stream are told apart by what they mark.

If so, matches can be counted and listed as runs, and merging the runs that have the same future adds up
what is different. The check looks at states and transitions only, so a *no* may be too cautious: it never
asks what is in registers, except that of one run no two contradicting conditions hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.engine.classes import split
from mnemata.automata.srt.marking import marked_states, unmarked_states
from mnemata.automata.srt.transducer import State, Transition
from mnemata.theory.conditions.formulas import TOP, Condition, conjunction
from mnemata.theory.conditions.simplification import exclude_by_text
from mnemata.theory.satisfiability import satisfiable
from mnemata.theory.sremo.expressions import Output

Pair: TypeAlias = tuple[State, State]


def told_apart_by_marks(compiled: CompiledPattern) -> bool:
    """Whether no two runs over a stream mark the same rows, report at the same row and differ.

    Runs that have marked nothing are no match yet, so they count as one while they are in the same state
    with the same registers.
    """
    return _Search(compiled).finds_none()


class _Search:
    """The pairs of states of two different runs with the same marks, of which there is at least one."""

    def __init__(self, compiled: CompiledPattern) -> None:
        self._srt, self._schema = compiled.srt, compiled.schema
        self._live = compiled.live
        self._together: dict[tuple[Condition | None, Condition | None], bool] = {}

    def finds_none(self) -> bool:
        pending: list[Pair] = []
        for one, other in self._first_marks():
            if self._reports_twice(one, other):
                return False
            pending.append(_pair(one.target, other.target))
        for t in self._forks():
            if self._reports_twice(*t):
                return False
            pending.append(_pair(t[0].target, t[1].target))
        seen: set[Pair] = set()
        while pending:
            pair = pending.pop()
            if pair in seen:
                continue
            seen.add(pair)
            for one, other in self._moves(*pair):
                if self._reports_twice(one, other):
                    return False
                pending.append(_pair(one.target, other.target))
        return True

    def _reports_twice(self, one: Transition, other: Transition) -> bool:
        finals = self._srt.finals
        return one.output is Output.MARK and one.target in finals and other.target in finals

    def _first_marks(self) -> Iterator[tuple[Transition, Transition]]:
        """The first marks of two runs that may have begun at different rows."""
        unmarked = unmarked_states(self._srt)
        outgoing = (t for state in unmarked for t in self._srt.outgoing(state))
        written = frozenset(r for t in outgoing if t.output is Output.SKIP for r in t.writes)
        for one, other in combinations_with_replacement(sorted(unmarked), 2):
            for a, b in self._moves(one, other):
                # One state with the same registers is one run; with others, written before, there may be two.
                if a.output is Output.MARK and (a != b or one != other or self._live[one] & written):
                    yield a, b

    def _forks(self) -> Iterator[tuple[Transition, Transition]]:
        """The moves of one run that has marked something, to two places at once."""
        marked = marked_states(self._srt)
        for state in sorted(marked):
            for a, b in combinations(self._srt.outgoing(state), 2):
                if a.output is b.output and self._compatible(_condition(a), _condition(b)):
                    yield a, b

    def _moves(self, one: State, other: State) -> Iterator[tuple[Transition, Transition]]:
        for a in self._srt.outgoing(one):
            for b in self._srt.outgoing(other):
                if a.output is b.output and self._compatible(_head(a), _head(b)):
                    yield a, b

    def _compatible(self, one: Condition, other: Condition) -> bool:
        if one == other or TOP in (one, other):
            return True
        key = (one, other) if hash(one) <= hash(other) else (other, one)
        if key not in self._together:
            # What Z3 need not be asked it need not be loaded for.
            self._together[key] = not (
                exclude_by_text(one, other) or satisfiable(conjunction(one, other), self._schema).no
            )
        return self._together[key]


def _pair(one: State, other: State) -> Pair:
    return (one, other) if one <= other else (other, one)


def _condition(transition: Transition) -> Condition:
    return TOP if transition.condition is None else transition.condition


def _head(transition: Transition) -> Condition:
    head = split(_condition(transition)).head
    return TOP if head is None else head
