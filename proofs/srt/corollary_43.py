"""SRT Corollary 43: windowed expressions have complements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mnemata.automata.constructions.complement import complement
from mnemata.proofs.bounded import Proof
from mnemata.proofs.evidence import Adversary, Bounded, Effort, Reading, Search
from mnemata.proofs.induction.merging import COMPLEMENT
from mnemata.proofs.results import Paper, Result, Standing
from mnemata.proofs.srt.adversaries import ONE_MARK, against_windowed_complement, defeats
from mnemata.proofs.srt.attempts import OPPOSITES
from mnemata.proofs.srt.candidates import automata
from mnemata.proofs.srt.complementing import proofs as of_corpus
from mnemata.proofs.srt.complementing import right_about_every_string
from mnemata.proofs.srt.determinizing import complement_is_exact, other_strings, recognises_windowed
from mnemata.proofs.srt.exhaustive import COVERED, complemented, proofs

NAME: Final = "an SRT errs about what an expression in a window of one event does not accept"


def _fragment(effort: Effort) -> Iterator[Proof]:
    return proofs(complemented, effort)


RESULT: Final = Result(
    paper=Paper.SRT,
    place="Corollary 43",
    title="complements in windows",
    statement=(
        "The strings that a windowed expression does not accept are accepted by an SRT. To the letter of "
        "Def. 39 that is false, as Thm 41 is: the complement of the expression found there is accepted by "
        "no SRT at all. Repaired: windows on the length of the string, relative to all strings or to "
        "those within the window."
    ),
    latex=(
        r"\forall e, w\, \exists T_c\, \forall S:\ S \in \mathit{Lang}(T_c) \iff \neg (S \in "
        r"\mathit{Lang}(e) \wedge |S| \le w)"
    ),
    expected=Standing.REPAIRED,
    constructions=(complement,),
    evidence=(
        Search(
            recognises_windowed(
                other_strings,
                "the complement accepts what a windowed expression does not",
                "Cor. 43, Def. 39",
                inside=False,
            ),
            breaks=(2, 2),
        ),
        Adversary(
            claim=defeats(
                against_windowed_complement, ONE_MARK, automata(), NAME, "Cor. 43, ERRATA A5", complement=True
            ),
            by_hand=OPPOSITES,
            reading=Reading.REPAIRED,
        ),
        Search(complement_is_exact(), reading=Reading.REPAIRED),
        Search(right_about_every_string(3), reading=Reading.REPAIRED),
        Bounded("complements of the corpus", of_corpus, reading=Reading.REPAIRED),
        Bounded("complements of all expressions of a fragment", _fragment, reading=Reading.REPAIRED),
        COMPLEMENT,
    ),
    errata=("A5", "A7"),
    remark=(
        "With runs that accept as in Def. 24 the empty string is accepted by no SRT, so by none and by its "
        f"complement neither. {COVERED}"
    ),
)
