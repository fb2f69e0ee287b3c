"""What is missing and what is there too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import NamedTuple, TypeVar

T = TypeVar("T", bound=Hashable)


class Differences(NamedTuple):
    """How many rows are missing, and how many should not be there."""

    missing: int = 0
    extra: int = 0

    def __or__(self, other: Differences) -> Differences:
        """The greater numbers of both."""
        return Differences(max(self.missing, other.missing), max(self.extra, other.extra))


def differences(expected: Counter[T], found: Counter[T]) -> Differences:
    """What is different in some rows, each counted as often as it is there."""
    return Differences((expected - found).total(), (found - expected).total())
