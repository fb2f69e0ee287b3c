"""Simplifying automata without changing their matches; each law is one function.

A solver is asked; what it cannot decide stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.exploration import Edge, explore
from mnemata.automata.constructions.merging import merge_equivalent
from mnemata.automata.constructions.registers import live_registers
from mnemata.automata.constructions.trimming import trim
from mnemata.automata.srt.occupancy import occupancies
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Condition, disjunction
from mnemata.theory.conditions.terms import Register
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability.minterms import minterms
from mnemata.theory.satisfiability.simplification import simplify_under
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Output

Law: TypeAlias = Callable[[SRT, Schema], SRT]
Class: TypeAlias = int
Move: TypeAlias = tuple[Output, frozenset[Register], Class]
MOST_MINTERMS: Final = 256


def simplify_guards(srt: SRT, schema: Schema) -> SRT:
    """Each condition becomes the simplest that agrees with it under what is known on entry.

    Known is which registers are certainly empty or filled. Transitions that cannot fire disappear.
    """
    known = [TOP if found is None else found.known for found in occupancies(srt)]
    guards = ((t, _simplified(t, known[t.source], schema)) for t in srt.transitions)
    kept = tuple(
        Transition(t.source, guard, t.output, t.writes, t.target) for t, guard in guards if guard != BOTTOM
    )
    return SRT(srt.size, srt.start, srt.finals, kept)


def _simplified(transition: Transition, known: Condition, schema: Schema) -> Condition | None:
    return None if transition.condition is None else simplify_under(transition.condition, known, schema)


def drop_dead_writes(srt: SRT, schema: Schema) -> SRT:
    """Registers are written only where some continuation reads them before writing them again."""
    del schema
    live = live_registers(srt)
    kept = tuple(
        Transition(t.source, t.condition, t.output, t.writes & live[t.target], t.target)
        for t in srt.transitions
    )
    return SRT(srt.size, srt.start, srt.finals, kept)


def drop_useless_states(srt: SRT, schema: Schema) -> SRT:
    """States on no path from the start to a final state go."""
    del schema
    return trim(srt)


def join_parallel(srt: SRT, schema: Schema) -> SRT:
    """Transitions that differ only in their condition become one, with the disjunction."""

    def outgoing(state: State) -> Iterator[Edge[State]]:
        guards: dict[tuple[Output, frozenset[Register], State], list[Condition]] = {}
        for t in srt.outgoing(state):
            if t.condition is not None:
                guards.setdefault((t.output, t.writes, t.target), []).append(t.condition)
        for (output, writes, target), conditions in guards.items():
            joined = simplify_under(disjunction(*conditions), TOP, schema)
            yield Edge(joined, output, writes, target)

    return explore(srt.start, outgoing, lambda state: state in srt.finals)


def merge_bisimilar(srt: SRT, schema: Schema) -> SRT:
    """States that no event can tell apart become one: the coarsest bisimulation over minterms.

    Conditions are compared by the minterms of all conditions of the automaton that they contain, so it does
    not matter how they are written. With more than `MOST_MINTERMS` of them, conditions are compared
    to the letter.
    """
    guards = tuple(dict.fromkeys(t.condition for t in srt.transitions if t.condition is not None))
    try:
        found = minterms(guards, schema, limit=MOST_MINTERMS).vectors
    except LimitError:
        return merge_equivalent(srt)
    contained = {
        guard: frozenset(i for i, signs in enumerate(found) if signs[column])
        for column, guard in enumerate(guards)
    }
    return _quotient(srt, _coarsest(srt, contained))


def _coarsest(srt: SRT, contained: dict[Condition, frozenset[int]]) -> list[Class]:
    classes = [int(state in srt.finals) for state in srt.states]
    while True:
        numbers: dict[object, Class] = {}
        refined = [
            numbers.setdefault((classes[q], _behaviour(srt, q, classes, contained)), len(numbers))
            for q in srt.states
        ]
        if len(numbers) == len(set(classes)):
            return classes
        classes = refined


def _behaviour(
    srt: SRT, state: State, classes: list[Class], contained: dict[Condition, frozenset[int]]
) -> frozenset[tuple[Move, frozenset[int]]]:
    """For each way to go on, the minterms under which it is open."""
    open_under: dict[Move, frozenset[int]] = {}
    for t in srt.outgoing(state):
        if t.condition is not None:
            move = (t.output, t.writes, classes[t.target])
            open_under[move] = open_under.get(move, frozenset()) | contained[t.condition]
    return frozenset((move, under) for move, under in open_under.items() if under)


def _quotient(srt: SRT, classes: list[Class]) -> SRT:
    representative: dict[Class, State] = {}
    for state, number in enumerate(classes):
        representative.setdefault(number, state)

    def outgoing(state: State) -> Iterator[Edge[State]]:
        for t in srt.outgoing(state):
            yield Edge(t.condition, t.output, t.writes, representative[classes[t.target]])

    start = representative[classes[srt.start]]
    return explore(start, outgoing, lambda state: state in srt.finals)


LAWS: Final[tuple[Law, ...]] = (
    simplify_guards,
    drop_useless_states,
    drop_dead_writes,
    merge_bisimilar,
    join_parallel,
)


def simplify(srt: SRT, schema: Schema, *, budget: Budget | None = None) -> SRT:
    """`srt` simplified by all laws, until none changes it any more; its matches stay the same.

    Parameters
    ----------
    srt : SRT
        With or without epsilon transitions; the result has none.
    schema : Schema
        What its conditions range over.
    budget : Budget, optional
        What it may cost; `LimitError` when it is spent.
    """
    with spending(budget):
        current = eliminate_epsilon(srt)
        while (simpler := _once(current, schema)) != current:
            current = simpler
        return current


def _once(srt: SRT, schema: Schema) -> SRT:
    for law in LAWS:
        srt = law(srt, schema)
    return srt
