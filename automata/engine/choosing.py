"""A search of which only some matches are kept at each row: selection strategies and consumption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, pairwise
from typing import Final, NamedTuple, Protocol, TypeAlias

import numpy as np

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.engine.blocks import Block
from mnemata.automata.engine.columns import Rows
from mnemata.automata.engine.compiled.search import Limits
from mnemata.automata.engine.matches import Match
from mnemata.automata.engine.selection import selected
from mnemata.theory.cel.formulas import Strategy
from mnemata.theory.cel.query import Consumption
from mnemata.theory.errors import LimitError

MATCHES_AT_ONCE: Final = 1 << 14


NOTHING_CONSUMED: Final = -1


class Enumerating(Protocol):
    """Something that finds all matches in a stream, again and again."""

    def matches(self, first: int | None = None) -> Iterator[Block]:
        """All matches by last row, or only so many for each."""


Found: TypeAlias = tuple[int, Match]
"""A match and the row at which it is found."""


class Rules(NamedTuple):
    """Which of the matches that are found at a row are kept.

    Parameters
    ----------
    strategies : sequence of subclasses of Strategy
        Applied in turn.
    consume : Consumption
        Whether a match that is kept uses up all events up to its last one.
    """

    strategies: Sequence[type[Strategy]]
    consume: Consumption

    @classmethod
    def of(cls, compiled: CompiledPattern) -> Rules | None:
        """Those of a pattern; ``None`` when it keeps all matches."""
        if not compiled.choices and compiled.consumes is Consumption.NONE:
            return None
        return cls(compiled.choices, compiled.consumes)

    def kept(self, ending: Iterable[Match], consumed: int) -> list[Match]:
        """Those kept of all that are found at a row, where events up to `consumed` are used up."""
        some = [match for match in ending if match.start > consumed]
        for strategy in self.strategies:
            some = list(selected(some, strategy))
        return some

    def consumed(self, row: int, before: int) -> int:
        """Up to where events are used up when some match that is found at a row is kept."""
        return before if self.consume is Consumption.NONE else row

    def along(self, matches: Iterable[Found], consumed: int) -> tuple[list[Found], int]:
        """Those kept of all that are found in some rows, which come by row and use up each other's events.

        Returns
        -------
        list of (int, Match), int
            The row up to which events are used up then.
        """
        found: list[Found] = []
        for row, here in groupby(matches, key=_row):
            some = self.kept((match for _, match in here), consumed)
            found += ((row, match) for match in some)
            if some:
                consumed = self.consumed(row, consumed)
        return found, consumed


@dataclass(frozen=True)
class Merged:
    """All matches of a search in the order of the whole stream rather than of sub-streams.

    Parameters
    ----------
    search : Enumerating
        Finds the matches in rows that stand sub-stream by sub-stream.
    order : int64 array
        What these rows are called in the whole stream.
    limits : Limits
        All matches are held at once: they have no more marks than the match graph may have nodes.
    too_many : callable
        Takes a row, a number and what there is too many of; returns the error to raise.
    """

    search: Enumerating
    order: Rows
    limits: Limits
    too_many: Callable[[int, int, str], LimitError]

    def matches(self, first: int | None = None) -> Iterator[Block]:
        """All matches, or only so many for each last row; positions are rows of the whole stream."""
        positions, ends, rows, size = [_NONE], [_NONE], [_NONE], 0
        for block in self.search.matches(first):
            positions.append(self.order[block.positions])
            ends.append(block.ends + size)
            rows.append(self.order[block.rows])
            size += len(block.positions)
            if size > self.limits.nodes:
                raise self.too_many(int(block.rows[-1]), size, _WAITING)
        found = Block(np.concatenate(positions), np.concatenate(ends), np.concatenate(rows))
        yield found.take(np.argsort(found.rows, kind="stable"))


_NONE: Final[Rows] = np.zeros(0, np.int64)
_WAITING: Final = "marks in matches that wait for those of other sub-streams"


@dataclass(frozen=True)
class Choosing:
    """A search that looks at all matches that are found at a row and keeps some.

    Parameters
    ----------
    search : Enumerating
        Finds the matches, sub-stream by sub-stream, those of a row together.
    rules : Rules
        Which ones.
    bounds : int64 array
        Where each sub-stream begins, and the last one ends; matches use up events of their own alone.
    """

    search: Enumerating
    rules: Rules
    bounds: Rows

    def matches(self, first: int | None = None) -> Iterator[Block]:
        """All that are kept by last row, or only so many for each."""
        kept = ((row, match.positions) for row, some in self._kept() for match in some[:first])
        while some := list(islice(kept, MATCHES_AT_ONCE)):
            ends = np.cumsum([len(positions) for _, positions in some])
            rows = np.array([row for row, _ in some], np.int64)
            yield Block(np.concatenate([np.array(positions, np.int64) for _, positions in some]), ends, rows)

    def count(self) -> int:
        """How many are kept."""
        return sum(number for _, number in self.counts())

    def counts(self) -> Iterator[tuple[int, int]]:
        """The rows at which some are kept, each with their number."""
        for row, some in self._kept():
            yield row, len(some)

    def ends(self) -> Iterator[Rows]:
        """The rows at which some are kept."""
        yield np.array([row for row, _ in self._kept()], np.int64)

    def _kept(self) -> Iterator[tuple[int, list[Match]]]:
        consumed, end = NOTHING_CONSUMED, 0
        for row, here in groupby(_each(self.search.matches()), key=_row):
            if row >= end:
                consumed = NOTHING_CONSUMED
                end = int(self.bounds[np.searchsorted(self.bounds, row, side="right")])
            some = self.rules.kept((match for _, match in here), consumed)
            if some:
                consumed = self.rules.consumed(row, consumed)
                yield row, some


def _row(found: Found) -> int:
    return found[0]


def _each(blocks: Iterable[Block]) -> Iterator[Found]:
    for block in blocks:
        positions = block.positions.tolist()
        bounds = pairwise([0, *block.ends.tolist()])
        for row, (begin, end) in zip(block.rows.tolist(), bounds, strict=True):
            yield row, Match(tuple(positions[begin:end]))
