"""Counter machines as transducers, and formulas as strings."""

from __future__ import annotations

import pytest

from mnemata.automata.decisions.languages import empty, universal
from mnemata.automata.srt.runs import accepts
from mnemata.proofs.srt.machines import (
    CONFIGURATIONS,
    Instruction,
    Machine,
    computation,
    halting,
    membership,
    not_halting,
)
from mnemata.theory.sremo import semantics

TWICE: Machine = (Instruction("left", True, 1), Instruction("left", True, 2))
FOREVER: Machine = (Instruction("right", True, 0),)
THERE_AND_BACK: Machine = (Instruction("left", True, 1), Instruction("left", False, 1, 2))


def rows(machine: Machine, steps: int) -> list[tuple[object, ...]]:
    return [tuple(event.values) for event in computation(machine, steps)]


def test_computations() -> None:
    assert rows(TWICE, 5) == [(0, 0, 0), (1, 1, 0), (2, 2, 0)]
    assert rows(TWICE, 1) == rows(FOREVER, 9) == []
    assert rows(THERE_AND_BACK, 5) == [(0, 0, 0), (1, 1, 0), (1, 0, 0), (2, 0, 0)]


@pytest.mark.parametrize("machine", [TWICE, THERE_AND_BACK])
def test_one_accepts_the_computation_and_the_other_all_else(machine: Machine) -> None:
    string = computation(machine, 5)
    assert accepts(halting(machine), string)
    assert not accepts(not_halting(machine), string)
    for other in (string[:-1], string[1:], (), string[:1]):
        assert not accepts(halting(machine), other)
        assert accepts(not_halting(machine), other)


def test_three_transitions_and_one_register_are_enough() -> None:
    assert len(halting(TWICE).transitions) == 3
    assert len(not_halting(TWICE).transitions) == 7
    assert halting(TWICE).registers == not_halting(TWICE).registers == {"r1"}


def test_a_machine_that_does_not_halt() -> None:
    assert empty(halting(FOREVER), CONFIGURATIONS, up_to=3).yes
    assert universal(not_halting(FOREVER), CONFIGURATIONS, up_to=3).yes


@pytest.mark.parametrize(
    ("clauses", "satisfiable"),
    [((), True), (((1,),), True), (((1,), (-1,)), False), (((1, 2), (-1,), (-2, 3), (-3,)), False)],
)
def test_formulas_as_strings(clauses: tuple[tuple[int, ...], ...], satisfiable: bool) -> None:
    expression, string = membership(clauses)
    assert semantics.accepts(expression, string) == satisfiable
