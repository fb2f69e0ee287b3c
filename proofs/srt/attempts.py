"""Automata made by hand for what no automaton can do; each is right about much."""

from __future__ import annotations

from typing import Final

from mnemata.automata.compilation import bind_guards
from mnemata.automata.constructions.complement import complement, complete, opposite
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.exploration import Edge, explore
from mnemata.automata.constructions.powerset import determinize_as_published
from mnemata.automata.constructions.ring_buffer import determinize
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.srt.adversaries import FIGURE_4, FIGURE_12
from mnemata.proofs.srt.candidates import IS_B, IS_S, TAGGED, is_id, is_type, same
from mnemata.theory.conditions.formulas import Condition, Not, conjunction, disjunction
from mnemata.theory.conditions.terms import Register
from mnemata.theory.sremo.expressions import Expression, Output, mark, sequence
from mnemata.theory.sremo.rewriting import ANYTHING

_SAME: Final = same("id", "r1")
_PAIR: Final = sequence(mark(IS_B, "r1"), ANYTHING, mark(conjunction(IS_S, _SAME)))
"""`FIGURE_4` without what may come first."""


def _srt(expression: Expression) -> SRT:
    return eliminate_epsilon(bind_guards(thompson(expression), TAGGED))


def _kept(overwritten: bool) -> SRT:
    """One register, for the first B or for the last: an S is compared with that."""
    keep = frozenset({"r1"}) if overwritten else frozenset[Register]()
    first = Transition(0, IS_B, Output.MARK, frozenset({"r1"}), 1)
    found, other = conjunction(IS_S, _SAME), conjunction(Not(IS_B), Not(conjunction(IS_S, _SAME)))
    transitions = [first, Transition(0, Not(IS_B), Output.SKIP, frozenset(), 0)]
    for state in (1, 2):
        transitions += [
            Transition(state, IS_B, Output.SKIP, keep, 1),
            Transition(state, found, Output.MARK, frozenset(), 2),
            Transition(state, other, Output.SKIP, frozenset(), 1),
        ]
    return SRT(3, 0, frozenset({2}), tuple(transitions))


def of_few_ids(ids: tuple[int, ...]) -> SRT:
    """`FIGURE_4` where there are no other ids: the state is the set of those that a B had."""

    def outgoing(here: tuple[frozenset[int], bool]) -> list[Edge[tuple[frozenset[int], bool]]]:
        seen, _ = here
        bought = [_edge(conjunction(IS_B, is_id(n)), (seen | {n}, False)) for n in ids]
        known = disjunction(*(is_id(n) for n in sorted(seen)))
        sold = conjunction(IS_S, known)
        named = conjunction(IS_B, disjunction(*(is_id(n) for n in ids)))
        other = conjunction(Not(named), Not(sold))
        return [*bought, _edge(sold, (seen, True)), _edge(other, (seen, False))]

    return explore((frozenset[int](), False), outgoing, lambda here: here[1])


def of_few_types(types: tuple[str, ...]) -> SRT:
    """The complement of `FIGURE_12` where there are no other types: the state is the set of those seen."""

    def outgoing(seen: frozenset[str]) -> list[Edge[frozenset[str]]]:
        return [_reading(is_type(name), seen | {name}) for name in types if name not in seen]

    return explore(frozenset[str](), outgoing, lambda _: True)


def _reading(guard: Condition, target: frozenset[str]) -> Edge[frozenset[str]]:
    return Edge(guard, Output.SKIP, frozenset(), target)


def _edge(guard: Condition, target: tuple[frozenset[int], bool]) -> Edge[tuple[frozenset[int], bool]]:
    return Edge(guard, Output.SKIP, frozenset(), target)


def _different(registers: int) -> SRT:
    """Types that differ from the first few, which registers keep."""
    names = [f"r{n}" for n in range(1, registers + 1)]
    new = [conjunction(*(Not(same("type", r)) for r in names[:n])) for n in range(registers + 1)]
    writing = (Transition(n, new[n], Output.SKIP, frozenset({name}), n + 1) for n, name in enumerate(names))
    rest = Transition(registers, new[registers], Output.SKIP, frozenset(), registers)
    return SRT(registers + 1, 0, frozenset(range(registers + 1)), (*writing, rest))


DETERMINISTIC: Final = tuple(
    (srt,)
    for srt in (
        *(determinize(_srt(_PAIR), window=w, streaming=True) for w in (2, 3, 4)),
        determinize(_srt(FIGURE_4), window=3),
        determinize_as_published(_srt(FIGURE_4), TAGGED, window=3),
        _kept(overwritten=True),
        _kept(overwritten=False),
        of_few_ids((1, 2, 3)),
    )
)
"""For `FIGURE_4`: what is right in windows of 2 to 4 events, for the first or last B, and for three ids."""

OPPOSITES: Final = tuple((opposite(complete(srt)),) for (srt,) in DETERMINISTIC)
"""For all other strings."""

COMPLEMENTS: Final = tuple(
    (srt,)
    for srt in (
        *(complement(_srt(FIGURE_12), window=w, within=within) for w in (2, 3) for within in (False, True)),
        *(_different(registers) for registers in (1, 2, 3, 4)),
    )
)
"""For strings of different types: what is right up to some length, and next to the first few types."""
