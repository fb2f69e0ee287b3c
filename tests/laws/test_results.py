"""Every result of the registry comes out as it is known to: what holds, what is refuted, what is repaired."""

from __future__ import annotations

from collections import Counter

import pytest

from mnemata.proofs.claims import size
from mnemata.proofs.evidence import DEEP, SMALL, Induction, Obligation, Outcome, Search
from mnemata.proofs.registry import chosen, results
from mnemata.proofs.results import Judged, Result, judge
from mnemata.theory.errors import UnknownResultError

RESULTS = pytest.mark.parametrize("result", results(), ids=lambda result: result.id)
INDUCTIONS = [
    (evidence, obligation)
    for result in results()
    for evidence in result.evidence
    if isinstance(evidence, Induction)
    for obligation in evidence.obligations()
]


@RESULTS
def test_a_result_comes_out_as_expected(result: Result) -> None:
    judged = judge(result, SMALL)
    assert judged.as_expected, told(judged)
    assert not larger_than_known(judged)


@pytest.mark.slow
@RESULTS
def test_a_result_comes_out_as_expected_with_much_effort(result: Result) -> None:
    judged = judge(result, DEEP)
    assert judged.as_expected, told(judged)


def told(judged: Judged) -> list[str]:
    return [f"{one.evidence.name}, {one.evidence.reading.value}: {one.finding}" for one in judged.weighed]


def larger_than_known(judged: Judged) -> list[str]:
    """Evidence that found a counterexample, but not one as small as is known."""
    return [
        f"{one.evidence.name}: {size(one.finding.counterexample)}"
        for one in judged.weighed
        if isinstance(one.evidence, Search) and one.evidence.breaks is not None
        if not small_enough(one.finding.counterexample, one.evidence.breaks)
    ]


def small_enough(counterexample: object, breaks: tuple[int, int]) -> bool:
    if not isinstance(counterexample, tuple):
        return False
    return all(n <= most for n, most in zip(size(counterexample), breaks, strict=True))


@pytest.mark.parametrize(
    ("evidence", "obligation"), INDUCTIONS, ids=[f"{e.name}: {o.name}" for e, o in INDUCTIONS]
)
def test_no_induction_starts_from_a_contradiction(evidence: Induction, obligation: Obligation) -> None:
    assert obligation.consistent(SMALL.timeout_ms) is Outcome.HOLDS


def test_no_two_results_have_one_name() -> None:
    assert not [name for name, n in Counter(result.id for result in results()).items() if n > 1]


def test_the_beginning_of_names_chooses_all_of_them() -> None:
    assert [result.id for result in chosen(["srt-theorem"])] == [
        result.id for result in results() if result.id.startswith("srt-theorem-")
    ]


def test_an_unknown_name_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownResultError, match="Did you mean 'srt-theorem-27'"):
        chosen(["srt-theorem-72"])
