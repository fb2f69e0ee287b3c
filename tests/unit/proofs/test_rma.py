"""What the claims about RMA rest on: adversaries that answer or are at a loss, registers as in the paper."""

from __future__ import annotations

import pytest

from mnemata.automata.constructions.rma.translation import translate
from mnemata.automata.rma.runs import matches, recognised_at
from mnemata.proofs.rma import adversaries
from mnemata.proofs.rma.adversaries import against_complement, against_iteration, against_recogniser
from mnemata.proofs.rma.candidates import COMPLEMENTS, FIGURE_1, ITERATIONS, OWED, RECOGNISERS, REPEATING
from mnemata.proofs.rma.literal import (
    ALGORITHM_1,
    ALGORITHM_3,
    ALGORITHM_4,
    REPAIRED,
    Reading,
    construct,
    property_3,
)
from mnemata.proofs.rma.matching import SCHEMA
from mnemata.proofs.rma.separating import SENSORS
from mnemata.proofs.rma.symbolic import corpus, proof
from mnemata.proofs.rma.windowing import INDEXED, without_window
from mnemata.theory.cepl import semantics
from mnemata.theory.cepl.expressions import Expression, atom, either
from mnemata.theory.conditions.building import register
from mnemata.theory.errors import LimitError, UnsupportedError
from mnemata.theory.satisfiability.answers import Verdict

SAME = register("x").id == register("y").id
PAIR = atom("A", "x") >> atom("B", "y")


def test_an_adversary_answers_with_a_stream_that_is_too_long_for_the_window() -> None:
    for (candidate,), longest in zip(RECOGNISERS, (2, 3, 4), strict=False):
        mistake = against_recogniser(candidate)
        assert len(mistake.stream) > longest or recognised_at(candidate, mistake.stream)


def test_an_adversary_needs_no_more_than_one_id_more_than_a_candidate_keeps() -> None:
    assert [len(against_complement(candidate).stream) for (candidate,) in COMPLEMENTS] == [4, 4, 6, 8]


def test_what_an_automaton_marks_is_what_the_adversaries_are_about() -> None:
    stream = SENSORS.stream([("T", 1), ("T", 2), ("T", 1), ("H", 2), ("H", 3)])
    assert matches(REPEATING, stream) == {frozenset({0, 1, 2})}
    assert matches(OWED, stream) == {frozenset({3})}


def test_one_round_is_not_an_iteration() -> None:
    mistake = against_iteration(ITERATIONS[-1][0])
    assert len(mistake.marks) == 2


def test_an_adversary_is_at_a_loss_where_there_are_many_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adversaries, "LARGEST", 3)
    with pytest.raises(LimitError, match="no two choices of ids are confused"):
        against_recogniser(translate(FIGURE_1, SENSORS))


def test_registers_are_made_when_a_filter_first_reads_a_variable() -> None:
    built = construct(PAIR.filter(SAME), SCHEMA)
    assert built.registers == (("r1", "x"),)
    assert [sorted(t.writes) for t, x in zip(built.transitions, built.consumed, strict=True) if x] == [
        ["r1"],
        [],
    ]


@pytest.mark.parametrize(
    ("reading", "expression"),
    [
        (ALGORITHM_1, (either(atom("A", "x"), atom("B", "x")) >> atom("B", "y")).filter(SAME)),
        (ALGORITHM_3, PAIR.filter(SAME)),
        (ALGORITHM_4, either(PAIR.filter(SAME), PAIR).filter(~SAME)),
    ],
    ids=["Alg. 1", "Alg. 3", "Alg. 4"],
)
def test_as_published_the_algorithms_are_refuted_for_all_values(
    reading: Reading, expression: Expression
) -> None:
    wrong = proof(expression, construct(expression, SCHEMA, reading).rma, up_to=3)
    assert wrong.verdict is Verdict.NO
    assert wrong.witness is not None
    right = construct(expression, SCHEMA, REPAIRED)
    assert proof(expression, right.rma, up_to=3).verdict is Verdict.YES
    assert property_3(right)


def test_windows_are_nothing_that_is_said_of_filters() -> None:
    with pytest.raises(UnsupportedError, match="Windowed"):
        construct(PAIR.window(2), SCHEMA)


def test_the_corpus_is_what_it_is_said_to_be() -> None:
    assert [len(list(corpus(atoms))) for atoms in (1, 2, 3)] == [2, 16, 64]


def test_a_window_without_a_window() -> None:
    stream = INDEXED.stream([("A", 1, 0), ("A", 1, 1), ("A", 1, 2)])
    plain = without_window(atom("A", "x").plus(), 2)
    assert plain is not None
    assert semantics.matches(plain, stream) == {frozenset(m) for m in ({0}, {1}, {2}, {0, 1}, {1, 2})}
