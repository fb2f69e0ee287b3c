"""CEL Definition 5.6: types of predicates."""

from __future__ import annotations

from typing import Final

from mnemata.automata.constructions.cea.types import types
from mnemata.proofs.cel.determinizing import an_event_has_one_type, proofs_of_types
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.CEL,
    place="Definition 5.6",
    title="types partition the events",
    statement=(
        "The types of some predicates exclude one another and cover all events, as the proofs of Prop. 5.5 "
        "and Thm 7.2 use them. Repaired: the intersection of no predicates is the set of all events, so that "
        "those in none of the predicates have a type too."
    ),
    latex=r"P_S = \bigcap_{i \in S} P_i \setminus \bigcup_{i \notin S} P_i:\ "
    r"\forall t\, \exists! S:\ t \in P_S",
    expected=Standing.REPAIRED,
    constructions=(types,),
    evidence=(
        Search(an_event_has_one_type(published=True), breaks=(1, 1)),
        Search(an_event_has_one_type(published=False), reading=Reading.REPAIRED),
        Bounded("types of few predicates partition all events", proofs_of_types, reading=Reading.REPAIRED),
    ),
    errata=("B3",),
    remark="The definition does not say what an empty intersection is; read as empty, nothing is complete.",
)
