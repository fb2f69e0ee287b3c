"""Completion, complement and difference (SRT Alg. 8, Cor. 43): as published, and the repair of ERRATA A7.

All of these are about languages: outputs of what is complemented are ignored. Complements exist only
relative to a window, because only then can an automaton be made deterministic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from mnemata.automata.constructions.bounding import Bound
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.exploration import Edge, edge, explore
from mnemata.automata.constructions.registers import apart
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.union import union
from mnemata.automata.srt.transducer import SRT, State, Transition
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Bottom, Condition, conjunction, disjunction
from mnemata.theory.conditions.simplification import negation, simplified
from mnemata.theory.conditions.terms import Register
from mnemata.theory.satisfiability.decisions import satisfiable
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Output

_NOTHING: frozenset[Register] = frozenset()
Pair: TypeAlias = tuple[State, State]


def complete(srt: SRT, schema: Schema | None = None) -> SRT:
    """`srt` with a dead state, so that some transition is enabled at every step (Alg. 8, lines 2 to 17).

    An SRT of which that is known to hold already stays as it is.

    Precondition: no epsilon transitions. A deterministic SRT stays deterministic; the language stays. With
    a schema the solver is asked where no transition is needed.
    """
    dead = srt.size
    lost = [
        Transition(state, guard, Output.SKIP, _NOTHING, dead)
        for state in srt.states
        if _possible(guard := _none_enabled(srt, state), schema)
    ]
    if not lost:
        return srt
    loop = Transition(dead, TOP, Output.SKIP, _NOTHING, dead)
    return SRT(dead + 1, srt.start, srt.finals, (*srt.transitions, *lost, loop), srt.registers)


def _none_enabled(srt: SRT, state: State) -> Condition:
    guards = {t.condition for t in srt.outgoing(state) if t.condition is not None}
    if any(negation(guard) in guards for guard in guards):
        return BOTTOM
    ordered = dict.fromkeys(t.condition for t in srt.outgoing(state) if t.condition is not None)
    return negation(simplified(disjunction(*ordered)))


def _possible(condition: Condition, schema: Schema | None) -> bool:
    if isinstance(condition, Bottom):
        return False
    return schema is None or not satisfiable(condition, schema).no


def complement(
    srt: SRT,
    *,
    window: Bound = None,
    within: bool = False,
    free: frozenset[Register] = _NOTHING,
    prefix: str = "",
    budget: Budget | None = None,
) -> SRT:
    """The deterministic SRT of the strings that are not accepted by `srt` within `window` events.

    Parameters
    ----------
    srt : SRT
        Any; its outputs are ignored.
    window : int, Window or None
        What is complemented is the set of strings of up to `window` events that `srt` accepts; or what else
        `mnemata.automata.constructions.bounding.bounded` understands.
    within : bool
        Leave out strings of more than `window` events, instead of accepting all of them.
    free : frozenset of Register
        Registers of `srt` that keep their contents from outside instead of starting empty.
    prefix : str
        With what the names of new registers begin; by default something not in use.
    budget : Budget, optional
        What it may cost.

    Raises
    ------
    UnsupportedError
        Nothing bounds the strings; the message shows on which path.
    LimitError
        The budget is spent.
    """
    deterministic = determinize(srt, window=window, free=free, prefix=prefix, budget=budget)
    return opposite(deterministic if within else complete(deterministic))


def opposite(deterministic: SRT) -> SRT:
    """The SRT that accepts where `deterministic` does not, among the strings that it can read.

    Precondition: no two transitions are ever enabled together, so that there is one run over a string.
    """
    finals = frozenset(deterministic.states) - deterministic.finals
    d = deterministic
    return SRT(d.size, d.start, finals, d.transitions, d.registers)


def complement_as_published(deterministic: SRT, original: SRT) -> SRT:
    """Alg. 8 to the letter, lines 18 to 23: states and finals of the original; wrong (ERRATA A7).

    Parameters
    ----------
    deterministic : SRT
        What Alg. 7 makes of `original`.
    original : SRT
        The automaton to complement.
    """
    dead = max(deterministic.size, original.size)
    lost = tuple(
        Transition(state, _none_enabled(deterministic, state), Output.SKIP, _NOTHING, dead)
        for state in deterministic.states
    )
    loop = Transition(dead, TOP, Output.SKIP, _NOTHING, dead)
    finals = frozenset(original.states) - original.finals
    return SRT(dead + 1, original.start, finals, (*original.transitions, *lost, loop), original.registers)


def shortened(srt: SRT, length: int) -> SRT:
    """`srt` on strings of up to `length` events; it accepts no longer ones. No epsilon transitions."""

    def outgoing(here: tuple[State, int]) -> Iterator[Edge[tuple[State, int]]]:
        state, read = here
        if read < length:
            yield from (edge(t, (t.target, read + 1)) for t in srt.outgoing(state))

    return explore((srt.start, 0), outgoing, lambda here: here[0] in srt.finals, srt.registers)


def difference(left: SRT, right: SRT, *, window: Bound = None, budget: Budget | None = None) -> SRT:
    """The matches of `left` over strings that `right` does not accept within `window` events."""
    with spending(budget):
        return restricted(left, complement(right, window=window))


def symmetric_difference(left: SRT, right: SRT, *, window: int, budget: Budget | None = None) -> SRT:
    """The matches, of either SRT, over strings of up to `window` events that the other does not accept."""
    with spending(budget):
        return union(
            restricted(left, complement(right, window=window, within=True)),
            restricted(right, complement(left, window=window, within=True)),
        )


def restricted(srt: SRT, language: SRT) -> SRT:
    """The matches of `srt` over strings that `language` accepts; outputs of `language` are ignored."""
    srt, language = apart(eliminate_epsilon(srt), eliminate_epsilon(language))

    def outgoing(pair: Pair) -> Iterator[Edge[Pair]]:
        for one in srt.outgoing(pair[0]):
            for other in language.outgoing(pair[1]):
                if one.condition is not None and other.condition is not None:
                    guard = conjunction(one.condition, other.condition)
                    yield Edge(guard, one.output, one.writes | other.writes, (one.target, other.target))

    return explore(
        (srt.start, language.start),
        outgoing,
        lambda pair: pair[0] in srt.finals and pair[1] in language.finals,
        srt.registers | language.registers,
    )
