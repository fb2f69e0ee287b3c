"""What the solver is asked, and answers of the decision procedures: yes, no, or unknown, with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NoReturn, TypeAlias

from mnemata.theory.conditions.evaluation import Valuation
from mnemata.theory.errors import ConditionTypeError
from mnemata.theory.schema import Event

Literal: TypeAlias = tuple[int, bool]
"""A condition, by its index, and its truth value."""

Signs: TypeAlias = tuple[bool, ...]
"""Truth values of some conditions, in their order."""

TIMEOUT: Final = 5_000
"""Milliseconds that a call of the solver may take."""


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


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about truth values of some of the conditions.

    Parameters
    ----------
    answer : Answer
        Whether some event and valuation give the conditions these values.
    signs : tuple of bool
        The values of *all* conditions under the witness, when there is one.
    core : frozenset of (int, bool)
        When there is none: a part of the assignment that is impossible by itself.
    """

    answer: Answer
    signs: Signs = ()
    core: frozenset[Literal] = frozenset()


def opposite(answer: Answer) -> Answer:
    """The answer to the negated question: yes becomes no, unknown stays."""
    swapped = {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES, Verdict.UNKNOWN: Verdict.UNKNOWN}
    return Answer(swapped[answer.verdict], answer.witness, answer.reason)
