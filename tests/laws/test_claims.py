"""Every construction against the denotational semantics; every published one refuted by machine."""

from __future__ import annotations

from typing import Any

import pytest

from mnemata.automata.srt.runs import accepting_runs, matches
from mnemata.proofs.claims import Claim, Refuted, counterexample, size
from mnemata.proofs.rma import matching
from mnemata.proofs.srt import closure, compiling, deciding, determinizing, negating, nesting, simplifying
from mnemata.proofs.srt.compiling import AUTOMATA, AutomatonAndString

TRIES = 150
CLAIMS: tuple[Claim[Any], ...] = (
    *compiling.CLAIMS,
    *closure.CLAIMS,
    *negating.CLAIMS,
    *determinizing.CLAIMS,
    *nesting.CLAIMS,
    *deciding.CLAIMS,
    *simplifying.CLAIMS,
    *matching.CLAIMS,
)
REFUTED: tuple[Refuted[Any], ...] = (
    *compiling.REFUTED,
    *closure.REFUTED,
    *negating.REFUTED,
    *determinizing.REFUTED,
    *matching.REFUTED,
)


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_is_claimed_holds(claim: Claim[Any]) -> None:
    assert counterexample(claim, tries=TRIES, seed=1) is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_is_claimed_holds_on_many_instances(claim: Claim[Any], seed: int) -> None:
    assert counterexample(claim, tries=5_000, seed=100 + seed) is None


@pytest.mark.parametrize("refuted", REFUTED, ids=str)
def test_what_is_false_is_refuted_by_a_small_counterexample(refuted: Refuted[Any]) -> None:
    # Shrinking can get stuck on a larger one, so a few searches may be needed.
    searches = (counterexample(refuted.claim, tries=4_000, seed=seed) for seed in range(4))
    sizes = (size(found) for found in searches if found is not None)
    assert any(parts <= refuted.parts and events <= refuted.events for parts, events in sizes)


def test_exploring_configurations_equals_enumerating_runs() -> None:
    def holds(instance: AutomatonAndString) -> bool:
        srt, string = instance
        return matches(srt, string) == {run.marks for run in accepting_runs(srt, string)}

    assert counterexample(Claim("matches are marks of runs", "Def. 26", AUTOMATA, holds), tries=300) is None
