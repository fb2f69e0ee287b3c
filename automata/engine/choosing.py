"""A search of which only some matches are kept at each row: selection strategies and consumption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, pairwise
from typing import Final

import numpy as np

from mnemata.automata.engine.blocks import Block
from mnemata.automata.engine.columns import Rows
from mnemata.automata.engine.matches import Match, Searching
from mnemata.automata.engine.selection import selected
from mnemata.theory.cel.formulas import Strategy

MATCHES_AT_ONCE: Final = 1 << 14


@dataclass(frozen=True)
class Choosing:
    """A search that looks at all matches that end at a row and keeps some.

    Parameters
    ----------
    search : Searching
        Finds the matches, sub-stream by sub-stream, those of a row together.
    strategies : sequence of subclasses of Strategy
        Applied in turn.
    bounds : int64 array or None
        If matches consume what they mark: where each sub-stream begins, and the last one ends. Then a match
        must begin after the last row of its sub-stream at which one was kept.
    """

    search: Searching
    strategies: Sequence[type[Strategy]] = ()
    bounds: Rows | None = None

    def matches(self, first: int | None = None) -> Iterator[Block]:
        """All that are kept by last row, or only so many for each."""
        kept = (match.positions for _, some in self._kept() for match in some[:first])
        while some := list(islice(kept, MATCHES_AT_ONCE)):
            ends = np.cumsum([len(positions) for positions in some])
            yield Block(np.concatenate([np.array(positions, np.int64) for positions in some]), ends)

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
        consumed: Callable[[int], int] = _nothing
        for row, ending in groupby(_each(self.search.matches()), key=lambda match: match.end):
            some = [match for match in ending if match.start > consumed(row)]
            for strategy in self.strategies:
                some = list(selected(some, strategy))
            if some:
                if self.bounds is not None:
                    consumed = self._consumed(row)
                yield row, some

    def _consumed(self, last: int) -> Callable[[int], int]:
        """For a later row, up to where events of its sub-stream are used up by a match at `last`."""
        bounds = np.zeros(0, np.int64) if self.bounds is None else self.bounds
        end = int(bounds[np.searchsorted(bounds, last, side="right")])
        return lambda row: last if row < end else -1


def _nothing(_row: int) -> int:
    return -1


def _each(blocks: Iterable[Block]) -> Iterator[Match]:
    for block in blocks:
        positions = block.positions.tolist()
        for begin, end in pairwise([0, *block.ends.tolist()]):
            yield Match(tuple(positions[begin:end]))
