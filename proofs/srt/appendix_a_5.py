"""SRT Appendix A.5 and A.6: alphabets."""

from __future__ import annotations

from typing import Final

from mnemata.proofs.evidence import Adversary, Reading, Search
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.adversaries import FIGURE_12, against_complement, defeats
from mnemata.proofs.srt.attempts import COMPLEMENTS, of_few_ids, of_few_types
from mnemata.proofs.srt.candidates import automata
from mnemata.proofs.srt.determinism import few_ids_are_determinizable, few_types_have_no_complement

NAME: Final = "over infinitely many types Fig. 12 has no complement"

RESULT: Final = Result(
    paper=Paper.SRT,
    place="Appendix A.5 and A.6, alphabets",
    title="finite alphabets",
    statement=(
        "The proofs that Fig. 12 has no complement and Fig. 4 no deterministic SRT are said to work for "
        "types from a finite alphabet. With finitely many types Fig. 12 has a complement, whose states "
        "are the sets of types seen. Repaired: types are infinitely many. Likewise Fig. 4 is "
        "determinizable where ids are finitely many, as in Example 1."
    ),
    latex=r"|\Sigma| < \infty \implies \exists T_c,\ T_d",
    expected=Standing.REPAIRED,
    constructions=(of_few_types, of_few_ids),
    evidence=(
        Search(few_types_have_no_complement(), breaks=(0, 0)),
        Search(few_ids_are_determinizable(), reading=Reading.REPAIRED),
        Adversary(
            claim=defeats(against_complement, FIGURE_12, automata(), NAME, "App. A.5", complement=True),
            by_hand=COMPLEMENTS,
            reading=Reading.REPAIRED,
        ),
    ),
    remark=(
        "Not among the errata found before. The automata need no registers, and exponentially many "
        "states. Tried for up to three types and ids; what makes them right does not depend on how many "
        "there are."
    ),
)
