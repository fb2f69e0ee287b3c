"""Answers about the outputs of complex event automata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mnemata.theory.budget import Budget, spending
from mnemata.theory.cel.valuations import Valuation
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability.answers import Verdict
from mnemata.theory.schema import Event


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to a question about all streams.

    Parameters
    ----------
    verdict : Verdict
        ``YES`` and ``NO`` are certain.
    stream : tuple of Event or None
        A shortest stream that proves a *no*.
    output : Valuation or None
        The output in question at the last position of the stream.
    reason : str
        Why the answer is unknown; empty otherwise.
    """

    verdict: Verdict
    stream: tuple[Event, ...] | None = None
    output: Valuation | None = None
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


def decided(budget: Budget | None, question: Callable[[], Decision]) -> Decision:
    """The answer to a question, or *unknown* when the budget is spent, with what was reached."""
    with spending(budget):
        try:
            return question()
        except LimitError as error:
            return Decision(Verdict.UNKNOWN, reason=str(error))
