"""CEL Lemma D.1: pumping."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.cel.placing import own_events_are_enough
from mnemata.proofs.cel.pumping import formulas_are_pumpable, pumped
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Lemma D.1",
    title="formulas of CEL* and STRICT are pumpable",
    statement=(
        "If a formula of CEL* with STRICT finds more events than it has places for, some fragment of them "
        "may be repeated: as it is if its events follow one another, else with any events before, between "
        "and after."
    ),
    latex=r"\mu \in \llbracket \rho \rrbracket(S, p_1, p_2),\ |\sup(\mu)| > N \Rightarrow "
    r"\exists i < j\, \forall k \geq 1:\ \mu' \in \llbracket \rho \rrbracket(S', p_1, p_2')",
    expected=Standing.HOLDS,
    constructions=(pumped,),
    evidence=(Search(own_events_are_enough()), Search(formulas_are_pumpable())),
    remark=(
        "N is the proof's own: sums for ;, the greatest for OR. Not in the errata: in the case of ; the "
        "events after the last repetition belong to neither part, which Lemma 8.3 mends; one STRICT writes S "
        "for S'. The lemma needs predicates about sets of events; a count tells repetitions apart. Repeated "
        "one to three times."
    ),
)
