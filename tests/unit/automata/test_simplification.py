"""Laws that simplify automata and conditions: as pairs, and proved to change no match."""

from __future__ import annotations

import pytest

from mnemata.automata.constructions.simplification import (
    drop_dead_writes,
    drop_useless_states,
    join_parallel,
    merge_bisimilar,
    simplify,
    simplify_guards,
)
from mnemata.automata.decisions.languages import language
from mnemata.automata.srt.transducer import SRT, Transition
from mnemata.proofs.bounded import compiled_exactly
from mnemata.proofs.generators import TICKS
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import BOTTOM, TOP, Condition
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.satisfiability.simplification import simplify_under
from mnemata.theory.sremo.expressions import Output
from mnemata.theory.syntax import show

u, r1 = head(TICKS), register("r1", TICKS)
A, B = u.type == "A", u.type == "B"
NONE: frozenset[str] = frozenset()
R1 = frozenset({"r1"})


def mark(source: int, condition: Condition, target: int, writes: frozenset[str] = NONE) -> Transition:
    return Transition(source, condition, Output.MARK, writes, target)


def automaton(size: int, *transitions: Transition) -> SRT:
    return SRT(size, 0, frozenset({size - 1}), transitions)


@pytest.mark.parametrize(
    ("condition", "known", "simple"),
    [
        ((u.id > 1) & (u.id > 0), TOP, "~.id > 1"),
        ((u.id > 1) | (u.id > 0), TOP, "~.id > 0"),
        (A & B, TOP, "⊥"),
        ((u.id > 0) | ~(u.id > 0), TOP, "⊤"),
        ((u.id > 0) | (u.id <= 0), TOP, "~.id > 0 ∨ ~.id ≤ 0"),  # both are false where id is missing
        (~A & ~B & ~(u.type == "C") & A, TOP, "⊥"),
        (u.id > 0, u.id > 1, "⊤"),
        ((u.id != 1) & A, A, "~.id ≠ 1"),
    ],
)
def test_conditions(condition: Condition, known: Condition, simple: str) -> None:
    assert show(simplify_under(condition, known, TICKS), notation="paper") == simple


@pytest.mark.parametrize(
    ("law", "before", "after"),
    [
        (
            simplify_guards,
            automaton(2, mark(0, (u.id == r1.id) | A, 1), mark(0, A & B, 1)),
            automaton(2, mark(0, A, 1)),
        ),
        (drop_useless_states, automaton(3, mark(0, A, 2), mark(0, B, 1)), automaton(2, mark(0, A, 1))),
        (drop_dead_writes, automaton(2, mark(0, A, 1, R1)), automaton(2, mark(0, A, 1))),
        (
            join_parallel,
            automaton(2, mark(0, u.id > 1, 1), mark(0, u.id > 0, 1)),
            automaton(2, mark(0, u.id > 0, 1)),
        ),
        (
            merge_bisimilar,
            automaton(4, mark(0, A, 1), mark(0, B, 2), mark(1, u.id > 0, 3), mark(2, ~~(u.id > 0), 3)),
            automaton(3, mark(0, A, 1), mark(0, B, 1), mark(1, u.id > 0, 2)),
        ),
    ],
)
def test_each_law(law: object, before: SRT, after: SRT) -> None:
    assert law(before, TICKS) == after  # type: ignore[operator]


def test_an_automaton_that_accepts_nothing_becomes_one_state() -> None:
    assert simplify(automaton(3, mark(0, A & B, 1), mark(1, BOTTOM, 2)), TICKS).size == 1


@pytest.mark.parametrize("name", CORPUS)
def test_simplifying_is_proved_to_change_no_match(name: str) -> None:
    srt = language(CORPUS[name], TICKS).srt
    simple = simplify(srt, TICKS)
    assert simple.size <= srt.size
    assert len(simple.transitions) <= len(srt.transitions)
    assert compiled_exactly(CORPUS[name], TICKS, up_to=4, automaton=simple).verdict is Verdict.YES
