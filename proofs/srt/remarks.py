"""Remarks of the SRT paper that are formulas over a few events: Sec. 5.1, Example 42 and Sec. 8.1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from hypothesis import strategies as st

from mnemata.automata.compilation import automaton, bind_guards
from mnemata.automata.constructions.epsilon import eliminate_epsilon
from mnemata.automata.constructions.powerset import powerset
from mnemata.automata.constructions.thompson import thompson
from mnemata.automata.constructions.unrolling import unroll
from mnemata.automata.decisions import symbolic
from mnemata.automata.decisions.determinism import is_deterministic
from mnemata.automata.decisions.strings import SymbolicString
from mnemata.proofs.bounded import Proof, proved
from mnemata.proofs.claims import Claim
from mnemata.proofs.evidence import Effort
from mnemata.proofs.generators import TICKS
from mnemata.proofs.srt.adversaries import FIGURE_4
from mnemata.proofs.srt.candidates import TAGGED
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import BOTTOM, Condition, conjunction, disjunction
from mnemata.theory.satisfiability.answers import Answer
from mnemata.theory.satisfiability.decisions import equivalent
from mnemata.theory.sremo.expressions import Expression, mark, sequence, union
from mnemata.theory.sremo.rewriting import bound_expression

Equivalences: TypeAlias = Iterator[tuple[SymbolicString, Answer]]
_Wanted: TypeAlias = Callable[[tuple[str, ...]], Condition]

_A, _B = (head(TICKS).type == letter for letter in "AB")
_CHEAP: Final = head(TICKS).price < 2.0
LAST_OF_MANY: Final[Expression] = mark(_A, "r1").plus() >> mark(
    conjunction(_B, head(TICKS).id == register("r1").id)
)
"""Some A, all written to one register, and a B with the id of what is in it (SRT eq. 11)."""


def either_order(effort: Effort) -> Iterator[Proof]:
    """``*(a, b) = a . b + b . a`` matches two events, one of which is an `a` and the other a `b`."""
    expression = (mark(_A) >> mark(_CHEAP)) | (mark(_CHEAP) >> mark(_A))
    yield proved(_marking_all(expression, effort, _two_in_any_order))


def last_is_compared(effort: Effort) -> Iterator[Proof]:
    """`LAST_OF_MANY` compares the B with the last A, whatever the others are."""
    yield proved(_marking_all(LAST_OF_MANY, effort, lambda events: _sold(events, events[-2:-1])))


def all_are_compared(effort: Effort) -> Iterator[Proof]:
    """Unrolled, so that each A has a register of its own, the B can be compared with all of them."""
    unrolled = union(*(_unrolled(n) for n in range(1, effort.length + 1)))
    yield proved(_marking_all(unrolled, effort, lambda events: _sold(events, events[:-1])))


def _unrolled(rounds: int) -> Expression:
    names = [f"r{n}" for n in range(1, rounds + 1)]
    same = (head(TICKS).id == register(name).id for name in names)
    return sequence(*(mark(_A, name) for name in names), mark(conjunction(_B, *same)))


def _marking_all(expression: Expression, effort: Effort, wanted: _Wanted) -> Equivalences:
    """That an expression marks all of a string where a formula holds, and matches nothing else."""
    srt = automaton(bound_expression(expression, TICKS), TICKS)
    for length in range(1, effort.length + 1):
        string = SymbolicString(length, TICKS)
        found = symbolic.matches(srt, string.events)
        everything = frozenset(range(1, length + 1))
        formulas = {everything: wanted(string.events)}
        for marks in sorted(found.keys() | formulas.keys(), key=sorted):
            one, other = found.get(marks, BOTTOM), formulas.get(marks, BOTTOM)
            yield string, equivalent(one, other, TICKS, known=string.known, timeout_ms=effort.timeout_ms)


def _two_in_any_order(events: tuple[str, ...]) -> Condition:
    if len(events) != 2:
        return BOTTOM
    one, other = (register(event) for event in events)
    return disjunction(
        conjunction(one.type == "A", other.price < 2.0), conjunction(one.price < 2.0, other.type == "A")
    )


def _sold(events: tuple[str, ...], compared: tuple[str, ...]) -> Condition:
    if len(events) < 2:
        return BOTTOM
    *before, last = (register(event) for event in events)
    same = (last.id == register(event).id for event in compared)
    return conjunction(*(one.type == "A" for one in before), last.type == "B", *same)


def figure_5_is_as_drawn() -> Claim[tuple[int]]:
    """Example 42: unrolled for 2 events Fig. 4 is deterministic, not so for 3; it has ``w - 1`` registers."""

    def holds(instance: tuple[int]) -> bool:
        (window,) = instance
        srt = eliminate_epsilon(bind_guards(thompson(FIGURE_4), TAGGED))
        unrolled = unroll(srt, window=window)
        determinized = powerset(unrolled, TAGGED)
        alone, together = (is_deterministic(made, TAGGED) for made in (unrolled, determinized))
        return len(unrolled.registers) == window - 1 and alone.yes == (window == 2) and together.yes

    name = "Fig. 4, unrolled for two events, is deterministic, and for three becomes so by Alg. 7"
    return Claim(name, "Example 42", st.tuples(st.integers(2, 3)), holds)
