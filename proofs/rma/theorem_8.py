"""RMA Theorem 8: every bounded expression has an RMA."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemata.automata.constructions.rma.translation import translate, without_epsilon
from mnemata.proofs.evidence import Bounded, Reading, Search
from mnemata.proofs.induction.filters import INDUCTION
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.rma.literal import REPAIRED, made
from mnemata.proofs.rma.matching import CHOICES_OF_FILTERS, SCHEMA, translation_is_exact
from mnemata.proofs.rma.symbolic import proofs

RESULT: Final = Result(
    paper=Paper.RMA,
    place="Theorem 8",
    title="bounded core-CEPL has RMA",
    statement=(
        "For every bounded core-CEPL expression with filters of any arity there is an RMA that has, "
        "over every stream, the matches of the expression."
    ),
    latex=(r"M \in [\![A_\varphi]\!](S) \iff \exists v:\ M \in [\![\varphi]\!](S, 0, v)"),
    expected=Standing.HOLDS,
    constructions=(translate,),
    evidence=(
        Search(translation_is_exact(translate, "RMA of core-CEPL", "RMA Thm 8")),
        Search(
            translation_is_exact(
                lambda e, schema: without_epsilon(translate(e, schema)),
                "without epsilon transitions",
                "RMA Thm 8",
            )
        ),
        Search(translation_is_exact(made(REPAIRED), "with the registers of Alg. 4, repaired", "RMA Thm 8")),
        Search(
            translation_is_exact(
                made(REPAIRED), "the same, of filtered choices", "RMA Thm 8", CHOICES_OF_FILTERS
            )
        ),
        Bounded("all small expressions, translated", proofs(lambda e: translate(e, SCHEMA))),
        replace(INDUCTION, reading=Reading.STATED),
    ),
    errata=("C3", "C5"),
    remark=(
        "The statement is about matches that begin at some event i; indices are those of the whole "
        "stream, as in the runs of the proof (ERRATA C5). The induction is the step for filters; the "
        "other steps are those of SRT Theorem 27. As given, Alg. 1, 3 and 4 do not do it, see there. "
        "Exhaustive: all bounded expressions of a fragment with up to three atoms, with much effort "
        "over streams of five events."
    ),
)
