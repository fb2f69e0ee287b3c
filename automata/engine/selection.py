"""Selection strategies of CEL on matches of any pattern, position by position (CEL Section 7.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import groupby
from typing import Final, Protocol, TypeAlias, TypeVar

from mnemata.theory.cel.formulas import Last, Max, Nxt, Strategy, Strict
from mnemata.theory.errors import UnsupportedError


class Marked(Protocol):
    """What is selected from: `mnemata.automata.engine.matches.Match`, or anything alike."""

    @property
    def positions(self) -> tuple[int, ...]:
        """The marked rows, increasing; at least one."""

    @property
    def key(self) -> Hashable:
        """Which sub-stream it is of."""


M = TypeVar("M", bound=Marked)
Marks: TypeAlias = tuple[int, ...]
Rule: TypeAlias = Callable[[set[Marks]], set[Marks]]
"""Which marks are kept of all that end at the same row."""


def selected(matches: Iterable[M], strategy: type[Strategy]) -> Iterator[M]:
    """The matches that a strategy keeps of those with the same last row and key.

    Parameters
    ----------
    matches : iterable of Match
        Those of one sub-stream that end at one row stand together, as they do in `Matches`.
    strategy : type
        `Strict`, `Nxt`, `Last` or `Max`. What is kept is what
        `mnemata.theory.cel.semantics.select` keeps of their marks.

    Yields
    ------
    Match
        In the given order. One row's matches are in memory at a time, for ``NXT`` and ``LAST`` compared once
        each, for ``MAX`` all with one another.

    Raises
    ------
    UnsupportedError
        When `strategy` is none of these.

    Examples
    --------
    >>> from mnemata.automata.engine.matches import Match
    >>> found = [Match((1, 8)), Match((5, 8))]
    >>> [match.positions for match in selected(found, Nxt)]
    [(1, 8)]
    """
    if strategy not in _RULES:
        raise UnsupportedError(f"{strategy!r} is no selection strategy; use Strict, Nxt, Last or Max")
    return _selected(matches, _RULES[strategy])


def _selected(matches: Iterable[M], rule: Rule) -> Iterator[M]:
    for _, together in groupby(matches, lambda match: (match.key, match.positions[-1])):
        ending = list(together)
        kept = rule({match.positions for match in ending})
        yield from (match for match in ending if match.positions in kept)


def _strict(found: set[Marks]) -> set[Marks]:
    return {marks for marks in found if marks[-1] - marks[0] + 1 == len(marks)}


def _next(found: set[Marks]) -> set[Marks]:
    """The greatest where, at the first difference, the earlier position is greater, and any than none."""
    return {max(found, key=lambda marks: tuple(-position for position in marks))}


def _last(found: set[Marks]) -> set[Marks]:
    """The greatest where, at the last difference, the later position is greater, and any than none."""
    return {max(found, key=lambda marks: marks[::-1])}


def _max(found: set[Marks]) -> set[Marks]:
    sets = [frozenset(marks) for marks in found]
    return {marks for marks in found if not any(frozenset(marks) < other for other in sets)}


_RULES: Final[dict[type[Strategy], Rule]] = {Strict: _strict, Nxt: _next, Last: _last, Max: _max}
