"""Every construction against the denotational semantics; every published one refuted by machine."""

from __future__ import annotations

from typing import Any

import pytest

from mnemata.automata.srt.runs import accepting_runs, matches
from mnemata.automata.srt.transducer import SRT
from mnemata.proofs import closure, compiling
from mnemata.proofs.claims import Claim, counterexample
from mnemata.theory.schema import Event
from mnemata.theory.sremo.expressions import Expression, Terminal
from mnemata.theory.trees import walk

TRIES = 400


@pytest.mark.parametrize("claim", [*compiling.CLAIMS, *closure.CLAIMS], ids=str)
def test_repaired_constructions_hold(claim: Claim[Any]) -> None:
    assert counterexample(claim, tries=TRIES, seed=1) is None


# Terminals or transitions, and events, of the counterexamples that ERRATA A1 to A4 give.
PUBLISHED = {
    "Match(e, S) = Match(T, S), runs accept in a final state, the last event read was marked": (1, 1),
    "Match(e, S) = Match(T, S), runs accept in a final state, the last transition, "
    "epsilon included, marked its event": (1, 1),
    "eliminate_epsilon_as_published keeps all matches": (2, 3),
    "merging_epsilon_elimination keeps all matches": (4, 3),
    "concatenation joins the matches, runs accept in a final state, the last event read was marked": (2, 2),
    "star_as_published iterates the matches": (2, 2),
    "intersection_as_published intersects the matches": (4, 2),
}


@pytest.mark.parametrize("claim", [*compiling.REFUTED, *closure.REFUTED], ids=str)
def test_published_constructions_are_refuted(claim: Claim[Any]) -> None:
    found = counterexample(claim, tries=4000, seed=0)
    assert found is not None
    parts, events = PUBLISHED[claim.name]
    assert _parts(found) <= parts
    assert _events(found) <= events


def _parts(instance: tuple[Any, ...]) -> int:
    expressions = (part for part in instance if isinstance(part, Expression))
    automata = (part for part in instance if isinstance(part, SRT))
    return sum(isinstance(node, Terminal) for e in expressions for node in walk(e)) + sum(
        len(srt.transitions) for srt in automata
    )


def _events(instance: tuple[Any, ...]) -> int:
    strings = (p for p in instance if isinstance(p, tuple) and all(isinstance(e, Event) for e in p))
    return max(map(len, strings))


def test_exploring_configurations_equals_enumerating_runs() -> None:
    def holds(instance: compiling.AutomatonAndString) -> bool:
        srt, string = instance
        return matches(srt, string) == {run.marks for run in accepting_runs(srt, string)}

    claim = Claim("matches = marks of accepting runs", "Def. 26", compiling.AUTOMATA, holds)
    assert counterexample(claim, tries=300) is None
