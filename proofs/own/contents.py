"""Facts about register contents."""

from __future__ import annotations

from typing import Final

from mnemata.automata.decisions.contents import known_contents
from mnemata.proofs.evidence import Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.deciding import facts_hold_of_contents

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Register contents",
    title="facts about register contents",
    statement=("What is said to be known of the registers in a state holds whenever a run is there."),
    latex=(r"c \text{ reached},\ c.q = q \implies c.v \models \mathit{known}(q)"),
    expected=Standing.HOLDS,
    constructions=(known_contents,),
    evidence=(Search(facts_hold_of_contents()),),
    remark=(
        "Facts are kept that hold on every way into a state, a fixpoint over finitely many "
        "candidates. Each step asks the solver about its own theory of values, so there is nothing "
        "uninterpreted to induct over."
    ),
)
