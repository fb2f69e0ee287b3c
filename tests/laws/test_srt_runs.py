"""Two ways to find the matches of an SRT: by what runs reach, and by runs."""

from __future__ import annotations

from hypothesis import given

from mnemata.automata.srt.runs import accepting_runs, matches
from mnemata.proofs.srt.compiling import AUTOMATA, AutomatonAndString


@given(AUTOMATA)
def test_exploring_configurations_equals_enumerating_runs(instance: AutomatonAndString) -> None:
    srt, string = instance
    assert matches(srt, string) == {run.marks for run in accepting_runs(srt, string)}
