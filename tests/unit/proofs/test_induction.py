"""Steps of inductions are discharged, start from no contradiction, and fail where a construction is wrong."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any

import pytest
import z3

from mnemata.proofs import induction
from mnemata.proofs.evidence import Induction, Obligation, Outcome
from mnemata.proofs.induction.assignments import assignments
from mnemata.proofs.induction.compact_sets import compact_sets
from mnemata.proofs.induction.completion import completion
from mnemata.proofs.induction.concatenation import concatenation
from mnemata.proofs.induction.epsilon import epsilon_elimination
from mnemata.proofs.induction.filters import filters
from mnemata.proofs.induction.histories import histories
from mnemata.proofs.induction.intersection import intersection
from mnemata.proofs.induction.liveness import liveness
from mnemata.proofs.induction.match_graph import match_graph
from mnemata.proofs.induction.merging import complement, merging
from mnemata.proofs.induction.ring_buffer import ring_buffer
from mnemata.proofs.induction.rounds import rounds
from mnemata.proofs.induction.selection import selection
from mnemata.proofs.induction.slices import slices
from mnemata.proofs.induction.star import star
from mnemata.proofs.induction.streams import streams
from mnemata.proofs.induction.subsets import subsets
from mnemata.proofs.induction.thompson import thompson
from mnemata.proofs.induction.unrolling import unrolling
from mnemata.proofs.induction.windows import windows

TIMEOUT_MS = 10_000
MODULES = [import_module(f"{induction.__name__}.{m.name}") for m in pkgutil.iter_modules(induction.__path__)]
INDUCTIONS = [found for module in MODULES for found in vars(module).values() if isinstance(found, Induction)]
OBLIGATIONS = [(evidence, obligation) for evidence in INDUCTIONS for obligation in evidence.obligations()]

BROKEN: list[tuple[Callable[[], Iterable[Obligation]], tuple[str, ...]]] = [
    (partial(epsilon_elimination, merged=True), ("an event, forwards", "an event, backwards")),
    (partial(thompson, keep_apart=False), ("union, forwards", "concatenation, forwards")),
    (partial(concatenation, apart=False), ("the registers of B", "an event in B, forwards")),
    (partial(star, forgetful=False), ("an event, forwards", "an event, backwards")),
    (partial(intersection, published=True), ("an event, forwards",)),
    (partial(subsets, labels_matter=False), ("an event",)),
    (
        partial(selection, published=True),
        tuple(f"{name}, an event that is not marked: winners" for name in ("NXT", "LAST", "MAX")),
    ),
    (partial(liveness, written_last=True), ("an event: both fire",)),
    (partial(unrolling, any_copy=True), ("an event: both fire",)),
    (partial(unrolling, fresh=False), ("an event: still corresponding",)),
    (partial(assignments, all_live=False), ("a held event: both fire", "a held event: still agreeing")),
    (partial(ring_buffer, short=True), ("every short suffix is held",)),
    (partial(ring_buffer, overwrites_newest=True), ("an event: slots",)),
    (partial(histories, unused=False), ("an event: still standing",)),
    (partial(merging, same_writes=False), ("merging, an event", "merging, an event, back")),
    (partial(complement, dead_final=False), ("exchanged final states",)),
    (partial(compact_sets, shared=True), ("append: no node in two places",)),
    (partial(match_graph, later_right=True), ("a union: start",)),
    (partial(windows, ordered=False), ("an event, backwards",)),
    (partial(completion, from_beginning=True), ("the monitor sees all", "an event is skipped")),
    (partial(filters, published=True), ("one transition asks, at the last variable",)),
    (partial(slices, overlap_short=True), ("nothing is lost",)),
    (partial(slices, marks_only=True), ("nothing is lost",)),
    (partial(rounds, loop=False), ("backwards, a round of one event",)),
    (partial(streams, killed=True), ("an event",)),
]


def case(evidence: Induction, obligation: Obligation) -> str:
    return f"{evidence.name}: {obligation.name}"


def test_there_are_many() -> None:
    assert len(INDUCTIONS) >= 20
    assert len({evidence.name for evidence in INDUCTIONS}) == len(INDUCTIONS)


@pytest.mark.parametrize(("evidence", "obligation"), OBLIGATIONS, ids=[case(*o) for o in OBLIGATIONS])
def test_a_step_is_discharged(evidence: Induction, obligation: Obligation) -> None:
    assert obligation.discharge(TIMEOUT_MS) is Outcome.HOLDS


@pytest.mark.parametrize(("evidence", "obligation"), OBLIGATIONS, ids=[case(*o) for o in OBLIGATIONS])
def test_it_starts_from_no_contradiction(evidence: Induction, obligation: Obligation) -> None:
    assert obligation.consistent(TIMEOUT_MS) is Outcome.HOLDS


@pytest.mark.parametrize("evidence", INDUCTIONS, ids=lambda evidence: evidence.name)
def test_the_cases_of_an_induction_have_names_of_their_own(evidence: Induction) -> None:
    names = [obligation.name for obligation in evidence.obligations()]
    assert len(set(names)) == len(names)


def titled(found: Any) -> str:
    return f"{found.func.__name__}, {', '.join(f'{k}={v}' for k, v in found.keywords.items())}"


@pytest.mark.parametrize(("obligations", "lost"), BROKEN, ids=[titled(found) for found, _ in BROKEN])
def test_what_is_wrong_cannot_be_proved(
    obligations: Callable[[], Iterable[Obligation]], lost: tuple[str, ...]
) -> None:
    unproved = [o.name for o in obligations() if o.name in lost and o.discharge(2_000) is not Outcome.HOLDS]
    assert tuple(unproved) == lost


def test_what_is_wrong_in_epsilon_elimination_is_shown_by_a_model() -> None:
    outcomes = {o.name: o.discharge(TIMEOUT_MS) for o in epsilon_elimination(merged=True)}
    assert outcomes["an event, backwards"] is Outcome.FAILS


def test_as_published_the_selection_strategies_are_right_for_one_label() -> None:
    outcomes = {o.discharge(TIMEOUT_MS) for o in selection(published=True, one_label=True)}
    assert outcomes == {Outcome.HOLDS}


def test_an_obligation_that_does_not_follow_fails() -> None:
    p, q = z3.Bools("p q")
    assert Obligation("no", (p,), q).discharge(TIMEOUT_MS) is Outcome.FAILS
    assert Obligation("no", (p, z3.Not(p)), q).consistent(TIMEOUT_MS) is Outcome.FAILS
