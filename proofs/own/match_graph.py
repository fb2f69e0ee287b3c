"""The match graph: all matches so far, sharing what they have in common."""

from __future__ import annotations

from typing import Final

from mnemata.automata.engine.compiled.graph import collect, merge
from mnemata.automata.engine.recognition import recognise
from mnemata.proofs.evidence import Search
from mnemata.proofs.induction.match_graph import INDUCTION
from mnemata.proofs.own.graphs import (
    collecting_keeps_what_is_inside,
    lists_stand_for_their_matches,
    recognition_is_exact,
    the_graph_stays_flat,
)
from mnemata.proofs.results import Paper, Result, Standing

RESULT: Final = Result(
    paper=Paper.OWN,
    place="Match graph",
    title="nodes stand for matches",
    statement=(
        "The node of a list stands for exactly the matches that were put together in it. A window "
        "cuts off those that begin outside of it and no others, by looking at the latest start of a "
        "node only; at most three unions are passed before the next mark; what is collected is never "
        "needed again. Recognition with the graph finds the matches of the definition, each once, in "
        "the order of their last events."
    ),
    latex=(
        r"\mathit{start}(n) = \max_{M \in n} \min(M), \qquad n \cap \{M : \min(M) \ge c\} = "
        r"\mathit{enumerated}(n, c)"
    ),
    expected=Standing.HOLDS,
    constructions=(merge, collect, recognise),
    evidence=(
        Search(lists_stand_for_their_matches()),
        Search(the_graph_stays_flat()),
        Search(collecting_keeps_what_is_inside()),
        Search(recognition_is_exact()),
        INDUCTION,
    ),
    remark=(
        "The induction is on nodes, of lists of any length. It takes for granted that the parts of a "
        "union have no match in common, for which automata are prepared so that no two runs mark the "
        "same; that is left to the searches, as is what runs over arrays."
    ),
)
