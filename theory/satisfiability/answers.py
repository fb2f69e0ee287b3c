"""Answers of the decision procedures: yes, no, or unknown, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from mnemata.theory.conditions.evaluation import Valuation
from mnemata.theory.errors import ConditionTypeError
from mnemata.theory.schema import Event


class Verdict(Enum):
    """What is known about a question."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Witness:
    """A concrete event and valuation, checked against Def. 13.

    Attributes that the conditions do not mention have arbitrary values, registers that they do not mention
    are empty.
    """

    event: Event
    valuation: Valuation


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question about conditions.

    It has no truth value of its own, lest *unknown* be read as false.

    Parameters
    ----------
    verdict : Verdict
        ``YES`` and ``NO`` are certain.
    witness : Witness or None
        What proves the answer where an example can: a satisfying example for ``satisfiable``, a
        counterexample for ``entails`` and ``equivalent``.
    reason : str
        Why the answer is unknown; empty otherwise.
    """

    verdict: Verdict
    witness: Witness | None = None
    reason: str = ""

    @property
    def yes(self) -> bool:
        """Whether the answer is certainly yes."""
        return self.verdict is Verdict.YES

    @property
    def no(self) -> bool:
        """Whether the answer is certainly no."""
        return self.verdict is Verdict.NO

    @property
    def unknown(self) -> bool:
        """Whether nothing was decided."""
        return self.verdict is Verdict.UNKNOWN

    def __bool__(self) -> NoReturn:
        raise ConditionTypeError(
            f"an answer may be unknown, so it has no truth value; this one is {self.verdict.value}: "
            "read .yes, .no or .unknown"
        )


def opposite(answer: Answer) -> Answer:
    """The answer to the negated question: yes becomes no, unknown stays."""
    swapped = {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES, Verdict.UNKNOWN: Verdict.UNKNOWN}
    return Answer(swapped[answer.verdict], answer.witness, answer.reason)
