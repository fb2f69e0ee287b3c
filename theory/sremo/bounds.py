"""The windows that an expression may be restricted to (Def. 39, ERRATA A5); `windows` measures them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mnemata.theory.conditions.terms import Duration
from mnemata.theory.errors import PatternError, brief
from mnemata.theory.schema import INT64_MAX


@dataclass(frozen=True, slots=True)
class EventWindow:
    """The marked events lie among `size` consecutive events: ``max(M) - min(M) + 1 <= size``."""

    size: int

    def __post_init__(self) -> None:
        _check_size(self.size)


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """``timestamp(max M) - timestamp(min M) < duration`` (strict)."""

    duration: Duration

    def __post_init__(self) -> None:
        if self.duration.amount < 1:
            raise PatternError("a window in time needs a positive duration")


@dataclass(frozen=True, slots=True)
class LengthWindow:
    """The string read, unmarked events included, has at most `size` events."""

    size: int

    def __post_init__(self) -> None:
        _check_size(self.size)


Window: TypeAlias = EventWindow | TimeWindow | LengthWindow


def _check_size(size: int) -> None:
    if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= INT64_MAX:
        raise PatternError(
            f"a window needs a whole number of events, at least 1 and of 64 bits, got {brief(size)}"
        )
