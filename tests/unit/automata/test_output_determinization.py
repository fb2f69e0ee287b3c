"""One run for each history of marks: what it means, and where no number of registers is enough."""

from __future__ import annotations

from itertools import combinations

import pytest

from mnemata.automata.compilation import compile_pattern
from mnemata.automata.constructions.output_determinization import determinize_outputs
from mnemata.automata.engine.preparation import prepared
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs.generators import TICKS
from mnemata.proofs.srt.corpus import CORPUS
from mnemata.theory.budget import Budget, spending
from mnemata.theory.conditions.building import head, register
from mnemata.theory.conditions.formulas import conjunction
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability import satisfiable
from mnemata.theory.schema import Int64, Schema
from mnemata.theory.sremo.expressions import Expression, mark, skip, skip_till_any

SMALL = Budget(states=60, transitions=200, seconds=30)
SCHEMA = Schema.of(id=Int64())
SAME = head().id == register("x").id


def determinized(expression: Expression, schema: Schema) -> SRT:
    with spending(SMALL):
        return determinize_outputs(compile_pattern(expression, schema).srt, schema)


def told_apart(srt: SRT, schema: Schema) -> bool:
    """Whether no two transitions of a state with the same output can be taken at once."""
    return all(
        satisfiable(conjunction(*(t.condition for t in pair if t.condition is not None)), schema).no
        for state in srt.states
        for pair in combinations(srt.outgoing(state), 2)
        if pair[0].output is pair[1].output
    )


@pytest.mark.parametrize(
    "name", ["ambiguous", "zigzag", "erratum A1, lost", "erratum A1, spurious", "choice"]
)
def test_no_two_transitions_mark_alike_at_once(name: str) -> None:
    assert told_apart(determinized(CORPUS[name], TICKS), TICKS)


def test_registers_that_hold_the_same_event_share_a_slot() -> None:
    either = mark(write="x") >> mark(SAME) | mark(write="y") >> mark(head().id == register("y").id)
    srt = determinized(either, SCHEMA)
    assert (srt.size, len(srt.transitions), len(srt.registers)) == (3, 2, 1)


@pytest.mark.parametrize(
    "expression",
    [
        (mark(head().id > 0, "x") | mark(SAME)).star(),
        mark() >> mark().star() >> mark(write="x") >> mark().star() >> mark(SAME),
        skip_till_any(skip(write="x"), mark(SAME)),
    ],
    ids=["registers outlive rounds", "ERRATA C1", "unmarked candidates"],
)
def test_some_patterns_need_more_registers_than_any_automaton_has(expression: Expression) -> None:
    with pytest.raises(LimitError):
        determinized(expression, SCHEMA)


def test_what_is_prepared_does_not_depend_on_what_was_prepared_before() -> None:
    compiled = compile_pattern(CORPUS["zigzag"], TICKS)
    first = prepared(compiled)
    prepared.cache_clear()
    assert prepared(compiled).compiled.srt == first.compiled.srt
